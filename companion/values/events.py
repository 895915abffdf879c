"""The JSON objects that companion writes: lines of the ledger, and the documents of `--json`."""

from typing import Any, NamedTuple

# one line of a ledger file: an event `e` with its fields
LedgerLine = dict[str, Any]
JsonDocument = dict[str, Any]  # what a verb prints with --json, or a part of it


class RunEvent(NamedTuple):
    """One event of a run, with what its rows in the index say of the run."""

    run: str  # the run's id
    now: str  # the run's time (RFC 3339 UTC)
    n: int  # place among the run's events, from 0
    line: LedgerLine

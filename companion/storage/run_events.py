"""An event of the ledger together with the run that it is of."""

from typing import NamedTuple

from companion.values.events import LedgerLine


class RunEvent(NamedTuple):
    """One event of a run, with what its rows in the index say of the run."""

    run: str  # the run's id
    now: str  # the run's time (RFC 3339 UTC)
    n: int  # place among the run's events, from 0
    line: LedgerLine

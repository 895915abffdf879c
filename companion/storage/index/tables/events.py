"""The runs that the index knows, and the events of their ledger files."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Any, NamedTuple

_EVENTS = """
    SELECT r.time, e.run, r.operation, e.event, e.subject, e.entry, e.reason,
      e.data
    FROM events e
    JOIN runs r ON r.run = e.run
    WHERE {}
    ORDER BY r.time, e.run, e.n
    """
#: the keys of a ledger line that are columns of their own
_COLUMNS = frozenset(("v", "e", "reason", "entry", "capture"))
#: what was made of an entry's claims is told with the page that won, too; `usage` has the sum of use
_OF_ENTRY = """
    SELECT run, n
    FROM events
    WHERE entry = ?1 AND event <> 'used'
    UNION
    SELECT o.run, o.matter >> 20
    FROM claims c
    JOIN resolutions o ON o.claim = c.id
    WHERE c.entry = ?1
    """
_JOINED = "e.event = 'joined' AND e.entry IN (SELECT entry FROM branch_members WHERE capture = ?1)"
_LAST_REASON = """
    SELECT e.reason
    FROM events e
    JOIN runs r ON r.run = e.run
    WHERE e.entry = ? AND e.event IN ('created', 'grown', 'requalified')
    ORDER BY r.time DESC, e.run DESC, e.n DESC
    LIMIT 1
    """


class LedgerEvent(NamedTuple):
    """One line of a ledger file, and the run that wrote it."""

    time: str
    run: str | None  # None: told by the journal, no run has it
    operation: str
    event: str
    subject: str
    entry: str | None
    reason: str
    detail: dict[str, Any]  # the other keys of the line


class LedgerRun(NamedTuple):
    """One run of the record."""

    run: str
    operation: str
    time: str
    counts: dict[str, int]  # how many events of each kind


def list_events_of_run(db: sqlite3.Connection, run: str) -> list[LedgerEvent]:
    """Return the events of *run*, in their order."""
    return _select(db, "e.run = ?1", run)


def list_events_of_entry(
    db: sqlite3.Connection, entry: str
) -> list[LedgerEvent]:
    """Return what runs decided about *entry* and about its claims, oldest first."""
    return _select(db, f"(e.run, e.n) IN ({_OF_ENTRY})", entry)


def list_events_of_branch(
    db: sqlite3.Connection, branch: str
) -> list[LedgerEvent]:
    """Return what happened to a minority branch, oldest first."""
    return _select(db, "e.subject = ?1", branch)


def list_events_of_capture(
    db: sqlite3.Connection, capture: str
) -> list[LedgerEvent]:
    """Return what runs decided about *capture*, oldest first."""
    return _select(db, f"(e.subject = ?1 OR {_JOINED})", capture)


def find_last_reason(db: sqlite3.Connection, entry: str) -> str:
    """Return why a run last decided whether *entry* stays in quarantine; empty where none did."""
    row = db.execute(_LAST_REASON, (entry,)).fetchone()
    return "" if row is None else str(row[0])


def has_run(db: sqlite3.Connection, run: str) -> bool:
    """Tell whether the record has a run called *run*."""
    return (
        db.execute("SELECT 1 FROM runs WHERE run = ?", (run,)).fetchone()
        is not None
    )


def count_runs(db: sqlite3.Connection) -> int:
    """Return how many runs there are."""
    return int(db.execute("SELECT count(*) FROM runs").fetchone()[0])


def list_runs(db: sqlite3.Connection, most: int) -> list[LedgerRun]:
    """Return the newest runs, at most *most*, the newest first."""
    query = "SELECT run, operation, time, counts FROM runs ORDER BY time DESC, run DESC LIMIT ?"
    rows = db.execute(query, (most,))
    return [
        LedgerRun(run, operation, time, json.loads(counts))
        for run, operation, time, counts in rows
    ]


def _select(
    db: sqlite3.Connection, where: str, value: str
) -> list[LedgerEvent]:
    return [_event(row) for row in db.execute(_EVENTS.format(where), (value,))]


def _event(row: Sequence[Any]) -> LedgerEvent:
    time, run, operation, event, subject, entry, reason, data = row
    line = json.loads(data)
    detail = {key: value for key, value in line.items() if key not in _COLUMNS}
    return LedgerEvent(
        time, run, operation, event, subject, entry, reason, detail
    )

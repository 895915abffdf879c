"""Runs in the index, and the events of each: what happened, when, and why."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

_EVENTS = (
    "SELECT r.time, e.run, r.operation, e.event, e.subject, e.entry, e.reason, e.data FROM events e "
    "JOIN runs r ON r.run = e.run WHERE {} ORDER BY r.time, e.run, e.n"
)
_JOINED = "e.event = 'joined' AND e.entry IN (SELECT entry FROM branch_members WHERE capture = ?1)"
_OF_ENTRY = (  # what was made of its claims is told with the page that won, too
    "SELECT run, n FROM events WHERE entry = ?1 AND event <> 'used' "  # `usage` has the sum
    "UNION SELECT o.run, o.matter >> 20 FROM claims c JOIN resolutions o ON o.claim = c.id WHERE c.entry = ?1"
)
_ABOUT = {
    "run": "e.run = ?1",
    "entry": f"(e.run, e.n) IN ({_OF_ENTRY})",
    "branch": "e.subject = ?1",
    "capture": f"(e.subject = ?1 OR {_JOINED})",
}


class PastRun(NamedTuple):
    """A run as the index has it."""

    run: str
    operation: str
    time: str
    input: dict[str, Any]
    counts: dict[str, int]  # of its events, by name


class PastEvent(NamedTuple):
    """One event of a run."""

    time: str
    run: str
    operation: str
    event: str
    subject: str
    entry: str | None
    reason: str
    data: dict[str, Any]  # its whole line in the ledger


# -- runs ------------------------------------------------------------------------------------------


def find_newest_run(db: sqlite3.Connection) -> str | None:
    """Return the newest run, None before the first."""
    row = db.execute("SELECT run FROM runs ORDER BY time DESC, run DESC LIMIT 1").fetchone()
    return None if row is None else str(row[0])


def find_newest_time(db: sqlite3.Connection) -> str | None:
    """Return the time of the newest run (RFC 3339 UTC), None before the first."""
    newest: str | None = db.execute("SELECT max(time) FROM runs").fetchone()[0]
    return newest


def find_last_run_of(db: sqlite3.Connection, operation: str) -> PastRun | None:
    """Return the newest run of one operation."""
    return next(iter(_list_runs(db, "WHERE operation = ?", (operation,), 1)), None)


def list_newest_runs(db: sqlite3.Connection, limit: int) -> list[PastRun]:
    """Return the *limit* newest runs, the newest first."""
    return _list_runs(db, "", (), limit)


def list_runs_of(db: sqlite3.Connection, operation: str) -> list[str]:
    """Return the runs of one operation, oldest first."""
    query = "SELECT run FROM runs WHERE operation = ? ORDER BY time, run"
    return [run for (run,) in db.execute(query, (operation,))]


def list_runs_beginning(db: sqlite3.Connection, prefix: str) -> list[str]:
    """Return at most two runs whose names begin with *prefix*, one that is called so first."""
    query = (
        "SELECT run FROM runs WHERE substr(run, 1, length(?1)) = ?1 ORDER BY run = ?1 DESC LIMIT 2"
    )
    return [str(run) for (run,) in db.execute(query, (prefix,))]


def has_run(db: sqlite3.Connection, run: str) -> bool:
    """Tell whether the index knows *run*."""
    return db.execute("SELECT 1 FROM runs WHERE run = ?", (run,)).fetchone() is not None


def _list_runs(
    db: sqlite3.Connection, where: str, values: tuple[str, ...], limit: int
) -> list[PastRun]:
    query = (
        f"SELECT run, operation, time, input, counts FROM runs {where} "
        "ORDER BY time DESC, run DESC LIMIT ?"
    )
    return [
        PastRun(run, operation, time, json.loads(given), json.loads(counts))
        for run, operation, time, given, counts in db.execute(query, (*values, limit))
    ]


# -- events ----------------------------------------------------------------------------------------


def list_events_about(db: sqlite3.Connection, kind: str, id: str) -> list[PastEvent]:
    """Return the events about the run, entry, branch or capture (*kind*) *id*, oldest first."""
    return _list_events(db, _ABOUT[kind], (id,))


def list_entry_events(db: sqlite3.Connection, entry: str, events: Iterable[str]) -> list[PastEvent]:
    """Return those events of *entry* whose names are in *events*, oldest first."""
    names = json.dumps(sorted(events))
    where = "e.entry = ? AND e.event IN (SELECT value FROM json_each(?))"
    return _list_events(db, where, (entry, names))


def list_subject_events(db: sqlite3.Connection, subject: str, event: str) -> list[PastEvent]:
    """Return the events of one name about a capture, branch, run or question, oldest first."""
    return _list_events(db, "e.subject = ? AND e.event = ?", (subject, event))


def _list_events(db: sqlite3.Connection, where: str, values: Sequence[str]) -> list[PastEvent]:
    rows = db.execute(_EVENTS.format(where), values)
    return [PastEvent(*row)._replace(data=json.loads(row[-1])) for row in rows]


def list_content_changes(db: sqlite3.Connection, entry: str) -> list[tuple[str, str, str]]:
    """Return (operation, event, line of the ledger) of all that changed an entry's content, the
    oldest first.
    """
    query = (
        "SELECT r.operation, e.event, e.data FROM events e JOIN runs r ON r.run = e.run "
        "WHERE e.entry = ? AND e.event IN ('created', 'grown', 'compressed', 'restored', "
        "'promoted', 'registered', 'edited', 'renamed') ORDER BY r.time, e.run, e.n"
    )
    return db.execute(query, (entry,)).fetchall()


def list_joined_captures(db: sqlite3.Connection, branch: str) -> list[tuple[str, str]]:
    """Return (blob, capture) of every member that joined a minority branch."""
    query = (
        "SELECT json_extract(data, '$.blob'), json_extract(data, '$.capture') FROM events "
        "WHERE subject = ? AND event = 'joined'"
    )
    return db.execute(query, (branch,)).fetchall()

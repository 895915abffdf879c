"""What the routing matrix decided, in the index: AUDIT's queue, divergent words, and what audits
left of gravity.

An undo takes pages back and none of this: a warning is over when whoever gave it says so, an
audit's factor when a later audit says otherwise (GRA-8).
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    # brings what a search does without
    from companion.storage.ledger_file import RunRecord
    from companion.storage.results import (
        CalledEntry,
    )

_QUEUED = """
    INSERT INTO audit_queue (entry, row, run, since, reason)
    VALUES (?,?,?,?,?)
    ON CONFLICT(entry, row) DO UPDATE SET reason = excluded.reason
    """
_UNQUEUED = "DELETE FROM audit_queue WHERE entry = ? AND row = ?"
_DIVERGES = """
    INSERT INTO divergences (key, entry, term, row, run, since, reason)
    VALUES (?,?,?,?,?,?,?)
    ON CONFLICT(key, entry) DO UPDATE SET row = excluded.row,
      reason = excluded.reason
    """
_CONVERGES = "DELETE FROM divergences WHERE key = ? AND entry = ?"
_REDUCED = """
    INSERT INTO factors (entry, factor, run, reason)
    VALUES (?,?,?,?)
    ON CONFLICT(entry) DO UPDATE SET factor = excluded.factor,
      run = excluded.run, reason = excluded.reason
    """

_Row = tuple[str, tuple[Any, ...]]

#: the events of the matrix: AUDIT's queue (row 3), divergent words (rows 1 and 2), gravity reduced
#: by audits (row 6)
EVENTS: Mapping[str, Callable[["RunRecord", Mapping[str, Any]], Iterator[_Row]]] = {
    "queued": lambda run, e: iter([(_QUEUED, (e["entry"], e["row"], run.id, run.now, e["reason"]))]),
    "unqueued": lambda run, e: iter([(_UNQUEUED, (e["entry"], e["row"]))]),
    "diverges": lambda run, e: iter(
        [(_DIVERGES, (e["key"], e["entry"], e["term"], e["row"], run.id, run.now, e["reason"]))]
    ),
    "converges": lambda run, e: iter([(_CONVERGES, (e["key"], e["entry"]))]),
    "reduced": lambda run, e: iter([(_REDUCED, (e["entry"], e["factor"], run.id, e["reason"]))]),
}  # fmt: skip


class Queued(NamedTuple):
    """An entry that AUDIT is to stress-test before others."""

    entry: str
    row: int  # of the matrix
    run: str
    since: str
    reason: str


class Divergence(NamedTuple):
    """A word that the user has for an entry that bears another name."""

    key: str  # as it is looked up
    entry: str
    term: str  # as it was written
    row: int  # 1: mirrored in reads; 2: reclassified, no longer mirrored
    run: str
    since: str
    reason: str


def list_queued(db: sqlite3.Connection) -> list[Queued]:
    """Return AUDIT's priority queue, oldest first."""
    query = "SELECT entry, row, run, since, reason FROM audit_queue ORDER BY since, entry, row"
    return [Queued(*row) for row in db.execute(query)]


def list_divergences(db: sqlite3.Connection) -> list[Divergence]:
    """Return every divergence marker, oldest first."""
    query = """
        SELECT key, entry, term, row, run, since, reason
        FROM divergences
        ORDER BY since, key, entry
        """
    return [Divergence(*row) for row in db.execute(query)]


def list_factors(db: sqlite3.Connection) -> dict[str, float]:
    """Return what audits left of the gravity of entries, each in (0, 1]."""
    return dict(db.execute("SELECT entry, factor FROM factors ORDER BY entry"))


def list_mirrored(
    db: sqlite3.Connection | None, key: str
) -> "list[CalledEntry]":
    """Return the entries that the user calls by the name of *key*, as far as reads answer to it
    (rows 1 and 3).
    """
    if db is None:
        return []
    query = """
        SELECT d.term, e.id, e.title, e.path
        FROM divergences d
        JOIN entries e ON e.id = d.entry
        WHERE d.key = ?
          AND d.row = 1
          AND NOT e.tombstone
          AND e.state <> 'archived'
          AND d.entry NOT IN (SELECT entry FROM audit_queue WHERE row = 3)
        ORDER BY e.id
        """
    return [
        {"term": term, "entry": entry, "title": title, "path": path}
        for term, entry, title, path in db.execute(query, (key,))
    ]

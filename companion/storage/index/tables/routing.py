"""Decisions of the routing matrix in the index: AUDIT's queue, divergent words, and what audits
left of gravity.

An undo takes pages back and none of this: a warning is over when whoever gave it says so, an
audit's factor when a later audit says otherwise (GRA-8), or when the audit itself is taken back
(AUD-8).
"""

import sqlite3
from collections.abc import Iterator

from companion.annotations import TYPE_CHECKING
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    # brings what a search does without
    from companion.storage.results import (
        CalledEntry,
    )
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

_QUEUE = """
    INSERT INTO audit_queue (entry, row, run, since, reason)
    VALUES (?,?,?,?,?)
    ON CONFLICT(entry, row) DO UPDATE SET reason = excluded.reason
    """
_UNQUEUE = "DELETE FROM audit_queue WHERE entry = ? AND row = ?"
_DIVERGE = """
    INSERT INTO divergences (key, entry, term, row, run, since, reason)
    VALUES (?,?,?,?,?,?,?)
    ON CONFLICT(key, entry) DO UPDATE SET row = excluded.row,
      reason = excluded.reason
    """
_CONVERGE = "DELETE FROM divergences WHERE key = ? AND entry = ?"
_REDUCE = """
    INSERT INTO factors (entry, run, factor, share, reason)
    VALUES (?,?,?,?,?)
    ON CONFLICT(entry, run) DO UPDATE SET factor = excluded.factor,
      share = excluded.share, reason = excluded.reason
    """
# of several records that a run settled for an entry, the last one counted
_FACTORS = """
    SELECT f.entry, r.time, f.factor, f.share
    FROM factors f
    JOIN runs r ON r.run = f.run
    WHERE NOT coalesce(
      (
        SELECT a.undone
        FROM audits a
        WHERE a.entry = f.entry
          AND a.settled = f.run
          AND a.statement IS NULL
        ORDER BY a.since DESC, a.run DESC, a.record DESC
        LIMIT 1
      ),
      0
    )
    ORDER BY f.entry, r.time, f.run
    """


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


# -- rows ------------------------------------------------------------------------------------------


def encode_queued(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an entry that enters AUDIT's queue (row 3)."""
    line = event.line
    about = (line["entry"], line["row"])
    yield _QUEUE, (*about, event.run, event.now, line["reason"])


def encode_unqueued(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what removes an entry from AUDIT's queue."""
    yield _UNQUEUE, (event.line["entry"], event.line["row"])


def encode_diverges(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of a word that the user has for an entry (rows 1 and 2)."""
    line = event.line
    about = (line["key"], line["entry"], line["term"], line["row"])
    yield _DIVERGE, (*about, event.run, event.now, line["reason"])


def encode_converges(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what removes a word of the user's."""
    yield _CONVERGE, (event.line["key"], event.line["entry"])


def encode_reduced(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an entry whose gravity an audit reduced (row 6)."""
    line = event.line
    left = (line["factor"], line.get("share"))
    yield _REDUCE, (line["entry"], event.run, *left, line["reason"])


# -- reads -----------------------------------------------------------------------------------------


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


def count_nights_marked(db: sqlite3.Connection, key: str, entry: str) -> int:
    """Return how many runs of CONSOLIDATE came after the one that marked a word for *entry*."""
    query = """
        SELECT count(*)
        FROM divergences d
        JOIN runs r ON r.time > d.since AND r.operation = 'consolidate'
        WHERE d.key = ? AND d.entry = ?
        """
    return int(db.execute(query, (key, entry)).fetchone()[0])


def list_factors(db: sqlite3.Connection) -> dict[str, float]:
    """Return what audits left of the gravity of entries, each in (0, 1].

    Audits that were taken back count for nothing (AUD-8).
    """
    factors: dict[str, float] = {}
    for entry, _, factor, share in db.execute(_FACTORS):
        if factor == 1 or share is None:
            factors[entry] = factor
        else:
            factors[entry] = round(factors.get(entry, 1.0) * share, 6)
    return factors


def list_reductions(db: sqlite3.Connection) -> dict[str, list[str]]:
    """Return when audits reduced the gravity of each entry, oldest first.

    What a later audit gave back is left out, and so are audits that were taken back.
    """
    reductions: dict[str, list[str]] = {}
    for entry, time, factor, _ in db.execute(_FACTORS):
        if factor == 1:
            reductions.pop(entry, None)
        else:
            reductions.setdefault(entry, []).append(time)
    return reductions


def list_mirrored_keys(db: sqlite3.Connection) -> set[str]:
    """Return the keys of the names by which `list_mirrored` finds an entry."""
    rows = db.execute(
        """
        SELECT DISTINCT d.key
        FROM divergences d
        JOIN entries e ON e.id = d.entry
        WHERE d.row = 1
          AND NOT e.tombstone
          AND e.state <> 'archived'
          AND d.entry NOT IN (SELECT entry FROM audit_queue WHERE row = 3)
        """
    )
    return {key for (key,) in rows}


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

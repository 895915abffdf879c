"""Count what `status` shows of the index."""

import sqlite3

from companion.tuples import NamedTuple


class Counts(NamedTuple):
    """How much of everything there is."""

    states: dict[str, int]  # entries by their state
    set_aside: int  # pages that are searchable and never judged
    waiting: int  # captures that a run left waiting
    to_audit: int  # entries in AUDIT's queue
    notes: int  # captures that went into pages
    statements: int  # of them on pages of several, as blocks that hold
    lost: int  # blocks that another note replaced
    on_days: int  # blocks that hold on the pages of their days


NOTHING = Counts({}, 0, 0, 0, 0, 0, 0, 0)

_FADING = """
    SELECT state, count(*) FROM entries WHERE state <> 'active' GROUP BY state
    """
_NOTES = "SELECT count(*) FROM consumed WHERE outcome = 'consolidated'"
_STATEMENTS = "SELECT count(*) FROM statements WHERE id <> '' AND earlier = {}"
_ON_DAYS = """
    SELECT count(*)
    FROM subjects d
    JOIN entries e ON e.id = d.entry
    JOIN statements s ON s.page = e.path
    WHERE d.kind = 'day' AND NOT e.tombstone AND s.id <> '' AND NOT s.earlier
    """


def count_all(db: sqlite3.Connection | None) -> Counts:
    """Return how much of everything there is; nothing where there is no index."""
    if db is None:
        return NOTHING
    return Counts(
        _count_states(db),
        _count(
            db, "SELECT count(*) FROM pages WHERE excluded AND branch IS NULL"
        ),
        _count(db, "SELECT count(*) FROM waiting"),
        _count(db, "SELECT count(DISTINCT entry) FROM audit_queue"),
        _count(db, _NOTES),
        _count(db, _STATEMENTS.format(0)),
        _count(db, _STATEMENTS.format(1)),
        _count(db, _ON_DAYS),
    )


def _count_states(db: sqlite3.Connection) -> dict[str, int]:
    """Return how many entries are in each state that any is in.

    Only those that fade are looked at; the rest of all is active.
    """
    states = dict(db.execute(_FADING).fetchall())
    every = _count(db, "SELECT count(*) FROM entries")
    if active := every - sum(states.values()):
        states["active"] = active
    return states


def _count(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])

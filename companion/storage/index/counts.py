"""Count what `status` shows of the index."""

import sqlite3
from typing import NamedTuple


class Counts(NamedTuple):
    """How much of everything there is."""

    states: dict[str, int]  # entries by their state
    set_aside: int  # pages that are searchable and never judged
    waiting: int  # captures that a run left waiting
    to_audit: int  # entries in AUDIT's queue


NOTHING = Counts({}, 0, 0, 0)


def count_all(db: sqlite3.Connection | None) -> Counts:
    """Return how much of everything there is; nothing where there is no index."""
    if db is None:
        return NOTHING
    states = db.execute(
        "SELECT state, count(*) FROM entries GROUP BY state"
    ).fetchall()
    return Counts(
        dict(states),
        _count(
            db, "SELECT count(*) FROM pages WHERE excluded AND branch IS NULL"
        ),
        _count(db, "SELECT count(*) FROM waiting"),
        _count(db, "SELECT count(DISTINCT entry) FROM audit_queue"),
    )


def _count(db: sqlite3.Connection, query: str) -> int:
    return int(db.execute(query).fetchone()[0])

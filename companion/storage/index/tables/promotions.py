"""Young shifts: an entry that fell to a minority branch, and the one that took its place (CON-10).

Until both have passed, thirty days and three cycles with input, a read that finds one side shows
the other, too: the new interpretation has not proved stable, and what rested on the old one must
not lose its footing overnight (the paper's valley of amnesia). On the hot path: stdlib only.
"""

import sqlite3
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from companion.storage.results import (
        BranchSummary,
        NearestBranch,
        ShiftResult,
    )

DAYS = 30
CYCLES = 3

_YOUNG = f"""
    SELECT s.incumbent, s.entry, s.branch, s.since, i.title, e.title
    FROM shifts s
    JOIN entries i ON i.id = s.incumbent
    JOIN entries e ON e.id = s.entry
    WHERE NOT s.undone
      AND NOT i.tombstone
      AND NOT e.tombstone
      AND (
        julianday(?) - julianday(s.since) < {DAYS}
        OR (
          SELECT count(*)
          FROM runs r
          WHERE r.time > s.since
            AND r.operation = 'consolidate'
            AND instr(r.counts, '"consumed"')
        ) < {CYCLES}
      )
    """

_FALLEN = f"""
    SELECT s.incumbent, s.entry, s.branch, s.since,
      strftime('%Y-%m-%dT%H:%M:%f000Z', s.since, '+{DAYS} days'),
      (
        SELECT count(*)
        FROM runs r
        WHERE r.time > s.since
          AND r.operation = 'consolidate'
          AND instr(r.counts, '"consumed"')
      )
    FROM shifts s
    JOIN entries e ON e.id = s.entry
    WHERE NOT s.undone AND NOT e.tombstone
    ORDER BY s.since
    """


_NEAREST = """
    SELECT b.name, coalesce(e.title, b.incumbent), b.pressure, b.threshold
    FROM branches b
    LEFT JOIN entries e ON e.id = b.incumbent
    WHERE b.state = 'open' AND b.threshold > 0 AND b.pressure IS NOT NULL
    ORDER BY b.pressure / b.threshold DESC, b.name
    LIMIT 1
    """


class Side(NamedTuple):
    """One side of a young shift, as seen from the other."""

    other: str  # an entry
    title: str | None  # of the other
    role: Literal["old", "new"]  # of the side that is looked from
    branch: str
    since: str


class Shift(NamedTuple):
    """How an entry lost its place."""

    entry: str  # that took it
    branch: str
    since: str
    until: str  # it is young until then, or longer
    cycles: int  # with input since then

    def is_young(self, at: str) -> bool:
        """Tell whether the shift is young at *at* (RFC 3339 UTC); before it took place, too."""
        return at < self.until or self.cycles < CYCLES


def list_shifts(db: sqlite3.Connection) -> dict[str, Shift]:
    """Return the entries that lost their place, and to which; the newest shift counts."""
    rows = db.execute(_FALLEN).fetchall()
    return {old: Shift(*row) for old, *row in rows}


def list_young_sides(
    db: sqlite3.Connection | None, now: str
) -> dict[str, Side]:
    """Return the entries on either side of a shift that is young at *now* (RFC 3339 UTC)."""
    found: dict[str, Side] = {}
    for old, new, branch, since, was, now_is in (
        () if db is None else db.execute(_YOUNG, (now,))
    ):
        found[old] = Side(new, now_is, "old", branch, since)
        found[new] = Side(old, was, "new", branch, since)
    return found


def describe_young_side(
    db: sqlite3.Connection, entry: str, now: str
) -> "ShiftResult | None":
    """Return the other side of an entry in a young shift, as reads show it."""
    return describe_side(list_young_sides(db, now).get(entry))


def describe_side(side: Side | None) -> "ShiftResult | None":
    """Return *side* as documents have it."""
    if side is None:
        return None
    return {
        "other": side.other,
        "title": side.title,
        "role": side.role,
        "branch": side.branch,
        "since": side.since,
    }


def find_undo_of_promotion(db: sqlite3.Connection, branch: str) -> str | None:
    """Return the run that took a promotion of *branch* back, unless a member joined after it."""
    row = db.execute(
        """
        SELECT e.run, r.time
        FROM shifts s
        JOIN events e ON e.subject = s.run AND e.event = 'undone'
        JOIN runs r ON r.run = e.run
        WHERE s.branch = ? AND s.undone
        ORDER BY r.time DESC
        LIMIT 1
        """,
        (branch,),
    ).fetchone()
    if row is None:
        return None
    run, time = row
    later = "SELECT 1 FROM branch_members WHERE branch = ? AND NOT undone AND joined > ?"
    if db.execute(later, (branch, time)).fetchone() is not None:
        return None
    return str(run)


def summarize_branches(db: sqlite3.Connection | None) -> "BranchSummary":
    """Return how many branches are open, and the one that is nearest to winning, as `status` shows
    it.
    """
    if db is None:
        return {"open": 0, "nearest": None}
    row = db.execute(_NEAREST).fetchone()
    nearest: NearestBranch | None = None
    if row is not None:
        name, against, pressure, threshold = row
        nearest = {
            "name": name,
            "against": against,
            "pressure": pressure,
            "threshold": threshold,
        }
    return {
        "open": db.execute(
            "SELECT count(*) FROM branches WHERE state = 'open'"
        ).fetchone()[0],
        "nearest": nearest,
    }

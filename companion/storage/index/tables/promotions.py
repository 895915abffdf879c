"""Young shifts: what fell to a minority branch, and what took its place (CON-10).

It is an entry that fell to another, or one statement of a page on which others stand: then both
sides are on that page.

Until both have passed, thirty days and three cycles with input, a read that finds one side shows
the other, too: the new interpretation has not proved stable, and what rested on the old one must
not lose its footing overnight (the paper's valley of amnesia). Later the new side stands alone; the
old one is shown with what replaced it for ever. On the hot path: stdlib only.
"""

import sqlite3

from companion.annotations import TYPE_CHECKING, Literal
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.storage.results import (
        BranchSummary,
        NearestBranch,
    )

DAYS = 30
CYCLES = 3

_IS_YOUNG = f"""
    julianday(?) - julianday(s.since) < {DAYS}
    OR (
      SELECT count(*)
      FROM runs r
      WHERE r.time > s.since
        AND r.operation = 'consolidate'
        AND instr(r.counts, '"consumed"')
    ) < {CYCLES}
    """
_SIDES = f"""
    SELECT s.incumbent, s.entry, s.branch, s.since, i.title, e.title,
      s.statement, {_IS_YOUNG}
    FROM shifts s
    JOIN entries i ON i.id = s.incumbent
    JOIN entries e ON e.id = s.entry
    WHERE NOT s.undone
      AND NOT i.tombstone
      AND NOT e.tombstone
      AND s.statement IS {{}} NULL
    ORDER BY s.since, s.branch
    """
_SIDES_OF_PAGES = _SIDES.format("")
_SIDES_OF_STATEMENTS = _SIDES.format("NOT")

_FALLEN = f"""
    SELECT {{}}, s.entry, s.branch, s.since,
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
    {{}}
    WHERE NOT s.undone AND NOT e.tombstone AND s.statement IS {{}} NULL
    ORDER BY s.since
    """
#: what fell when a branch took a place on a page: the branch is that of the first note that won
_OF_SHIFT = """
    JOIN statement_states t
      ON t.run = s.run AND t.entry = s.entry AND t.state = 'decaying'
      AND NOT t.undone
    JOIN branch_members m
      ON m.branch = s.branch AND m.capture = t.by AND NOT m.undone
    """
_FALLEN_PAGES = _FALLEN.format("s.incumbent", "", "")
_FALLEN_STATEMENTS = _FALLEN.format("t.capture", _OF_SHIFT, "NOT")
_PREDECESSORS = """
    SELECT s.entry, max(i.title)
    FROM shifts s
    JOIN entries i ON i.id = s.incumbent
    WHERE NOT s.undone
      AND s.statement IS NULL
      AND NOT i.tombstone
      AND i.state <> 'archived'
      AND s.entry NOT IN (
        SELECT o.incumbent
        FROM shifts o
        WHERE NOT o.undone AND o.statement IS NULL
      )
    GROUP BY s.entry
    """
_WINNERS = """
    SELECT w.capture
    FROM shifts s
    JOIN shifts o
      ON o.run = s.run AND o.entry = s.entry AND o.statement = s.statement
    JOIN branch_members w ON w.branch = o.branch AND NOT w.undone
    WHERE s.branch = ? AND s.since = ?
    ORDER BY w.capture
    """
_CAME_TOGETHER = f"""
    SELECT DISTINCT w.capture, t.by
    FROM shifts s
    {_OF_SHIFT}
    JOIN shifts o
      ON o.run = s.run AND o.entry = s.entry AND o.statement = s.statement
    JOIN branch_members w ON w.branch = o.branch AND NOT w.undone
    WHERE s.entry = ? AND NOT s.undone
    ORDER BY w.capture, t.by
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
    """One side of a shift, as seen from the other."""

    other: str  # an entry
    title: str | None  # of the other
    role: Literal["old", "new"]  # of the side that is looked from
    branch: str
    since: str
    # the capture that lost on this page, where the page itself did not
    statement: str | None = None


class Shift(NamedTuple):
    """How an entry or a statement lost its place."""

    entry: str  # that took it, or on whose page it was taken
    branch: str
    since: str
    until: str  # it is young until then, or longer
    cycles: int  # with input since then
    # the captures that took the place of a statement; empty for an entry
    captures: tuple[str, ...] = ()

    def is_young(self, at: str) -> bool:
        """Tell whether the shift is young at *at* (RFC 3339 UTC); before it took place, too."""
        return at < self.until or self.cycles < CYCLES


def list_shifts(db: sqlite3.Connection) -> dict[str, Shift]:
    """Return the entries that lost their place, and to which; the newest shift counts."""
    rows = db.execute(_FALLEN_PAGES).fetchall()
    return {old: Shift(*row) for old, *row in rows}


def list_living_predecessors(db: sqlite3.Connection) -> dict[str, str]:
    """Return the entries that took the place of a page that is still in the wiki, each with the
    title of that page.

    An entry that lost its own place since is left out.
    """
    return dict(db.execute(_PREDECESSORS).fetchall())


def list_statement_shifts(db: sqlite3.Connection) -> dict[str, Shift]:
    """Return the captures whose statement lost its place on a page; the newest shift counts."""
    shifts = {}
    for lost, *row in db.execute(_FALLEN_STATEMENTS).fetchall():
        shift = Shift(*row)
        winners = db.execute(_WINNERS, (shift.branch, shift.since))
        captures = tuple(capture for (capture,) in winners)
        shifts[lost] = shift._replace(captures=captures)
    return shifts


def list_notes_that_came_together(
    db: sqlite3.Connection, entry: str
) -> dict[str, str]:
    """Return the captures that took a place on the page of *entry* with others, each with the first
    of them: what they say is one belief.
    """
    return dict(db.execute(_CAME_TOGETHER, (entry,)).fetchall())


def list_sides(db: sqlite3.Connection | None, now: str) -> dict[str, Side]:
    """Return the entries on either side of a shift that is young at *now* (RFC 3339 UTC).

    A page on which one statement took the place of another is its own other side. A page that lost
    its place has its other side for as long as both are in the wiki: nobody who finds it must take
    it for what is believed.
    """
    found: dict[str, Side] = {}
    # most wikis have no shift, and reading these two queries costs a search
    if db is None or not db.execute("SELECT 1 FROM shifts LIMIT 1").fetchone():
        return found
    for _, page, branch, since, _, title, lost, is_young in db.execute(
        _SIDES_OF_STATEMENTS, (now,)
    ):
        if is_young:
            found[page] = Side(page, title, "new", branch, since, lost)
    for old, new, branch, since, was, now_is, _, is_young in db.execute(
        _SIDES_OF_PAGES, (now,)
    ):
        found[old] = Side(new, now_is, "old", branch, since)
        if is_young:
            found[new] = Side(old, was, "new", branch, since)
    return found


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

"""Minority branches in the index (OBJ-5): what the ledger says of them, and which of their pages
are there.

A member's page lies at ``.companion/minority/<branch>/<slug>.md`` on the wiki's branch, out of
Obsidian's sight. It is searched like any page and is no entry: no link leads there, and it has no
part in gravity (GRA-9). A branch never goes: undoing the run that opened it leaves it open and
empty (INV-4), and its owner may delete a member's page, not a branch.
"""

import json
import math
import re
import sqlite3
from collections.abc import Iterable, Iterator

from companion.annotations import TYPE_CHECKING, Literal
from companion.patterns import lazy
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

FOLDER = ".companion/minority/"
REFS = "refs/heads/minority/"

_PATH = lazy(re.escape(FOLDER) + r"([^/]+)/[^/]+\.(?i:md|markdown)")

_OPEN = """
    INSERT INTO branches (
      name, ref, first, incumbent, opened, run, changed, first_statement,
      statement
    )
    VALUES (?1,?2,?3,?3,?4,?5,?5,?6,?6)
    ON CONFLICT(name) DO NOTHING
    """
_ADD_TIE = "INSERT INTO ties VALUES (?,?,?,?,?,?) ON CONFLICT DO NOTHING"
_FOLLOW = """
    INSERT INTO follows (run, branch, incumbent, since, statement)
    VALUES (?,?,?,?,?)
    """
_JOIN = """
    INSERT INTO branch_members (
      capture, branch, entry, path, blob, run, joined, contradicts
    )
    VALUES (?,?,?,?,?,?,?,?)
    ON CONFLICT(capture) DO NOTHING
    """
_NOTE_CHANGE = "UPDATE branches SET changed = ? WHERE name = ?"
_WEIGH = "UPDATE branches SET pressure = ?, threshold = ? WHERE name = ?"
_PROMOTE = """
    INSERT INTO shifts (run, branch, incumbent, entry, since, statement)
    VALUES (?,?,?,?,?,?)
    """
_DECAY = """
    INSERT INTO transitions (run, entry, state, by, since)
    VALUES (?,?,'decaying',?,?)
    """

_NOTE_UNDO = """
    UPDATE branches
    SET changed = ?1
    WHERE name IN (
      SELECT branch FROM branch_members WHERE run = ?2
      UNION
      SELECT branch FROM shifts WHERE run = ?2
    )
    """
#: tables of what an undo takes back, and the column that names the entry
_UNDOABLE = (
    ("branch_members", "entry"),
    ("shifts", "entry"),
    ("transitions", "by"),
)


#: A member counts while its page is there: who deletes the page takes the words back. It lies in
#: its branch's folder, or, where it came out of quarantine, among the entries as before.
#: An owner's words that became a member had an id of their own: they are found by their path.
_AT = """
    (
      p.member = m.entry AND p.branch = m.branch
      OR p.marker = m.entry AND p.branch IS NULL
      OR p.path = m.path AND p.branch IS NOT NULL
    )
    """
MEMBERS_THERE = f"""
    SELECT m.*
    FROM branch_members m
    JOIN branches b ON b.name = m.branch
    WHERE NOT m.undone
      AND (b.state <> 'open' OR EXISTS (SELECT 1 FROM pages p WHERE {_AT}))
    """


class Branch(NamedTuple):
    """A minority branch as the index has it."""

    name: str
    ref: str
    incumbent: str
    # the capture whose statement it contradicts; None: the page as a whole
    statement: str | None
    state: Literal["open", "promoted", "closed"]
    opened: str
    run: str  # that opened it
    # the run in which it last changed: its ref points to that run's commit
    changed: str
    entry: str | None  # the page it became
    cluster_size: int
    contradictions: int
    cycles_open: int
    pressure: float | None  # when it was last weighed
    threshold: float | None


class Member(NamedTuple):
    """A capture that speaks for a branch."""

    capture: str
    branch: str
    entry: str
    path: str  # where its page is now
    blob: str  # what it holds now
    run: str
    joined: str
    contradicts: bool
    title: str  # of its page now; "" where that is gone


def find_branch_of_path(path: str) -> str | None:
    """Return the branch in whose folder *path* (relative to the wiki) is a page; None for any other
    path.
    """
    if not path.startswith(FOLDER) or not path.isprintable():
        return None
    match = _PATH.fullmatch(path)
    return None if match is None else match[1]


# -- rows ------------------------------------------------------------------------------------------


def encode_branched(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a branch that a run opened."""
    name = event.line["branch"]
    incumbent = event.line["entry"]
    statement = event.line.get("statement")
    opened = (event.now, event.run)
    yield _OPEN, (name, REFS + name, incumbent, *opened, statement)
    yield _note_change(event)


def encode_joined(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a capture that joined a branch, and of its ties to others."""
    line = event.line
    capture = line["capture"]
    place = (line["branch"], line["entry"], line["path"], line["blob"])
    contradicts = line.get("contradicts", 1)
    yield _JOIN, (capture, *place, event.run, event.now, contradicts)
    yield _note_change(event)
    for other, support, rival, similarity in line.get("ties", ()):
        tie = (support, int(bool(rival)), similarity)
        yield _ADD_TIE, (capture, other, *tie, event.run)


def encode_weighed(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of a branch whose pressure a run computed."""
    line = event.line
    yield _WEIGH, (line["pressure"], line["threshold"], line["branch"])


def encode_promoted(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a branch that took the place of its incumbent."""
    line = event.line
    sides = (line["branch"], line["incumbent"], line["entry"])
    lost = line.get("statement")
    yield _PROMOTE, (event.run, *sides, event.now, lost)
    yield _note_change(event)


def encode_followed(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a branch that challenges another incumbent from now on."""
    line = event.line
    against = (line["entry"], event.now, line.get("statement"))
    yield _FOLLOW, (event.run, line["branch"], *against)
    yield _note_change(event)


def encode_decaying(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an entry that is decaying; only a promotion names who took its place."""
    line = event.line
    yield _DECAY, (event.run, line["entry"], line.get("by") or None, event.now)


def _note_change(event: "RunEvent") -> "Statement":
    return _NOTE_CHANGE, (event.run, event.line["branch"])


def encode_undone(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what takes back a run's part in branches, or brings it back when the undo itself is
    undone.
    """
    target = event.line["run"]
    undone = int(event.line["outcome"] == "undone")
    yield "UPDATE follows SET undone = ? WHERE run = ?", (undone, target)
    yield _NOTE_UNDO, (event.run, target)
    for table, column in _UNDOABLE:
        update = f"UPDATE {table} SET undone = ? WHERE run = ?"
        if "entries" not in event.line:
            yield update, (undone, target)
        for entry in event.line.get("entries", ()):
            yield f"{update} AND {column} = ?", (undone, target, entry)


def list_branches(db: sqlite3.Connection) -> list[Branch]:
    """Return every branch there ever was, in the order in which they were opened."""
    columns = ", ".join(Branch._fields)
    return [
        Branch(*row)
        for row in db.execute(
            f"SELECT {columns} FROM branches ORDER BY opened, name"
        )
    ]


def list_contested_entries(db: sqlite3.Connection) -> frozenset[str]:
    """Return the entries that an open branch contests."""
    query = "SELECT DISTINCT incumbent FROM branches WHERE state = 'open'"
    return frozenset(entry for (entry,) in db.execute(query))


def list_members(
    db: sqlite3.Connection, branch: str | None = None
) -> list[Member]:
    """Return the members that count, each with its page as it is now, oldest first; of a branch, or
    of all open ones.

    A promoted branch has the members that were promoted with it, each with its page as it joined.
    """
    # min() prefers the page at the member's own path: a copy of it is not the member
    query = f"""
        SELECT m.capture, m.branch, m.entry, coalesce(q.path, m.path),
          coalesce(q.blob, m.blob), m.run, m.joined, m.contradicts,
          coalesce(q.title, '')
        FROM ({MEMBERS_THERE}) m
        JOIN branches b ON b.name = m.branch
        LEFT JOIN pages q ON q.path = (
          SELECT substr(min((p.path <> m.path) || p.path), 2)
          FROM pages p
          WHERE {_AT}
        )
        WHERE CASE
          WHEN ?1 IS NULL THEN b.state = 'open'
          ELSE m.branch = ?1 END
        ORDER BY m.joined, m.capture
        """
    return [
        Member(*row)._replace(contradicts=bool(row[-2]))
        for row in db.execute(query, (branch,))
    ]


def list_ties(
    db: sqlite3.Connection, captures: Iterable[str]
) -> list[tuple[str, str, float, bool, float]]:
    """Return (capture, other, support, rival, similarity) of every tie that one of *captures* is an
    end of, by both.
    """
    columns = "t.capture, t.other, t.support, t.rival, t.similarity"
    query = f"""
        SELECT {columns}
        FROM json_each(?1) m
        CROSS JOIN ties t ON t.capture = m.value
        UNION
        SELECT {columns}
        FROM json_each(?1) m
        CROSS JOIN ties t ON t.other = m.value
        ORDER BY 1, 2
        """
    rows = db.execute(query, (json.dumps(sorted(captures)),))
    return [
        (capture, other, support, bool(rival), alike)
        for capture, other, support, rival, alike in rows
    ]


def has_branch(db: sqlite3.Connection, name: str) -> bool:
    """Tell whether there ever was a branch called *name*."""
    query = "SELECT 1 FROM branches WHERE name = ?"
    return db.execute(query, (name,)).fetchone() is not None


def find_branch_of_capture(db: sqlite3.Connection, capture: str) -> str | None:
    """Return the branch that *capture* speaks for."""
    query = "SELECT branch FROM branch_members WHERE capture = ? AND NOT undone"
    row = db.execute(query, (capture,)).fetchone()
    return None if row is None else str(row[0])


def find_member_capture(db: sqlite3.Connection, target: str) -> str | None:
    """Return the capture of the member whose page has *target* for its id or path."""
    query = """
        SELECT m.capture
        FROM branch_members m
        JOIN pages p ON p.member = m.entry
        WHERE ? IN (m.entry, p.path)
        """
    row = db.execute(query, (target,)).fetchone()
    return None if row is None else str(row[0])


def list_ever_members(db: sqlite3.Connection) -> set[str]:
    """Return every capture that ever joined a branch, those that were taken back among them."""
    query = "SELECT capture FROM branch_members"
    return {capture for (capture,) in db.execute(query)}


def list_undone_runs(db: sqlite3.Connection, branch: str) -> set[str]:
    """Return the runs whose part in *branch* was taken back."""
    query = """
        SELECT run
        FROM branch_members
        WHERE branch = ?1 AND undone
        UNION
        SELECT run
        FROM shifts
        WHERE branch = ?1 AND undone
        """
    return {run for (run,) in db.execute(query, (branch,))}


def measure_quiet(db: sqlite3.Connection, branch: Branch) -> tuple[str, int]:
    """Return when *branch* last grew (RFC 3339 UTC), and how many consolidations with input there
    were since.

    It grew when a member joined, and when its pressure or its voices rose (INV-4).
    """
    joined = db.execute(
        "SELECT max(joined) FROM branch_members WHERE branch = ?",
        (branch.name,),
    ).fetchone()[0]
    times = [branch.opened, joined or branch.opened]
    grown = max([*times, *_list_rises(db, branch.name)])
    query = """
        SELECT count(*)
        FROM runs
        WHERE operation = 'consolidate'
          AND instr(counts, '"consumed"')
          AND time > ?
        """
    (cycles,) = db.execute(query, (grown,)).fetchone()
    return grown, cycles


def _list_rises(db: sqlite3.Connection, branch: str) -> Iterator[str]:
    """Yield when the pressure or the voices of *branch* were above those weighed before."""
    query = """
        SELECT r.time, e.data
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.subject = ? AND e.event = 'weighed'
        ORDER BY r.time, e.run, e.n
        """
    pressure, voices = math.inf, math.inf
    for time, data in db.execute(query, (branch,)):
        weighed = json.loads(data)
        if weighed["pressure"] > pressure or weighed.get("voices", 0) > voices:
            yield time
        pressure, voices = weighed["pressure"], weighed.get("voices", 0)


def list_parts_in_branches(db: sqlite3.Connection) -> dict[str, str]:
    """Return, by entry, the part that it has in open branches: "quarantined", "member" or
    "incumbent".
    """
    rows = db.execute(
        """
        SELECT id, 'quarantined'
        FROM entries
        WHERE quarantined
        UNION ALL
        SELECT m.entry, 'member'
        FROM branch_members m
        JOIN branches b ON b.name = m.branch
        WHERE b.state = 'open' AND NOT m.undone
        UNION ALL
        SELECT incumbent, 'incumbent'
        FROM branches
        WHERE state = 'open'
        """
    )
    return dict(rows.fetchall())

"""Faded entries in the index: compressed, archived or restored by DECAY and AUDIT, and their texts
in cold memory.

The rows follow from the ledger alone. Whether a page is compressed now follows from the page: its
frontmatter names the original, and whoever takes that line out has made it whole again.
"""

import sqlite3
from collections.abc import Iterator

from companion.annotations import TYPE_CHECKING
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    # brings what a search does without
    from companion.storage.results import (
        PinnedEntry,
    )
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

_ADD_TRANSITION = (
    "INSERT INTO transitions (run, entry, state, by, since) VALUES (?,?,?,?,?)"
)
_STORE = """
    INSERT INTO cold (id, entry, blob, path, run, since, why, distortion)
    VALUES (?,?,?,?,?,?,?,?)
    """
# A compression is no access: what was touched stays as long ago as it was.
_MOVE_COMPRESSED = (
    "UPDATE known SET path = ?, blob = ?, deleted = 0 WHERE id = ?"
)
_MOVE_RESTORED = (
    "UPDATE known SET path = ?, blob = ?, deleted = 0, touched = ? WHERE id = ?"
)
_REMOVE_ARCHIVED = "UPDATE known SET deleted = 1, title = ? WHERE id = ?"

_UNDO_TRANSITION = "UPDATE transitions SET undone = ? WHERE run = ? AND entry = ? AND by IS NULL"


class ColdObject(NamedTuple):
    """A cold object, as the ledger tells of it."""

    id: str
    entry: str
    blob: str
    path: str
    run: str
    since: str
    why: str  # compressed or archived
    distortion: float | None  # of the summary that took its place


# -- rows ------------------------------------------------------------------------------------------


def encode_compressed(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of an entry whose page became a summary."""
    line = event.line
    yield _MOVE_COMPRESSED, (line["path"], line["blob"], line["entry"])
    yield _store(event, "compressed", line["distortion"])


def encode_archived(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of an entry that was archived."""
    line = event.line
    yield (
        _ADD_TRANSITION,
        (
            event.run,
            line["entry"],
            "archived",
            None,
            event.now,
        ),
    )
    if "cold" in line:  # else its page is its owner's, and stays where it is
        yield _REMOVE_ARCHIVED, (line.get("title"), line["entry"])
        yield _store(event, "archived", None)


def encode_restored(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of an entry that became active again."""
    line = event.line
    yield _ADD_TRANSITION, (event.run, line["entry"], "active", None, event.now)
    if "path" in line:
        place = (line["path"], line["blob"], event.now, line["entry"])
        yield _MOVE_RESTORED, place


def encode_restored_copy(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an archived entry whose text came back as the new entry of a `created`
    event: links to the old entry are followed to the new one.
    """
    line = event.line
    if "restored_from" in line:
        values = (line["restored_from"], "archived", line["entry"], event.now)
        yield _ADD_TRANSITION, (event.run, *values)


def encode_undone(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what takes back the transitions of those entries of a run that go back alone."""
    line = event.line
    undone = int(line["outcome"] == "undone")
    for entry in line.get("entries", ()):
        yield _UNDO_TRANSITION, (undone, line["run"], entry)


def _store(
    event: "RunEvent", why: str, distortion: float | None
) -> "Statement":
    line = event.line
    about = (line["cold"], line["entry"], line["original"], line["path"])
    return _STORE, (*about, event.run, event.now, why, distortion)


# -- reads -----------------------------------------------------------------------------------------


class LivingColumns(NamedTuple):
    """The entries of the active wiki in order of their ids, as parallel columns."""

    ids: tuple[str, ...]
    states: tuple[str, ...]
    # last told or read, as a Julian day; 0 where nobody knows
    accessed: tuple[float, ...]
    gravity: tuple[float, ...]  # base, as the last pass has it
    vitality: tuple[float, ...]  # as the last run of DECAY left it


class DecayStart(NamedTuple):
    """How an entry came to be decaying."""

    since: str
    operation: str  # of the run that set it so: decay, consolidate or settle


_LIVING = """
    SELECT id, state, coalesce(julianday(last_accessed), 0), gravity, vitality
    FROM entries
    WHERE NOT tombstone AND state <> 'archived'
    ORDER BY id
    """


def read_living_columns(db: sqlite3.Connection) -> LivingColumns:
    """Return what vitality needs to know of every entry of the active wiki."""
    rows = db.execute(_LIVING).fetchall()
    return (
        LivingColumns(*zip(*rows, strict=True))
        if rows
        else LivingColumns((), (), (), (), ())
    )


def list_decay_starts(db: sqlite3.Connection) -> dict[str, DecayStart]:
    """Return how each entry that is decaying came to be so."""
    query = """
        SELECT e.id, t.since, r.operation
        FROM entries e
        JOIN transitions t ON t.entry = e.id
          AND t.state = 'decaying'
          AND NOT t.undone
        JOIN runs r ON r.run = t.run
        WHERE e.state = 'decaying' AND NOT e.tombstone
        ORDER BY t.since
        """
    return {entry: DecayStart(*row) for entry, *row in db.execute(query)}


def list_lost_incumbents(db: sqlite3.Connection) -> list[str]:
    """Return the entries that are decaying because they lost to a minority branch, by id."""
    starts = list_decay_starts(db)
    return sorted(
        entry
        for entry, start in starts.items()
        if start.operation == "consolidate"
    )


def list_days_of_use(db: sqlite3.Connection) -> set[str]:
    """Return the days (`YYYY-MM-DD`) on which somebody told, read or changed something, as the
    ledger has them.
    """
    query = """
        SELECT DISTINCT substr(seen_at, 1, 10)
        FROM heard
        UNION
        SELECT substr(last, 1, 10)
        FROM accesses
        UNION
        SELECT substr(at, 1, 10)
        FROM queries
        UNION
        SELECT substr(time, 1, 10)
        FROM runs
        WHERE operation IN ('adopt', 'init', 'myself', 'pin', 'recall')
        """
    return {day for (day,) in db.execute(query) if day is not None}


def list_cold_objects(
    db: sqlite3.Connection, entry: str | None = None
) -> list[ColdObject]:
    """Return what the ledger says to be in cold memory, newest first; of all entries, or of one."""
    columns = ", ".join(ColdObject._fields)
    where, values = ("", ()) if entry is None else ("WHERE entry = ?", (entry,))
    return [
        ColdObject(*row)
        for row in db.execute(
            f"SELECT {columns} FROM cold {where} ORDER BY since DESC, id",
            values,
        )
    ]


def find_original(db: sqlite3.Connection, entry: str) -> ColdObject | None:
    """Return the cold object that holds the full text of *entry*, if its page is compressed or it
    is archived.
    """
    query = """
        SELECT p.original, e.tombstone
        FROM entries e
        LEFT JOIN pages p ON p.path = e.path AND NOT e.tombstone
        WHERE e.id = ?
        """
    row = db.execute(query, (entry,)).fetchone()
    if row is None:
        return None
    blob, gone = row
    found = list_cold_objects(db, entry)
    if gone:
        return next((each for each in found if each.why == "archived"), None)
    return (
        None
        if blob is None
        else next((each for each in found if each.blob == blob), None)
    )


def list_distortions(
    db: sqlite3.Connection, entry: str | None = None
) -> dict[str, float]:
    """Return the distortion of every entry whose page is compressed now, or of one, each in [0,
    1].
    """
    query = """
        SELECT e.id, max(c.distortion)
        FROM pages p
        JOIN entries e ON e.path = p.path AND NOT e.tombstone
        JOIN cold c ON c.entry = e.id AND c.blob = p.original
        WHERE p.original IS NOT NULL
          AND c.distortion IS NOT NULL
          AND ?1 IN ('', e.id)
        GROUP BY e.id
        """
    return dict(db.execute(query, (entry or "",)))


def list_pins(db: sqlite3.Connection) -> "list[PinnedEntry]":
    """Return every pinned entry with its title and path, by title."""
    query = """
        SELECT e.id, e.title, e.path
        FROM pages p
        JOIN entries e ON e.path = p.path AND NOT e.tombstone
        """
    found = db.execute(query + "WHERE p.pinned ORDER BY e.title, e.path")
    return [
        {"entry": id, "title": title, "path": path} for id, title, path in found
    ]


def list_pinned(db: sqlite3.Connection) -> set[str]:
    """Return the entries that their owner pinned."""
    # few pages are pinned: they first, and not all entries
    query = """
        SELECT e.id
        FROM pages p
        CROSS JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE p.pinned
        """
    return {entry for (entry,) in db.execute(query)}


def list_self_descriptions(db: sqlite3.Connection) -> "list[PinnedEntry]":
    """Return every entry that its owner calls a self-description, by title."""
    query = """
        SELECT e.id, e.title, e.path
        FROM pages p
        JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE p.myself
        ORDER BY e.title, e.path
        """
    return [
        {"entry": id, "title": title, "path": path}
        for id, title, path in db.execute(query)
    ]


class LivingEntry(NamedTuple):
    """An entry of the active wiki, with what its transitions need."""

    id: str
    path: str
    title: str
    blob: str
    managed: bool  # companion wrote its page
    state: str  # active or decaying
    superseded_by: str | None


def find_living_entry(db: sqlite3.Connection, entry: str) -> LivingEntry | None:
    """Return the entry with the id *entry*; None where it is archived or does not exist."""
    query = """
        SELECT id, path, title, blob, managed, state, superseded_by
        FROM entries
        WHERE id = ? AND NOT tombstone AND state <> 'archived'
        """
    row = db.execute(query, (entry,)).fetchone()
    if row is None:
        return None
    found = LivingEntry(*row)
    return found._replace(managed=bool(found.managed))


def find_summary_blob(
    db: sqlite3.Connection, entry: str, cold: str
) -> str | None:
    """Return the blob of the summary that was written when *entry* went to the object *cold*."""
    query = """
        SELECT json_extract(e.data, '$.blob')
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.entry = ?
          AND e.event = 'compressed'
          AND json_extract(e.data, '$.cold') = ?
        ORDER BY r.time DESC
        LIMIT 1
        """
    row = db.execute(query, (entry, cold)).fetchone()
    return None if row is None else str(row[0])


class FadedCounts(NamedTuple):
    """How many pages faded, and how many may not."""

    compressed: int
    pinned: int
    cold: int  # objects in cold memory


def count_faded(db: sqlite3.Connection) -> FadedCounts:
    """Return how many pages are compressed and pinned, and how much is in cold memory."""
    counts = db.execute(
        """
        SELECT (SELECT count(*) FROM pages WHERE original IS NOT NULL),
          (SELECT count(*) FROM pages WHERE pinned),
          (SELECT count(*) FROM cold)
        """
    ).fetchone()
    return FadedCounts(*counts)

"""Entries in the index: the row of each, and what the ledger knows of each page."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from companion.annotations import Any, Literal
from companion.tuples import NamedTuple

#: an entry `e` that has not lost its place: what merely faded is still what is so
HOLDS = (
    "(e.state = 'active' OR (e.state = 'decaying' AND e.superseded_by IS NULL))"
)
#: an entry `e` that a capture may be compared with
_COMPARABLE = f"{HOLDS} AND NOT e.tombstone AND NOT e.quarantined"
_COLUMNS = """
    id, path, title, state, commit_hash, blob, vitality, gravity,
    gravity_protected, quarantined, last_accessed, cohesion_bucket, tombstone,
    managed, since, superseded_by
    """
_DIFFERENT = """
    SELECT e.id, e.tombstone, e.path, e.blob, e.registered, k.path, k.blob,
      k.deleted
    FROM entries e
    LEFT JOIN known k ON k.id = e.id
    WHERE CASE
      WHEN e.tombstone THEN NOT k.deleted
      ELSE k.id IS NULL
        OR k.deleted
        OR k.path <> e.path
        OR k.blob <> e.blob END
    """
_NAMESAKES = """
    SELECT e.id, e.path, e.blob, r.time, r.run,
      EXISTS (
        SELECT 1
        FROM events m
        JOIN runs w ON w.run = m.run
        WHERE m.entry = e.id AND m.event = 'renamed'
          AND w.operation <> 'rename'
      )
    FROM pages p
    JOIN entries e ON e.path = p.path AND NOT e.tombstone
    JOIN events v ON v.entry = e.id AND v.event = 'created'
    JOIN runs r ON r.run = v.run
    WHERE e.managed
      AND p.base_key IN (
        SELECT base_key
        FROM pages
        GROUP BY base_key
        HAVING count(*) > 1
      )
    ORDER BY r.time, r.run, e.id
    """
#: from the name that is exact to the one that may be anything's
_NAMED = (
    "SELECT id FROM entries WHERE id = :target",
    "SELECT id FROM entries WHERE path IN (:path, :path || '.md') AND NOT tombstone",
    "SELECT id FROM entries WHERE path IN (:path, :path || '.md')",
    """
    SELECT e.id
    FROM names n
    JOIN entries e ON e.path = n.page
    WHERE n.key = :title_key AND NOT e.tombstone
    """,
    """
    SELECT e.id
    FROM pages p
    JOIN entries e ON e.path = p.path
    WHERE p.base_key = :base_key AND NOT e.tombstone
    """,
    """
    SELECT id
    FROM entries
    WHERE tombstone
      AND (title = :target OR path LIKE '%/' || :base_key || '.md')
    """,
    """
    SELECT id
    FROM entries
    WHERE length(:target) >= 4
      AND substr(id, 1, length(:target)) = lower(:target)
    """,
)


EntryState = Literal["active", "decaying", "archived"]


class EntryRow(NamedTuple):
    """One entry as the index has it."""

    id: str
    path: str
    title: str
    state: EntryState
    commit_hash: str
    blob: str
    vitality: float
    gravity: float
    gravity_protected: bool
    quarantined: bool
    last_accessed: str | None
    cohesion_bucket: str | None
    tombstone: bool  # its page is gone
    managed: bool  # companion writes its page
    since: str | None
    superseded_by: str | None


class KnownEntry(NamedTuple):
    """One entry as the ledger has it."""

    path: str
    blob: str
    deleted: bool
    quarantined: bool
    bucket: str | None


class DifferentEntry(NamedTuple):
    """An entry of which the tree says something else than the ledger."""

    id: str
    tombstone: bool
    path: str
    blob: str
    registered: bool
    known_path: str | None  # None: the ledger does not know the entry
    known_blob: str | None
    known_deleted: bool


class ComparablePage(NamedTuple):
    """The page of an entry that a capture may be compared with."""

    id: str
    path: str
    title: str
    blob: str
    told: str


class NamesakePage(NamedTuple):
    """A page whose file name another page has, too."""

    id: str
    path: str
    blob: str
    time: str  # of the run that created it
    run: str
    renamed: bool


def find_entry(db: sqlite3.Connection, entry: str | None) -> EntryRow | None:
    """Return the row of *entry*, whether its page is there or gone."""
    return next(_select(db, "id = ?", (entry,)), None)


def find_page(db: sqlite3.Connection, entry: str) -> EntryRow | None:
    """Return the row of *entry*, None where its page is gone."""
    return next(_select(db, "id = ? AND NOT tombstone", (entry,)), None)


def find_entry_at(db: sqlite3.Connection, path: str) -> EntryRow | None:
    """Return the entry whose page is at *path*."""
    return next(_select(db, "path = ? AND NOT tombstone", (path,)), None)


def find_title(db: sqlite3.Connection, entry: str | None) -> str | None:
    """Return the title of *entry*, the last one where its page is gone."""
    row = db.execute(
        "SELECT title FROM entries WHERE id = ?", (entry,)
    ).fetchone()
    return None if row is None else str(row[0])


def find_path(db: sqlite3.Connection, entry: str) -> str | None:
    """Return the path of the page of *entry*, the last one where it is gone."""
    row = db.execute(
        "SELECT path FROM entries WHERE id = ?", (entry,)
    ).fetchone()
    return None if row is None else str(row[0])


def find_known(db: sqlite3.Connection, entry: str) -> KnownEntry | None:
    """Return what the ledger says of *entry*; None where it says nothing."""
    query = "SELECT path, blob, deleted, quarantined, bucket FROM known WHERE id = ?"
    row = db.execute(query, (entry,)).fetchone()
    if row is None:
        return None
    path, blob, deleted, quarantined, bucket = row
    return KnownEntry(path, blob, bool(deleted), bool(quarantined), bucket)


def is_known_page(db: sqlite3.Connection, path: str, entry: str) -> bool:
    """Tell whether the ledger knows a page at *path*, or the page of *entry*."""
    query = "SELECT 1 FROM known WHERE NOT deleted AND (path = ? OR id = ?)"
    return db.execute(query, (path, entry)).fetchone() is not None


def find_comparable_blob(db: sqlite3.Connection, entry: str) -> str | None:
    """Return the blob of the page of *entry*, if a capture may be compared with it."""
    query = f"SELECT e.blob FROM entries e WHERE {_COMPARABLE} AND e.id = ?"
    row = db.execute(query, (entry,)).fetchone()
    return None if row is None else str(row[0])


def list_comparable(db: sqlite3.Connection) -> list[str]:
    """Return every entry that a capture may be compared with, by id."""
    query = f"SELECT e.id FROM entries e WHERE {_COMPARABLE} ORDER BY e.id"
    return [entry for (entry,) in db.execute(query)]


def list_comparable_pages(
    db: sqlite3.Connection, entries: Iterable[str]
) -> list[ComparablePage]:
    """Return the pages of those of *entries* that a capture may be compared with, in their
    order.
    """
    query = f"""
        SELECT e.id, e.path, e.title, e.blob, coalesce(k.told, k.since, '')
        FROM entries e
        LEFT JOIN known k ON k.id = e.id
        WHERE {_COMPARABLE} AND e.id = ?
        """
    rows = (db.execute(query, (entry,)).fetchone() for entry in entries)
    return [ComparablePage(*row) for row in rows if row is not None]


def list_writable_pages(
    db: sqlite3.Connection, entries: Iterable[str]
) -> list[EntryRow]:
    """Return those of *entries* whose pages companion may write, in their order."""
    where = (
        f"id = ? AND managed AND NOT tombstone AND NOT quarantined AND {HOLDS}"
    )
    found = (next(_select(db, where, (entry,)), None) for entry in entries)
    return [row for row in found if row is not None]


def list_quarantined(db: sqlite3.Connection) -> list[EntryRow]:
    """Return the entries in quarantine, those that have been there longest first."""
    return list(
        _select(db, "quarantined AND NOT tombstone ORDER BY since, id", ())
    )


def list_states(db: sqlite3.Connection) -> dict[str, str]:
    """Return the state of every entry, by its id."""
    return dict(db.execute("SELECT id, state FROM entries").fetchall())


def list_different(db: sqlite3.Connection) -> list[DifferentEntry]:
    """Return the entries of which the tree says something else than the ledger."""
    entries: list[DifferentEntry] = []
    rows = db.execute(_DIFFERENT)
    for id, gone, path, blob, registered, was, before, deleted in rows:
        entries.append(
            DifferentEntry(
                id,
                bool(gone),
                path,
                blob,
                bool(registered),
                was,
                before,
                bool(deleted),
            )
        )
    return entries


def list_namesakes(db: sqlite3.Connection) -> list[NamesakePage]:
    """Return the managed pages whose file name another page has, too, each once.

    Two machines that do not know of each other may both have made one entry; the first counts.
    """
    pages: dict[str, NamesakePage] = {}
    for row in db.execute(_NAMESAKES):
        page = NamesakePage(*row)
        pages.setdefault(page.id, page._replace(renamed=bool(page.renamed)))
    return list(pages.values())


def list_gone_named(
    db: sqlite3.Connection, base_key: str, title_key: str
) -> list[EntryRow]:
    """Return the entries without a page that a link of these keys means, the newest first."""
    where = """
        tombstone
        AND id IN (SELECT entry FROM gone_names WHERE key IN (?, ?))
        ORDER BY since DESC, id
        """
    return list(_select(db, where, (base_key, title_key)))


def list_entries_named(
    db: sqlite3.Connection,
    target: str,
    path: str,
    title_key: str,
    base_key: str,
) -> list[str]:
    """Return the entries that *target* names, by id: of several ways to read it the first that
    finds any.

    The ways are an id, a path, a title or alias, a file name, and the beginning of an id.
    """
    names = {
        "target": target,
        "path": path,
        "title_key": title_key,
        "base_key": base_key,
    }
    for query in _NAMED:
        found = sorted({str(id) for (id,) in db.execute(query, names)})
        if found:
            return found
    return []


#: DECAY's own question: what lies below a threshold. The index on vitality answers it.
LOW_ENTRIES = """
    SELECT id
    FROM entries
    WHERE vitality < ? AND NOT tombstone AND state <> 'archived'
    """


def list_low_entries(db: sqlite3.Connection, below: float) -> list[str]:
    """Return the entries of the active wiki whose stored vitality is less than *below*."""
    return [entry for (entry,) in db.execute(LOW_ENTRIES, (below,))]


def write_vitality(
    db: sqlite3.Connection, moved: Sequence[tuple[float, str]]
) -> None:
    """Write (vitality, entry) rows, in the caller's transaction."""
    db.executemany("UPDATE entries SET vitality = ? WHERE id = ?", moved)


def _select(
    db: sqlite3.Connection, where: str, values: tuple[Any, ...]
) -> Iterator[EntryRow]:
    for row in db.execute(
        f"SELECT {_COLUMNS} FROM entries e WHERE {where}", values
    ):
        found = EntryRow(*row)
        yield found._replace(
            gravity_protected=bool(found.gravity_protected),
            quarantined=bool(found.quarantined),
            tombstone=bool(found.tombstone),
            managed=bool(found.managed),
        )

"""Decide which entry each page is, at the end of a fold.

That follows from the tree and the ledger alone. A page is the entry whose id companion wrote into
its frontmatter: of several copies the page at the path that the ledger knows, else the one with the
content that it knows, else the first path. Else it is the entry that the ledger knows at its path.
Else it has a provisional id, made of its path and content, which the next run makes permanent.

The fold notes in temporary tables what it concerns: `changed` (paths of changed pages), `ids` (of
entries), `paths` (whose entry is decided anew), `moved` (paths whose entry is another one now),
`keys` (names that appeared or went) and `sources` (pages whose edges are written anew).
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

from companion.pages import ids, links

_WORK_TABLES = ("changed", "keys", "ids", "paths", "sources", "moved")

#: the later of when it was last told and when it was last read
_LAST_ACCESS = """
    nullif(
      max(
        coalesce({}, ''),
        coalesce((SELECT a.last FROM accesses a WHERE a.entry = {}), '')
      ),
      ''
    )
    """

_INSERT_ENTRY = f"""
    INSERT INTO entries (
      id, path, title, state, commit_hash, blob, quarantined,
      last_accessed, cohesion_bucket, tombstone, managed, registered,
      since, gravity, gravity_protected
    )
    VALUES (
      ?1, ?, ?, ?, ?, ?, ?, {_LAST_ACCESS.format("?8", "?1")}, ?, ?, ?, ?, ?,
      coalesce((SELECT base FROM gravity WHERE entry = ?1), 0),
      EXISTS (SELECT 1 FROM protected WHERE entry = ?1)
    )
    """

#: an entry that the ledger knows exactly as it is
_AS_KNOWN = """
    entries.id IN (SELECT value FROM temp.ids)
    AND k.id = entries.id
    AND NOT entries.tombstone
    AND NOT k.deleted
    AND k.path = entries.path
    AND k.blob = entries.blob
    """
_CONFIRM = f"""
    UPDATE entries
    SET registered = 1,
      since = k.since,
      last_accessed = {_LAST_ACCESS.format("k.touched", "k.id")},
      quarantined = k.quarantined,
      cohesion_bucket = k.bucket,
      gravity_protected =
        EXISTS (SELECT 1 FROM protected p WHERE p.entry = entries.id)
    FROM known k
    WHERE {_AS_KNOWN}
    """
_DROP_CONFIRMED = f"""
    DELETE FROM temp.ids
    WHERE value IN (SELECT k.id FROM entries, known k WHERE {_AS_KNOWN})
    """

#: Close the changed paths and the ids over each other: frontmatter ids, ledger paths and current
#: entries. The order matters.
_CLOSE_OVER = (
    "INSERT OR IGNORE INTO temp.paths SELECT value FROM temp.changed",
    """
    INSERT OR IGNORE INTO temp.ids
    SELECT k.id
    FROM temp.changed c
    CROSS JOIN known k ON k.path = c.value
    """,
    "INSERT OR IGNORE INTO temp.paths SELECT path FROM contested",
    """
    INSERT OR IGNORE INTO temp.paths
    SELECT t.path
    FROM temp.ids i
    CROSS JOIN known t ON t.id = i.value
    """,
    """
    INSERT OR IGNORE INTO temp.paths
    SELECT t.path
    FROM temp.ids i
    CROSS JOIN pages t ON t.marker = i.value
    """,
    """
    INSERT OR IGNORE INTO temp.paths
    SELECT t.path
    FROM temp.ids i
    CROSS JOIN entries t ON t.id = i.value
    """,
    """
    INSERT OR IGNORE INTO temp.ids
    SELECT e.id
    FROM temp.paths p
    CROSS JOIN entries e ON e.path = p.value
    """,
)
_CLEAR = (
    "DELETE FROM contested",
    "DELETE FROM entries WHERE id IN (SELECT value FROM temp.ids)",
    "DELETE FROM gone_names WHERE entry IN (SELECT value FROM temp.ids)",
)
_ENTRIES_AT = """
    SELECT c.value, e.id
    FROM temp.paths c
    CROSS JOIN entries e ON e.path = c.value
    WHERE NOT e.tombstone
    """
_COMMITS = """
    SELECT id, commit_hash, path, blob
    FROM entries
    WHERE id IN (SELECT value FROM temp.ids)
    """
_NOTE_SOURCES = """
    INSERT OR IGNORE INTO temp.sources
    SELECT value FROM temp.moved
    UNION
    SELECT l.page
    FROM temp.moved m
    CROSS JOIN links l ON l.to_path = m.value
    """

#: Every page concerned, with the id it rightfully holds: the one in its frontmatter (of several
#: copies, the page where the ledger knows it, else the one as the ledger knows it, which a person
#: moved, else the first path), else the one the ledger knows at its path and no page carries.
_CONCERNED_PAGES = """
    SELECT c.*, k.quarantined, k.bucket, k.since, k.touched
    FROM (
      SELECT p.path, p.blob, p.title, p.managed,
        coalesce(
          CASE
            WHEN p.marker IS NOT NULL AND p.path = (
              SELECT q.path
              FROM pages q
              LEFT JOIN known k ON k.id = q.marker
              WHERE q.marker = p.marker
              ORDER BY k.path IS NOT q.path, k.blob IS NOT q.blob, q.path
              LIMIT 1
            )
            THEN p.marker
          END,
          (
            SELECT k.id
            FROM known k
            WHERE k.path = p.path
              AND NOT k.deleted
              AND NOT EXISTS (SELECT 1 FROM pages q WHERE q.marker = k.id)
            ORDER BY k.id
            LIMIT 1
          )
        ) AS id,
        EXISTS (SELECT 1 FROM temp.changed c WHERE c.value = p.path)
      FROM temp.paths x
      CROSS JOIN pages p ON p.path = x.value
      WHERE NOT p.excluded
    ) c
    LEFT JOIN known k ON k.id = c.id
    ORDER BY c.path
    """

#: Has the ledger or a frontmatter given any id yet? Where not, nobody else can have a claim.
_HAS_GIVEN_IDS = """
    SELECT EXISTS (SELECT 1 FROM known)
      OR EXISTS (SELECT 1 FROM pages WHERE marker IS NOT NULL)
    """

#: Who else has a claim on an id: the page that bears it, and the path where the ledger knows it.
_CLAIMANTS = """
    SELECT p.path, k.path, k.quarantined, k.bucket, k.since, k.touched
    FROM (SELECT ?1 AS id) x
    LEFT JOIN pages p ON p.marker = x.id
    LEFT JOIN known k ON k.id = x.id
    LIMIT 1
    """

#: Entries that the ledger knows and no page holds: their owner deleted the page; the record stays
#: (OBJ-2). A page that the configuration has set aside since is neither an entry nor gone.
_TOMBSTONES = """
    SELECT k.id, k.path, coalesce(k.title, k.path), 'archived', '', k.blob,
      k.quarantined, k.touched, k.bucket, 1, k.bucket IS NOT NULL, 1, k.since
    FROM temp.ids i
    CROSS JOIN known k ON k.id = i.value
    WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.id = k.id)
      AND NOT EXISTS (
        SELECT 1 FROM pages p WHERE p.path = k.path AND p.excluded
      )
    """

_Row = tuple[Any, ...]  # the values of `_INSERT_ENTRY`


class _Known(NamedTuple):
    """An entry as the ledger has it."""

    quarantined: int | None = 0
    bucket: str | None = None
    since: str | None = None
    touched: str | None = None


class _Concerned(NamedTuple):
    """A page whose entry is decided."""

    path: str
    blob: str
    title: str
    managed: int
    id: str | None
    changed: int
    quarantined: int | None
    bucket: str | None
    since: str | None
    touched: str | None


class _Commit(NamedTuple):
    """The commit that an entry's content was last seen in, and where."""

    hash: str
    path: str
    blob: str


# -- what a fold concerns --------------------------------------------------------------------------


def clear_work_tables(db: sqlite3.Connection) -> None:
    """Create the temporary tables that say what a fold concerns, empty."""
    for table in _WORK_TABLES:
        db.execute(
            f"""
            CREATE TEMP TABLE IF NOT EXISTS {table} (value TEXT PRIMARY KEY)
            WITHOUT ROWID
            """
        )
        db.execute(f"DELETE FROM temp.{table}")


def note(db: sqlite3.Connection, table: str, values: Iterable[str]) -> None:
    """Add *values* to one of the temporary tables."""
    db.executemany(
        f"INSERT OR IGNORE INTO temp.{table} VALUES (?)",
        ((value,) for value in values),
    )


# -- deciding --------------------------------------------------------------------------------------


def confirm_entries(db: sqlite3.Connection) -> None:
    """Take in what the ledger merely confirms: the id, the path and the content of an entry as it
    stands.

    A first night records thousands of pages that were just folded. If no page changed with it and
    no id is contested, none of them can become another entry by that.
    """
    query = """
        SELECT EXISTS (SELECT 1 FROM contested)
          OR EXISTS (SELECT 1 FROM temp.changed)
        """
    if db.execute(query).fetchone()[0]:
        return
    db.execute(_CONFIRM)
    db.execute(_DROP_CONFIRMED)


def decide_entries(db: sqlite3.Connection, commit: str) -> None:
    """Write the entry of every page concerned, and note the pages whose edges change with it."""
    for statement in _CLOSE_OVER:
        db.execute(statement)
    before = dict(db.execute(_ENTRIES_AT).fetchall())
    commits = {id: _Commit(*row) for id, *row in db.execute(_COMMITS)}
    for statement in _CLEAR:
        db.execute(statement)
    rows = list(_build_rows(db, commit, commits))
    after = {row[1]: row[0] for row in rows}
    _note_moved(db, before, after)
    db.executemany(_INSERT_ENTRY, rows)
    _insert_tombstones(db, commit, commits)


def _note_moved(
    db: sqlite3.Connection, before: Mapping[str, str], after: Mapping[str, str]
) -> None:
    """Note the paths whose entry is another one now: edges change on both sides."""
    paths = before.keys() | after.keys()
    note(
        db,
        "moved",
        (path for path in paths if before.get(path) != after.get(path)),
    )
    db.execute(_NOTE_SOURCES)
    gone = set(before.values()) - set(after.values())
    db.executemany(
        "DELETE FROM edges WHERE source = ?1 OR target = ?1",
        ((id,) for id in gone),
    )


def _build_rows(
    db: sqlite3.Connection, commit: str, commits: Mapping[str, _Commit]
) -> Iterator[_Row]:
    has_given_ids = bool(db.execute(_HAS_GIVEN_IDS).fetchone()[0])
    for row in db.execute(_CONCERNED_PAGES).fetchall():
        page = _Concerned(*row)
        if page.id is not None:
            known = _Known(*page[6:])
            yield _build_row(page, page.id, known, commit, commits)
            continue
        if has_given_ids:
            id, known = _choose_provisional(db, page)
        else:
            id, known = ids.provisional_id(page.path, page.blob, 0), _Known()
        yield _build_row(page, id, known, commit, commits)


def _build_row(
    page: _Concerned,
    id: str,
    known: _Known,
    commit: str,
    commits: Mapping[str, _Commit],
) -> _Row:
    # An id may pass from one page to another that did not change: the commit it came with never
    # held that one.
    held = commits.get(id)
    same = held is not None and held[1:] == (page.path, page.blob)
    seen_in = held.hash if held and same and not page.changed else commit
    return (
        id,
        page.path,
        page.title,
        "active",
        seen_in,
        page.blob,
        known.quarantined or 0,
        known.touched,
        known.bucket,
        0,
        page.managed,
        known.since is not None,
        known.since,
    )


def _choose_provisional(
    db: sqlite3.Connection, page: _Concerned
) -> tuple[str, _Known]:
    """Return (id, what the ledger knows of it) for a page that neither its frontmatter nor the
    ledger names.

    The ledger may know its first id at another path (a page is renamed, and a new one made with the
    old name and words), and a person may have written it into another page: then the next one is
    taken.
    """
    for turn in count():
        id = ids.provisional_id(page.path, page.blob, turn)
        bearer, known_at, *known = db.execute(_CLAIMANTS, (id,)).fetchone()
        if bearer is None and known_at in (None, page.path):
            break
    if turn:
        db.execute("INSERT INTO contested VALUES (?)", (page.path,))
    if known_at is not None:
        db.execute("DELETE FROM entries WHERE id = ? AND tombstone", (id,))
        db.execute("DELETE FROM gone_names WHERE entry = ?", (id,))
    return id, _Known(*known)


def _insert_tombstones(
    db: sqlite3.Connection, commit: str, commits: Mapping[str, _Commit]
) -> None:
    """Write the entries without a page; each keeps the last commit that is known to hold its
    page.
    """
    rows = []
    names: list[tuple[str, str]] = []
    for row in db.execute(_TOMBSTONES).fetchall():
        id, path, title = row[:3]
        held = commits.get(id)
        seen_in = commit if held is None else held.hash
        rows.append((*row[:4], seen_in, *row[5:]))
        keys = {links.key(path), links.title_key(title)}
        names.extend((id, key) for key in keys)
    db.executemany(_INSERT_ENTRY, rows)
    db.executemany("INSERT INTO gone_names VALUES (?,?)", names)

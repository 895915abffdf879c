"""Pages in the index: their files, their texts, and the entries that a name leads to."""

import sqlite3
from collections.abc import Iterable, Sequence

from companion import json_text
from companion.storage.index.tables.pages.entries import HOLDS
from companion.storage.index.tables.pages.statements import STANDS
from companion.tuples import NamedTuple

#: a page `p` whose text is compared with others: a page of the wiki, or one of a branch
_READABLE = "(NOT p.excluded OR p.branch IS NOT NULL)"
_READABLE_TEXTS = f"""
    SELECT p.path, -2, p.blob
    FROM pages p
    WHERE {_READABLE} {{0}}
      AND NOT EXISTS (SELECT 1 FROM statements s WHERE s.page = p.path)
    UNION ALL
    SELECT s.page, s.place, s.text
    FROM pages p
    CROSS JOIN statements s ON s.page = p.path
    WHERE {_READABLE} AND NOT s.earlier {{0}}
    """
# the plus signs let SQLite look a capture up by its beginning, and not go through its page
_WITH_TEXTS = f"""
    SELECT e.id, ''
    FROM json_each(?1) b
    CROSS JOIN pages p ON p.blob = b.value
    CROSS JOIN entries e ON e.path = p.path
    WHERE {{state}} AND NOT e.tombstone AND NOT e.quarantined
      AND NOT EXISTS (SELECT 1 FROM statements s WHERE s.page = p.path)
    UNION
    SELECT e.id, coalesce(c.capture, '')
    FROM json_each(?1) b
    CROSS JOIN statements s ON s.text = b.value
    CROSS JOIN entries e ON e.path = s.page
    LEFT JOIN consumed c
      ON s.id <> '' AND substr(c.capture, 1, 12) = +s.id AND +c.entry = e.id
    WHERE {{state}} AND NOT e.tombstone AND NOT e.quarantined AND {STANDS}
      AND (s.id = '' OR c.capture IS NOT NULL)
    ORDER BY 1, 2
    """


class NamedPage(NamedTuple):
    """A page that a title or an alias leads to."""

    id: str
    path: str
    blob: str
    managed: bool


class SubjectPage(NamedTuple):
    """A page that a note may be about."""

    id: str
    title: str
    managed: bool
    blob: str


class StoredPage(NamedTuple):
    """The page at one path."""

    title: str
    path: str
    blob: str


class FiledPage(NamedTuple):
    """A page that companion writes, and where its file is."""

    id: str
    path: str
    title: str
    blob: str


# -- pages -----------------------------------------------------------------------------------------


def find_page_at(db: sqlite3.Connection, path: str) -> StoredPage | None:
    """Return the page at *path*, of the wiki or of a branch."""
    row = db.execute(
        "SELECT title, path, blob FROM pages WHERE path = ?", (path,)
    ).fetchone()
    return None if row is None else StoredPage(*row)


def find_member_page(db: sqlite3.Connection, member: str) -> StoredPage | None:
    """Return the page at the path *member*, or that of the branch member with this id."""
    query = "SELECT title, path, blob FROM pages WHERE ? IN (path, member)"
    row = db.execute(query, (member,)).fetchone()
    return None if row is None else StoredPage(*row)


def list_paths_by_blob(db: sqlite3.Connection) -> dict[str, str]:
    """Return the path of every page by the blob that it holds."""
    return dict(db.execute("SELECT blob, path FROM pages").fetchall())


def list_blobs_by_path(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return the path and the blob of every page of the wiki that is searched, by path."""
    query = """
        SELECT path, blob
        FROM pages
        WHERE NOT excluded AND branch IS NULL
        ORDER BY path
        """
    return db.execute(query).fetchall()


def list_readable_texts(db: sqlite3.Connection) -> list[str]:
    """Return the hashes of what is compared with others, in pages of the wiki and of branches.

    That is the blob of a page, or the words of each statement of a page that has some and of what
    stands beside them. Those of one page follow each other.
    """
    query = f"""
        {_READABLE_TEXTS.format("")}
        ORDER BY 1, 2
        """
    return list(dict.fromkeys(text for _, _, text in db.execute(query)))


def list_readable_texts_at(
    db: sqlite3.Connection, paths: Iterable[str]
) -> list[str]:
    """Return what `list_readable_texts` does, for the pages at *paths*."""
    query = f"{_READABLE_TEXTS.format('AND p.path = ?1')} ORDER BY 1, 2"
    texts: dict[str, None] = {}
    for path in paths:
        texts.update((row[2], None) for row in db.execute(query, (path,)))
    return list(texts)


def find_titles_of_blobs(
    db: sqlite3.Connection, blobs: Sequence[str]
) -> dict[str, str]:
    """Return for each of *blobs* the title of a page that holds it: of several, of the last
    path.
    """
    query = """
        SELECT p.blob, p.title
        FROM json_each(?) b
        CROSS JOIN pages p ON p.blob = b.value
        ORDER BY p.path
        """
    return dict(db.execute(query, (json_text.dumps(list(blobs)),)).fetchall())


def list_comparable_sides(
    db: sqlite3.Connection, texts: Sequence[str]
) -> list[tuple[str, str]]:
    """Return (entry, capture) of what a capture may be compared with and has one of the hashes
    *texts*, sorted.

    The capture is that of a statement; it is empty for a page without statements, and for what
    stands beside them. Statements that lost are left out.
    """
    return _list_with_texts(db, texts, HOLDS)


def list_comparable_with_blobs(
    db: sqlite3.Connection, blobs: Sequence[str]
) -> list[str]:
    """Return the entries that a capture may be compared with and that hold one of *blobs* as their
    page or as the words of a statement, by id.
    """
    found = _list_with_texts(db, blobs, HOLDS)
    return list(dict.fromkeys(entry for entry, _ in found))


def list_sides_with_blobs(
    db: sqlite3.Connection, blobs: Sequence[str]
) -> list[tuple[str, str]]:
    """Return (entry, capture) of what holds one of *blobs*, archived entries left out, sorted.

    The capture is that of a statement, as in `list_comparable_sides`.
    """
    return _list_with_texts(db, blobs, "e.state <> 'archived'")


def _list_with_texts(
    db: sqlite3.Connection, texts: Sequence[str], state: str
) -> list[tuple[str, str]]:
    query = _WITH_TEXTS.format(state=state)
    return db.execute(query, (json_text.dumps(texts),)).fetchall()


def list_branch_paths(db: sqlite3.Connection, branch: str) -> list[str]:
    """Return the paths of the pages in a branch's folder."""
    return [
        path
        for (path,) in db.execute(
            "SELECT path FROM pages WHERE branch = ?", (branch,)
        )
    ]


def list_file_names(db: sqlite3.Connection) -> set[str]:
    """Return the file names of all pages outside branches, as links compare them."""
    query = "SELECT DISTINCT base_key FROM pages WHERE branch IS NULL"
    return {str(key) for (key,) in db.execute(query)}


def has_file_name(db: sqlite3.Connection, base_key: str) -> bool:
    """Tell whether a page has this file name."""
    query = "SELECT 1 FROM pages WHERE base_key = ? LIMIT 1"
    return db.execute(query, (base_key,)).fetchone() is not None


def count_pages(db: sqlite3.Connection) -> int:
    """Return how many pages there are, those of branches among them."""
    return int(db.execute("SELECT count(*) FROM pages").fetchone()[0])


def list_managed_pages(db: sqlite3.Connection) -> list[FiledPage]:
    """Return the pages that companion writes, by path."""
    rows = db.execute(
        """
        SELECT e.id, e.path, p.title, p.blob
        FROM entries e
        JOIN pages p ON p.path = e.path
        WHERE e.managed AND NOT e.tombstone AND NOT p.excluded
          AND p.branch IS NULL
        ORDER BY e.path
        """
    )
    return [FiledPage(*row) for row in rows]


# -- names -----------------------------------------------------------------------------------------


def has_name(db: sqlite3.Connection, key: str) -> bool:
    """Tell whether a page has this title or alias."""
    return (
        db.execute(
            "SELECT 1 FROM names WHERE key = ? LIMIT 1", (key,)
        ).fetchone()
        is not None
    )


def list_names(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the title and aliases of the page of *entry*, as they are looked up."""
    query = """
        SELECT n.key
        FROM names n
        JOIN entries e ON e.path = n.page
        WHERE e.id = ?
        ORDER BY n.key
        """
    return [key for (key,) in db.execute(query, (entry,))]


def list_active_entries_named(
    db: sqlite3.Connection, keys: Iterable[str]
) -> list[str]:
    """Return the active entries whose title or alias is one of *keys*, by id."""
    query = """
        SELECT DISTINCT e.id
        FROM names n
        JOIN entries e ON e.path = n.page
        WHERE n.key IN (SELECT value FROM json_each(?))
          AND e.state = 'active'
          AND NOT e.tombstone
        ORDER BY e.id
        """
    return [
        entry
        for (entry,) in db.execute(query, (json_text.dumps(sorted(keys)),))
    ]


def list_pages_named(db: sqlite3.Connection, key: str) -> list[NamedPage]:
    """Return the pages with this title or alias that a capture may join, by path."""
    rows = db.execute(
        f"""
        SELECT DISTINCT e.id, e.path, e.blob, e.managed
        FROM names n
        JOIN entries e ON e.path = n.page
        WHERE n.key = ? AND NOT e.tombstone AND NOT e.quarantined AND {HOLDS}
        ORDER BY e.path
        """,
        (key,),
    )
    return [
        NamedPage(id, path, blob, bool(managed))
        for id, path, blob, managed in rows
    ]


def list_entries_called(
    db: sqlite3.Connection, name: str, title_key: str, base_key: str
) -> list[str]:
    """Return the entries that *name* is the id, path, title, alias or file name of, archived ones
    not, by id.
    """
    query = """
        SELECT e.id
        FROM entries e
        WHERE e.state <> 'archived'
          AND NOT e.tombstone
          AND (
            e.id = ?1
            OR e.path IN (?1, ?1 || '.md')
            OR e.path IN (
              SELECT page
              FROM names
              WHERE key = ?2
              UNION
              SELECT path
              FROM pages
              WHERE base_key = ?3
            )
          )
        ORDER BY e.id
        """
    return [
        entry for (entry,) in db.execute(query, (name, title_key, base_key))
    ]


def find_active_entry_called(
    db: sqlite3.Connection, title_key: str, base_key: str
) -> str | None:
    """Return the active entry with this title, alias or file name; None for none, or several."""
    rows = db.execute(
        """
        SELECT e.id
        FROM entries e
        WHERE e.state = 'active'
          AND NOT e.tombstone
          AND NOT e.quarantined
          AND e.path IN (
            SELECT page
            FROM names
            WHERE key = ?1
            UNION
            SELECT path
            FROM pages
            WHERE base_key = ?2
          )
        LIMIT 2
        """,
        (title_key, base_key),
    ).fetchall()
    return str(rows[0][0]) if len(rows) == 1 else None


def list_names_beginning(
    db: sqlite3.Connection, beginnings: Iterable[str], most: int
) -> list[tuple[str, str]]:
    """Return (key, entry) of the titles and aliases that begin with one of *beginnings*, of pages
    that a capture may join; at most *most* for each beginning, by key.

    Longer words come last: they are the first to be left out.
    """
    query = f"""
        SELECT n.key, e.id
        FROM names n
        JOIN entries e ON e.path = n.page
        WHERE n.key >= ?1 AND n.key < ?1 || char(0x10ffff)
          AND NOT e.tombstone AND NOT e.quarantined AND {HOLDS}
        ORDER BY n.key, e.id
        LIMIT ?2
        """
    found: dict[tuple[str, str], None] = {}
    for beginning in beginnings:
        rows = db.execute(query, (beginning, most)).fetchall()
        found.update(dict.fromkeys(rows))
    return list(found)


def list_names_among(
    db: sqlite3.Connection, keys: Iterable[str]
) -> list[tuple[str, str]]:
    """Return (key, entry) of the titles and aliases *keys* of pages that a capture may join."""
    query = f"""
        SELECT n.key, e.id
        FROM json_each(?) k
        CROSS JOIN names n ON n.key = k.value
        JOIN entries e ON e.path = n.page
        WHERE NOT e.tombstone AND NOT e.quarantined AND {HOLDS}
        ORDER BY n.key, e.id
        """
    return db.execute(query, (json_text.dumps(list(keys)),)).fetchall()


def list_subject_pages(
    db: sqlite3.Connection, entries: Iterable[str]
) -> list[SubjectPage]:
    """Return those of *entries* that a note may be about, in their order."""
    query = f"""
        SELECT e.id, e.title, e.managed, e.blob
        FROM entries e
        WHERE e.id = ? AND NOT e.tombstone AND NOT e.quarantined AND {HOLDS}
          AND NOT EXISTS (
            SELECT 1
            FROM subjects s
            WHERE s.entry = e.id AND s.kind IN ('day', 'chat', 'source')
          )
        """
    rows = (db.execute(query, (entry,)).fetchone() for entry in entries)
    return [
        SubjectPage(row[0], row[1], bool(row[2]), row[3])
        for row in rows
        if row is not None
    ]


def list_paths_named(db: sqlite3.Connection, title_key: str) -> list[str]:
    """Return the paths of the pages with this title or alias, sorted."""
    query = "SELECT DISTINCT page FROM names WHERE key = ? ORDER BY page"
    return [path for (path,) in db.execute(query, (title_key,))]


def list_shared_names(
    db: sqlite3.Connection, base_keys: Iterable[str]
) -> set[str]:
    """Return those of the file names *base_keys*, as links compare them, that several pages
    have.
    """
    query = """
        SELECT base_key
        FROM pages
        WHERE base_key IN (SELECT value FROM json_each(?))
          AND NOT excluded
          AND branch IS NULL
        GROUP BY base_key
        HAVING count(*) > 1
        """
    keys = json_text.dumps(sorted(base_keys))
    return {key for (key,) in db.execute(query, (keys,))}

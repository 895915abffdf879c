"""Links of pages in the index: what each leads to, and which lead nowhere."""

import sqlite3

from companion.tuples import NamedTuple


class StoredLink(NamedTuple):
    """A link of a page as written, and the page that it leads to."""

    page: str
    target: str
    base_key: str
    path: str | None


class LinkingPage(NamedTuple):
    """A page that links to another."""

    id: str
    title: str
    path: str


def list_link_keys(db: sqlite3.Connection, path: str) -> set[str]:
    """Return the file names that the page at *path* links to, as links compare them."""
    query = "SELECT base_key FROM links WHERE page = ? AND base_key <> ''"
    return {key for (key,) in db.execute(query, (path,))}


def list_link_targets(db: sqlite3.Connection, path: str) -> list[str]:
    """Return what the page at *path* links to, as written."""
    query = "SELECT DISTINCT target FROM links WHERE page = ? ORDER BY 1"
    return [target for (target,) in db.execute(query, (path,))]


def list_link_ends(db: sqlite3.Connection, path: str) -> dict[str, str]:
    """Return the entries that links of the page at *path* lead to, by the targets as written."""
    query = """
        SELECT DISTINCT l.target, e.id
        FROM links l
        JOIN entries e ON e.path = l.to_path
        WHERE l.page = ?
        """
    return dict(db.execute(query, (path,)).fetchall())


def list_links_between(db: sqlite3.Connection) -> list[StoredLink]:
    """Return the links of all pages of the wiki, by page and target."""
    rows = db.execute(
        """
        SELECT DISTINCT l.page, l.target, l.base_key, l.to_path
        FROM links l
        JOIN pages p ON p.path = l.page
        WHERE l.base_key <> '' AND NOT p.excluded AND p.branch IS NULL
        ORDER BY l.page, l.target
        """
    )
    return [StoredLink(*row) for row in rows]


def list_unresolved_targets(db: sqlite3.Connection, path: str) -> list[str]:
    """Return the links of the page at *path* that lead to no page, as written."""
    query = "SELECT DISTINCT target FROM links WHERE page = ? AND to_path IS NULL ORDER BY target"
    return [target for (target,) in db.execute(query, (path,))]


def list_unresolved_links(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (page, target) of every link to no page, in pages that companion does not write."""
    return db.execute(
        """
        SELECT DISTINCT l.page, l.target
        FROM links l
        JOIN pages p ON p.path = l.page
        WHERE l.to_path IS NULL
          AND NOT p.managed
          AND NOT p.excluded
          AND p.branch IS NULL
        ORDER BY l.page, l.target
        """
    ).fetchall()


def list_entries_with_unresolved_link(
    db: sqlite3.Connection, base_key: str, title_key: str
) -> list[str]:
    """Return the entries with a link of these keys that leads to no page, by id."""
    query = """
        SELECT DISTINCT e.id
        FROM links l
        JOIN entries e ON e.path = l.page
        WHERE l.to_path IS NULL
          AND (
            l.base_key = ?1
            OR l.base_key = ?2 AND l.title_key = l.base_key
            OR l.title_key = ?2 AND l.title_key <> l.base_key
          )
          AND NOT e.tombstone
        ORDER BY e.id
        """
    return [entry for (entry,) in db.execute(query, (base_key, title_key))]


def list_link_targets_to(
    db: sqlite3.Connection,
    source: str,
    path: str | None,
    base_key: str = "",
    title_key: str = "",
) -> set[str]:
    """Return the links of the page of the entry *source* that lead to *path*, as written.

    Where *path* is None: those of these keys that lead to no page.
    """
    query = """
        SELECT DISTINCT l.target
        FROM links l
        JOIN entries e ON e.path = l.page
        WHERE e.id = ?1
          AND l.to_path IS ?2
          AND (?2 IS NOT NULL OR l.base_key = ?3 OR l.title_key = ?4)
        """
    about = (source, path, base_key, title_key)
    return {target for (target,) in db.execute(query, about)}


def list_entries_linked(
    db: sqlite3.Connection, base_key: str, title_key: str
) -> list[str]:
    """Return the entries that a link of these keys may mean, by id, two at most."""
    query = """
        SELECT e.id
        FROM pages p
        JOIN entries e ON e.path = p.path
        WHERE p.base_key = ?1
        UNION
        SELECT e.id
        FROM names n
        JOIN entries e ON e.path = n.page
        WHERE n.key = ?2
        ORDER BY 1
        LIMIT 2
        """
    return [entry for (entry,) in db.execute(query, (base_key, title_key))]


def list_pages_linking(
    db: sqlite3.Connection, entry: str, most: int, skipped: int
) -> list[LinkingPage]:
    """Return the entries with a link to *entry* by path: *most* of them after the *skipped*."""
    query = """
        SELECT DISTINCT e.id, e.title, e.path
        FROM edges x
        JOIN entries e ON e.id = x.source
        WHERE x.target = ? AND x.type IN ('link', 'embed')
        ORDER BY e.path
        LIMIT ? OFFSET ?
        """
    rows = db.execute(query, (entry, most, skipped))
    return [LinkingPage(*row) for row in rows]


def count_pages_linking(db: sqlite3.Connection, entry: str) -> int:
    """Return how many entries have a link to *entry*."""
    query = """
        SELECT count(DISTINCT x.source)
        FROM edges x
        JOIN entries e ON e.id = x.source
        WHERE x.target = ? AND x.type IN ('link', 'embed')
        """
    return int(db.execute(query, (entry,)).fetchone()[0])

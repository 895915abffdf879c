"""The names in the index that begin with what somebody typed."""

import sqlite3

_LIKE = str.maketrans({"\\": "\\\\", "%": "\\%", "_": "\\_"})
# no tag has it: what begins with a prefix sorts before the prefix and this
_LAST = "\U0010ffff"
_SHOWN = "('active', 'decaying', 'archived')"


def list_titles_beginning(
    db: sqlite3.Connection, prefix: str, most: int
) -> list[tuple[str, str]]:
    """Return (title, path) of at most *most* pages, those that changed last first.

    Capitals count for nothing among letters of ASCII.
    """
    query = f"""
        SELECT e.title, e.path
        FROM entries e
        LEFT JOIN known k ON k.id = e.id
        WHERE e.title LIKE ? ESCAPE '\\'
          AND e.state IN {_SHOWN}
          AND NOT e.tombstone
        ORDER BY k.touched DESC, e.title
        LIMIT ?
        """
    return db.execute(query, (_begin(prefix), most)).fetchall()


def list_ids_beginning(
    db: sqlite3.Connection, prefix: str, most: int
) -> list[tuple[str, str]]:
    """Return (id, title) of at most *most* pages."""
    query = "SELECT id, title FROM entries WHERE id LIKE ? ESCAPE '\\' LIMIT ?"
    return db.execute(query, (_begin(prefix), most)).fetchall()


def list_tags_beginning(
    db: sqlite3.Connection, prefix: str, most: int
) -> list[str]:
    """Return at most *most* tags of pages, folded as the index has them."""
    query = f"""
        SELECT DISTINCT t.key
        FROM tags t
        JOIN entries e ON e.path = t.page
        WHERE t.key >= ? AND t.key < ?
          AND e.state IN {_SHOWN}
          AND NOT e.tombstone
        ORDER BY t.key
        LIMIT ?
        """
    beyond = prefix + _LAST
    rows = db.execute(query, (prefix, beyond, most))
    return [key for (key,) in rows]


def list_recent_runs_beginning(
    db: sqlite3.Connection, prefix: str, most: int
) -> list[tuple[str, str]]:
    """Return (name, operation) of at most *most* runs, the newest first."""
    query = """
        SELECT run, operation
        FROM runs
        WHERE run LIKE ? ESCAPE '\\'
        ORDER BY time DESC, run DESC
        LIMIT ?
        """
    return db.execute(query, (_begin(prefix), most)).fetchall()


def list_flags_beginning(
    db: sqlite3.Connection, prefix: str, most: int
) -> list[tuple[str, str]]:
    """Return (id, kind) of at most *most* questions that nobody answered."""
    query = """
        SELECT flag, kind
        FROM flags
        WHERE flag LIKE ? ESCAPE '\\'
          AND flag NOT IN (SELECT flag FROM answers)
        LIMIT ?
        """
    return db.execute(query, (_begin(prefix), most)).fetchall()


def _begin(prefix: str) -> str:
    return prefix.translate(_LIKE) + "%"

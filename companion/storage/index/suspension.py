"""Suspension: the index as it is without an entry, or without one statement of a page, on one
connection of the auditing process, and nowhere else (AUD-1).

Temporary views stand before the index's tables and leave out the entry's rows: its page, its text,
its names, the links from it and to it, what it states, and its gravity, with what others have of
theirs through it. They live in that connection's own temporary database. Nobody else sees them, the
file is opened read-only, and a process that is killed leaves nothing suspended. What stays is what
counts all documents alike: the full-text index weighs words by their frequency in the whole wiki,
so that before and after differ by the entry and by nothing else.

Of a page that gathers several notes one statement can be suspended alone (CON-17): its capture, its
block, what it states, and the links that only it makes, with the gravity that others have through
them. Its words leave a search by `search.TextLeft`: the full-text index holds no texts that a view
could cut.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.storage.index.schema import open_for_reading

_GONE = "(SELECT entry FROM temp.suspended)"
_PATHS = "(SELECT path FROM temp.suspended)"
_CAPTURES = "(SELECT capture FROM temp.suspended_statement)"
_BLOCKS = "(SELECT substr(capture, 1, 12) FROM temp.suspended_statement)"
_LINKS = "(SELECT page, target, kind FROM temp.suspended_links)"
_EDGES = "(SELECT source, target FROM temp.suspended_edges)"

#: what is left of each table; a table that is not named here says nothing that a read could give
#: back of an entry
_LEFT: Mapping[str, str] = {
    "pages": f"path NOT IN {_PATHS}",
    "names": f"page NOT IN {_PATHS}",
    "links": f"page NOT IN {_PATHS} AND (page, target, kind) NOT IN {_LINKS}",
    "statements": f"page NOT IN {_PATHS} AND id NOT IN {_BLOCKS}",
    "passages": f"statement NOT IN {_BLOCKS}",
    "known": f"id NOT IN {_GONE}",
    "entries": f"id NOT IN {_GONE}",
    "edges": f"""
        source NOT IN {_GONE}
        AND target NOT IN {_GONE}
        AND (source, target) NOT IN {_EDGES}
        """,
    "claims": f"entry NOT IN {_GONE} AND capture NOT IN {_CAPTURES}",
    "consumed": f"""
        (entry IS NULL OR entry NOT IN {_GONE})
        AND capture NOT IN {_CAPTURES}
        """,
    "mentions": f"entry NOT IN {_GONE} AND capture NOT IN {_CAPTURES}",
    "protected": f"entry NOT IN {_GONE}",
    "divergences": f"entry NOT IN {_GONE}",
    "audit_queue": f"entry NOT IN {_GONE}",
    "shifts": f"incumbent NOT IN {_GONE} AND entry NOT IN {_GONE}",
    "transitions": f"entry NOT IN {_GONE}",
    "cold": f"entry NOT IN {_GONE}",
    "branch_members": f"entry NOT IN {_GONE}",
}
#: columns that name the entry from rows that stay
_BLANKED: Mapping[str, Mapping[str, str]] = {
    "links": {
        "to_path": f"CASE WHEN to_path IN {_PATHS} THEN NULL ELSE to_path END"
    },
    "entries": {
        "superseded_by": f"CASE WHEN superseded_by IN {_GONE} THEN NULL ELSE superseded_by END",
        "gravity": """
            coalesce(
              (SELECT base FROM temp.weighed w WHERE w.entry = entries.id),
              gravity
            )
            """,
    },
}
#: an entry to (entry, centrality, unsupported, orphaned, cut off, factor, base) of all others
Weigh = Callable[[str], Iterable[Sequence[Any]]]
#: an entry, and entries that it no longer links to, to the same of all entries
WeighUnlinked = Callable[[str, Sequence[str]], Iterable[Sequence[Any]]]

_ADD_WEIGHED = "INSERT INTO temp.weighed VALUES (?,?,?,?,?,?,?)"
_UNLINKED = """
    SELECT t.id
    FROM main.links l
    JOIN main.entries t ON t.path = l.to_path AND NOT t.tombstone
    WHERE l.page = ?1 AND l.kind <> 'mention'
    GROUP BY t.id
    HAVING min((l.page, l.target, l.kind) IN (
      SELECT page, target, kind FROM temp.suspended_links
    ))
    ORDER BY t.id
    """


class SuspendedStatement(NamedTuple):
    """One statement of a page, as far as the index shows it."""

    capture: str
    entry: str
    path: str  # of the page
    links: tuple[tuple[str, str], ...]  # target and kind of what only it links


def open_(path: str) -> sqlite3.Connection | None:
    """Open the index so that entries can be suspended on this connection; None where no night has
    built it.

    Raises IndexDamaged.
    """
    db = open_for_reading(path)
    if db is None:
        return None
    db.execute(
        "CREATE TEMP TABLE suspended (entry TEXT PRIMARY KEY, path TEXT)"
    )
    db.execute("CREATE TEMP TABLE suspended_statement (capture TEXT)")
    db.execute(
        "CREATE TEMP TABLE suspended_links (page TEXT, target TEXT, kind TEXT)"
    )
    db.execute("CREATE TEMP TABLE suspended_edges (source TEXT, target TEXT)")
    weighed = ", ".join(
        f"{row[1]} {row[2]}"
        for row in db.execute("PRAGMA main.table_info(gravity)")
    )
    db.execute(
        f"CREATE TEMP TABLE weighed ({weighed}, PRIMARY KEY (entry)) WITHOUT ROWID"
    )
    for table, left in _LEFT.items():
        blanked = _BLANKED.get(table, {})
        names = (
            row[1] for row in db.execute(f"PRAGMA main.table_info({table})")
        )
        columns = ", ".join(
            f"{blanked[name]} AS {name}" if name in blanked else name
            for name in names
        )
        db.execute(
            f"CREATE TEMP VIEW {table} AS SELECT {columns} FROM main.{table} WHERE {left}"
        )
    columns = ", ".join(
        row[1] for row in db.execute("PRAGMA main.table_info(gravity)")
    )
    db.execute(
        f"""
        CREATE TEMP VIEW gravity AS
        SELECT {columns}
        FROM main.gravity
        WHERE NOT EXISTS (SELECT 1 FROM temp.suspended)
          AND NOT EXISTS (SELECT 1 FROM temp.weighed)
        UNION ALL
        SELECT {columns}
        FROM temp.weighed
        """
    )
    return db


def suspend(db: sqlite3.Connection, entry: str, weigh: Weigh) -> None:
    """Let *db* show the wiki without *entry*, weighed anew by *weigh*."""
    restore(db)
    row = db.execute(
        "SELECT path FROM main.entries WHERE id = ?", (entry,)
    ).fetchone()
    rows = list(weigh(entry))
    # of the temporary database: each row by itself would cost five times that
    db.execute("BEGIN")
    # NULL hides all
    db.execute(
        "INSERT INTO temp.suspended VALUES (?,?)",
        (entry, "" if row is None else row[0]),
    )
    db.executemany(_ADD_WEIGHED, rows)
    db.execute("COMMIT")


def suspend_statement(
    db: sqlite3.Connection, statement: SuspendedStatement, weigh: WeighUnlinked
) -> None:
    """Let *db* show the wiki without one *statement* of a page; the page stays.

    Entries are weighed anew by *weigh* only where links go with the statement.
    """
    restore(db)
    path = statement.path
    db.execute("BEGIN")
    db.execute(
        "INSERT INTO temp.suspended_statement VALUES (?)", (statement.capture,)
    )
    db.executemany(
        "INSERT INTO temp.suspended_links VALUES (?,?,?)",
        [(path, target, kind) for target, kind in statement.links],
    )
    unlinked = [id for (id,) in db.execute(_UNLINKED, (path,))]
    if unlinked:
        db.executemany(_ADD_WEIGHED, weigh(statement.entry, unlinked))
    db.executemany(
        "INSERT INTO temp.suspended_edges VALUES (?,?)",
        [(statement.entry, id) for id in unlinked],
    )
    db.execute("COMMIT")


def restore(db: sqlite3.Connection) -> None:
    """Let *db* show the whole wiki again."""
    for table in (
        "suspended",
        "weighed",
        "suspended_statement",
        "suspended_links",
        "suspended_edges",
    ):
        db.execute(f"DELETE FROM temp.{table}")

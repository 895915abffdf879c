"""private.db: what was read out of private tellings, beside index.db, which only knows what
everybody may (LED-11).

Derived from the journal (and so from ``refs/companion/private``): delete it freely. Its claims have
the index's columns; `lay_over` shows those of one owner as if they were in the index, to that one
connection only.
"""

import os
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from companion.annotations import Any
from companion.storage.files import durable
from companion.storage.git import layout
from companion.storage.index import schema
from companion.storage.index.tables import claims
from companion.storage.index.tables_sql import TABLES
from companion.storage.sqlite import statements, write_ahead
from companion.tuples import NamedTuple

RUN = ""  # of a private claim: no run has it
_MARKS = """
CREATE TABLE marks (
  owner TEXT PRIMARY KEY,
  -- the newest telling that was read
  seq INTEGER NOT NULL, capture TEXT NOT NULL, seen_at TEXT NOT NULL,
  -- the latest time among all that were
  latest TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE made (how TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class Mark(NamedTuple):
    """How far an owner's private tellings were read."""

    seq: int
    capture: str
    seen_at: str
    latest: str


def find_path(where: layout.Place) -> str:
    """Return the path of private.db."""
    return os.path.join(where.state, "private.db")


def open_(file: str, how: str) -> sqlite3.Connection:
    """Open private.db (``:memory:`` for one that is not kept) for what *how* reads.

    What another reader or another schema made of the tellings is dropped, and so is a file that
    SQLite cannot read.
    """
    try:
        db = _connect(file)
        if _made(db) == f"{how} {schema.VERSION}":
            return db
    except sqlite3.OperationalError:
        raise  # busy, or the disk: nothing is wrong with the file
    except sqlite3.DatabaseError:
        schema.remove_database(file)
        db = _connect(file)
    db.execute("BEGIN IMMEDIATE")
    # another process may have been faster
    if _made(db) != f"{how} {schema.VERSION}":
        _clear(db, how)
    db.execute("COMMIT")
    return db


def _connect(file: str) -> sqlite3.Connection:
    durable.make_private(file)
    db = sqlite3.connect(file, timeout=30, isolation_level=None)
    # who reads does not wait while years of notes are read for the first time
    write_ahead(db, 30)
    db.execute("PRAGMA synchronous=NORMAL")
    return db


def _made(db: sqlite3.Connection) -> str | None:
    if (
        db.execute("SELECT 1 FROM sqlite_master WHERE name = 'made'").fetchone()
        is None
    ):
        return None
    row = db.execute("SELECT how FROM made").fetchone()
    return None if row is None else str(row[0])


def _clear(db: sqlite3.Connection, how: str) -> None:
    for (name,) in db.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table'"
    ).fetchall():
        db.execute(f"DROP TABLE {name}")
    for statement in (*_ddl(), *statements(_MARKS)):
        db.execute(statement)
    db.execute("INSERT INTO made VALUES (?)", (f"{how} {schema.VERSION}",))


def _ddl() -> Iterator[str]:
    """Yield the statements that make the index's table of claims."""
    for statement in statements(TABLES):
        if statement.lstrip().startswith(
            ("CREATE TABLE claims ", "CREATE INDEX claims_")
        ):
            yield statement


def find_mark(db: sqlite3.Connection, owner: str) -> Mark | None:
    """Return how far *owner*'s tellings were read; None: none yet."""
    row = db.execute(
        "SELECT seq, capture, seen_at, latest FROM marks WHERE owner = ?",
        (owner,),
    ).fetchone()
    return None if row is None else Mark(*row)


def forget_owner(db: sqlite3.Connection, owner: str) -> None:
    """Drop what was read of *owner*'s tellings, to read them anew."""
    db.execute(f"DELETE FROM claims WHERE {_OF}", {"who": owner})
    db.execute("DELETE FROM marks WHERE owner = ?", (owner,))


def add_claims(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    db.executemany(claims.INSERT, rows)


def set_mark(db: sqlite3.Connection, owner: str, new: Mark) -> None:
    db.execute("INSERT OR REPLACE INTO marks VALUES (?,?,?,?,?)", (owner, *new))


_OF = "coalesce(nullif(agent, ''), 'owner') = :who"  # `Sighting.owner`, as SQL


def lay_over(
    db: sqlite3.Connection, private: sqlite3.Connection, file: str, owner: str
) -> None:
    """Let the index *db* show *owner*'s claims among its own, on this connection and to nobody
    else.
    """
    columns = [row[1] for row in db.execute("PRAGMA main.table_info(claims)")]
    db.execute("CREATE TEMP TABLE mine (who TEXT)")
    db.execute("INSERT INTO mine VALUES (?)", (owner,))
    if file == ":memory:":
        _copy(db, private, columns)
        source = "temp.told"
    else:
        db.execute("ATTACH ? AS private", (layout.read_only_uri(file),))
        source = "private.claims"
    names = ", ".join(columns)
    own = _OF.replace(":who", "(SELECT who FROM mine)")
    db.execute(
        f"""
        CREATE TEMP VIEW claims AS
        SELECT {names}
        FROM main.claims
        UNION ALL
        SELECT {names}
        FROM {source}
        WHERE {own}
        """
    )


def _copy(
    db: sqlite3.Connection, private: sqlite3.Connection, columns: Sequence[str]
) -> None:
    db.execute(f"CREATE TEMP TABLE told ({', '.join(columns)})")
    rows = private.execute(
        f"SELECT {', '.join(columns)} FROM claims"
    ).fetchall()
    db.executemany(
        f"INSERT INTO told VALUES ({','.join('?' * len(columns))})", rows
    )

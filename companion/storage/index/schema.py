"""index.db: everything that can be derived from the tree. Delete it freely; the next run builds it
again.

The tables entries, edges and audit_log carry the paper's names and columns (MaM §6.1, PER-1).
Readers open it read-only and never wait: a fold is one transaction beside them (WAL).
"""

import os
import sqlite3
import zlib
from collections.abc import Sequence

from companion.errors import CompanionError
from companion.storage.files import durable
from companion.storage.git import layout
from companion.storage.index.tables_sql import TABLES
from companion.storage.sqlite import statements

#: another schema is another index: it is built again, whichever companion comes first
VERSION = zlib.crc32(TABLES.encode()) & 0x7FFFFFFF


class IndexDamaged(CompanionError):
    """The index cannot be read."""

    exit_code = 74
    hint = "Run `companion rebuild`: the index holds nothing of its own."


class NotAnIndex(CompanionError):
    """index.db holds captures: it is a journal."""

    exit_code = 65
    hint = "Were journal.db and index.db swapped? Swap them back; nothing was changed."


#: tables that a fold alone must reproduce, and the columns that may differ: row numbers, the commit
#: a page was seen in
DERIVED = (
    "pages", "names", "tags", "links", "statements", "passages", "meanings", "known", "entries",
    "gone_names", "contested", "edges", "audit_log", "runs", "events", "consumed", "subjects",
    "mentions",
    "statement_states", "belongings", "readings", "handed", "unread", "locked", "waiting",
    "heard", "verdicts", "flags", "resting", "answers", "claims", "resolutions", "choices",
    "branches", "branch_members", "ties", "follows", "shifts",
    "transitions", "terms", "stem_terms", "protected", "audit_queue", "divergences", "factors",
    "accesses", "credits", "days_read", "queries", "query_entries", "cold", "audits", "closures",
)  # fmt: skip
#: `gravity` and `vitality` are columns of `entries` that wait for the next pass (`store.graph`,
#: `app.fading`)
_FREE = {"doc", "page_doc", "commit_hash", "gravity", "vitality"}


def hash_table(db: sqlite3.Connection, table: str) -> str:
    """Return a hash of a table's content, whatever the order of its rows."""
    import hashlib  # brings OpenSSL: a search does without

    names = []
    for d in db.execute(f"SELECT * FROM {table} LIMIT 0").description:
        if d[0] not in _FREE:
            names.append(d[0])
    columns = ", ".join(names)
    digest = hashlib.sha256()
    for row in db.execute(f"SELECT {columns} FROM {table} ORDER BY {columns}"):
        digest.update(repr(row).encode())
    return digest.hexdigest()


def open_in_memory() -> sqlite3.Connection:
    """Return an empty index that nobody else sees."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    clear(db)
    return db


def open_for_writing(path: str) -> sqlite3.Connection:
    """Open index.db for the fold, creating it when missing. Only the holder of sleep.lock calls
    this.

    Raises IndexDamaged or NotAnIndex.
    """
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    durable.make_private(path)
    db = sqlite3.connect(path, timeout=30, isolation_level=None)
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if (
            version != VERSION
            and db.execute(
                "SELECT 1 FROM sqlite_master WHERE name = 'captures'"
            ).fetchone()
        ):
            raise NotAnIndex
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=NORMAL")
        db.execute("PRAGMA cache_size=-8000")
        if version != VERSION:
            clear(db)
            add_indexes(db)
    except sqlite3.DatabaseError as error:
        db.close()
        raise IndexDamaged(f"{path}: {error}") from error
    return db


def open_for_reading(path: str) -> sqlite3.Connection | None:
    """Open index.db read-only; None where no night has built it yet. Raises IndexDamaged."""
    if not os.path.exists(path):
        return None
    try:
        db = sqlite3.connect(
            layout.read_only_uri(path),
            uri=True,
            timeout=5,
            isolation_level=None,
        )
        if db.execute("PRAGMA user_version").fetchone()[0] != VERSION:
            db.close()
            return None
    except sqlite3.DatabaseError as error:
        raise IndexDamaged(f"{path}: {error}") from error
    return db


def clear(db: sqlite3.Connection) -> None:
    """Drop every table and create it afresh, in the caller's transaction when there is one.

    The secondary indexes come with `add_indexes`: building them once is cheaper than growing them.
    """
    own = not db.in_transaction
    if own:
        db.execute("BEGIN IMMEDIATE")
    for (name,) in db.execute(
        """
        SELECT name
        FROM sqlite_master
        WHERE type = 'table'
          AND name NOT LIKE 'fts\\_%' ESCAPE '\\'
          AND name NOT LIKE 'stems\\_%' ESCAPE '\\'
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        ORDER BY name IN ('fts', 'stems'), name
        """
    ).fetchall():
        db.execute(f"DROP TABLE {name}")
    for statement in statements(TABLES):
        if not statement.startswith("CREATE INDEX"):
            db.execute(statement)
    db.execute(f"PRAGMA user_version={VERSION}")
    if own:
        db.execute("COMMIT")


def add_indexes(db: sqlite3.Connection) -> None:
    """Create the secondary indexes that are missing."""
    for statement in statements(TABLES):
        if statement.startswith("CREATE INDEX"):
            db.execute(
                statement.replace(
                    "CREATE INDEX", "CREATE INDEX IF NOT EXISTS", 1
                )
            )


def remove_database(path: str) -> None:
    """Remove a derived database, readable or not; only the lock holder calls this."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + suffix)
        except FileNotFoundError:
            continue


def copy_database(path: str, copy: str) -> None:
    """Copy a derived database as it is at one moment, where there is one.

    One that cannot be read is not copied: who opens the copy makes it anew.
    """
    if not os.path.exists(path):
        return
    from contextlib import closing  # costs a cold start as much as ten modules

    durable.make_private(copy)
    try:
        with (
            closing(
                sqlite3.connect(layout.read_only_uri(path), uri=True)
            ) as db,
            closing(sqlite3.connect(copy)) as to,
        ):
            to.execute("PRAGMA synchronous=OFF")
            db.backup(to)
    except sqlite3.DatabaseError:
        remove_database(copy)


def read_meta(db: sqlite3.Connection, key: str) -> str | None:
    """Return a value of the table `meta`; None where it has none."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else row[0]


def write_meta(db: sqlite3.Connection, **values: str | None) -> None:
    """Write values of the table `meta`, in the caller's transaction."""
    db.executemany(
        "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2",
        list(values.items()),
    )


def count_rows(db: sqlite3.Connection, tables: Sequence[str]) -> list[int]:
    """Return how many rows each of *tables* has."""
    return [
        db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for table in tables
    ]


def find_newest_run(db: sqlite3.Connection) -> str | None:
    """Return the newest run, None before the first."""
    row = db.execute(
        "SELECT run FROM runs ORDER BY time DESC, run DESC LIMIT 1"
    ).fetchone()
    return None if row is None else str(row[0])


def find_oldest_time(db: sqlite3.Connection) -> str | None:
    """Return the time of the oldest run (RFC 3339 UTC), None before the first."""
    oldest: str | None = db.execute("SELECT min(time) FROM runs").fetchone()[0]
    return oldest


def find_newest_time(db: sqlite3.Connection) -> str | None:
    """Return the time of the newest run (RFC 3339 UTC), None before the first."""
    newest: str | None = db.execute("SELECT max(time) FROM runs").fetchone()[0]
    return newest

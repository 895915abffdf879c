"""SQLite databases of other programs, read from their bytes: no file is opened, nothing written."""

import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_MAGIC = b"SQLite format 3\0"
_MODES = slice(
    18, 20
)  # bytes of the header: 1 rollback journal, 2 write-ahead log
_READING = (
    sqlite3.SQLITE_SELECT,
    sqlite3.SQLITE_READ,
    sqlite3.SQLITE_PRAGMA,
)
_ROLLBACK = b"\x01\x01"


class Damaged(Exception):
    """The bytes are no database that can be read."""


class Row(NamedTuple):
    """One row of a table."""

    number: int  # its rowid
    values: dict[str, object]


class ForeignDatabase:
    """The tables of a database; use it as a context manager. Raises Damaged."""

    def __init__(self, content: bytes) -> None:
        self._db = sqlite3.connect(":memory:")
        try:
            self._db.deserialize(_without_log(content))
            # a schema that somebody else wrote may name functions and other files
            self._db.set_authorizer(_authorize)
            self._tables = self._find_tables()
        except sqlite3.Error as error:
            self._db.close()
            raise Damaged(str(error)) from error

    def __enter__(self) -> "ForeignDatabase":
        return self

    def __exit__(self, *error: object) -> None:
        self._db.close()

    def columns(self, table: str) -> frozenset[str]:
        """Return the names of the columns of *table*; none where there is no such table."""
        return self._tables.get(table, frozenset())

    def rows(self, table: str, columns: Sequence[str]) -> Iterator[Row]:
        """Yield the rows of *table* in the order in which they were added. Raises Damaged.

        A column that the table does not have is left out.
        """
        known = [name for name in columns if name in self.columns(table)]
        if not known:
            return
        names = ", ".join(_quote(name) for name in known)
        query = f"SELECT rowid, {names} FROM {_quote(table)} ORDER BY rowid"
        try:
            for number, *values in self._db.execute(query):
                yield Row(number, dict(zip(known, values, strict=True)))
        except sqlite3.Error as error:
            raise Damaged(str(error)) from error

    def _find_tables(self) -> dict[str, frozenset[str]]:
        # a virtual table, which has no pages, would call its module
        query = "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        names = [name for (name,) in self._db.execute(query)]
        found: dict[str, frozenset[str]] = {}
        for name in names:
            rows = self._db.execute(f"PRAGMA table_info({_quote(name)})")
            found[name] = frozenset(row[1] for row in rows)
        return found


def _authorize(action: int, *names: str | None) -> int:
    """Let the database be read, and nothing be called or written."""
    return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY


def is_database(head: bytes) -> bool:
    """Tell whether *head* begins an SQLite database."""
    return head.startswith(_MAGIC)


def _without_log(content: bytes) -> bytes:
    """Return *content* as a database without a write-ahead log, which memory cannot have."""
    if not is_database(content) or len(content) < 100:
        raise Damaged("it is no SQLite database")
    return content[: _MODES.start] + _ROLLBACK + content[_MODES.stop :]


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'

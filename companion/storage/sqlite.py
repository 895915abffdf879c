"""Run SQL scripts and switch databases to write-ahead logging."""

import sqlite3
import time
from collections.abc import Iterator

from companion.annotations import Any

Statement = tuple[str, tuple[Any, ...]]  # a statement and its values


def statements(script: str) -> Iterator[str]:
    """Yield the statements of *script*: `executescript` would commit the open transaction."""
    text = ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            yield text
            text = ""


def write_ahead(db: sqlite3.Connection, seconds: float) -> None:
    """Switch *db* to a write-ahead log, and wait up to *seconds* for another process that does.

    SQLite itself does not wait here: it reports the second process as locked at once. Raises
    sqlite3.OperationalError if the database stays locked or SQLite refuses.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            db.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.005)
        else:
            return

"""Run SQL scripts and switch databases to write-ahead logging."""

import sqlite3
import time
from collections.abc import Iterator


def statements(script: str) -> Iterator[str]:
    """Split *script* into statements; `executescript` would commit the transaction it runs in."""
    text = ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            yield text
            text = ""


def write_ahead(db: sqlite3.Connection, seconds: float) -> None:
    """Switch to WAL; of two that do so at once SQLite tells one *locked* without waiting, so wait
    up to *seconds*.

    Raises sqlite3.OperationalError after that, and for anything else.
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

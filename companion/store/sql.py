"""What both databases share."""

import sqlite3
from collections.abc import Iterator


def statements(script: str) -> Iterator[str]:
    """Split *script* into statements; `executescript` would commit the transaction it runs in."""
    text = ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            yield text
            text = ""

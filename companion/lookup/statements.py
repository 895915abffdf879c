"""Name one statement of a page: by its first words, and when it was told."""

import sqlite3
from typing import TYPE_CHECKING

from companion.language.headline import headline
from companion.lookup.read_page import read_page_bytes
from companion.pages.statements import (
    find_statement,
    read_opening,
    statement_id,
)
from companion.storage.index.tables.captures import (
    find_entry_of_capture,
    list_tellings,
)
from companion.storage.index.tables.pages.entries import find_page
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.storage.results import StatementPlace


def describe_statement(
    ws: Workspace, db: sqlite3.Connection, capture: str
) -> "StatementPlace":
    """Return the statement that *capture* became, wherever it stands now.

    Its words are null where no page holds them any more.
    """
    tellings = list_tellings(db, capture)
    times = [one.get("event_time") or one["seen_at"] for one in tellings]
    return {
        "capture": capture,
        "words": _read_words(ws, db, capture),
        "told": min(times, default=None),
    }


def name_statement(ws: Workspace, db: sqlite3.Connection, capture: str) -> str:
    """Return what sentences call the statement that *capture* became."""
    place = describe_statement(ws, db, capture)
    words = f"“{place['words']}”" if place["words"] else "a note that is gone"
    if place["told"] is None:
        return words
    return f"{words}, told {place['told'][:10]}"


def _read_words(
    ws: Workspace, db: sqlite3.Connection, capture: str
) -> str | None:
    page = find_page(db, find_entry_of_capture(db, capture) or "")
    if page is None:
        return None
    content = read_page_bytes(ws, page.path, page.blob)
    text = content.decode("utf-8", "replace")
    block = find_statement(text, statement_id(capture))
    words = read_opening(text) if block is None else block.words
    return headline(words) if words else None

"""`quarantine`: the pages and captures that are not part of the wiki yet, and why."""

import sqlite3
from typing import TYPE_CHECKING

from companion.lookup.index import current_index
from companion.reading.branches.branches import describe_place
from companion.reading.entry.show import show_capture
from companion.storage.index.history import find_last_reason
from companion.storage.index.tables.captures import list_extended
from companion.storage.index.tables.pages.entries import list_quarantined
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.branches.results import (
        QuarantinedEntry,
        QuarantineResult,
        WaitingCapture,
    )


def list_quarantine(ws: Workspace) -> "QuarantineResult":
    """Return the pages in quarantine, and the captures in the extended buffer, with the reasons."""
    db = current_index(ws, ws.journal())
    if db is None:
        return {"entries": [], "extended": []}
    return {
        "entries": _list_entries(db),
        "extended": _list_captures(ws, db),
    }


def _list_entries(db: sqlite3.Connection) -> "list[QuarantinedEntry]":
    entries: list[QuarantinedEntry] = []
    for entry in list_quarantined(db):
        entries.append(
            {
                "id": entry.id,
                "title": entry.title,
                "path": entry.path,
                "since": entry.since,
                "reason": find_last_reason(db, entry.id),
            }
        )
    return entries


def _list_captures(
    ws: Workspace, db: sqlite3.Connection
) -> "list[WaitingCapture]":
    captures: list[WaitingCapture] = []
    for waiting in list_extended(db):
        captures.append(
            {
                "capture": waiting.capture,
                "title": _find_title(ws, db, waiting.capture),
                "incumbent": describe_place(db, waiting.incumbent),
                "reason": waiting.reason,
            }
        )
    return captures


def _find_title(
    ws: Workspace, db: sqlite3.Connection, capture: str
) -> str | None:
    """Return the title of a waiting capture; None where only another machine has it."""
    journal = ws.journal()
    if not journal.capture(capture):
        return None
    return show_capture(ws, db, journal, capture)["title"]

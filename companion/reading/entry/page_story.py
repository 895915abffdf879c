"""The story of one page: which notes came to it and left it, and what became of it."""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.language.headline import headline
from companion.lookup.find import NothingFound
from companion.lookup.read_page import read_page_bytes
from companion.lookup.statements import describe_statement
from companion.pages.statements import read_statements, statement_id
from companion.storage.index.history import LedgerEvent, list_events_of_page
from companion.storage.index.tables.pages.entries import find_entry
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import PageStory, StoryEvent
    from companion.values.results import Named

#: what an event of the ledger is called in the story of a page; others keep their name
_NAMES = {
    "created": "begun",
    "consumed": "joined",
    "promoted": "won",
}
_STATES = {"decaying": "lost", "archived": "archived", "active": "recalled"}


def describe_story(
    ws: Workspace,
    db: sqlite3.Connection,
    id: str,
    recorded: Sequence[LedgerEvent] | None = None,
) -> "PageStory":
    """Return what happened to the page of *id*, oldest first; *recorded* is that from the ledger,
    where somebody read it already. Raises NothingFound.
    """
    entry = find_entry(db, id)
    if entry is None:
        raise NothingFound(f"there is no entry {id}")
    content = read_page_bytes(ws, entry.path, entry.blob)
    words: dict[str, str | None] = {}
    for block in read_statements(content.decode("utf-8", "replace")):
        words[block.id] = headline(block.words)
    events: list[StoryEvent] = []
    if recorded is None:
        recorded = list_events_of_page(db, id)
    for event in recorded:
        if event.event == "grown" and _tells_notes(event):
            continue
        capture = _find_capture(event)
        if capture is not None and statement_id(capture) not in words:
            told = describe_statement(ws, db, capture)
            words[statement_id(capture)] = told["words"]
        events.append(_describe_event(db, id, event, capture, words))
    return {
        "page": {"id": id, "title": entry.title, "path": entry.path},
        "events": events,
    }


def _tells_notes(event: LedgerEvent) -> bool:
    """Tell whether the page grew by notes only, of which other events tell."""
    return event.reason.startswith("Added: ")


def _find_capture(event: LedgerEvent) -> str | None:
    if event.event in ("consumed", "sighted", "moved", "statement"):
        return event.subject
    return None


def _describe_event(
    db: sqlite3.Connection,
    page: str,
    event: LedgerEvent,
    capture: str | None,
    words: dict[str, str | None],
) -> "StoryEvent":
    return {
        "time": event.time,
        "run": event.run or "",
        "event": _name_event(page, event),
        "capture": capture,
        "words": None if capture is None else words[statement_id(capture)],
        "page": _find_other_page(db, page, event),
        "reason": event.reason,
    }


def _name_event(page: str, event: LedgerEvent) -> str:
    if event.event == "moved":
        return "came" if event.entry == page else "left"
    if event.event == "statement":
        return _STATES[event.detail["state"]]
    return _NAMES.get(event.event, event.event)


def _find_other_page(
    db: sqlite3.Connection, page: str, event: LedgerEvent
) -> "Named | None":
    """Return the page that a note came from or went to, or that merged with this one."""
    others = {event.entry, event.detail.get("from"), event.detail.get("into")}
    for id in sorted(other for other in others if other):
        if id != page:
            entry = find_entry(db, id)
            title = None if entry is None else entry.title
            path = None if entry is None else entry.path
            return {"id": id, "title": title, "path": path}
    return None

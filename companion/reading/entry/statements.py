"""The statements of a page as `show` lists them, and where the note of a capture stands."""

import sqlite3
from typing import TYPE_CHECKING

from companion.language.headline import headline
from companion.lookup.read_page import link_statement, read_page_bytes
from companion.pages.statements import (
    Statement,
    moment_of,
    read_mentions,
    read_opening,
    read_statements,
    statement_id,
)
from companion.storage.index.tables.captures import (
    find_outcome,
    list_tellings,
)
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.statement_states import (
    find_statement_state,
)
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
    find_statement_of_capture,
    find_subject,
    list_archived_captures,
    list_captures_mentioning,
    list_mentioned_entries,
    list_statements_at,
    list_statements_beginning,
)
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        CapturePlace,
        GatheredSubject,
        ShownMention,
        ShownStatement,
        StatementStands,
    )
    from companion.values.results import Named


def describe_subject(
    db: sqlite3.Connection, entry: str
) -> "GatheredSubject | None":
    """Return what the page of *entry* gathers; None for a page of one note, or of a title."""
    subject = find_subject(db, entry)
    if subject is None:
        return None
    return {"kind": subject.kind, "key": subject.key}


def list_statements(
    db: sqlite3.Connection, entry: EntryRow, text: str
) -> "list[ShownStatement]":
    """Return the statements of *entry*, whose page is *text*, in their order on it.

    Those whose words are in cold memory come last.
    """
    blocks = {block.id: block for block in read_statements(text)}
    shown: list[ShownStatement] = []
    for placed in list_statements_at(db, entry.path):
        block = blocks.get(placed.id)
        if block is not None:
            shown.append(_describe_block(db, placed, block))
    for capture in list_archived_captures(db, entry.id):
        shown.append(_describe_archived(db, capture))
    return shown


def list_mentions(
    ws: Workspace, db: sqlite3.Connection, entry: EntryRow, text: str
) -> "list[ShownMention]":
    """Return the notes that stand on other pages and concern *entry*, oldest first.

    The page of a person has no line of them.
    """
    words = {line.id: line.words for line in read_mentions(text)}
    found: dict[str, PlacedStatement] = {}
    for id in words:
        for placed in list_statements_beginning(db, id):
            found[placed.capture] = placed
    for capture in list_captures_mentioning(db, entry.id):
        standing = find_statement_of_capture(db, capture)
        if standing is not None:
            found[capture] = standing
    pages: dict[str, str] = {}
    mentions: list[ShownMention] = []
    for placed in sorted(found.values(), key=_when_told):
        if placed.id not in words and placed.path not in pages:
            pages[placed.path] = _read_page(ws, placed)
        known = words.get(placed.id)
        if known is None:
            known = _first_words(pages[placed.path], placed.id)
        mentions.append(_describe_mention(placed, known))
    return mentions


def describe_place(
    db: sqlite3.Connection, capture: str
) -> "CapturePlace | None":
    """Return where the note of *capture* stands, and what became of it; None for one that waits."""
    outcome = find_outcome(db, capture)
    entry = None if outcome is None else find_entry(db, outcome.entry)
    if outcome is None or entry is None or outcome.outcome == "undone":
        return None
    placed = find_statement_of_capture(db, capture)
    state = find_statement_state(db, capture)
    place: CapturePlace = {
        "page": _name(entry),
        "statement": None,
        "when": None,
        "link": None,
        "state": "stands",
        "since": None,
        "by": None,
        "mentioned_on": _list_mentioned(db, capture),
    }
    if placed is not None:
        place["statement"] = placed.id
        place["when"] = moment_of(placed.title, placed.when)
        place["link"] = link_statement(placed.path, placed.id)
        place["state"] = _tell_state(placed)
    elif state is not None and state.state == "archived":
        place["state"] = "archived"
    if state is not None and place["state"] != "stands":
        place["since"] = state.since
        place["by"] = state.by
    return place


def _describe_block(
    db: sqlite3.Connection, placed: PlacedStatement, block: Statement
) -> "ShownStatement":
    state = find_statement_state(db, placed.capture)
    return {
        "capture": placed.capture,
        "statement": placed.id,
        "when": moment_of(placed.title, block.when),
        "words": headline(block.words),
        "state": _tell_state(placed),
        "by": None if state is None else state.by,
        "sources": _list_sources(db, placed.capture),
        "link": link_statement(placed.path, placed.id),
        "mentioned_on": _list_mentioned(db, placed.capture),
    }


def _describe_archived(
    db: sqlite3.Connection, capture: str
) -> "ShownStatement":
    state = find_statement_state(db, capture)
    return {
        "capture": capture,
        "statement": statement_id(capture),
        "when": None,
        "words": None,
        "state": "archived",
        "by": None if state is None else state.by,
        "sources": _list_sources(db, capture),
        "link": None,
        "mentioned_on": _list_mentioned(db, capture),
    }


def _describe_mention(placed: PlacedStatement, words: str) -> "ShownMention":
    return {
        "capture": placed.capture,
        "statement": placed.id,
        "when": moment_of(placed.title, placed.when),
        "words": words,
        "page": {
            "id": placed.entry,
            "title": placed.title,
            "path": placed.path,
        },
        "link": link_statement(placed.path, placed.id),
    }


def _tell_state(placed: PlacedStatement) -> "StatementStands":
    if placed.state == "archived":
        return "archived"
    return "lost" if placed.earlier else "stands"


def _list_sources(db: sqlite3.Connection, capture: str) -> list[str]:
    """Return who or what told *capture*, as far as the ledger says."""
    tellings = list_tellings(db, capture)
    sources = {one["source"] for one in tellings if one.get("source")}
    return sorted(sources)


def _list_mentioned(db: sqlite3.Connection, capture: str) -> "list[Named]":
    named: list[Named] = []
    for id in list_mentioned_entries(db, capture):
        entry = find_entry(db, id)
        if entry is not None and not entry.tombstone:
            named.append(_name(entry))
    return named


def _name(entry: EntryRow) -> "Named":
    return {"id": entry.id, "title": entry.title, "path": entry.path}


def _when_told(placed: PlacedStatement) -> tuple[str, str]:
    return placed.told_at, placed.id


def _read_page(ws: Workspace, placed: PlacedStatement) -> str:
    content = read_page_bytes(ws, placed.path, placed.blob)
    return content.decode("utf-8", "replace")


def _first_words(text: str, id: str) -> str:
    for block in read_statements(text):
        if block.id == id:
            return headline(block.words)
    return headline(read_opening(text))

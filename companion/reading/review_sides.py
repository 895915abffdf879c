"""The two sides of a question of `review`: the new words, and what they stand against."""

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.ledger.explain import (
    KIND,
)
from companion.ledger.person_answers import (
    ENTRY_ID_LENGTH,
)
from companion.lookup.read_page import read_page_bytes
from companion.pages.statement_edits import remove_statement
from companion.pages.statements import (
    find_statement,
    name_statement,
    statement_id,
    without_derived,
)
from companion.reading.entry.show import show_capture, show_entry
from companion.reading.report.values import shorten
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
)
from companion.storage.index.tables.questions import (
    Question,
)
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        Quote,
        Side,
        SideResult,
    )
    from companion.values.results import (
        Named,
    )

_QUOTED = 160  # characters of a side in a list


def describe_entry(db: sqlite3.Connection, id: str) -> "Named":
    """Return how an entry is called, and where it lies; nothing of one that is gone."""
    entry = find_entry(db, id)
    if entry is None:
        return {"id": id, "title": None, "path": None}
    return {"id": id, "title": entry.title, "path": entry.path}


def list_sides(
    ws: Workspace, db: sqlite3.Connection, question: Question
) -> "list[SideResult]":
    """Return the new words, and the entry that they stand against; none for claims."""
    if question.kind == KIND:
        return []
    sides = [_describe_new_side(ws, db, question)]
    if question.other is not None:
        old = _describe_side(ws, db, "old", question.other)
        if question.statement is None:
            sides.append(_leave_out(old, question.capture))
        else:
            sides.append(_narrow_to_statement(ws, db, old, question.statement))
    return sides


def quote_sides(
    ws: Workspace, db: sqlite3.Connection, question: Question
) -> "list[Quote]":
    """Return how each side begins, on one line; a side whose words are gone is left out."""
    if question.kind == KIND:
        return []
    new = _find_words(ws, db, question.capture, question.entry)
    sides: list[tuple[Side, str | None]] = [("new", new)]
    if question.other is not None:
        capture = question.statement
        if len(question.other) != ENTRY_ID_LENGTH:
            # a note of the same night
            capture = question.other
        old = _find_words(ws, db, capture, question.other)
        sides.append(("old", old))
    return [
        {"side": side, "words": shorten(words, _QUOTED)}
        for side, words in sides
        if words is not None
    ]


def _find_words(
    ws: Workspace, db: sqlite3.Connection, capture: str | None, entry: str
) -> str | None:
    """Return the words of *capture*, else those of the page *entry*; None where both are gone."""
    if capture is not None:
        placed = find_statement_of_capture(db, capture)
        if placed is not None:
            text = _read_text(ws, placed.path, placed.blob)
            statement = find_statement(text, placed.id)
            return None if statement is None else statement.words
    page = find_entry(db, entry)
    if page is None:
        return None
    text = _read_text(ws, page.path, page.blob)
    return without_derived(without_frontmatter(text))


def _read_text(ws: Workspace, path: str, blob: str) -> str:
    return read_page_bytes(ws, path, blob).decode("utf-8", "replace")


def _leave_out(side: "SideResult", capture: str | None) -> "SideResult":
    """Return *side* without the statement of *capture*: new words that the page took in already."""
    if capture is None:
        return side
    text = remove_statement(side["text"], statement_id(capture))
    return {**side, "text": text}


def _narrow_to_statement(
    ws: Workspace,
    db: sqlite3.Connection,
    side: "SideResult",
    capture: str,
) -> "SideResult":
    """Return *side*, a page, with only the words and the sources of the statement of *capture*.

    If it moved to another page, that one is the side. A page is shown as it is if the statement
    stands nowhere any more.
    """
    moved = find_statement_of_capture(db, capture)
    if moved is not None and moved.entry != side["id"]:
        side = _describe_entry_side(ws, db, side["side"], moved.entry)
    statement = find_statement(side["text"], statement_id(capture))
    if statement is None:
        return side
    return {
        **side,
        "title": name_statement(side["title"] or "", statement.when),
        "text": statement.words,
        "told": statement.when,
        "sources": sorted(_list_sources(ws, [capture])),
    }


def _describe_new_side(
    ws: Workspace, db: sqlite3.Connection, question: Question
) -> "SideResult":
    """Return the new words: the note as it was told, or, where another machine was told it, as it
    stands on its page.
    """
    if question.capture is None:
        return _describe_entry_side(ws, db, "new", question.entry)
    if ws.journal().capture(question.capture):
        return _describe_capture_side(ws, db, "new", question.capture)
    page = _describe_entry_side(ws, db, "new", question.entry)
    return _narrow_to_statement(ws, db, page, question.capture)


def _describe_side(
    ws: Workspace, db: sqlite3.Connection, side: "Side", id: str
) -> "SideResult":
    if len(id) == ENTRY_ID_LENGTH:
        return _describe_entry_side(ws, db, side, id)
    return _describe_capture_side(ws, db, side, id)


def _describe_entry_side(
    ws: Workspace, db: sqlite3.Connection, side: "Side", id: str
) -> "SideResult":
    entry = show_entry(ws, db, id)
    return {
        "side": side,
        "kind": entry["kind"],
        "id": id,
        "title": entry["title"],
        "path": entry["path"],
        "text": entry["text"],
        "told": None,
        "sources": sorted(_list_sources(ws, entry["captures"])),
        "dependents": [
            {"id": link["id"], "title": link["title"], "path": link["path"]}
            for link in entry["links"]["in"]
        ],
    }


def _list_sources(ws: Workspace, captures: Iterable[str]) -> set[str]:
    """Return the sources that *captures* were told from."""
    journal = ws.journal()
    sources = set()
    for capture in captures:
        for telling in journal.sightings(capture):
            if telling.source:
                sources.add(telling.source)
    return sources


def _describe_capture_side(
    ws: Workspace, db: sqlite3.Connection, side: "Side", id: str
) -> "SideResult":
    capture = show_capture(ws, db, ws.journal(), id)
    entry = capture["entry"]
    dependents = [] if entry is None else [describe_entry(db, entry)]
    sources = {telling["source"] for telling in capture["sightings"]}
    return {
        "side": side,
        "kind": capture["kind"],
        "id": id,
        "title": capture["title"],
        "path": capture["path"],
        "text": capture["text"],
        "told": capture["sightings"][0]["event_time"],
        "sources": sorted(source for source in sources if source),
        "dependents": dependents,
    }

"""Read the page that a branch contradicts, with the statements that stand on it.

A block that a person edited is theirs: it stays where it is, and only the ledger says that it lost.
"""

import json
import sqlite3
from collections.abc import Iterable

from companion.minority.contested.contested_page import ContestedPage, Standing
from companion.pages import ids
from companion.pages.statements import (
    find_statement,
    read_opening,
    read_statements,
    statement_id,
)
from companion.storage.git.repo import Repo
from companion.storage.index.history import list_content_changes
from companion.storage.index.tables.captures import (
    list_captures_of_entry,
    list_tellings,
)
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
    list_statements_of_entry,
)
from companion.storage.index.tables.promotions import (
    list_notes_that_came_together,
)

#: events that say what a person made of a page
_THEIRS = frozenset({"registered", "edited", "renamed"})


def read_contested_page(
    db: sqlite3.Connection, repo: Repo, entry: str
) -> ContestedPage | None:
    """Return the page of *entry* with its statements; None if the entry has no page.

    Only a page that companion writes has statements. Its text is read only where it has blocks.
    """
    row = find_page(db, entry)
    if row is None:
        return None
    placed = list_statements_of_entry(db, entry) if row.managed else []
    if not placed:
        return ContestedPage(entry, row.path, row.title, "")
    text = repo.text(row.blob, exact=True)
    origin = _find_origin(db, entry)
    opening = None
    if all(one.capture != origin for one in placed):
        opening = _read_opening_note(db, text, origin)
    standing = _list_standing(placed, text)
    if opening is not None:
        standing.insert(0, opening)
    order = {one.id: one.told_at for one in placed if one.told_at}
    return ContestedPage(
        entry,
        row.path,
        row.title,
        text,
        tuple(standing),
        origin,
        opening is not None,
        order,
        list_notes_that_came_together(db, entry),
    )


def _read_opening_note(
    db: sqlite3.Connection, text: str, origin: str | None
) -> Standing | None:
    """Return the note *origin* with the words that the page opens with; None where it has none."""
    words = read_opening(text)
    if origin is None or not words:
        return None
    return Standing(origin, _first_told(db, origin)[:10], words)


def _list_standing(
    placed: Iterable[PlacedStatement], text: str
) -> list[Standing]:
    """Return those of the *placed* statements that stand in *text*, with their words."""
    blocks = {block.id: block for block in read_statements(text)}
    standing = []
    for one in placed:
        stands = one.state == "active" and one.outcome != "undone"
        block = blocks.get(one.id)
        if stands and not one.earlier and block is not None:
            standing.append(Standing(one.capture, one.when, block.words))
    return standing


def is_edited(
    db: sqlite3.Connection, repo: Repo, page: ContestedPage, one: Standing
) -> bool:
    """Tell whether a person changed a statement since companion wrote it.

    Where git has lost what companion wrote, the statement counts as changed.
    """
    for operation, kind, data in list_content_changes(db, page.entry):
        blob = json.loads(data).get("blob")
        if blob is None or (kind in _THEIRS and operation != "undo"):
            continue
        if not repo.has(blob):
            return True
        text = repo.text(blob, exact=True)
        if page.is_opening(one):
            return read_opening(text) != one.words
        block = find_statement(text, statement_id(one.capture))
        if block is not None:
            return (block.words, block.when) != (one.words, one.when)
    return True


def _find_origin(db: sqlite3.Connection, entry: str) -> str | None:
    """Return the capture that the page of *entry* began with.

    None for the page of a day or a subject, which began with none.
    """
    for capture in list_captures_of_entry(db, entry):
        if ids.entry_id(capture) == entry:
            return capture
    return None


def _first_told(db: sqlite3.Connection, capture: str) -> str:
    """Return when *capture* was told first (RFC 3339 UTC); empty where no run recorded it."""
    tellings = list_tellings(db, capture)
    times = [one.get("event_time") or one["seen_at"] for one in tellings]
    return min(times, default="")

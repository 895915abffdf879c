"""Take the statements of a run out of pages that changed since, and put back those that it moved.

A block is found by its id wherever it stands now. What a person changed stays. Pure.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion.pages import page
from companion.pages.lines import lines_of
from companion.pages.statement_edits import (
    add_statement,
    enclose_opening,
    put_mentions,
    remove_statement,
)
from companion.pages.statements import (
    Statement,
    find_statement,
    read_mentions,
    read_statements,
)


class Block(NamedTuple):
    """A statement that a run brought into the wiki, as it wrote it."""

    id: str
    words: str


class Change(NamedTuple):
    """The statements of one page that a run added or moved away."""

    added: Mapping[str, str | None]  # id -> its words, None where not known
    taken: Mapping[str, Statement]  # those that it moved elsewhere

    def list_ids(self) -> set[str]:
        """Return the ids of all of them."""
        return {*self.added, *self.taken}


def read_change(
    before: str | None, after: str | None, blocks: Collection[Block]
) -> Change:
    """Return what a run did to the statements of a page; *blocks* are all that it brought."""
    had = _index_statements(before)
    has = _index_statements(after)
    added: dict[str, str | None] = {block.id: block.words for block in blocks}
    for id, statement in has.items():
        # a page of one note becomes one of statements: that note was there
        is_opening = not had and statement.words in (before or "")
        if id not in had and not is_opening:
            added[id] = statement.words
    taken = {id: one for id, one in had.items() if id not in has}
    return Change(added, taken)


def _index_statements(text: str | None) -> dict[str, Statement]:
    return {one.id: one for one in read_statements(text or "")}


def read_block(text: str, id: str) -> Block | None:
    """Return the statement *id* of a page that a run wrote; it may be all that the page says."""
    found = find_statement(text, id)
    if found is None and not read_statements(text):
        body = page.read_front(text).body
        text = enclose_opening(text, body, id, "00:00")
        found = find_statement(text, id)
    return None if found is None else Block(id, found.words)


def is_edited(now: str, change: Change) -> bool:
    """Tell whether a person changed the words of a statement that the run brought."""
    for statement in read_statements(now):
        words = change.added.get(statement.id)
        if words is not None and words != statement.words:
            return True
    return False


def take_back(
    text: str, before: str | None, change: Change, stay: Collection[str]
) -> str:
    """Return *text* without what the run brought and with what it moved elsewhere.

    Statements in *stay* remain where they are, because another page could not be changed.
    """
    for id in sorted(change.added):
        if id not in stay:
            text = remove_statement(text, id)
    for id, lost in change.taken.items():
        if id not in stay:
            text = add_statement(text, id, lost.when, lost.words)
    known = change.list_ids() - set(stay)
    mentions = [one for one in read_mentions(before or "") if one.id in known]
    return put_mentions(text, mentions, known)


def keep(before: str, after: str, change: Change, stay: Collection[str]) -> str:
    """Return the page *before* a run with the statements in *stay* as they are *after* it."""
    staying = change.list_ids() & set(stay)
    for id in sorted(staying & change.taken.keys()):
        before = remove_statement(before, id)
    for statement in read_statements(after):
        if statement.id in staying & change.added.keys():
            before = add_statement(
                before, statement.id, statement.when, statement.words
            )
    mentions = [one for one in read_mentions(after) if one.id in staying]
    return put_mentions(before, mentions, staying)


def has_nothing_else(text: str, after: str) -> bool:
    """Tell whether a page says nothing that it did not say when the run had made it."""
    body = page.read_front(text).body
    if not body.strip():
        return True
    theirs = set(map(str.strip, lines_of(page.read_front(after).body)))
    return all(
        line.strip() in theirs for line in lines_of(body)
    ) and not read_statements(text)

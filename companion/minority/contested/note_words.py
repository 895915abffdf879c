"""The words of a note that a night took in, as its page has them now."""

import sqlite3

from companion.pages.statements import find_statement, without_derived
from companion.storage.git.repo import Repo
from companion.storage.index.tables.captures import find_page_of_capture
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
)
from companion.values.wording import without_frontmatter


def read_note_words(db: sqlite3.Connection, repo: Repo, capture: str) -> str:
    """Return the words of *capture* where a night put them; empty where they are gone."""
    placed = find_statement_of_capture(db, capture)
    blob = find_page_of_capture(db, capture).blob if not placed else placed.blob
    if not repo.has(blob):
        return ""
    text = repo.text(blob)
    if placed is None:
        return without_derived(without_frontmatter(text))
    statement = find_statement(text, placed.id)
    return "" if statement is None else statement.words

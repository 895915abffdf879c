"""Doubts that a person confirmed in `review`: notes of earlier nights that speak against a page.

Such a note was taken in before anybody knew that it contradicts, and it stays on its page. Its
words come to a branch by a page of their own, as if the night had heard them (MaM §5.5).
"""

import sqlite3
from collections.abc import Collection

from companion.ledger.person_answers import list_confirmed_doubts
from companion.minority.contested.contested_pages import ContestedPages
from companion.minority.contested.note_words import read_note_words
from companion.runs.run import Run
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.minority import list_ever_members
from companion.storage.index.tables.pages.entries import find_entry
from companion.storage.index.tables.questions import (
    Question,
    find_time_asked,
    list_questions_of_kind,
)
from companion.storage.journal.verdicts import Verdicts


def list_confirmed(
    run: Run, pages: ContestedPages, edited: Collection[str]
) -> dict[str, str]:
    """Return what each note contradicts, by a person's answer, that never joined a branch: the name
    of the belief by the capture.

    A person who edited the page since the question was asked has settled it; *edited* are the
    entries of whose edits the ledger does not know yet.
    """
    if not list_questions_of_kind(run.db, "doubt"):
        return {}
    joined = list_ever_members(run.db)
    confirmed: dict[str, str] = {}
    for question in list_confirmed_doubts(
        run.db, Verdicts(run.journal, run.db)
    ):
        capture = question.capture
        if capture is None or capture in joined or question.other in edited:
            continue
        belief = _find_doubted(run.db, pages, question)
        if belief and read_note_words(run.db, run.repo, capture):
            confirmed[capture] = belief
    return confirmed


def _find_doubted(
    db: sqlite3.Connection, pages: ContestedPages, question: Question
) -> str | None:
    """Return the name of what *question* asked about, if it stands as it was then."""
    if question.other is None:
        return None
    row = find_entry(db, question.other)
    page = pages.read(question.other)
    if row is None or row.state != "active" or page is None:
        return None
    edits = list_entry_events(db, question.other, ["edited"])
    asked = find_time_asked(db, question.id)
    if any(edit.time > asked for edit in edits):
        return None
    # of a page that has statements, None means what it was made of
    doubted = question.statement or page.origin
    if page.standing and not page.list_same(doubted):
        return None  # it fell since
    return pages.find_belief(question.other, question.statement)

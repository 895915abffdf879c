"""Find the notes told at the time that a question names: "What did I do on 4 October?"

The words of such a question often stand in no note, and what was told then answers it.
"""

import sqlite3

from companion.language.words.question_words import question_language
from companion.language.words.stop_words import STOP_WORDS
from companion.lookup.search import find_nearest
from companion.lookup.time_words import TimedWords, TimeSpan, find_time
from companion.storage.index.search.hits import Hit
from companion.storage.index.search.wanted import Term
from companion.storage.index.terms import split_words
from companion.storage.journal.journal import Journal
from companion.tuples import NamedTuple
from companion.workspace import Workspace

MOST = 10
_SPECIFIC = 2  # telling words of a question that asks for more than "what"


class ToldThen(NamedTuple):
    """What was told at the time that a question names."""

    rest: str  # the question without the time
    hits: list[Hit]


def find_told_then(
    ws: Workspace, journal: Journal, db: sqlite3.Connection, question: str
) -> ToldThen | None:
    """Return the notes told at the time that *question* names; None: it names none that began, or
    nothing was told then.

    Those that have words of the question come first, the best of them first. All others (MOST at
    most) follow in the order of telling, if none has or the question has hardly a word of its own.
    """
    named = find_time(ws, question)
    if named is None:
        return None
    telling = _count_telling(named.rest)
    hits = _find_by_words(ws, journal, db, named) if telling else []
    if telling < _SPECIFIC or not hits:
        known = {_place(hit) for hit in hits}
        told = _list_all(ws, journal, db, named.span)
        hits += [hit for hit in told if _place(hit) not in known]
    return ToldThen(named.rest, hits[:MOST]) if hits else None


def _count_telling(text: str) -> int:
    """Return how many words of *text* are no little ones."""
    words = split_words(text)
    little = STOP_WORDS[question_language(words)]
    return sum(word not in little for word in words)


def _find_by_words(
    ws: Workspace, journal: Journal, db: sqlite3.Connection, named: TimedWords
) -> list[Hit]:
    groups = _demand(named.span)
    found = find_nearest(ws, journal, db, named.rest, MOST, groups)
    return [hit for hit in found.hits if dict(hit.parts).get("words")]


def _place(hit: Hit) -> tuple[str, str]:
    return hit.id, hit.statement


def _list_all(
    ws: Workspace, journal: Journal, db: sqlite3.Connection, span: TimeSpan
) -> list[Hit]:
    """Return what was told last in *span*, in the order of telling."""
    found = find_nearest(ws, journal, db, "", MOST, _demand(span))
    return sorted(found.hits, key=_told_at)


def _told_at(hit: Hit) -> tuple[str, str, str]:
    return hit.time or "", hit.id, hit.statement


def _demand(span: TimeSpan) -> tuple[tuple[Term, ...], ...]:
    """Return what a query demands of a note told in *span*."""
    since, before = Term("since", span.start), Term("before", span.end)
    return ((since,), (before,))

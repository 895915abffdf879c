"""Show what was told on the page of an answer since: a claim may be older than what one knows.

"The centrifuge is fixed" is a claim; "it grinds again at 9000", told three days later, states
nothing that a rule reads. So an answer names the later notes of its page that tell of a change, or
have words of the question or of the answer; a plain yes or no, which says least, also the newest.
"""

import sqlite3
from collections.abc import Collection, Sequence

from companion.annotations import TYPE_CHECKING
from companion.language.words import snowball
from companion.language.words.question_words import question_language
from companion.language.words.stop_words import STOP_WORDS
from companion.lookup.read_page import link_statement, read_page_bytes
from companion.pages.statements import read_statements
from companion.storage.index.tables.pages.statements import (
    PlacedStatement,
    find_statement_of_capture,
    find_subject,
    list_statements_of_entry,
)
from companion.storage.index.terms import split_words
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult, PassageResult

MOST = 2  # notes that are shown
_SHOWN = 240  # characters of a note
_CHANGE = 2  # shared words that words of a change weigh as much as
# pages that gather one matter; what stands on a day's page has nothing to do with the rest of it
_OF_ONE_MATTER = ("subject", "series")


def list_later_notes(
    ws: Workspace,
    db: sqlite3.Connection,
    question: str,
    answers: "Sequence[AnswerResult]",
    *,
    is_polar: bool,
) -> "list[PassageResult]":
    """Return the notes told on the page of the first of *answers* after all that it rests on.

    What shares most words with question and answer comes first, as does a change, then the newest.
    *is_polar* says that the answer is a mere yes or no: the newest note comes first.
    """
    answer = answers[0]
    captures = _list_captures(answer)
    places = [find_statement_of_capture(db, capture) for capture in captures]
    standing = [place for place in places if place is not None]
    if not standing:
        return []
    last = max(standing, key=lambda place: place.told_at)
    if not _is_of_one_matter(db, last.entry):
        return []
    later = _list_told_after(db, last)
    if not later:
        return []
    words = _read_words(ws, last)
    asked = split_words(question)
    language = question_language(asked)
    wanted = _list_stems(asked, answer, last.title, language)
    weights = {one.id: _weigh(words[one.id], wanted, language) for one in later}
    related = [one for one in later if weights[one.id]]
    # of those that weigh as much the newest stays first
    related.sort(key=lambda one: -weights[one.id])
    if is_polar:
        related = list(dict.fromkeys([later[0], *related]))
    return [_describe(one, words[one.id]) for one in related[:MOST]]


def _list_captures(answer: "AnswerResult") -> list[str]:
    captures: dict[str, None] = {}
    for step in answer["path"]:
        captures.update((one["capture"], None) for one in step["sources"])
    return list(captures)


def _is_of_one_matter(db: sqlite3.Connection, entry: str) -> bool:
    subject = find_subject(db, entry)
    return subject is not None and subject.kind in _OF_ONE_MATTER


def _list_told_after(
    db: sqlite3.Connection, last: PlacedStatement
) -> list[PlacedStatement]:
    """Return what stands on the page of *last* and was told after it, the newest first."""
    later = [
        one
        for one in list_statements_of_entry(db, last.entry)
        if one.stands and one.told_at > last.told_at
    ]
    later.sort(key=lambda one: (one.told_at, one.id), reverse=True)
    return later


def _read_words(ws: Workspace, place: PlacedStatement) -> dict[str, str]:
    """Return the words of the statements on the page of *place*, by their ids."""
    text = read_page_bytes(ws, place.path, place.blob)
    blocks = read_statements(text.decode("utf-8", "replace"))
    return {block.id: block.words for block in blocks}


def _list_stems(
    asked: Sequence[str], answer: "AnswerResult", title: str, language: str
) -> set[str]:
    """Return the stems of what is asked and answered, without the little words and the page's
    name.
    """
    words = [*asked, *split_words(answer["value"])]
    for step in answer["path"]:
        words += split_words(step["object"])
    little = STOP_WORDS[language].union(split_words(title))
    telling = [word for word in words if word not in little]
    return set(snowball.stem_words(telling, language))


def _weigh(text: str, wanted: Collection[str], language: str) -> int:
    """Return how many *wanted* stems a note has, and _CHANGE more where it tells of a change."""
    # word lists: only a page that says more needs them
    from companion.language.claims.grammar import grammar_of
    from companion.language.claims.verbs import is_change

    words = split_words(text)
    shared = len(set(snowball.stem_words(words, language)) & set(wanted))
    grammar = grammar_of(language)
    lemmas = [grammar.lemma(word) for word in words]
    if is_change(text, grammar) or any(
        one in grammar.changes for one in lemmas
    ):
        return shared + _CHANGE
    return shared


def _describe(place: PlacedStatement, words: str) -> "PassageResult":
    text = " ".join(words.split())
    if len(text) > _SHOWN:
        text = f"{text[:_SHOWN].rpartition(' ')[0]} …"
    return {
        "id": place.entry,
        "title": place.title,
        "path": place.path,
        "text": text,
        "statement": place.id,
        "when": place.told_at,
        "link": link_statement(place.path, place.id),
        "lost": False,
        "of_subject": True,
        "found_by": ["told since"],
    }

"""Choose the statement of a page that a search found. On the hot path of a search."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.pages.lines import lines_of
from companion.pages.statements import Statement, read_statements
from companion.storage.index.search import (
    FADED,
    Phrase,
    Statistics,
    score_bm25,
)
from companion.storage.index.terms import fold_text, split_words
from companion.values.wording import without_frontmatter


class FoundWords(NamedTuple):
    """What a search found on a page of many notes.

    *statement* is None where the words that the page began with fit best.
    """

    statement: Statement | None
    words: str


def find_best_statement(
    text: str, phrases: Sequence[Phrase], stats: Statistics
) -> FoundWords | None:
    """Return the words on the page *text* that have most of *phrases*; of equals, the newest.

    None for a page without statements, and where its title alone has the words.
    """
    statements = read_statements(text)
    if not statements:
        return None
    best: FoundWords | None = None
    best_score = 0.0
    for found in _list_words(text, statements):
        score = _score(found, phrases, stats)
        if score and score >= best_score:
            best, best_score = found, score
    return best


def _list_words(text: str, statements: list[Statement]) -> list[FoundWords]:
    before = lines_of(text)[: statements[0].start]
    opening = FoundWords(None, without_frontmatter("".join(before)))
    return [opening, *(FoundWords(one, one.words) for one in statements)]


def _score(
    found: FoundWords, phrases: Sequence[Phrase], stats: Statistics
) -> float:
    """Return how well the words fit; of a statement that lost, the half."""
    plain = fold_text(found.words)
    near = sum(phrase[0] in plain for phrase in phrases)
    if not near:
        return 0.0
    score = score_bm25((), split_words(found.words), phrases, stats)
    # a search for the beginning of a word finds no whole one
    score = score or near * 1e-6
    if found.statement is not None and found.statement.earlier:
        score *= FADED
    return score

"""Correct words of which nothing is found: "gardn" is looked for as "garden"."""

import re
import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.storage.index.search.pending import OpenNote
from companion.storage.index.search.spelling import find_near_word, has_word
from companion.storage.index.search.wanted import Request, Term
from companion.storage.index.terms import split_words

if TYPE_CHECKING:
    from companion.lookup.results import Correction

_MOST = 8  # words of a query that are corrected
_WORDS = ("word", "phrase", "prefix")


def correct_words(
    db: sqlite3.Connection | None, request: Request, notes: Iterable[OpenNote]
) -> "list[Correction]":
    """Return which words of *request* no page and none of the pending *notes* has, each with the
    nearest one that they have; none where all are known, or nothing is near.
    """
    words = dict.fromkeys(split_words(request.words))
    unknown = [word for word in words if not has_word(db, word)]
    if not unknown:
        return []
    pending: set[str] = set()
    for note in notes:
        pending.update(split_words(note.text))
    corrected: list[Correction] = []
    for word in unknown[:_MOST]:
        if word not in pending:
            near = find_near_word(db, word, pending)
            if near is not None:
                corrected.append({"word": word, "instead": near})
    return corrected


def put_instead(request: Request, corrected: "list[Correction]") -> Request:
    """Return *request* with the corrected words."""
    by_word = {one["word"]: one["instead"] for one in corrected}

    def put(text: str) -> str:
        """Return *text* with its words corrected."""
        return re.sub(
            r"[^\W_]+", lambda found: _look_up(found[0], by_word), text
        )

    def correct(terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """Return *terms* with their words corrected; fields stay."""
        return tuple(
            term._replace(text=put(term.text)) if term.kind in _WORDS else term
            for term in terms
        )

    groups = tuple(correct(group) for group in request.groups)
    return Request(put(request.words), groups, request.without)


def _look_up(word: str, by_word: dict[str, str]) -> str:
    return by_word.get("".join(split_words(word)), word)


def take_apart(request: Request) -> Request:
    """Return *request* without its demand that the words of phrases stand together."""
    groups = tuple(
        group
        for group in request.groups
        if any(term.kind != "phrase" for term in group)
    )
    return request._replace(groups=groups)

"""Correct words of which nothing is found: "gardn" is looked for as "garden"."""

import re
import sqlite3
from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from companion.language.words.stop_words import STOP_WORDS
from companion.storage.index.search.pending import OpenNote
from companion.storage.index.search.spelling import (
    find_near_word,
    find_parted,
    has_word,
    list_ending_with,
)
from companion.storage.index.search.wanted import Request, Term
from companion.storage.index.terms import split_words

if TYPE_CHECKING:
    from companion.lookup.results import Correction

_MOST = 8  # words of a query that are corrected
_WORDS = ("word", "phrase", "prefix")
_LITTLE = frozenset(chain.from_iterable(STOP_WORDS.values()))
# languages that write a compound as one word
_COMPOUNDING = frozenset(("de", "nl"))


def correct_words(
    db: sqlite3.Connection | None,
    request: Request,
    languages: Collection[str],
    notes: Iterable[OpenNote],
) -> "list[Correction]":
    """Return which words of *request* no page and none of the pending *notes* has, each with what
    they have instead; none where all are known, or nothing is near.

    Little words of any language stand for nothing.
    """
    words = dict.fromkeys(split_words(request.words))
    unknown = [
        word for word in words if word not in _LITTLE and not has_word(db, word)
    ]
    if not unknown:
        return []
    pending = [split_words(note.text) for note in notes]
    known = frozenset(chain.from_iterable(pending))
    corrected: list[Correction] = []
    for word in unknown[:_MOST]:
        if word not in known:
            instead = _find_instead(db, word, languages, pending)
            if instead is not None:
                corrected.append({"word": word, "instead": instead})
    return corrected


def _find_instead(
    db: sqlite3.Connection | None,
    word: str,
    languages: Collection[str],
    pending: Sequence[list[str]],
) -> str | None:
    """Return what stands for *word*: its two parts ("Wi-Fi"), compounds of it where a language has
    them ("Zahnarzttermin"), or the nearest word; None where nothing does.
    """
    parted = find_parted(db, word, pending)
    if parted is not None:
        return parted
    others = frozenset(chain.from_iterable(pending))
    if not _COMPOUNDING.isdisjoint(languages):
        compounds = list_ending_with(db, word, others)
        if compounds:
            return " ".join(compounds)
    return find_near_word(db, word, others, _LITTLE)


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

"""Whether sentences say what claims say and nothing else, by rule: what a model adds is not shown.

The words of the question count for nothing here: "Does Anna live in Bern or in Rome?" must not lend
its "Rome". A sentence may reorder and join whole claims, and use words that add nothing
(`data/phrase.toml`). What is left open: a claim said to somebody who reads irony, and two claims of
one sentence whose verbs changed places.
"""

import os
import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import FOLDER, language_of

# what may stand around a number
_EDGES = ".,;:!?()[]\"'\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u2026*_`"
# Signs that change nothing; every other must stand in the claims.
_PLAIN = frozenset(
    " .,;:!'\u2019\u2018\"\u201c\u201d\u201e\u00ab\u00bb()-\u2013\u2014/\u2026"
)  # signs that change nothing
_WORD = re.compile(r"[^\W\d_]+")
_ANY_TIME = "2000-01-01T00:00:00.000000Z"


class Line(NamedTuple):
    """One claim of the pack that a model is shown."""

    subject: str
    predicate: str
    object: str
    told: tuple[str, ...] = ()  # days
    disputed: bool = False
    needed: bool = True  # an answer is not whole without it

    def shown(self) -> str:
        """Return the claim in one line."""
        told = f" (told {', '.join(self.told)})" if self.told else ""
        return f"{self.subject} {self.predicate} {self.object}{told}{' (disputed)' if self.disputed else ''}"


class Sentence(NamedTuple):
    """One sentence, and the lines (from 0) that it is to say."""

    text: str
    lines: tuple[int, ...]


class Words(NamedTuple):
    """The words of one language that add nothing."""

    little: frozenset[str]  # articles, the copula, relatives
    joins: frozenset[str]  # prepositions and conjunctions
    me: frozenset[str]  # who asks: "I" becomes "you"
    ands: frozenset[str]
    ors: frozenset[str]

    def joining(self, lines: Sequence[Line]) -> frozenset[str]:
        """Return what may join values: sides of a dispute are not both so, and other values are not
        in doubt.
        """
        return self.ors if any(line.disputed for line in lines) else self.ands


def objection(
    sentences: Sequence[Sentence], lines: Sequence[Line], question: str
) -> str | None:
    """Return what speaks against showing *sentences*, or None: they say *lines* and nothing
    else.
    """
    words = words_of(language_of(question) or "en")
    left_out = {n for n, line in enumerate(lines) if line.needed} - {
        n for each in sentences for n in each.lines
    }
    if left_out:
        return f"left out what belongs to the answer: {lines[min(left_out)].shown()}"
    found = (
        _against(each, [lines[n] for n in each.lines], words)
        for each in sentences
    )
    return next((trouble for trouble in found if trouble is not None), None)


@lru_cache(maxsize=8)
def words_of(language: str) -> Words:
    """Return the words of *language* that add nothing."""
    with open(os.path.join(FOLDER, "phrase.toml"), "rb") as file:
        data = tomllib.load(file)[language]
    return Words(
        *(
            frozenset(data[name].split())
            for name in ("little", "joins", "me", "and", "or")
        )
    )


def _against(
    sentence: Sentence, lines: Sequence[Line], words: Words
) -> str | None:
    if not lines:
        return f"said what no claim says: {sentence.text}"
    shown = " ".join(line.shown() for line in lines)
    added = _added(sentence.text, shown, words, words.joining(lines))
    if added:
        return f"added what no claim says: {', '.join(added)}"
    unsaid = next(
        (line for line in lines if not _says(sentence.text, line, words)), None
    )
    if unsaid is not None:
        return f"did not say it as it was told: {unsaid.shown()}"
    turned = _turned(sentence.text, lines, words)
    return f"turned round who and what: {turned}" if turned else None


def _added(
    text: str, shown: str, words: Words, joining: frozenset[str]
) -> list[str]:
    """Return the words, numbers and signs of *text* that *shown* does not have."""
    known = (
        {_same(word, words) for word in _words(shown)}
        | words.little
        | words.joins
        | joining
    )
    numbers = set(_numbers(shown))
    found = [word for word in _words(text) if _same(word, words) not in known]
    found += [number for number in _numbers(text) if number not in numbers]
    signs = (
        sign
        for sign in text
        if not sign.isalnum() and sign not in _PLAIN and sign not in shown
    )
    return list(dict.fromkeys([*found, *signs]))


def _says(text: str, line: Line, words: Words) -> bool:
    """Tell whether *text* has the whole of *line*: whom it is about before its value, and the words
    between.
    """
    said = _content(text, words)
    subject, value = _content(line.subject, words), _content(line.object, words)
    between = {
        _same(word, words) for word in _words(line.predicate)
    } - words.little
    first, last = _place(said, subject), _place(said[::-1], value[::-1])
    if (
        first is None
        or last is None
        or not between <= {_same(word, words) for word in _words(text)}
    ):
        return False
    return first + len(subject) <= len(said) - last - len(value)


def _turned(text: str, lines: Sequence[Line], words: Words) -> str | None:
    """Return a claim that can be read out of *text* and says of two things of *lines* what no line
    says.
    """
    from companion.language.claims.extract import (
        # word lists of every language: only for what a model said
        LightExtractor,
    )

    told = {
        (_name(line.subject, words), _name(line.object, words))
        for line in lines
    }
    things = {name for pair in told for name in pair}
    for claim in LightExtractor().extract(text, event_time=_ANY_TIME):
        pair = (_name(claim.subject, words), _name(claim.object, words))
        # else several claims were read as one
        whole = things.isdisjoint(_content(claim.predicate, words))
        if claim.negated or (
            whole and things.issuperset(pair) and pair not in told
        ):
            return f"{claim.subject} {claim.predicate} {claim.object}"
    return None


def _name(said: str, words: Words) -> str:
    return " ".join(_content(said, words))


def _content(text: str, words: Words) -> list[str]:
    """Return the words and numbers of *text* that say something, in order."""
    found: list[str] = []
    for chunk in text.split():
        number = _number(chunk)
        found += (
            [number]
            if number
            else [_same(word, words) for word in _words(chunk)]
        )
    return [
        word
        for word in found
        if word not in words.little | words.joins | words.ands | words.ors
    ]


def _place(said: Sequence[str], wanted: Sequence[str]) -> int | None:
    ends = range(len(said) - len(wanted) + 1)
    return (
        next(
            (
                n
                for n in ends
                if list(said[n : n + len(wanted)]) == list(wanted)
            ),
            None,
        )
        if wanted
        else 0
    )


def _words(text: str) -> list[str]:
    return [
        word.casefold()
        for chunk in text.split()
        if not _number(chunk)
        for word in _WORD.findall(chunk)
    ]


def _numbers(text: str) -> list[str]:
    return [number for number in map(_number, text.split()) if number]


def _number(chunk: str) -> str:
    """Return *chunk* without the signs around it, where it has a digit: numbers and dates must be
    the very same.
    """
    return (
        chunk.strip(_EDGES).casefold()
        if any(sign.isdigit() for sign in chunk)
        else ""
    )


def _same(word: str, words: Words) -> str:
    return "i" if word in words.me else word

"""Check by rule that sentences say what claims say and nothing else, so that nothing else is shown.

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
# signs that change nothing; every other must stand in the claims
_PLAIN = frozenset(
    " .,;:!'\u2019\u2018\"\u201c\u201d\u201e\u00ab\u00bb()-\u2013\u2014/\u2026"
)
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
        line = f"{self.subject} {self.predicate} {self.object}"
        if self.told:
            line += f" (told {', '.join(self.told)})"
        if self.disputed:
            line += " (disputed)"
        return line


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
        """Return the words that may join values: "or" where they are disputed, else "and"."""
        if any(line.disputed for line in lines):
            return self.ors
        return self.ands

    def says_nothing(self, word: str) -> bool:
        """Tell whether *word* adds nothing to a claim."""
        if word in self.little or word in self.joins:
            return True
        return word in self.ands or word in self.ors


def find_objection(
    sentences: Sequence[Sentence], lines: Sequence[Line], question: str
) -> str | None:
    """Return why *sentences* must not be shown; None if they say *lines* and nothing else."""
    words = read_words(language_of(question) or "en")
    covered: set[int] = set()
    for sentence in sentences:
        covered.update(sentence.lines)
    for number, line in enumerate(lines):
        if line.needed and number not in covered:
            return f"left out what belongs to the answer: {line.shown()}"
    for sentence in sentences:
        claims = [lines[number] for number in sentence.lines]
        objection = _object_to(sentence.text, claims, words)
        if objection is not None:
            return objection
    return None


@lru_cache(maxsize=8)
def read_words(language: str) -> Words:
    """Return the words of *language* that add nothing."""
    with open(os.path.join(FOLDER, "phrase.toml"), "rb") as file:
        data = tomllib.load(file)[language]
    return Words(
        little=frozenset(data["little"].split()),
        joins=frozenset(data["joins"].split()),
        me=frozenset(data["me"].split()),
        ands=frozenset(data["and"].split()),
        ors=frozenset(data["or"].split()),
    )


def _object_to(text: str, lines: Sequence[Line], words: Words) -> str | None:
    """Return what speaks against the sentence *text*, which is to say *lines*; None: nothing."""
    if not lines:
        return f"said what no claim says: {text}"
    added = _added_words(text, lines, words)
    if added:
        return f"added what no claim says: {', '.join(added)}"
    for line in lines:
        if not _says(text, line, words):
            return f"did not say it as it was told: {line.shown()}"
    claim = _find_turned_claim(text, lines, words)
    if claim is not None:
        return f"turned round who and what: {claim}"
    return None


def _added_words(text: str, lines: Sequence[Line], words: Words) -> list[str]:
    """Return the words, numbers and signs of *text* that *lines* do not have."""
    shown = " ".join(line.shown() for line in lines)
    known = {_normalize(word, words) for word in _split_words(shown)}
    known |= words.little | words.joins | words.joining(lines)
    added = []
    for word in _split_words(text):
        if _normalize(word, words) not in known:
            added.append(word)
    numbers = set(_split_numbers(shown))
    added += [
        number for number in _split_numbers(text) if number not in numbers
    ]
    added += [sign for sign in text if _adds_sense(sign, shown)]
    return list(dict.fromkeys(added))


def _adds_sense(sign: str, shown: str) -> bool:
    """Tell whether a sign says more than *shown* does."""
    return not sign.isalnum() and sign not in _PLAIN and sign not in shown


def _says(text: str, line: Line, words: Words) -> bool:
    """Tell whether *text* has the whole of *line*: its subject before its value, and its verb."""
    spoken = _telling_words(text, words)
    subject = _telling_words(line.subject, words)
    value = _telling_words(line.object, words)
    first = _find_run(spoken, subject)
    last = _find_run(spoken[::-1], value[::-1])
    if first is None or last is None:
        return False
    text_words = {_normalize(word, words) for word in _split_words(text)}
    between = {_normalize(word, words) for word in _split_words(line.predicate)}
    if not between - words.little <= text_words:
        return False
    return first + len(subject) <= len(spoken) - last - len(value)


def _find_turned_claim(
    text: str, lines: Sequence[Line], words: Words
) -> str | None:
    """Return a claim that *text* makes about two things of *lines* and that no line makes."""
    # it loads the word lists of every language: only for a model's sentences
    from companion.language.claims.extract import LightExtractor

    told: set[tuple[str, str]] = set()
    for line in lines:
        told.add((_name(line.subject, words), _name(line.object, words)))
    things = set().union(*told)
    for claim in LightExtractor().extract(text, event_time=_ANY_TIME):
        pair = (_name(claim.subject, words), _name(claim.object, words))
        # else several claims were read as one
        is_whole = things.isdisjoint(_telling_words(claim.predicate, words))
        is_untold = things.issuperset(pair) and pair not in told
        if claim.negated or (is_whole and is_untold):
            return f"{claim.subject} {claim.predicate} {claim.object}"
    return None


def _name(text: str, words: Words) -> str:
    return " ".join(_telling_words(text, words))


def _telling_words(text: str, words: Words) -> list[str]:
    """Return the words and numbers of *text* that say something, in order."""
    telling: list[str] = []
    for chunk in text.split():
        number = _number(chunk)
        if number:
            telling.append(number)
        else:
            telling += (_normalize(word, words) for word in _split_words(chunk))
    return [word for word in telling if not words.says_nothing(word)]


def _find_run(spoken: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Return where *wanted* stands in *spoken* for the first time; None: nowhere."""
    for start in range(len(spoken) - len(wanted) + 1):
        if spoken[start : start + len(wanted)] == wanted:
            return start
    return None


def _split_words(text: str) -> list[str]:
    """Return the words of *text* in lower case, without numbers."""
    words: list[str] = []
    for chunk in text.split():
        if not _number(chunk):
            words += (word.casefold() for word in _WORD.findall(chunk))
    return words


def _split_numbers(text: str) -> list[str]:
    return [number for number in map(_number, text.split()) if number]


def _number(chunk: str) -> str:
    """Return *chunk* without the signs around it if it has a digit, else nothing."""
    if not any(sign.isdigit() for sign in chunk):
        return ""
    return chunk.strip(_EDGES).casefold()


def _normalize(word: str, words: Words) -> str:
    """Return *word*, or "i" where it means who asks."""
    if word in words.me:
        return "i"
    return word

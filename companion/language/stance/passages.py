"""Split the texts of a pair into the passages that are compared, and the words of each."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from companion.language.detect import LANGUAGES, function_words
from companion.language.sentence_ends import split_lines

SHORT = 400  # characters; a shorter text is one passage
PASSAGES = 12  # of a long text, the first that are compared
_LOOKED_AT = 20_000  # characters of a text in which passages are looked for
_WORDS = 90  # of a passage, the first that are aligned
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[a-zA-Z\u00c0-\u024f]")


class Word(NamedTuple):
    """A word that carries matter."""

    text: str  # in lower case
    place: int  # among all words of its passage, from 0


def split_passages(text: str) -> list[str]:
    """Return the passages of *text*: itself where it is short, else runs of whole sentences.

    A text without a letter has none, nor has one in a script that no head was trained on. At most
    12, of at most 400 characters each.
    """
    text = text[:_LOOKED_AT].strip()
    if not _is_readable(text):
        return []
    if len(text) <= SHORT:
        return [text]
    return list(islice(_runs(text), PASSAGES))


def split_short(text: str) -> list[str]:
    """Return the sentences of a passage that have a letter."""
    return [part for part in split_lines(text) if _LETTER.search(part)]


def words_of(text: str) -> list[str]:
    """Return all words of a passage in lower case, the first 90."""
    found = islice(_WORD.finditer(text.lower()), _WORDS)
    return [match.group() for match in found]


def matter_of(words: Sequence[str]) -> list[Word]:
    """Return the words that carry matter: none of the little words."""
    little = _little_words()
    return [
        Word(word, place)
        for place, word in enumerate(words)
        if word not in little
    ]


def _is_readable(text: str) -> bool:
    """Tell whether half of the letters of *text* are Latin ones, and there is one."""
    latin = len(_LATIN.findall(text))
    return latin > 0 and 2 * latin >= len(_LETTER.findall(text))


@lru_cache(maxsize=1)
def _little_words() -> frozenset[str]:
    tables = function_words()
    return frozenset().union(*(tables[name] for name in LANGUAGES))


def _runs(text: str) -> list[str]:
    """Return sentences joined as long as they are short together."""
    runs: list[str] = []
    for sentence in split_short(text):
        part = sentence[:SHORT]
        if runs and len(runs[-1]) + len(part) < SHORT:
            runs[-1] = f"{runs[-1]} {part}"
        else:
            runs.append(part)
    return runs

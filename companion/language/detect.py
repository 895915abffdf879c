"""What is data per language: reading it, and telling which language a text is in."""

import hashlib
import os
import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
LANGUAGES = ("en", "de", "fr", "es", "nl", "it")  # earlier wins a tie
# a TOML table of one language, as its file has it
LanguageData = dict[str, Any]
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")


@lru_cache(maxsize=16)
def read_language_data(language: str, name: str) -> LanguageData:
    """Return `data/<language>/<name>.toml`."""
    with open(os.path.join(FOLDER, language, f"{name}.toml"), "rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return 12 hex digits that change with any of the patterns and words that claims and times are
    read by.
    """
    names = ["function-words.toml"]
    names += [
        os.path.join(name, file)
        for name in sorted(LANGUAGES)
        for file in ("extract.toml", "time.toml")
    ]
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(FOLDER, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:12]


@lru_cache(maxsize=1)
def function_words() -> dict[str, frozenset[str]]:
    """Return the little words of each language; those that nobody reads here are listed so as not
    to be mistaken.
    """
    with open(os.path.join(FOLDER, "function-words.toml"), "rb") as file:
        return {
            language: frozenset(words.split())
            for language, words in tomllib.load(file).items()
        }


class Tally(NamedTuple):
    """The little words of a text."""

    counts: dict[str, int]  # of each language that has any here
    # the languages of its first word, where that has a capital
    capital: Sequence[str]
    empty: bool  # not a word


def count_little_words(text: str) -> dict[str, int]:
    """Return how many little words of each language *text* has; a language without any is left out.

    Capitals within a text begin names ("Ada" is a little word of Indonesian), so only its first
    word may have one.
    """
    return tally(text).counts


def tally(text: str) -> Tally:
    """Return what `scores` says of *text*, and what must be known to add another text's."""
    said = _WORD.findall(text)
    spoken, counts = _spoken_in(), dict[str, int]()
    for n, word in enumerate(said):
        if not n or _is_low(word):
            for language in spoken.get(_plain(word), ()):
                counts[language] = counts.get(language, 0) + 1
    return Tally(
        counts,
        () if not said or _is_low(said[0]) else spoken.get(_plain(said[0]), ()),
        not said,
    )


def add_tallies(one: Tally, other: Tally) -> dict[str, int]:
    """Return the scores of two texts, one after the other: the first word of the second is not the
    first any more.
    """
    counts = Counter(one.counts)
    counts.update(other.counts)
    if not one.empty:
        counts.subtract(other.capital)
    return {language: count for language, count in counts.items() if count}


def _is_low(word: str) -> bool:
    return word[0].islower() or len(word) < 2


def _plain(word: str) -> str:
    return word.lower().replace("\u2019", "'")


def language_of(
    text: str, *, leaning: dict[str, int] | None = None
) -> str | None:
    """Return the language of *text*, or None: one nobody reads here, or too few little words to
    tell.

    *leaning* are the scores of the text around: they decide a tie, and speak for a sentence without
    little words.
    """
    return best_language(count_little_words(text), leaning or {})


def best_language(found: dict[str, int], around: dict[str, int]) -> str | None:
    """Return the language that the scores *found* speak for, or else those of the text *around*;
    see `language_of`.
    """
    found = found or around
    if not found:
        return None
    name = max(
        found,
        key=lambda name: (
            found[name],
            around.get(name, 0),
            name in LANGUAGES,
            _rank(name),
        ),
    )
    return name if name in LANGUAGES else None


@lru_cache(maxsize=1)
def _spoken_in() -> dict[str, list[str]]:
    """Return each little word's languages: a text is told by one look-up a word."""
    spoken: dict[str, list[str]] = {}
    for language, words in function_words().items():
        for word in words:
            spoken.setdefault(word, []).append(language)
    return spoken


def _rank(language: str) -> int:
    return -LANGUAGES.index(language) if language in LANGUAGES else 0

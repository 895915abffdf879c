"""Read the data of each language, and tell which language a text is in."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from companion import json_text
from companion.annotations import Any
from companion.language import sentence_ends
from companion.patterns import lazy
from companion.tuples import NamedTuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
LANGUAGES = ("en", "de", "fr", "es", "nl", "it")  # earlier wins a tie
# a table of one language, as its file has it
LanguageData = dict[str, Any]
WordSet = frozenset[str]
_WORD = lazy(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")


@lru_cache(maxsize=16)
def read_language_data(language: str, name: str) -> LanguageData:
    """Return `data/<language>/<name>.toml`, as the JSON beside it says it.

    To import tomllib costs more than a capture (ADR 307).
    """
    table: LanguageData = json_text.loads(
        _read(os.path.join(language, f"{name}.json"))
    )
    return table


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Return 12 hex digits that change with the words that claims and times are read by."""
    names = ["function-words.toml", sentence_ends.DATA]
    for language in sorted(LANGUAGES):
        names.append(os.path.join(language, "extract.toml"))
        names.append(os.path.join(language, "time.toml"))
    return fingerprint_of(names)


def fingerprint_of(names: Iterable[str]) -> str:
    """Return 12 hex digits that change with any of the data files *names*."""
    import hashlib  # brings OpenSSL: a question does without

    digest = hashlib.sha256()
    for name in names:
        digest.update(_read(name))
    return digest.hexdigest()[:12]


def _read(name: str) -> bytes:
    with open(os.path.join(FOLDER, name), "rb") as file:
        return file.read()


@lru_cache(maxsize=1)
def function_words() -> dict[str, WordSet]:
    """Return the little words of each language.

    Languages without rules here are listed too, so that none of them is taken for another.
    """
    import tomllib  # a question does without

    table = tomllib.loads(_read("function-words.toml").decode())
    return {name: frozenset(words.split()) for name, words in table.items()}


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
    """Return the little words of *text*, and what must be known to add another text's."""
    words = _WORD.findall(text)
    if not words:
        return Tally({}, (), empty=True)
    first = _languages_by_word().get(_plain(words[0]), ())
    counts = dict.fromkeys(first, 1)
    for word in words[1:]:
        for language in _languages_within(word):
            counts[language] = counts.get(language, 0) + 1
    capital = () if _is_low(words[0]) else first
    return Tally(counts, capital, empty=False)


@lru_cache(maxsize=16384)
def _languages_within(word: str) -> Sequence[str]:
    """Return the languages of which *word* is a little word, where it does not begin a text."""
    if not _is_low(word):
        return ()
    return _languages_by_word().get(_plain(word), ())


def add_tallies(one: Tally, other: Tally) -> dict[str, int]:
    """Return the little words of two texts, one after the other, by language.

    The first word of the second text is not the first any more.
    """
    counts = Counter(one.counts)
    counts.update(other.counts)
    if not one.empty:
        counts.subtract(other.capital)
    return {language: count for language, count in counts.items() if count}


def join_tallies(one: Tally, other: Tally) -> Tally:
    """Return the little words of two texts as one, with a space between them."""
    first = other if one.empty else one
    return Tally(
        add_tallies(one, other), first.capital, one.empty and other.empty
    )


def _is_low(word: str) -> bool:
    return word[0].islower() or len(word) < 2


def _plain(word: str) -> str:
    return word.lower().replace("\u2019", "'")


def language_of(
    text: str, *, leaning: dict[str, int] | None = None
) -> str | None:
    """Return the language of *text*, None for one without rules or with too few little words.

    *leaning* are the little words of the text around: they decide a tie, and speak for a sentence
    without little words.
    """
    return best_language(count_little_words(text), leaning or {})


def best_language(counts: dict[str, int], around: dict[str, int]) -> str | None:
    """Return the language that *counts* speak for, or else those of the text *around*.

    See `language_of`.
    """
    counts = counts or around
    if not counts:
        return None
    name = max(
        counts,
        key=lambda name: (counts[name], around.get(name, 0), *_rank(name)),
    )
    if name not in LANGUAGES:
        return None
    return name


@lru_cache(maxsize=1)
def _languages_by_word() -> dict[str, list[str]]:
    """Return each little word's languages: a text's are counted by one look-up a word."""
    languages: dict[str, list[str]] = {}
    for language, words in function_words().items():
        for word in words:
            languages.setdefault(word, []).append(language)
    return languages


def _rank(language: str) -> tuple[bool, int]:
    """Order languages without rules before those with, and of these the earlier ones last."""
    if language not in LANGUAGES:
        return False, 0
    return True, -LANGUAGES.index(language)

"""What is data per language: reading it, and telling which language a text is in."""

import os
import re
import tomllib
from functools import lru_cache
from typing import Any

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
LANGUAGES = ("en", "de", "fr", "es", "nl", "it")  # earlier wins a tie
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")


@lru_cache(maxsize=16)
def data(language: str, name: str) -> dict[str, Any]:
    """Return `data/<language>/<name>.toml`."""
    with open(os.path.join(FOLDER, language, f"{name}.toml"), "rb") as file:
        return tomllib.load(file)


@lru_cache(maxsize=1)
def function_words() -> dict[str, frozenset[str]]:
    """Return the little words of each language; those that nobody reads here are listed so as not to be mistaken."""
    with open(os.path.join(FOLDER, "function-words.toml"), "rb") as file:
        return {language: frozenset(words.split()) for language, words in tomllib.load(file).items()}


def scores(text: str) -> dict[str, int]:
    """Return how many little words of each language *text* has; a language without any is left out.

    Capitals within a text begin names ("Ada" is a little word of Indonesian), so only its first word may have one.
    """
    said = _WORD.findall(text)
    words = [
        word.lower().replace("\u2019", "'")
        for n, word in enumerate(said)
        if not n or word[0].islower() or len(word) < 2
    ]
    counts: dict[str, int] = {}
    for word in words:
        for language in _spoken_in().get(word, ()):
            counts[language] = counts.get(language, 0) + 1
    return counts


def language_of(text: str, *, leaning: dict[str, int] | None = None) -> str | None:
    """Return the language of *text*, or None: one nobody reads here, or too few little words to tell.

    *leaning* are the scores of the text around: they decide a tie, and speak for a sentence without little words.
    """
    around = leaning or {}
    found = scores(text) or around
    if not found:
        return None
    best = max(found, key=lambda name: (found[name], around.get(name, 0), name in LANGUAGES, _rank(name)))
    return best if best in LANGUAGES else None


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

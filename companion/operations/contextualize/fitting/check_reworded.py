"""Check that a sentence in a model's words says nothing that its source does not.

It may add no number, no name and no word that denies, and may leave out no denial of the sentence
that it rests on: that is the one of the source that shares most of its words. What is left open:
two numbers that changed places, and a paraphrase that means something else without such a sign.
Pure.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from companion.language.detect import LANGUAGES, language_of
from companion.language.lexicon import lexicon_of
from companion.operations.contextualize.fitting.terms import Terms

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_CONTRACTED = ("n't", "n\u2019t")


class Support(NamedTuple):
    """The sentence of the source that another rests on, and what speaks against that."""

    number: int
    objection: str | None  # "number", "name", "denial"; None: it holds


def check_sentence(
    sentence: str, source: Sequence[str], terms: Terms
) -> Support:
    """Return which sentence of *source* supports *sentence*, and whether it says no more."""
    number = _find_support(sentence, source, terms)
    text = " ".join(source)
    if set(_NUMBER.findall(sentence)) - set(_NUMBER.findall(text)):
        return Support(number, "number")
    if _list_added_names(sentence, text):
        return Support(number, "name")
    if _denies(sentence) != _denies(source[number]):
        return Support(number, "denial")
    return Support(number, None)


def _find_support(sentence: str, source: Sequence[str], terms: Terms) -> int:
    wanted = set(terms.split(sentence))
    best, most = 0, -1.0
    for number, other in enumerate(source):
        words = set(terms.split(other))
        shared = len(wanted & words) / (1 + len(wanted | words)) ** 0.5
        if shared > most:
            best, most = number, shared
    return best


def _list_added_names(sentence: str, source: str) -> list[str]:
    """Return the words with a capital that *source* does not have, the first one too."""
    known = {word.casefold() for word in _WORD.findall(source)}
    little = _little_words(sentence)
    added = []
    for word in _WORD.findall(sentence):
        low = word.casefold()
        if word[0].isupper() and low not in known and low not in little:
            added.append(word)
    return added


def _little_words(sentence: str) -> frozenset[str]:
    language = language_of(sentence) or "en"
    return lexicon_of(language).function


def _denies(sentence: str) -> bool:
    """Tell whether a sentence has a word that denies, in any language that is read."""
    language = language_of(sentence)
    languages = LANGUAGES if language is None else (language,)
    words = {word.casefold() for word in _WORD.findall(sentence)}
    if any(word.endswith(_CONTRACTED) for word in words):
        return True
    return any(
        not words.isdisjoint(lexicon_of(name).negators) for name in languages
    )

"""Tell the language of a sentence within its text."""

import re
from collections import Counter
from collections.abc import Sequence

from companion.language.claims.grammar import grammar_of
from companion.language.detect import (
    LANGUAGES,
    Tally,
    best_language,
    tally,
)

_WORD = re.compile(r"[^\W\d_]+")
_LONG = 4  # letters
# "Fasching am 24. Februar"; "I am 24. My …" is of somebody's age
_GERMAN_DAY = re.compile(r"(?<![Ii] )\bam \d{1,2}\. ?(?:\d|[A-Z]\w)")
_GENITIVE = re.compile(r"\w['\u2019]s\s")
_SPLIT = ("en", "de")  # languages whose clauses are split
_WORDS_LOOKED_AT = 3  # of a sentence without any little word


def find_language(sentence: str, around: dict[str, int]) -> str | None:
    """Return the language of *sentence*, None for one that has no rules.

    *around* are the little words of its whole text, by language.
    """
    if _GERMAN_DAY.search(sentence):
        return "de"
    said = tally(sentence)
    language = best_language(said.counts, around)
    if language is None and not around:
        return _language_by_verb(sentence)
    other = _language_without_name(said, around)
    if other not in (None, language) and _has_verb_of(other, sentence):
        return other
    if max(around.values(), default=0) > 1:
        return language
    if language in _SPLIT and not _is_tie(around):
        return language
    # one little word, of another language or of several: "Oskar hates soy"
    return _language_by_verb(sentence) or language


def _language_without_name(said: Tally, around: dict[str, int]) -> str | None:
    """Return the language of a sentence whose first word may be a name, and no little word: "Ben"
    is Dutch for "am".
    """
    if not said.capital:
        return None
    within = _count_without(said.counts, said.capital)
    return best_language(within, _count_without(around, said.capital))


def _has_verb_of(language: str, sentence: str) -> bool:
    """Tell whether *sentence* has a verb of *language*, or begins with a past of it: "Met Anna",
    where "met" is a little word of Dutch.
    """
    if _language_by_verb(sentence) == language:
        return True
    word = _WORD.findall(sentence)[0].lower()
    return grammar_of(language).lemma(word) not in (None, word)


def _count_without(
    little_words: dict[str, int], languages: Sequence[str]
) -> dict[str, int]:
    """Return *little_words* without one word of each of *languages*."""
    counts = Counter(little_words)
    counts.subtract(languages)
    return {name: count for name, count in counts.items() if count > 0}


def _is_tie(little_words: dict[str, int]) -> bool:
    """Tell whether a text speaks for two languages alike: "am" is English and German."""
    counts = [little_words.get(language, 0) for language in _SPLIT]
    return len(set(counts)) == 1


def _language_by_verb(sentence: str) -> str | None:
    """Return whose verb a sentence without any little word has: "Harbour requires Pier 4"."""
    words = _WORD.findall(sentence)[1:]
    long = [word for word in words if word.islower() and len(word) >= _LONG]
    low = long[:_WORDS_LOOKED_AT]
    for language in LANGUAGES:
        grammar = grammar_of(language)
        if any(grammar.lemma(word) not in (None, word) for word in low):
            return language
    if _GENITIVE.search(sentence):
        return "en"  # "Karen's pregnant"
    return None

"""Words as fitting compares them: folded, without little words, without endings."""

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from companion.language.detect import (
    LANGUAGES,
    count_little_words,
    function_words,
)
from companion.language.lexicon import lexicon_of
from companion.storage.index.terms import split_words

# characters of a source by which its language is told
_SAMPLE = 20_000


class Terms:
    """Makes terms of texts, in the language of one source; each word is looked at once."""

    def __init__(self, sample: str) -> None:
        language = _find_language(sample[:_SAMPLE])
        self._little = function_words().get(language or "en", frozenset())
        self._stem: Callable[[str], str] | None = None
        if language in LANGUAGES:
            self._stem = lexicon_of(language).stem
        self._known: dict[str, str] = {}

    def split(self, text: str) -> list[str]:
        """Return the terms of *text* in their order, little words left out."""
        found = []
        for word in split_words(text):
            term = self._known.get(word)
            if term is None:
                term = self._make(word)
                self._known[word] = term
            if term:
                found.append(term)
        return found

    def count(self, text: str) -> Counter[str]:
        """Return how often each term stands in *text*."""
        return Counter(self.split(text))

    def _make(self, word: str) -> str:
        if word in self._little or (len(word) < 2 and word.isascii()):
            return ""
        if self._stem is None or word.isdigit():
            return word
        return self._stem(word)


@lru_cache(maxsize=64)
def _find_language(sample: str) -> str | None:
    """Return the language whose little words *sample* has most of."""
    counts = count_little_words(sample)
    if not counts:
        return None
    return max(counts, key=lambda name: (counts[name], name))

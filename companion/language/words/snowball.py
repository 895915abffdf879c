"""Stems of words, by Snowball's rules for each language (Porter 1980; snowballstem.org).

A stem is no word; two forms of one word have the same. Each distinct word is stemmed once. On the
hot path of a search.
"""

from collections.abc import Collection

import Stemmer

from companion.language.words.stop_words import tell_language

#: what stems depend on: an index of another one is built again
VERSION = f"snowball {Stemmer.version()}, 1"
_ALGORITHMS = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "nl": "dutch",
    "it": "italian",
}
LANGUAGES = tuple(_ALGORITHMS)
_OTHERWISE = "en"  # of a text without a little word
_SEEN = 60  # words that its language is told by
_MOST = 200_000  # stems of one language that are kept in memory


class _Stems(dict[str, str]):
    """The stems of one language, each made when it is first asked for."""

    def __init__(self, language: str) -> None:
        super().__init__()
        # its own memory costs more than stemming
        self._stemmer = Stemmer.Stemmer(_ALGORITHMS[language], 0)

    def __missing__(self, word: str) -> str:
        if len(self) >= _MOST:
            self.clear()
        stem: str = self._stemmer.stemWord(word)
        self[word] = stem
        return stem


_stems: dict[str, _Stems] = {}


def stem_words(words: list[str], language: str) -> list[str]:
    """Return the stems of folded *words*, in order."""
    if language not in _stems:
        _stems[language] = _Stems(language)
    known = _stems[language]
    return list(map(known.__getitem__, words))


def stem_text(
    words: list[str], among: Collection[str] = LANGUAGES
) -> tuple[str, list[str]]:
    """Return the language of a text, told by its little words, and the stems of its *words*.

    A text in none of the languages *among* is stemmed as English.
    """
    language = tell_language(words[:_SEEN])
    if language is None or language not in among:
        language = _OTHERWISE
    return language, stem_words(words, language)

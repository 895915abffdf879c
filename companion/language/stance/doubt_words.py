"""The words by which a language speaks against what others hold: `data/<language>/doubt.toml`."""

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.annotations import get_args
from companion.language.detect import (
    LANGUAGES,
    LanguageData,
    WordSet,
    fingerprint_of,
    read_language_data,
)

#: what the lists are of; `data/en/doubt.toml` says by which criterion
Sign = Literal[
    "wrong",
    "harm",
    "enough",
    "norm",
    "well",
    "elsewhere",
    "tried",
    "instead",
    "agrees",
    "excess",
]
SIGNS: tuple[Sign, ...] = get_args(Sign)


class Signs(NamedTuple):
    """The words and phrases of one list."""

    words: WordSet
    beginnings: tuple[str, ...]
    phrases: tuple[str, ...]

    def count(self, words: Sequence[str]) -> int:
        """Return how many of the list *words* has, each once; they are in lower case."""
        found = {word for word in words if self._has(word)}
        line = f" {' '.join(words)} "
        return len(found) + sum(f" {one} " in line for one in self.phrases)

    def _has(self, word: str) -> bool:
        if word in self.words:
            return True
        return bool(self.beginnings) and word.startswith(self.beginnings)


@lru_cache(maxsize=8)
def signs_of(language: str) -> Mapping[Sign, Signs]:
    """Return the lists of *language*, one of `LANGUAGES`."""
    raw = read_language_data(language, "doubt")
    return {sign: _make_signs(raw[sign]) for sign in SIGNS}


@lru_cache(maxsize=1)
def fingerprint_of_doubt() -> str:
    """Return 12 hex digits that change with any of the lists."""
    return fingerprint_of(
        os.path.join(language, "doubt.toml") for language in LANGUAGES
    )


def _make_signs(table: LanguageData) -> Signs:
    words: list[str] = table.get("words", "").split()
    lines: list[str] = table.get("phrases", "").splitlines()
    return Signs(
        frozenset(word for word in words if not word.endswith("*")),
        tuple(word[:-1] for word in words if word.endswith("*")),
        tuple(line.strip() for line in lines if line.strip()),
    )

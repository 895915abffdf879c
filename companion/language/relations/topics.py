"""Topics: what the title of a page names, and the keys by which forms of one word meet."""

import re
from functools import lru_cache
from typing import NamedTuple

from companion.language.claims.grammar import grammar_of
from companion.language.lexicon import lexicon_of

WORD = re.compile(r"[^\W_]+")  # letters and digits
# letters by which forms of one word meet: compose, composer, composition
_KEY_LENGTH = 6
_COMPOUNDING = ("de", "nl")  # languages that write compounds as one word


class Topic(NamedTuple):
    """The subject of a page, by its title."""

    keys: frozenset[str]
    head: str  # its last word: "gateway" of "payment gateway"
    # its words as they are, where parts of them name it: "Flügel" for "Konzertflügel"
    wholes: tuple[str, ...] = ()


@lru_cache(maxsize=65536)
def word_key(word: str, language: str) -> str:
    """Return what forms of one word have in common; a number as it is."""
    if word[:1].isdigit():
        return word
    lemma = grammar_of(language).lemma(word) or word
    return lexicon_of(language).stem(lemma)[:_KEY_LENGTH]


@lru_cache(maxsize=4096)
def topic_of(title: str, language: str) -> Topic:
    """Return the topic that a *title* names."""
    function = lexicon_of(language).function
    words = WORD.findall(title.lower())
    words = [word for word in words if word not in function]
    keys = [word_key(word, language) for word in words]
    head = "".join(keys[-1:])
    if language not in _COMPOUNDING:
        words = []
    return Topic(frozenset(keys), head, tuple(words))

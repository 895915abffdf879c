"""Find what a note says aside: whose somebody is, when something was, and what others said."""

import re
from collections.abc import Iterator, Sequence

from companion.subjects.mentions.longer_names import (
    find_end_of_time,
    find_relative,
)
from companion.subjects.values import Note
from companion.subjects.words import READ, Word, list_telling_words, read_words

# words that a quotation has at least; fewer are a name or a word that is looked at
_QUOTED = 5
# telling words beside a quotation: who said it, and where
_BESIDE_QUOTATION = 4
_QUOTATION = re.compile(
    r"\s*(?:\"(?P<plain>[^\"]+)\"|“(?P<english>[^”]+)”|„(?P<german>[^“”]+)[“”]"
    r"|»(?P<french>[^«]+)«|«(?P<swiss>[^»]+)»)"
)


def find_words_aside(text: str) -> dict[str, str]:
    """Return the words of *text* that say only whose somebody is, with who that is, and those that
    say when something was, with "".

    "Freya's flatmate sells a dryer" is of a flatmate; "while Lena did the rota I found the key" is
    of the key.
    """
    words = read_words(Note("", text))
    aside = dict.fromkeys(_list_times(words), "")
    aside.update(_list_owners(words))
    return aside


def is_quotation(text: str) -> bool:
    """Tell whether *text* is what somebody else said, and at most who, and where."""
    found = _QUOTATION.match(text[:READ])
    if found is None or len(found.group().split()) < _QUOTED:
        return False
    beside = list_telling_words(text[found.end() : READ])
    return len(beside) <= _BESIDE_QUOTATION


def _list_owners(words: Sequence[Word]) -> Iterator[tuple[str, str]]:
    """Yield the words of names with whom they have: "Dr. Malik's brother", "Wiebkes Mutter"."""
    for at in range(len(words)):
        relative = find_relative(words, at + 1)
        if relative is None:
            continue
        yield words[at].key, relative
        first = at
        while first and words[first].joined and words[first - 1].capital:
            first -= 1
            yield words[first].key, relative


def _list_times(words: Sequence[Word]) -> Iterator[str]:
    """Yield the words of a clause by which a note says when its owner did something."""
    end = find_end_of_time(words)
    for word in words[1:end]:
        if "," in word.before:
            return
        yield word.key

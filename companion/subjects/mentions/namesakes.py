"""Tell which of two people of one name a note means: "Anna aus dem Chor", "Frau Weber"; and which
of the things of one kind: "Volk 3".

Of people only what a note says itself counts: a form of address for a man or for a woman before the
name, or where somebody is from, with an article, behind it.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import language_of
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.pages import links
from companion.subjects.beginnings.thing_words import key_of, read_thing_words
from companion.subjects.mentions.longer_names import leaving_words
from companion.subjects.values import Note
from companion.subjects.words import (
    Word,
    read_words,
    silent_words,
    split_words,
    titles_of_persons,
    words_of_kinds,
)

#: forms of address that one person does not share with another
_KINDS = ("sir", "madam")
# what is between a form of address and the name: "Mrs. Weber"
_GAPS = (" ", ". ")


class Which(NamedTuple):
    """A name, and which of those who bear it is meant."""

    of: str  # the key of the name alone
    key: str
    form: str  # as a page may be called
    sure: bool  # whoever is called so is nobody who is called otherwise


def find_which(text: str) -> tuple[Which, ...]:
    """Return the names of *text* that say which of several people is meant."""
    if _parting_words().isdisjoint(text.replace(".", " ").casefold().split()):
        return ()
    words = read_words(Note("", text))
    found = [*_list_addressed(words), *_list_from(words, language_of(text))]
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1)
def _parting_words() -> frozenset[str]:
    """Return the words without which no note says which of a name it means."""
    kinds = read_word_kinds(roles.DATA)
    return leaving_words().union(*(kinds[kind] for kind in _KINDS))


def is_namesake(text: str, title: str) -> bool:
    """Tell whether *text* means another person of the name that the page *title* has, or another
    thing of its kind: "Volk 5", not "Volk 3".
    """
    if title[-1:].isdigit():
        return _has_other_number(text, title)
    meant = find_which(title)
    if not meant:
        return False
    said = [one for one in find_which(text) if one.of == meant[0].of]
    return bool(said) and all(one.key != meant[0].key for one in said)


def _has_other_number(text: str, title: str) -> bool:
    kind, _, number = links.fold(title).rpartition(" ")
    words = split_words(text)
    said = {
        words[at].lstrip("0")
        for at in range(1, len(words))
        if words[at].isdigit() and words[at - 1] == kind
    }
    return bool(said) and number not in said


def _list_addressed(words: Sequence[Word]) -> Iterator[Which]:
    """Yield the names behind a form of address: "Herrn Weber", "Mrs. Weber", "Frau Dr. Klein"."""
    kinds = read_word_kinds(roles.DATA)
    for at, word in enumerate(words):
        last = _find_name(words, at + 1)
        if last is None:
            continue
        for kind in _KINDS:
            if word.key in kinds[kind]:
                key = key_of(words[last].key)
                # "Herrn" is a form of "Herr"
                plain = [one for one in kinds[kind] if word.key.startswith(one)]
                form = min(plain, key=len).title()
                for one in words[at + 1 : last + 1]:
                    form += one.before + key_of(one.key).title()
                yield Which(key, f"{kind} {key}", form, True)


def _find_name(words: Sequence[Word], at: int) -> int | None:
    """Return the place of the name that goes on at *at*, behind titles; None where none does."""
    for place in range(at, len(words)):
        if words[place].before not in _GAPS or not words[place].capital:
            return None
        if words[place].key not in titles_of_persons():
            return place
    return None


def _list_from(words: Sequence[Word], language: str | None) -> Iterator[Which]:
    """Yield the names behind which the note says where somebody is from: "Ben from the office"."""
    for at, word in enumerate(words):
        end = _find_end_of_place(words, at + 1)
        is_name = word.capital and word.key not in silent_words(language)
        if end is not None and is_name:
            key = key_of(word.key)
            form = word.key.title()
            for one in words[at + 1 : end + 1]:
                form += f" {one.key.title() if one.capital else one.key}"
            yield Which(key, f"{key} {key_of(words[end].key)}", form, False)


def _find_end_of_place(words: Sequence[Word], at: int) -> int | None:
    """Return the place of the last word of "from the office" or "vom Sport" at *at*."""
    if at + 1 >= len(words) or words[at].key not in leaving_words():
        return None
    is_one = words[at].key in read_thing_words("de").contractions
    end = at + 1 if is_one else at + 2
    if end >= len(words) or not all(one.joined for one in words[at : end + 1]):
        return None
    if not is_one and words[at + 1].key not in words_of_kinds("definite"):
        return None
    return end

"""Find the names of pages in the words of a note."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import language_of
from companion.language.names.name_forms import is_form_of, name_forms
from companion.language.words.compounds import is_compound_of
from companion.subjects.mentions.longer_names import (
    is_of_another,
    is_relative_of,
    is_what_is_done,
    may_go_on,
    tells_when,
)
from companion.subjects.mentions.opening import Opening
from companion.subjects.values import Name, Note, SubjectsView
from companion.subjects.words import (
    READ,
    Word,
    read_words,
    silent_words,
    split_words,
    titles_of_persons,
    words_of_kinds,
)


class NameSpot(NamedTuple):
    """A name of a page in a note."""

    at: int  # the place of its first word, where "at the" before it is one
    entry: str
    # the words after it make it another's: "Anna Karenina", "Anna from the office"
    another: bool
    # it is the first word, or the word before leads on to it: "the boiler", "Met Anna"
    joined: bool
    # what follows may be more of a name, or say which is meant: "Jonas Kaufmann", "Rob the plumber"
    goes_on: bool = False
    # the places of its first word, and of the first one behind it
    start: int = 0
    end: int = 0


def find_names(note: Note, wiki: SubjectsView) -> list[NameSpot]:
    """Return the names of pages that stand in the note, in the order of its words.

    A name that several pages bear names none of them.
    """
    names = tuple(wiki.names)
    by_first = _file_by_first_form(names)
    plain = _list_keys(names)
    words = read_words(note)
    keys = [word.key for word in words]
    language = language_of(note.text[:READ])
    spots = []
    for at in range(len(keys)):
        length, named = _names_at(keys, at, by_first)
        end = at + length
        if len(named) != 1 or is_what_is_done(words, at, end, language):
            continue
        spots.append(
            NameSpot(
                _find_place(words, at),
                named.pop(),
                is_of_another(words, at, end, language),
                at == 0 or _leads_on(words[at - 1], words[at], language),
                _goes_on(words, at, end, language, plain),
                at,
                end,
            )
        )
    return spots


def _goes_on(
    words: Sequence[Word],
    at: int,
    end: int,
    language: str | None,
    plain: Collection[str],
) -> bool:
    """Tell whether the name from *at* to *end* may go on, or what follows may say which is meant;
    *plain* has the names as pages bear them.
    """
    if is_relative_of(words, at, end) or tells_when(words, at):
        return True
    if language == "de" and end == at + 1 and words[at].key not in plain:
        return False  # "Ruths Vertretung": it is Ruth's
    return may_go_on(words, at, end, language)


def _find_place(words: Sequence[Word], at: int) -> int:
    """Return the place of a name at *at*; behind "at the" that of one behind "im"."""
    is_behind_two = (
        at == 2
        and words[0].key in words_of_kinds("prepositions")
        and words[1].key in words_of_kinds("definite")
    )
    return 1 if is_behind_two else at


def list_named(note: Note, wiki: SubjectsView) -> list[str]:
    """Return the entries that the note links to, names, or has compounds of."""
    linked = [entry for target in note.links for entry in wiki.links[target]]
    named = [spot.entry for spot in find_names(note, wiki)]
    return list(dict.fromkeys((*linked, *named, *find_compounds(note, wiki))))


def find_compounds(note: Note, wiki: SubjectsView) -> list[str]:
    """Return the entries with a name of one word of which a word of the note is a compound."""
    words = dict.fromkeys(word.key for word in read_words(note))
    entries: dict[str, None] = {}
    for single, entry in _list_single(tuple(wiki.names)):
        if entry in entries:
            continue
        if any(is_compound_of(word, single) for word in words):
            entries[entry] = None
    return list(entries)


def _leads_on(before: Word, word: Word, language: str | None) -> bool:
    """Tell whether a word leads on to the next: "the boiler", "Frau Sobek", "Met Anna".

    "Chocolate biscuits" are none of Biscuit's; what has a capital behind another word is a name,
    but not in German.
    """
    if not word.joined:
        return False
    if word.capital and language != "de":
        return True
    return before.key in silent_words(None) or before.key in titles_of_persons()


# the notes of a night look for the same names
@lru_cache(maxsize=4)
def _list_single(names: tuple[Name, ...]) -> tuple[tuple[str, str], ...]:
    """Return the names of one word, each with its entry."""
    single = []
    for name in names:
        words = split_words(name.key)
        if len(words) == 1:
            single.append((words[0], name.entry))
    return tuple(single)


@lru_cache(maxsize=4)
def _list_keys(names: tuple[Name, ...]) -> frozenset[str]:
    return frozenset(name.key for name in names)


@lru_cache(maxsize=4)
def _file_by_first_form(
    names: tuple[Name, ...],
) -> dict[str, list[tuple[list[str], str]]]:
    filed: dict[str, list[tuple[list[str], str]]] = {}
    for name in names:
        words = split_words(name.key)
        if not words:
            continue
        for form in name_forms(words[0]):
            filed.setdefault(form, []).append((words, name.entry))
    return filed


def _names_at(
    words: Sequence[str],
    at: int,
    by_first: Mapping[str, list[tuple[list[str], str]]],
) -> tuple[int, set[str]]:
    """Return the length of the longest names that begin at a word, and whose they are."""
    longest = 0
    entries: set[str] = set()
    for form in name_forms(words[at]):
        for name, entry in by_first.get(form, ()):
            if len(name) < longest or not _stands_at(name, words, at):
                continue
            if len(name) > longest:
                longest = len(name)
                entries = set()
            entries.add(entry)
    return longest, entries


def _stands_at(name: Sequence[str], words: Sequence[str], at: int) -> bool:
    there = words[at : at + len(name)]
    if len(there) < len(name):
        return False
    return all(
        is_form_of(word, own) for word, own in zip(there, name, strict=True)
    )


def find_part_of_name(opening: Opening, wiki: SubjectsView) -> list[NameSpot]:
    """Return where a first sentence has the first word of longer names: "Ruth" of "Ruth Calder"."""
    firsts: dict[str, set[str]] = {}
    for name in wiki.names:
        first, _, rest = name.key.partition(" ")
        if rest:
            firsts.setdefault(first, set()).add(name.entry)
    spots = []
    for at, word in enumerate(opening.words[: opening.end]):
        key = word.key.removesuffix("'s")
        for entry in firsts.get(key, ()):
            if word.capital:
                spot = NameSpot(at, entry, False, True, start=at, end=at + 1)
                spots.append(spot)
    return spots

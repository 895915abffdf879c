"""Find the names of pages in the words of a note."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.language.name_forms import is_form_of, name_forms
from companion.language.sentences import blank_markup
from companion.pages import links
from companion.subjects.values import Name, Note, SubjectsView

# characters of a note in which names are looked for: it says at its beginning what it is about
READ = 4_000
# letters of a word that a name may begin with
SHORTEST = 2
# a word with its genitive: "anna's"
_WORD = re.compile(r"[^\W_]+(?:['\u2019]s\b)?")


class NameSpot(NamedTuple):
    """A name of a page in a note: which word of it, and whose name."""

    at: int
    entry: str


def read_words(note: Note) -> list[str]:
    """Return the folded words of the note in which names are looked for."""
    text = blank_markup(note.text[:READ])
    return split_words(f"{note.title or ''}\n{text}")


def split_words(text: str) -> list[str]:
    """Return the words of *text*, folded as names are."""
    return _WORD.findall(links.fold(text))


def list_beginnings(note: Note) -> list[str]:
    """Return what the names that may stand in the note begin with, each once."""
    beginnings: dict[str, None] = {}
    for word in read_words(note):
        for form in name_forms(word):
            if len(form) >= SHORTEST:
                beginnings[form] = None
    return list(beginnings)


def find_names(note: Note, wiki: SubjectsView) -> list[NameSpot]:
    """Return the names of pages that stand in the note, in the order of its words.

    A name that several pages bear names none of them.
    """
    by_first = _file_by_first_form(wiki.names)
    words = read_words(note)
    spots = []
    for at in range(len(words)):
        named = _names_at(words, at, by_first)
        if len(named) == 1:
            spots.append(NameSpot(at, named.pop()))
    return spots


def _file_by_first_form(
    names: Sequence[Name],
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
) -> set[str]:
    """Return whose names begin at a word, of the longest names that do."""
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
    return entries


def _stands_at(name: Sequence[str], words: Sequence[str], at: int) -> bool:
    there = words[at : at + len(name)]
    if len(there) < len(name):
        return False
    return all(
        is_form_of(word, own) for word, own in zip(there, name, strict=True)
    )


def link_keys(target: str) -> tuple[str, str]:
    """Return the keys by which a link's target is looked up: a file's name, and a title."""
    return links.key(target), links.title_key(target)

"""Find the load-bearing pages that a note may be about, so that it is held against them.

A note about a page often says no name of it, or another form of one: "every Hickman line" of
"Hickman lines". So pages are found by their titles, by the note's aboutness and nearness, and by
words that the note shares with their titles and texts.
"""

import re
import sqlite3
from collections.abc import Iterator, Sequence

from companion.pages import links
from companion.storage.index.tables.minority import list_contested_entries
from companion.storage.index.tables.pages.edges import has_dependents, has_edges
from companion.storage.index.tables.pages.names import list_active_entries_named
from companion.storage.index.tables.pages.words import (
    count_having,
    list_depended_on_matching,
)
from companion.storage.index.terms import fold_text
from companion.subjects.words import blank_links, list_telling_words

# nearest pages among which a load-bearing one is looked for: what rests on it lies nearer to it
# than a note
WIDE = 12
MOST = 6  # pages with dependents that one note is held against

_NAMED_IN = 200  # characters of a note in which titles of pages are looked for
_LONGEST_NAME = 5  # words
_SHARED_IN = 600  # characters of a note whose words are looked for in pages
_MOST_WORDS = 24
_MOST_SHARING = 3  # pages found by shared words
# pages that may have a word in their text, and in their title, for it to lead to any
_MOST_HAVING = 64
_MOST_TITLED = 24
_ENOUGH = 2  # a word of a title, or two of a text
_SHORTEST = 4  # letters by which forms of a word meet
_ENDING = 2

_WORD = re.compile(r"[\w'\u2019-]+")


def may_have_dependents(db: sqlite3.Connection) -> bool:
    """Tell whether any page of the wiki depends on another."""
    return has_edges(db)


def list_possible_incumbents(
    db: sqlite3.Connection, passages: Sequence[str], known: Sequence[str]
) -> list[str]:
    """Return the entries with dependents that a note may be about; others bear no load.

    They are those that its *passages* name, those that share words with it, and those of *known*.
    At most MOST.
    """
    text = " ".join(passages)
    named = _list_named(db, text[:_NAMED_IN])
    sharing = _list_sharing(db, blank_links(text[:_SHARED_IN]))
    entries = dict.fromkeys([*named, *sharing, *known])
    return [id for id in entries if has_dependents(db, id)][:MOST]


def _list_named(db: sqlite3.Connection, text: str) -> list[str]:
    words = [word.strip("'\u2019-") for word in _WORD.findall(text)]
    keys: set[str] = set()
    for start in range(len(words)):
        for size in range(1, _LONGEST_NAME + 1):
            name = " ".join(words[start : start + size])
            keys.add(links.title_key(name))
    return list_active_entries_named(db, keys)


def _list_sharing(db: sqlite3.Connection, text: str) -> list[str]:
    """Return the entries with dependents that share most words of *text*."""
    shared: dict[str, int] = {}
    for word in list_telling_words(text)[:_MOST_WORDS]:
        for entry, weight in _find_sharing(db, fold_text(word)):
            shared[entry] = shared.get(entry, 0) + weight
    best = sorted(shared, key=lambda entry: (-shared[entry], entry))
    enough = [entry for entry in best if shared[entry] >= _ENOUGH]
    # one word may be of what others contest
    contested = list_contested_entries(db) if shared else frozenset()
    also = [entry for entry in best if entry in contested]
    return list(dict.fromkeys([*enough[:_MOST_SHARING], *also]))


def _find_sharing(
    db: sqlite3.Connection, word: str
) -> Iterator[tuple[str, int]]:
    """Yield the entries that have a word, twice as much for one of the title."""
    beginning = word[: max(_SHORTEST, len(word) - _ENDING)]
    titled = list_depended_on_matching(
        db, f'title : "{beginning}" *', _MOST_TITLED + 1
    )
    if len(titled) <= _MOST_TITLED:
        for entry in titled:
            yield entry, 2
    if 0 < count_having(db, word) <= _MOST_HAVING:
        phrase = f'body : "{word}"'
        for entry in list_depended_on_matching(db, phrase, _MOST_HAVING):
            yield entry, 1

"""Measure how much the words of a note are those of pages: the same, of one stem, or near it."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.names.name_forms import is_form_of
from companion.language.words.compounds import word_likeness
from companion.language.words.roles import role_of
from companion.subjects.words import OwnName

if TYPE_CHECKING:
    import numpy

# a word less near than this to every word of a page has nothing to do with it
_FAR = 0.4
# pages over which it is counted how common a word is, however few there are
_PAGES = 16
# a page has a word from this nearness on
_HAS = 1 / 3
_TINY = 1e-9
# what a page's name counts that a note says in passing, and any word that says whose or when
_PASSING = 0.3
# a word leads to a page alone if all others together tell less than this
_REST = 0.35
# how much two words for one role have in common
_ONE_ROLE = 0.85


class NoteWords(NamedTuple):
    """The words of a note, those that may tell its subject, in their order."""

    weights: Mapping[str, float]  # how much each tells
    # it begins with a word with a capital, as names have one, or behind "the" or "my"
    begins_with_subject: bool = False
    # the name that it begins with: "Frau Vogt"
    own_name: OwnName | None = None
    # words behind a preposition
    passing: frozenset[str] = frozenset()
    # words that say only whose somebody is, with who that is; or when something was, with ""
    aside: Mapping[str, str] = {}


class PageWords(NamedTuple):
    """The words of a page."""

    counts: Mapping[str, float]  # what each counts, in (0, 1]
    # those of its names, of what stands beside its notes, and of most of these
    own: frozenset[str]
    names: frozenset[str] = frozenset()  # those of its names
    # those of its names, of its first sentence, and of half of its notes
    core: frozenset[str] = frozenset()
    # how many of its notes have each word that stands in these alone
    notes: Mapping[str, int] = {}
    common: frozenset[str] = frozenset()  # those that its notes use as no name


class WikiWords(NamedTuple):
    """How common words are in a wiki."""

    pages: int
    having: Mapping[str, int]  # word -> pages that have it, days among them
    # word -> pages of days that have it, where it was told of nothing known
    on_days: Mapping[str, int] = {}


class Shared(NamedTuple):
    """The part of a note's words that a page has."""

    share: float  # for each word, each weighing what it tells and the more the rarer it is
    first: float  # the same for the note's first word alone
    begins_elsewhere: (
        bool  # the note begins with its subject, and the page lacks that word
    )
    names_another: (
        bool  # the note surely begins with a name that the page lacks
    )
    alone: bool = False  # one word leads to the page, and its core lacks it
    # the share of the words that are none of the page's names
    beside: float = 0.0


_NOTHING = Shared(0.0, 0.0, False, False)


def measure_shared(
    note: NoteWords,
    pages: Sequence[PageWords],
    vectors: Mapping[str, "numpy.ndarray"],
    wiki: WikiWords,
) -> list[Shared]:
    """Return for each of *pages*, given by its words, what it has of *note*.

    *vectors* has a unit vector for each word of either.
    """
    import numpy

    words = list(note.weights)
    if not words or not pages:
        return [_NOTHING] * len(pages)
    ours = numpy.array([vectors[word] for word in words])
    names = {
        word
        for word in note.passing.intersection(words)
        if any(_is_name(word, page.names) for page in pages)
    }
    columns = [
        _find_nearness(note, ours, page, vectors, wiki, names) for page in pages
    ]
    near = numpy.array(columns)  # a row for each page
    tells = numpy.array(list(note.weights.values()))
    seen = near.sum(axis=0).tolist()
    rarities = [
        _rarity(max(sum_, wiki.having.get(word, 0)), wiki.pages)
        for word, sum_ in zip(words, seen, strict=True)
    ]
    weights = tells * numpy.array(rarities)
    total = tells.sum() + _TINY
    shares = (near @ weights) / total
    firsts = near[:, 0] * weights[0]
    shared = []
    for page, row, share, first in zip(
        pages, near, shares, firsts, strict=True
    ):
        elsewhere = note.begins_with_subject and row[0] < _HAS
        another = _lacks_name(page, note.own_name)
        alone = _is_alone(words, row * weights, page)
        own = [_is_name(word, page.names) for word in words]
        beside = (row @ weights - row[own] @ weights[own]) / total
        shared.append(
            Shared(
                round(float(share), 3),
                round(float(first), 3),
                bool(elsewhere),
                another,
                alone,
                round(max(float(beside), 0.0), 3),
            )
        )
    return shared


def _is_alone(
    words: Sequence[str], tells: "numpy.ndarray", page: PageWords
) -> bool:
    """Tell whether one word alone leads to the page, and its core has none like it.

    A word that one sentence of a page says by the way says little of what the page is about.
    """
    strongest = int(tells.argmax())
    if tells.sum() - tells[strongest] >= _REST:
        return False
    word = words[strongest]
    role = role_of(word)
    for other in page.core:
        if word_likeness(word, other) > 0:
            return False
        if role is not None and role_of(other) == role:
            return False
    return True


def _lacks_name(page: PageWords, name: OwnName | None) -> bool:
    """Tell whether there is a *name* that no word of a page is like.

    A name that some of its notes say in passing is not the page's: "Tomas oiled the vents" of the
    greenhouse. What they use as no name is: "the pump leaks".
    """
    if name is None:
        return False
    is_common = not name.sure and name.key in page.common
    words: Iterable[str] = page.counts if is_common else page.own
    return not any(word_likeness(name.key, word) > 0 for word in words)


def _rarity(having: float, pages: int) -> float:
    """Return the weight of a word that so many of *pages* have (BM25's, Robertson 2009).

    It is scaled so that a word of no page weighs the same in every wiki.
    """
    pages = max(pages, _PAGES)
    odds = (max(pages - having, 0) + 0.5) / (having + 0.5)
    return math.log(1 + odds) * math.log(2 * _PAGES) / math.log(2 * pages)


def _find_nearness(
    note: NoteWords,
    ours: "numpy.ndarray",
    page: PageWords,
    vectors: Mapping[str, "numpy.ndarray"],
    wiki: WikiWords,
    names: Collection[str] = (),
) -> list[float]:
    """Return for each word of *note* how near the nearest word of a page is, in [0, 1].

    *names* are those words that name any page, and are said in passing. A word of a page's notes
    counts the less, the more days have it: "slept badly, and dreamt of Bergen" on one page, and
    "slept badly" on nine days, is nothing of Bergen's.
    """
    import numpy

    words = list(note.weights)
    if not page.counts:
        return [0.0] * len(words)
    theirs = numpy.array([vectors[word] for word in page.counts])
    on_days = [wiki.on_days.get(word, 0) for word in words]
    counts = _count_part(page, on_days)
    cosines = (ours @ theirs.T).round(3)
    cosines = ((cosines - _FAR).clip(min=0.0) * counts).max(axis=1).tolist()
    spelled = _Spelled(page)
    near = []
    for word, days, cosine in zip(words, on_days, cosines, strict=True):
        best = spelled.find_nearest(word, days)
        if not word.isdigit():
            # two numbers are not near each other
            best = max(best, cosine)
        if word in names or _is_aside(word, note, page):
            best *= _PASSING
        near.append(best / (1.0 - _FAR))
    return near


def _count_part(page: PageWords, on_days: Sequence[int]) -> "numpy.ndarray":
    """Return what each word of a page counts for words that as many days have, a row for each."""
    import numpy

    counts = numpy.array(list(page.counts.values()))
    notes = numpy.array([page.notes.get(word, 0) for word in page.counts])
    days = numpy.array(on_days)[:, None]
    parts = numpy.where(notes > 0, notes / numpy.maximum(notes + days, 1), 1.0)
    parted: numpy.ndarray = counts * parts
    return parted


def _is_aside(word: str, note: NoteWords, page: PageWords) -> bool:
    """Tell whether a note says *word* aside; not where the page knows who somebody is of it."""
    return word in note.aside and note.aside[word] not in page.counts


class _Spelled:
    """The words of a page, found by how they are spelled and by the role that they name."""

    def __init__(self, page: PageWords) -> None:
        self._page = page
        counts = page.counts
        self._by_start, self._by_end = _file_by_letters(list(counts))
        self._roles = {role_of(word): word for word in counts}

    def find_nearest(self, word: str, days: int) -> float:
        """Return how near the nearest word is, 0 where none has to do with *word*, which so many
        *days* have.
        """
        best = 0.0
        starts = self._by_start.get(word[:3], ())
        ends = self._by_end.get(word[-4:], ())
        for other in (*starts, *ends):
            likeness = max(word_likeness(word, other) - _FAR, 0.0)
            best = max(best, likeness * self._count(other, days))
        played = self._roles.get(role_of(word) or "")
        if played is not None:
            likeness = _ONE_ROLE - _FAR
            best = max(best, likeness * self._count(played, days))
        return best

    def _count(self, word: str, days: int) -> float:
        """Return what *word* counts for one that so many *days* have."""
        counts = self._page.counts[word]
        notes = self._page.notes.get(word)
        return counts if notes is None else counts * notes / (notes + days)


def _is_name(word: str, names: Iterable[str]) -> bool:
    return any(is_form_of(word, name) for name in names)


def _file_by_letters(
    words: Sequence[str],
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the words by their first three letters, and by their last four."""
    by_start: dict[str, list[str]] = {}
    by_end: dict[str, list[str]] = {}
    for word in words:
        by_start.setdefault(word[:3], []).append(word)
        by_end.setdefault(word[-4:], []).append(word)
    return by_start, by_end

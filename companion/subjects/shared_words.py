"""Measure how much the words of a note are those of pages: the same, of one stem, or near it."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.compounds import word_likeness

if TYPE_CHECKING:
    import numpy

# a word less near than this to every word of a page has nothing to do with it
_FAR = 0.4
# pages over which it is counted how common a word is, however few were looked at
_PAGES = 16


class Shared(NamedTuple):
    """What a page has of the words of a note."""

    total: float  # over its words, each weighing more the fewer pages have it
    share: float  # the same for each word


def measure_shared(
    words: Sequence[str],
    pages: Sequence[Sequence[str]],
    vectors: Mapping[str, "numpy.ndarray"],
) -> list[Shared]:
    """Return for each of *pages*, given by its words, what it has of the note's *words*.

    *vectors* has a unit vector for each word of either.
    """
    import numpy

    if not words or not pages:
        return [Shared(0.0, 0.0)] * len(pages)
    ours = numpy.array([vectors[word] for word in words])
    columns = [_find_likeness(words, ours, page, vectors) for page in pages]
    table = numpy.array(columns).T  # a row for each word
    near = numpy.maximum(table - _FAR, 0.0) / (1.0 - _FAR)
    weights = [_rarity(float(row.sum())) for row in near]
    totals = numpy.array(weights) @ near
    return [
        Shared(round(float(total), 3), round(float(total) / len(words), 3))
        for total in totals
    ]


def _rarity(pages: float) -> float:
    """Return the weight of a word that so many pages have (BM25's, Robertson 2009)."""
    return math.log(1 + (max(_PAGES - pages, 0) + 0.5) / (pages + 0.5))


def _find_likeness(
    words: Sequence[str],
    ours: "numpy.ndarray",
    page: Sequence[str],
    vectors: Mapping[str, "numpy.ndarray"],
) -> list[float]:
    """Return for each of *words* how near the nearest word of a page is."""
    import numpy

    if not page:
        return [0.0] * len(words)
    theirs = numpy.array([vectors[word] for word in page])
    cosines = (ours @ theirs.T).max(axis=1).round(3).tolist()
    by_start, by_end = _file_by_letters(page)
    likeness = []
    for word, cosine in zip(words, cosines, strict=True):
        alike = (*by_start.get(word[:3], ()), *by_end.get(word[-4:], ()))
        spelled = (word_likeness(word, other) for other in alike)
        likeness.append(max((_nearness(word, cosine), *spelled)))
    return likeness


def _nearness(word: str, cosine: float) -> float:
    """Return how near a word is by its vector: two numbers are not near each other."""
    if word.isdigit():
        return 0.0
    return cosine


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

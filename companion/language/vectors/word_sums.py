"""Sums of the static vectors of words, for many texts at once.

A word's own sum is made once and kept while it is used: texts of one wiki share most of their
words. A double holds any sum of these halves exactly, so the order changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from companion.language.vectors.word_vectors import DIMENSIONS

if TYPE_CHECKING:
    import numpy

# words whose sums are kept, of 2 kB each: the first ones for good, for they are the common ones
_MOST = 6144
_FOR_GOOD = 4096
_AT_ONCE = 512  # words that are learnt at a time

FindTokens = Callable[[Sequence[str]], Sequence[Sequence[int]]]
# some words of a text, and the text's number
_Part = tuple[int, Sequence[str]]


class Sums(NamedTuple):
    """The sums of texts, one in each row, and of how many tokens each is."""

    vectors: "numpy.ndarray"
    counts: list[int]


class Codes(NamedTuple):
    """Vectors as the index has them."""

    lengths: list[float]
    values: list[bytes]  # one for each part
    signs: list[bytes]  # one bit for each part


class WordSums:
    """What adds up the vectors of the words of texts; threads may share it."""

    def __init__(self, rows: "numpy.ndarray", find_tokens: FindTokens) -> None:
        """*rows* has the vector of each token, *find_tokens* returns the tokens of words."""
        import numpy

        self._rows = rows
        self._find_tokens = find_tokens
        self._lock = Lock()  # of the table and the places of words in it
        self._places: dict[str, int] = {}
        # behind the sum of a word's vectors the number of its tokens
        self._table = numpy.zeros((_MOST, DIMENSIONS + 1))

    def add_up(self, texts: Sequence[Sequence[str]]) -> Sums:
        """Return the sums of *texts*, each given as its words."""
        with self._lock:
            return self._add_up(texts)

    def _add_up(self, texts: Sequence[Sequence[str]]) -> Sums:
        import numpy

        totals = numpy.zeros((len(texts), DIMENSIONS + 1))
        for group in _group_words(texts):
            self._know(set().union(*(words for _, words in group)))
            for number, words in group:
                places = list(map(self._places.__getitem__, words))
                rows = self._table.take(places, axis=0)
                totals[number] += numpy.add.reduce(rows, axis=0)
        counts = totals[:, DIMENSIONS].astype(int).tolist()
        return Sums(totals[:, :DIMENSIONS], counts)

    def _know(self, words: set[str]) -> None:
        """Have the sums of *words*, at most those of a group, in the table."""
        new = words - self._places.keys()
        if len(self._places) + len(new) > _MOST:
            for word in list(self._places)[_FOR_GOOD:]:
                del self._places[word]
            new = words - self._places.keys()
        learnt = list(new)
        for start in range(0, len(learnt), _AT_ONCE):
            self._learn(learnt[start : start + _AT_ONCE])

    def _learn(self, words: Sequence[str]) -> None:
        import numpy

        found = zip(self._find_tokens(words), words, strict=True)
        by_length = sorted(found, key=_count_tokens, reverse=True)
        first = len(self._places)
        table = self._table[first : first + len(words)]
        table[:] = 0.0
        table[:, DIMENSIONS] = [len(tokens) for tokens, _ in by_length]
        nth = 0
        # the words that have a token of this number stand before the others
        while ids := [some[nth] for some, _ in by_length if len(some) > nth]:
            rows = self._rows[ids].astype(numpy.float64)
            table[: len(ids), :DIMENSIONS] += rows
            nth += 1
        # last: where something failed above, the words are not known
        for place, (_, word) in enumerate(by_length, first):
            self._places[word] = place


def _count_tokens(found: tuple[Sequence[int], str]) -> int:
    return len(found[0])


def _group_words(texts: Sequence[Sequence[str]]) -> Iterator[list[_Part]]:
    """Yield the words of *texts* in groups for which there is room beside the common words."""
    most = _MOST - _FOR_GOOD
    group: list[_Part] = []
    size = 0
    for number, words in enumerate(texts):
        for start in range(0, len(words), most):
            some = words[start : start + most]
            if size + len(some) > most:
                yield group
                group = []
                size = 0
            group.append((number, some))
            size += len(some)
    if group:
        yield group


def encode_sums(vectors: "numpy.ndarray") -> Codes:
    """Return *vectors*, one in each row, as the index has them."""
    import numpy

    largest = numpy.abs(vectors).max(axis=1, initial=0.0)
    stretch = 127.0 / numpy.where(largest > 0, largest, 1.0)
    codes = numpy.rint(vectors * stretch[:, None]).astype(numpy.int8)
    wide = codes.astype(numpy.float64)
    lengths = numpy.sqrt((wide * wide).sum(axis=1))
    signs = numpy.packbits(vectors > 0, axis=1)
    return Codes(
        lengths.tolist(),
        [row.tobytes() for row in codes],
        [row.tobytes() for row in signs],
    )

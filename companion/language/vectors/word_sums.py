"""Sums of the static vectors of words, for many passages at once.

A word's own sum is made once and kept while it is used: the passages of a wiki share most of their
words. A double holds any sum of these halves exactly, so the order changes nothing.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.language.vectors.word_vectors import DIMENSIONS

if TYPE_CHECKING:
    import numpy

#: words whose sums are kept, of 2 kB each; no passage has as many
_MOST = 4096
_AT_ONCE = 512  # words that are learnt at a time
_NOWHERE = -1  # the place of a word without a token


class Sums(NamedTuple):
    """The sums of passages with a token, in order."""

    docs: list[int]
    vectors: "numpy.ndarray"


class Codes(NamedTuple):
    """Vectors as the index has them."""

    lengths: list[float]
    values: list[bytes]  # one for each part
    signs: list[bytes]  # one bit for each part


class WordSums:
    """What adds up the vectors of the words of passages."""

    def __init__(
        self, rows: "numpy.ndarray", find_tokens: Callable[[str], list[int]]
    ) -> None:
        """*rows* has the vector of each token, *find_tokens* returns the tokens of a word."""
        import numpy

        self._rows = rows
        self._find_tokens = find_tokens
        self._places: dict[str, int] = {}  # of words in the table
        self._table = numpy.zeros((_MOST, DIMENSIONS))

    def add_up(
        self, passages: Sequence[tuple[int, Sequence[str]]]
    ) -> Iterator[Sums]:
        """Yield the sums of *passages*, given as a number and distinct words; those without a token
        have none.
        """
        group: list[tuple[int, Sequence[str]]] = []
        size = 0
        for doc, words in passages:
            if group and size + len(words) > _MOST:
                yield self._add_up_group(group)
                group, size = [], 0
            group.append((doc, words))
            size += len(words)
        if group:
            yield self._add_up_group(group)

    def _add_up_group(self, group: list[tuple[int, Sequence[str]]]) -> Sums:
        import numpy

        self._know({word: None for _, words in group for word in words})
        docs: list[int] = []
        vectors = numpy.empty((len(group), DIMENSIONS))
        for doc, words in group:
            places = [self._places[word] for word in words]
            if min(places, default=_NOWHERE) == _NOWHERE:
                places = [place for place in places if place != _NOWHERE]
            if places:
                rows = self._table.take(places, axis=0)
                numpy.add.reduce(rows, axis=0, out=vectors[len(docs)])
                docs.append(doc)
        return Sums(docs, vectors[: len(docs)])

    def _know(self, words: Collection[str]) -> None:
        """Have the sums of *words* in the table; there are at most `_MOST`."""
        new = [word for word in words if word not in self._places]
        if len(self._places) + len(new) > _MOST:
            self._places.clear()
            new = list(words)
        for start in range(0, len(new), _AT_ONCE):
            self._learn(new[start : start + _AT_ONCE])

    def _learn(self, words: Sequence[str]) -> None:
        import numpy

        first = len(self._places)
        self._table[first : first + len(words)] = 0.0
        left = []
        for place, word in enumerate(words, first):
            tokens = self._find_tokens(word)
            self._places[word] = place if tokens else _NOWHERE
            left.append((place, tokens))
        nth = 0
        while left := [one for one in left if len(one[1]) > nth]:
            places = [place for place, _ in left]
            rows = self._rows[[tokens[nth] for _, tokens in left]]
            self._table[places] += rows.astype(numpy.float64)
            nth += 1


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

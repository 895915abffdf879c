"""Notes as passages: where they stand, and the part of each that has most of a question's words."""

import math
from collections.abc import Iterable, Mapping, Sequence

from companion.annotations import TYPE_CHECKING
from companion.language.sentence_ends import find_ends
from companion.language.words import snowball
from companion.storage.index.terms import split_words
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    pass


class Place(NamedTuple):
    """Where a passage stands."""

    entry: str
    statement: str  # empty: the whole page, or a note that waits


class Note(NamedTuple):
    """A note on a page that a search found."""

    place: Place
    text: str
    when: str | None
    earlier: bool  # it lost
    title: str  # of its page
    path: str | None  # of its page; None for a note that waits
    teller: str = ""  # who told it, as the teller is called; empty: unknown

    @property
    def named(self) -> str:
        """The title of its page, who told it, and its words: what it may be found by."""
        return f"{self.title} {self.teller} {self.text}"


def weigh_stems(
    documents: Sequence[Sequence[str]], asked: Iterable[str]
) -> dict[str, float]:
    """Return the weight of each stem *asked*: the fewer *documents* have it, the more it weighs."""
    sets = [set(document) for document in documents]
    weights = {}
    for one in dict.fromkeys(asked):
        n = sum(one in words for words in sets)
        weights[one] = math.log(1 + (len(sets) - n + 0.5) / (n + 0.5))
    return weights


def cut_excerpt(
    text: str, weights: Mapping[str, float], language: str, size: int
) -> str:
    """Return the sentences of *text* with most of the stems weighed, on one line.

    The stems are of *language*.

    They stand together and have about *size* characters at most; "…" says that there is more.
    """
    pieces = _split_sentences(text)
    stems = [
        set(snowball.stem_words(split_words(piece), language))
        for piece in pieces
    ]
    best, best_worth = (0, 0), -1.0
    for first in range(len(pieces)):
        stop = _end_of_window(pieces, first, size)
        held = set[str]().union(*stems[first:stop])
        worth = sum(weights.get(one, 0.0) for one in held)
        if worth > best_worth:
            best, best_worth = (first, stop), worth
    first, stop = best
    excerpt = " ".join(pieces[first:stop])
    before = "…" if first else ""
    is_cut = stop < len(pieces) or len(excerpt) > size
    return before + excerpt[:size] + ("…" if is_cut else "")


def _split_sentences(text: str) -> list[str]:
    """Return the sentences of *text*, each on one line; a line ends a sentence too."""
    pieces = []
    for line in text.splitlines():
        begin = 0
        for stop in (*find_ends(line, 0, len(line)), len(line)):
            pieces.append(" ".join(line[begin:stop].split()))
            begin = stop
    return [piece for piece in pieces if piece]


def _end_of_window(pieces: Sequence[str], first: int, size: int) -> int:
    """Return the end of the pieces from *first* that have *size* characters; one at least."""
    length = len(pieces[first])
    stop = first + 1
    while stop < len(pieces) and length + 1 + len(pieces[stop]) <= size:
        length += 1 + len(pieces[stop])
        stop += 1
    return stop

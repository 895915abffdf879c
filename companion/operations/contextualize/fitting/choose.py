"""Choose which pieces are kept: the worthiest first, none that says again what is kept already.

Maximal marginal relevance (Carbonell & Goldstein 1998): what is kept next is worth most after what
it repeats is taken off. A piece comes with the pieces that it needs, or not at all. Pure.
"""

from companion.operations.contextualize.fitting.pieces import (
    Parted,
    count_words,
)
from companion.operations.contextualize.fitting.worth import Worths
from companion.operations.contextualize.values import Step

#: step -> share of the words, the least and the most of them
BUDGETS: dict[Step, tuple[float, int, int]] = {
    "linkout": (0.0, 0, 0),
    "brief": (0.10, 60, 200),
    "key points": (0.25, 150, 1_500),
    "detailed": (0.50, 400, 6_000),
    # a longer source does not fit a page: what is left out is a recall away
    "full text": (1.0, 20_000, 20_000),
}
# what repeating a kept piece word for word costs
REPETITION = 0.5
# pieces that come with another at most: of "He … He … He …" the first is three steps back
_REACH = 3


def measure_budget(step: Step, words: int) -> int:
    """Return how many of *words* a representation at *step* may keep."""
    share, least, most = BUDGETS[step]
    return min(words, max(least, min(most, round(share * words))))


def choose_pieces(parted: Parted, worths: Worths, budget: int) -> list[int]:
    """Return the numbers of the pieces to keep, ascending; together at most *budget* words."""
    kept: set[int] = set()
    said: set[str] = set()
    left = budget
    lengths = _Lengths(parted)
    candidates = _Candidates(worths)
    while (number := candidates.take_best()) is not None:
        words = _simplify(parted.words_of(number))
        if words in said:
            continue
        together = _with_needed(parted, number) - kept
        cost = sum(lengths.of(each) for each in together)
        if not together or cost > left:
            continue
        left -= cost
        kept |= together
        said.update(_simplify(parted.words_of(each)) for each in together)
        for each in together:
            candidates.keep(each)
    return sorted(kept)


class _Candidates:
    """The pieces not looked at yet, each worth less the more it repeats a kept one."""

    def __init__(self, worths: Worths) -> None:
        import numpy

        self._worths = worths
        self._value = worths.worth.astype(numpy.float64).copy()
        self._repeated = numpy.zeros(len(self._value))
        self._rows = {number: row for row, number in enumerate(worths.numbers)}

    def take_best(self) -> int | None:
        """Return the number of the best piece, once; None where none is worth anything."""
        if not len(self._value):
            return None
        repetition = REPETITION * self._value * self._repeated
        gain = (self._value - repetition).round(9)
        best = int(gain.argmax())
        if gain[best] <= 0:
            return None
        self._value[best] = 0.0
        return self._worths.numbers[best]

    def keep(self, number: int) -> None:
        """Take a piece out, and note how much each other repeats it."""
        import numpy

        row = self._rows.get(number)
        if row is None:
            return
        self._value[row] = 0.0
        vectors = self._worths.vectors
        alike = (vectors @ vectors[row]).clip(0.0, 1.0)
        self._repeated = numpy.maximum(self._repeated, alike)


def _simplify(words: str) -> str:
    """Return *words* as they are compared: a running head stands on every page alike."""
    return " ".join(words.casefold().split())


def keep_all(parted: Parted) -> list[int]:
    """Return the numbers of all pieces."""
    return list(range(len(parted.pieces)))


def count_all_words(parted: Parted) -> int:
    """Return the words of all pieces."""
    numbers = range(len(parted.pieces))
    return sum(count_words(parted.words_of(number)) for number in numbers)


def _with_needed(parted: Parted, number: int) -> set[int]:
    """Return a piece and those that it needs, directly and through them."""
    together = {number}
    front = [number]
    for _ in range(_REACH):
        front = [other for each in front for other in parted.pieces[each].needs]
        together.update(front)
    return together


class _Lengths:
    """The words of pieces; each is counted once."""

    def __init__(self, parted: Parted) -> None:
        self._parted = parted
        self._known: dict[int, int] = {}

    def of(self, number: int) -> int:
        """Return how many words a piece has."""
        if number not in self._known:
            self._known[number] = count_words(self._parted.words_of(number))
        return self._known[number]

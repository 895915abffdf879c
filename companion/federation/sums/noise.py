"""Without a relay: one topic a week under local noise, with its ε (optimized unary encoding;
Wang et al. 2017).

A member draws one of its topics and says in which of 2,048 buckets it stands, and whether a branch
contests or replaced it. The bit that is true is told with probability 1/2, every other one with
1/(e^ε + 1). Whatever the topic, what is sent is at most e^ε times as likely as with any other: ε is
spent whole in the week, and weeks add up.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy
import numpy.typing

from companion.federation.sums.sketch import SIZE, Sheet

BUCKETS = 2048
#: what stands against the topic: nothing, an open branch, a branch that won
STATES = ("held", "open", "won")
BITS = BUCKETS * len(STATES)
_WORD = 64
#: deviations above what noise alone gives, below which nothing is believed: with 6,144 bits a week
#: noise passes this bar once in five years
SURE = 5.0


class Estimate(NamedTuple):
    """The members that tell of a topic, as far as noise lets one know."""

    members: float
    deviation: float  # of that, by the noise alone

    @property
    def is_sure(self) -> bool:
        """Tell whether noise alone does not explain it."""
        return self.members > SURE * self.deviation


def encode_topic(
    bucket: int, state: int, epsilon: float, chances: Sequence[float]
) -> Sheet:
    """Return the noisy sheet of one topic; *chances* are BITS numbers drawn evenly from [0, 1).

    Raises ValueError for another count.
    """
    if len(chances) != BITS:
        raise ValueError(f"{BITS} chances are needed, not {len(chances)}")
    limits = numpy.full(BITS, 1 / (math.exp(epsilon) + 1))
    limits[bucket * len(STATES) + state] = 0.5
    told = numpy.asarray(chances) < limits
    return _pack(told)


def encode_nothing(epsilon: float, chances: Sequence[float]) -> Sheet:
    """Return the sheet of a member that has no topic: noise alone, and as large."""
    limit = 1 / (math.exp(epsilon) + 1)
    return _pack(numpy.asarray(chances) < limit)


def estimate(
    sheets: Sequence[Sheet], bucket: int, state: int, epsilon: float
) -> Estimate:
    """Return how many of the members behind *sheets* told of a *bucket* in a *state*."""
    place = bucket * len(STATES) + state
    told = sum(int(_unpack(one)[place]) for one in sheets)
    chance = 1 / (math.exp(epsilon) + 1)
    members = (told - len(sheets) * chance) / (0.5 - chance)
    return Estimate(members, deviation(len(sheets), epsilon))


def deviation(members: int, epsilon: float) -> float:
    """Return the standard deviation of an estimate from sheets of *members*."""
    chance = 1 / (math.exp(epsilon) + 1)
    spread = members * chance * (1 - chance)
    return math.sqrt(spread) / (0.5 - chance)


def least_owners(members: int, epsilon: float) -> int:
    """Return how many of *members* must tell of one topic in one week until it is believed."""
    return math.floor(SURE * deviation(members, epsilon)) + 1


def _pack(told: numpy.typing.NDArray[numpy.bool_]) -> Sheet:
    sheet = numpy.zeros(SIZE, dtype=numpy.uint64)
    words = numpy.packbits(told, bitorder="little").view("<u8")
    sheet[: BITS // _WORD] = words
    return sheet


def _unpack(sheet: Sheet) -> numpy.typing.NDArray[numpy.uint8]:
    words = sheet[: BITS // _WORD].astype("<u8")
    return numpy.unpackbits(words.view(numpy.uint8), bitorder="little")

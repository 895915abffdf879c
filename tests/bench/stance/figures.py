"""The figures that say how well a judge of stance does."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

Floats = NDArray[numpy.float64]
Flags = NDArray[numpy.bool_]
FALSE = (0, 2, 4, 8)  # false flags among NOTES notes
NOTES = 216
_BINS = 10


class Night(NamedTuple):
    """What a night would do with each note: the likeliest contradiction among its statements."""

    scores: Floats  # (notes,): its probability
    right: Flags  # (notes,): it is on a page that the note contradicts
    contradicts: Flags  # (notes,): the note contradicts some statement


class Point(NamedTuple):
    """One place on the curve of a night."""

    false: int  # false flags among 216 notes
    caught: (
        float  # share of the contradicting notes that are flagged on their page
    )
    bar: float  # the probability from which a note is flagged


def area(scores: Floats, positive: Flags) -> float:
    """Return the area under the curve of *scores*, ties half counted; 0.5 says nothing."""
    _, places, counts = numpy.unique(
        scores, return_inverse=True, return_counts=True
    )
    ends = numpy.cumsum(counts)
    ranks = (ends - (counts - 1) / 2)[places]
    count = int(positive.sum())
    others = len(positive) - count
    if not count or not others:
        return 0.5
    surplus = float(ranks[positive].sum()) - count * (count + 1) / 2
    return surplus / (count * others)


def curve(night: Night) -> list[Point]:
    """Return what is caught at 0, 2, 4 and 8 false flags among 216 notes."""
    order = numpy.argsort(-night.scores, kind="stable")
    right = night.right[order]
    false = numpy.cumsum(~right)
    caught = numpy.cumsum(right)
    points = []
    for allowed in FALSE:
        most = allowed * len(order) / NOTES
        count = int(numpy.searchsorted(false, most, side="right"))
        bar = 1.0
        share = 0.0
        if count:
            bar = float(night.scores[order][count - 1])
            share = float(caught[count - 1] / max(1, night.contradicts.sum()))
        points.append(Point(allowed, share, bar))
    return points


def calibration_error(confidences: Floats, right: Flags) -> float:
    """Return the mean distance of confidence and truth over ten bins, weighed by their size."""
    bins = numpy.minimum((confidences * _BINS).astype(int), _BINS - 1)
    total = 0.0
    for number in range(_BINS):
        inside = bins == number
        if inside.any():
            gap = confidences[inside].mean() - right[inside].mean()
            total += abs(float(gap)) * int(inside.sum())
    return total / len(confidences)


def kappa(readings: Sequence[tuple[str, str]]) -> float:
    """Return how far two readers agree beyond chance: 1 always, 0 as chance would (Cohen 1960)."""
    first = Counter(one for one, _ in readings)
    second = Counter(other for _, other in readings)
    count = len(readings)
    agreed = sum(one == other for one, other in readings) / count
    by_chance = sum(first[label] * second[label] for label in first) / count**2
    return (agreed - by_chance) / (1 - by_chance)


def share(flags: Sequence[bool] | Flags) -> float:
    """Return the share of *flags* that are set, 0 of none."""
    return float(numpy.mean(flags)) if len(flags) else 0.0

"""Fuse several rankings into one by reciprocal rank, and cut it where it falls off (LED-15)."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

# Cormack, Clarke and Büttcher (SIGIR 2009): how little the first places of one ranking decide alone
SMOOTH = 60
_FALL = 0.6  # of the score before: a greater drop is where what fits ends
MOST = 5


def fuse_rankings(
    rankings: Mapping[str, Sequence[Item]],
) -> list[tuple[Item, float, tuple[str, ...]]]:
    """Return (item, score, the rankings it stands in), the best first: the sum of 1 / (60 + place)
    over all rankings.

    An item counts once in a ranking, at its first place. Ties go to the item that more rankings
    have, then by its text.
    """
    scores: dict[Item, float] = {}
    found_by: dict[Item, list[str]] = {}
    for name, ranking in sorted(rankings.items()):
        for place, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + 1 / (SMOOTH + place)
            found_by.setdefault(item, []).append(name)

    def rank(item: Item) -> tuple[float, int, str]:
        return -round(scores[item], 9), -len(found_by[item]), str(item)

    fused = sorted(scores, key=rank)
    return [(item, scores[item], tuple(found_by[item])) for item in fused]


def count_related(scores: Sequence[float], *, most: int = MOST) -> int:
    """Return how many of *scores*, the best first, belong together: up to the first great fall, at
    most *most*.
    """
    for place in range(1, min(len(scores), most)):
        if scores[place] < _FALL * scores[place - 1]:
            return place
    return min(len(scores), most)

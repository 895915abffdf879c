"""Weigh what phase 2 finds by what the person works on now and by what it would cost (MaM §5.5).

The paper scores a capture against the wiki three times: consistency, task alignment, and
contradiction cost with high-gravity nodes; how they come together it leaves open. Here a doubt
costs more the heavier the page that it meets, and less where the person asks or writes about its
matter now: it is then put to them as a question rather than set apart. Neither moves what is sure:
no doubt stays none, and a certain contradiction stays certain. Pure.
"""

import math
from collections.abc import Collection, Iterable

#: what full alignment adds to a consistency of a half; nothing to one of 0 or 1
LIFT = 0.15
#: the share of what is missing to full alignment that one text closes, at full likeness
CLOSES = 0.5
#: words that a text must share with a capture to be about the same, unless it has fewer
_ENOUGH = 2


def weigh_cost(cost: float, gravity: float) -> float:
    """Return the contradiction cost in [0, 1] of a doubt that meets a page of *gravity*, in [0, 1].

    It rises with the gravity, except where it is 0 or 1.
    """
    return round(1.0 - math.pow(1.0 - cost, 1.0 + gravity), 6)


def measure_alignment(
    words: Collection[str], task: Iterable[Collection[str]]
) -> float:
    """Return how much a capture with these *words* is about the task, in [0, 1].

    *task* has the words of each thing that the person asked or wrote lately; another one never
    lowers it.
    """
    missing = 1.0
    for other in task:
        missing *= 1.0 - CLOSES * _likeness(set(words), set(other))
    return round(1.0 - missing, 6)


def lift_consistency(consistency: float, alignment: float) -> float:
    """Return *consistency* as it counts for what the person works on; all three in [0, 1]."""
    doubt = 4.0 * consistency * (1.0 - consistency)
    return round(consistency + LIFT * alignment * doubt, 6)


def _likeness(words: set[str], other: set[str]) -> float:
    """Return the share of the shorter text's words that both have; 0 where that is chance."""
    shorter = min(len(words), len(other))
    shared = len(words & other)
    if not shared or shared < min(_ENOUGH, shorter):
        return 0.0
    return shared / shorter

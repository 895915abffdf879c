"""Measure how stable a self-description is (MaM §7, Prediction 1): pure."""

import difflib
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.values.wording import many


class Version(NamedTuple):
    """A page as one change left it, the oldest from the change that named it on."""

    time: str  # RFC 3339 UTC
    body: str  # without its frontmatter
    by_hand: bool  # a person's change; else a night's


class Stability(NamedTuple):
    """How much of a self-description still stands as it was named."""

    since: str | None  # when it was named; None where git has no text of it
    share: float  # of its words then and now, in [0, 1]
    by_hand: int  # changes of its words by a person
    by_night: int
    reason: str


def measure_stability(versions: Sequence[Version]) -> Stability:
    """Return the share of words that the first of *versions* and the last have in common.

    2 · words in common / (words then + words now), in their order. A change of nothing but
    frontmatter is none. The paper predicts that gravity keeps such entries stable and asks for a
    measure; this one is ours.
    """
    if not versions:
        return Stability(None, 1.0, 0, 0, "no earlier text of it is kept")
    first, last = versions[0], versions[-1]
    hands = nights = 0
    for before, after in pairwise(versions):
        if before.body.split() != after.body.split():
            hands += after.by_hand
            nights += not after.by_hand
    matcher = difflib.SequenceMatcher(
        None, first.body.split(), last.body.split(), autojunk=False
    )
    share = round(matcher.ratio(), 6)
    changes = f"{many(hands, 'change')} by hand, {nights} by nights"
    reason = f"{share:.0%} as it was on {first.time[:10]}; {changes} since"
    return Stability(first.time, share, hands, nights, reason)

"""Decide when a source is fitted again, because its reader has moved (MaM §5.4, CTX-6).

A reader has moved *away* from a fitting when the depth chosen now is another step by at least
SCORE, or when fewer than ALIKE of the words that sentences are chosen for are the same. One cycle
may be chance: the source is fitted again only where the cycle before saw the same move, and at
least WEEK days after it was last fitted. A recall of the original deepens the score
(`depth.EVIDENCE`), and so comes here as a move. Pure.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from companion.operations.contextualize.fitting.terms import Terms
from companion.operations.contextualize.fitting.worth import list_interests
from companion.operations.contextualize.values import (
    Depth,
    Fitting,
    ReaderContext,
)
from companion.values.time import days_between

VERSION = "shift-1"
#: the least difference of scores that counts where the step differs
SCORE = 0.08
#: a smaller share of common interests is another reader
ALIKE = 0.35
#: days between two fittings of one source
WEEK = 7
# words of interest that are kept, and the fewest that say anything
_MOST_WORDS = 24
_FEWEST = 6


class Shift(NamedTuple):
    """Whether the reader has moved away from how a source was fitted, and what follows."""

    away: bool  # to be recorded: the next cycle looks whether it holds
    recompress: bool
    reason: str  # a plain sentence


def describe_fitting(context: ReaderContext, depth: Depth) -> Fitting:
    """Return what the fitting of a source at *depth* for the reader of *context* rests on."""
    interests = list_interests(context)
    terms = Terms("\n".join(one.text for one in interests))
    weights: dict[str, float] = {}
    for one in interests:
        for term in set(terms.split(one.text)):
            weights[term] = weights.get(term, 0.0) + one.weight
    for word in context.topic.words:
        # what the source is about says nothing of who reads it
        for term in terms.split(word):
            weights.pop(term, None)
    best = sorted(weights, key=lambda term: (-round(weights[term], 6), term))
    return Fitting(
        context.now, depth.step, depth.score, tuple(best[:_MOST_WORDS])
    )


def decide_shift(
    last: Fitting, observed: Sequence[Fitting], now: Fitting
) -> Shift:
    """Decide whether a source that was fitted as *last* is fitted again as of *now*.

    *observed* are the moves recorded by the cycles since then, the newest last.
    """
    move = _describe_move(last, now)
    if not move:
        return Shift(False, False, "You work on it as before.")
    if not observed or _describe_move(observed[-1], now):
        return Shift(
            True,
            False,
            f"{move} Companion waits whether the next cycle agrees.",
        )
    if not _describe_move(last, observed[-1]):
        return Shift(
            True,
            False,
            f"{move} Companion waits whether the next cycle agrees.",
        )
    passed = days_between(last.at, now.at)
    if passed < WEEK:
        days = math.ceil(WEEK - passed)
        wait = f"It was fitted this week: not again for {days} days."
        return Shift(True, False, f"{move} {wait}")
    return Shift(True, True, f"{move} Two cycles agree.")


def _describe_move(before: Fitting, now: Fitting) -> str:
    """Return how the reader moved from one fitting to another; empty where they did not."""
    moved = abs(now.score - before.score) >= SCORE
    if now.step != before.step and moved:
        return (
            f"You would get it as {now.step} now, not as {before.step} "
            f"(score {before.score:.2f}, now {now.score:.2f})."
        )
    alike = _measure_likeness(before.interests, now.interests)
    if alike < ALIKE:
        return f"Of what you looked for in it, {alike:.0%} is the same."
    return ""


def _measure_likeness(before: Sequence[str], now: Sequence[str]) -> float:
    """Return the share of words in common, in [0, 1]; 1 where few words say nothing."""
    if min(len(before), len(now)) < _FEWEST:
        return 1.0
    common = set(before).intersection(now)
    return len(common) / min(len(before), len(now))

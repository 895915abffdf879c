"""Compute the utility of an entry from the outcomes of showing it: a Beta posterior in [0, 1] (MaM
§5.3, the term w_u · utility).

The credit of an outcome is spread over the entries that were shown. A reader looks from the top:
place r is examined with weight 1/r (the position hypothesis), and entries above the one that was
opened were seen and passed over (the cascade hypothesis). Both are compared in Craswell, Zoeter,
Taylor & Ramsey, "An experimental comparison of click position-bias models", WSDM 2008. That a skip
above a click is only a weak sign against an entry is shown by Joachims, Granka, Pan, Hembrooke &
Gay, "Accurately interpreting clickthrough data as implicit feedback", SIGIR 2005. Old evidence
counts for less (`values.ageing`). Pure.
"""

import math
from collections.abc import Mapping, Sequence

from companion.annotations import TYPE_CHECKING, Any
from companion.tuples import NamedTuple
from companion.values.wording import times_in_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.usage.results import (
        Opinion,
    )

    Array = NDArray[Any]

PRIOR = (1.0, 1.0)  # one imagined success and one imagined failure: mean .5
SAID = 1.0  # credit of a stated outcome, spread over the entries it is about
OPENED = 0.3  # credit of an entry that was opened from a query
PASSED = 0.1  # debit of an entry above the opened one
FRESH_MINUTES = 30.0  # half-life of an opening after the query
WINDOW_HOURS = 24.0  # a later opening counts nothing

#: The words of feedback, and the outcome each one means.
OUTCOMES: "Mapping[str, Opinion]" = {
    "good": "good",
    "useful": "good",
    "bad": "bad",
    "wrong": "bad",
}


class Utility(NamedTuple):
    """How useful an entry proved to be."""

    mean: float  # in [0, 1]; .5 where nothing is known
    deviation: float  # standard deviation; .29 where nothing is known
    evidence: float  # credit it rests on, 0 or more


def posterior(gain: float, loss: float) -> Utility:
    """Return the utility for the summed credit *gain* and *loss*; a negative sum counts as 0."""
    gain = max(0.0, gain)
    loss = max(0.0, loss)
    good = PRIOR[0] + gain
    bad = PRIOR[1] + loss
    total = good + bad
    mean = good / total
    deviation = math.sqrt(mean * (1.0 - mean) / (total + 1.0))
    return Utility(mean, deviation, gain + loss)


def posterior_means(gains: "Array", losses: "Array") -> "Array":
    """Return the means of `posterior` for many entries at once."""
    good = PRIOR[0] + gains.clip(min=0.0)
    bad = PRIOR[1] + losses.clip(min=0.0)
    return good / (good + bad)


UNKNOWN = posterior(0.0, 0.0)


def spread_credit(count: int) -> list[float]:
    """Return the shares of *count* places, the first one first: in proportion to 1/r, 1 in all."""
    weights = [1.0 / rank for rank in range(1, count + 1)]
    total = sum(weights)
    return [weight / total for weight in weights]


def opening_weight(minutes: float) -> float:
    """Return the weight in [0, 1] of an opening that comes *minutes* after the query.

    A negative number (the clock went back) counts as 0 minutes.
    """
    if minutes > WINDOW_HOURS * 60.0:
        return 0.0
    half_lives = max(0.0, minutes) / FRESH_MINUTES
    return float(2.0**-half_lives)


def describe_utility(
    shown: int, opened: int, good: float, bad: float, utility: Utility
) -> str:
    """Return the reason of *utility* in words: what was counted, its mean and its deviation."""
    times = f"shown {times_in_words(shown)}, opened {opened}, good {good:.3g}, bad {bad:.3g}"
    return f"{times}: utility {_two_digits(utility.mean)} ± {_two_digits(utility.deviation)}"


def _two_digits(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def utility_of_cycles(cycles: Sequence[tuple[float, float]]) -> list[float]:
    """Return the utility of each cycle on its own, from its (gain, loss), oldest first, to 1e-6."""
    return [round(posterior(*each).mean, 6) for each in cycles]

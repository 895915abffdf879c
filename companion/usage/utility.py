"""Utility of an entry: what became of showing it, as a Beta posterior in [0, 1] (MaM §5.3, the term
w_u · utility).

Every outcome is spread over what was shown. Who looks reads from the top: place r is examined with
1/r (the position hypothesis), and what stood above the one that was opened was seen and passed over
(the cascade hypothesis); both are compared in Craswell, Zoeter, Taylor & Ramsey, "An experimental
comparison of click position-bias models", WSDM 2008. That a skip above a click is a weak sign
against, and no more, is Joachims, Granka, Pan, Hembrooke & Gay, "Accurately interpreting
clickthrough data as implicit feedback", SIGIR 2005. Old evidence counts for less (`model.ageing`).
Pure.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.values.wording import times_in_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

PRIOR = (1.0, 1.0)  # one success and one failure that nobody saw: .5, and no certainty
SAID = 1.0  # an outcome that somebody states, spread over what it is about
OPENED = 0.3  # opened from what was shown
PASSED = 0.1  # stood above what was opened, and was not
FRESH_MINUTES = 30.0  # an opening counts half as much every so often after it was shown
WINDOW_HOURS = 24.0  # and not at all after this

#: what a person or an agent may say of an answer, and which outcome it is
OUTCOMES = {"good": "good", "useful": "good", "bad": "bad", "wrong": "bad"}


class Utility(NamedTuple):
    """How useful an entry proved to be."""

    mean: float  # in [0, 1]; .5 where nothing is known
    deviation: float  # of the posterior; .29 where nothing is known
    evidence: float  # outcomes it rests on, 0 or more


def posterior(gain: float, loss: float) -> Utility:
    """Return the utility that *gain* and *loss*, sums of credit of 0 or more, come to."""
    good, bad = PRIOR[0] + max(0.0, gain), PRIOR[1] + max(0.0, loss)
    total = good + bad
    mean = good / total
    return Utility(
        mean, math.sqrt(mean * (1.0 - mean) / (total + 1.0)), max(0.0, gain) + max(0.0, loss)
    )


def posterior_means(gains: "Array", losses: "Array") -> "Array":
    """Return the means of `posterior` for many entries at once."""
    good, bad = PRIOR[0] + gains.clip(min=0.0), PRIOR[1] + losses.clip(min=0.0)
    return good / (good + bad)


UNKNOWN = posterior(0.0, 0.0)


def spread_credit(count: int) -> list[float]:
    """Return how the credit of one outcome is spread over *count* places, the first one first: 1/r,
    1 in all.
    """
    weights = [1.0 / rank for rank in range(1, count + 1)]
    return [weight / sum(weights) for weight in weights]


def opening_weight(minutes: float) -> float:
    """Return what an opening counts *minutes* after it was shown, in [0, 1].

    Before it was shown (the clock went back) counts as at once.
    """
    return 0.0 if minutes > WINDOW_HOURS * 60.0 else 2.0 ** (-max(0.0, minutes) / FRESH_MINUTES)


def describe_utility(shown: int, opened: int, good: float, bad: float, utility: Utility) -> str:
    """Return why an entry has this utility, in words."""
    times = f"shown {times_in_words(shown)}, opened {opened}, good {good:.3g}, bad {bad:.3g}"
    return f"{times}: utility {_two(utility.mean)} ± {_two(utility.deviation)}"


def _two(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def utility_of_cycles(cycles: Sequence[tuple[float, float]]) -> list[float]:
    """Return the utility of each cycle on its own, from its (gain, loss), oldest first, to 1e-6."""
    return [round(posterior(*each).mean, 6) for each in cycles]

"""What a number of paired figures shows: the mean difference, its interval, and its size."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

RESAMPLES = 10_000


class Effect(NamedTuple):
    """The difference between two figures that were measured on the same seeds."""

    mean: float
    low: float  # of the 95 % interval, by a percentile bootstrap over seeds
    high: float
    size: float  # Cohen's d of paired differences; 0 where nothing differs
    in_favour: int  # seeds with a difference above 0


def measure_effect(differences: Sequence[float]) -> Effect:
    """Return the effect that *differences*, one for every seed, show."""
    values = np.array(differences, float)
    chance = np.random.default_rng(0)
    drawn = chance.choice(values, (RESAMPLES, len(values))).mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    mean = float(values.mean())
    return Effect(
        mean,
        float(low),
        float(high),
        mean / spread if spread else 0.0,
        int((values > 0).sum()),
    )

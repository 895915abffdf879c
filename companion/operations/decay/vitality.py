"""Vitality: what an entry still gives, and when too little for it to stay as it is (MaM §5.3).

    vitality = w_r · 1 / days_since_access + w_f · access_count + w_u · utility + w_g · G_eff - w_d · distortion

Days are counted from 1: what was read within the last day has the whole weight of recency, and a
clock that was set back counts as that day (1 / 0 is no number, and the formula speaks of days).
Utility is the mean of what is known of its outcomes, from -1 (nothing but bad) to 1, and 0 where
nobody ever said or showed anything. Distortion is the share of the original's words that the page
has no more.

**Time away is no neglect.** The formula stays; the decision waits. An entry fades only if it was
below the threshold already at the seventh of the last days on which the wiki was used, in the light
of what was read since. Who comes back after three months finds what they left, and has seven days
of use to open what they still need.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.gravity.formula import HALF_LIFE, access_decay
from companion.values.decay_policy import Policy, Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


VERSION = "vitality-1"
PRESENT = 7  # days of use that must have passed since an entry fell below a threshold


class Columns(NamedTuple):
    """What vitality is made of, for many entries: parallel arrays."""

    days: "Array"  # since the last access, 0 or more, fractions included
    uses: "Array"  # accesses
    utility: "Array"  # in [-1, 1]
    base: "Array"  # base gravity, in [0, 1)
    distortion: "Array"  # in [0, 1]


def terms(
    *, days: float, count: int, utility: float, base: float, distortion: float, policy: Policy
) -> Terms:
    """Return the five terms of one entry's vitality."""
    return Terms(
        policy.recency / max(1.0, days),
        policy.frequency * count,
        policy.utility * utility,
        policy.gravity * base * access_decay(days),
        policy.wear * distortion,
    )


def measure(columns: Columns, policy: Policy) -> "Array":
    """Return the vitality of many entries at once, to 1e-6; the same numbers as `terms`."""
    import numpy as np

    days = np.maximum(columns.days, 0.0)
    lively = policy.recency / np.maximum(days, 1.0) + policy.gravity * columns.base / (
        1 + days / HALF_LIFE
    )
    known = (
        policy.frequency * columns.uses
        + policy.utility * columns.utility
        - policy.wear * columns.distortion
    )
    return np.round(lively + known, 6)


def waited(active: Collection[str], now: str) -> str | None:
    """Return the instant as of which thresholds are decided; None where the wiki was not used on
    enough days yet.

    *active* are the days of use (`YYYY-MM-DD`); what lies ahead of *now* is a clock's mistake and
    does not count.
    """
    days = sorted({day for day in active if day <= now[:10]}, reverse=True)
    return None if len(days) < PRESENT else f"{days[PRESENT - 1]}T00:00:00.000000Z"

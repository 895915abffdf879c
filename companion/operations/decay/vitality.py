"""Vitality: how much an entry is used and needed, and when that is decided (MaM §5.3).

    vitality = w_r · 1 / days_since_access + w_f · access_count + w_u · utility + w_g · G_eff
               - w_d · distortion

Days are counted from 1: an entry that was read within the last day has the whole weight of recency,
and so has one that was read after a clock was set back. Utility is the mean of the known outcomes,
from -1 (all bad) to 1, and 0 where none is known. Distortion is the share of the original's words
that the page has lost.

**The decision waits while the wiki is not used.** An entry decays only if its vitality was below
the threshold already on the seventh of the last days on which the wiki was used, counting what was
read since. A person who comes back after three months finds everything as it was, and has seven
days of use to open what is still needed.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from companion.gravity.formula import HALF_LIFE, access_decay
from companion.tuples import NamedTuple
from companion.values.decay.decay_policy import Policy, Terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


VERSION = "vitality-1"
# days of use that must have passed since an entry fell below a threshold
PRESENT = 7


class Columns(NamedTuple):
    """The values that vitality is computed from, for many entries: parallel arrays."""

    days: "Array"  # since the last access, 0 or more, fractions included
    uses: "Array"  # accesses
    utility: "Array"  # in [-1, 1]
    base: "Array"  # base gravity, in [0, 1)
    distortion: "Array"  # in [0, 1]


def terms(
    *,
    days: float,
    count: int,
    utility: float,
    base: float,
    distortion: float,
    policy: Policy,
) -> Terms:
    """Return the five terms of one entry's vitality."""
    return Terms(
        policy.recency / max(1.0, days),
        policy.frequency * count,
        policy.utility * utility,
        policy.gravity * base * access_decay(days),
        policy.wear * distortion,
    )


def measure_columns(columns: Columns, policy: Policy) -> "Array":
    """Return the vitality of many entries at once, to 1e-6; the same numbers as `terms`."""
    import numpy

    days = numpy.maximum(columns.days, 0.0)
    recency = policy.recency / numpy.maximum(days, 1.0)
    gravity = policy.gravity * columns.base / (1 + days / HALF_LIFE)
    use = policy.frequency * columns.uses + policy.utility * columns.utility
    wear = policy.wear * columns.distortion
    return numpy.round((recency + gravity) + (use - wear), 6)


def deciding_instant(active: Collection[str], now: str) -> str | None:
    """Return the instant as of which thresholds are decided.

    None where the wiki was not used on enough days yet. *active* are the days of use
    (`YYYY-MM-DD`); a day after *now* comes from a wrong clock and does not count.
    """
    days = sorted({day for day in active if day <= now[:10]}, reverse=True)
    if len(days) < PRESENT:
        return None
    return f"{days[PRESENT - 1]}T00:00:00.000000Z"

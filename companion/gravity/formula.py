"""Memory gravity: how much rests on an entry, and what that protects (MaM §5.6).

    load       = C + F                          in entries
    G_base     = A · L / (L + 1),  L = ln(1 + load) / ln 4
    G_eff(t)   = G_base · D(t - t_last_access),  D(Δt) = 1 / (1 + Δt / 180 days)

C is PageRank times the number of entries (Page et al. 1999), so that 1 is the mean in a wiki of any
size. F is the prospective fragmentation cost, what would break if the entry went now: entries that
would lose their support, and at a tenth of that entries that would lose the last link to them or be
cut off from the rest. A is what AUDIT left of it.

Why this shape. L is a logarithm and L / (L + 1) is concave: what one more dependent adds keeps
shrinking, in C and F together, because both grow with dependents (property 3). The result stays
below 1 (property 4) without ever reaching it in floating point: a load of ten million gives 0.92,
and a millionth more of it still another number (properties 1 and 2). Half the range lies at a load
of 3, two thirds at 15, four fifths at 255. D is hyperbolic, because forgetting follows a power of
time and no exponential (Wixted & Ebbesen 1991): half is left after half a year, a tenth after five.
"""

import math
from collections.abc import Mapping, Sequence

from companion.tuples import NamedTuple

VERSION = "gravity-1"

#: how much of a page's dependence each kind of edge carries; a kind that is not named here carries
#: none (GRA-9)
KINDS: Mapping[str, float] = {"link": 1.0, "embed": 2.0}

# an entry that is only harder to find, against one that lost what it rests on
LOOSE = 0.1
# days without an access until half of the gravity is effective
HALF_LIFE = 180.0
# the factor of every entry where an experiment goes without gravity (MaM §7)
SWITCHED_OFF = 0.0
SHARE = 0.9  # the floor lies where this share of all entries is not above it
FEW = 30  # below as many entries a percentile says nothing
# above the floor of a wiki of fewer, from this many entries on: as many as in one of 30
HIGHEST = 3
SMALL = 12
# bounds of the floor of so few: a load of 1.5, and one of 7, which four pages that rest on one give
LEAST, FLOOR = 0.4, 0.6


class Parts(NamedTuple):
    """The parts of one entry's gravity that the wiki's structure gives."""

    centrality: float  # C: PageRank times entries, ≥ 0; the mean is 1
    unsupported: int  # entries that would lose every path to what they rest on
    orphaned: int  # entries that would lose the last link to them
    # entries that would no longer hang together with the largest part that is left
    cut_off: int

    @property
    def fragmentation(self) -> float:
        """Return F, in entries."""
        return fragmentation_cost(self.unsupported, self.orphaned, self.cut_off)


class Floor(NamedTuple):
    """The gravity-protection floor, frozen for one run (MaM §7.5)."""

    value: float
    rule: str
    entries: int

    def shields(self, gravity: float) -> bool:
        """Tell whether an entry of this base gravity may not decay; rounded, so that machines
        agree.
        """
        return round(gravity, 6) > self.value


class Weight(NamedTuple):
    """One entry's gravity, as a run or a reader sees it."""

    parts: Parts
    factor: float  # what AUDIT left, in (0, 1]; 0 where gravity is switched off
    base: float  # in [0, 1)
    effective: float
    days: float  # since the last access
    floor: float
    above: bool  # base gravity above the floor, or a self-description
    flag: bool  # gravity-protected, as DECAY set it
    myself: bool = False  # a self-description: its owner named it (OBJ-6)

    @property
    def protected(self) -> bool:
        """Return whether CONSOLIDATE must treat it as load-bearing.

        DECAY may not have set the flag yet.
        """
        return self.flag or self.above

    @property
    def reason(self) -> str:
        """Return why the entry is protected or not, in words and numbers."""
        base = explain_base_gravity(self.parts, self.factor, self.base)
        if self.myself:
            return (
                f"{base}; effective {self.effective:.2f} after {self.days:.0f} days; "
                "a self-description: it is protected like a foundation"
            )
        side = "above" if self.above else "not above"
        return (
            f"{base}; effective {self.effective:.2f} after {self.days:.0f} days; "
            f"{side} the floor {self.floor:.2f}: {self._protection()}"
        )

    def _protection(self) -> str:
        if self.flag and self.above:
            return "protected"
        if self.flag:
            return "protected until DECAY runs"
        if self.above:
            return "DECAY will protect it"
        return "not protected"


def fragmentation_cost(unsupported: int, orphaned: int, cut_off: int) -> float:
    """Return F, the fragmentation cost in entries: those left without support, and a tenth of those
    harder to find.
    """
    return unsupported + LOOSE * (orphaned + cut_off)


def base_gravity(
    centrality: float, fragmentation: float, factor: float = 1.0
) -> float:
    """Return G_base in [0, 1): strictly increasing in both parts, concave in their sum (MaM §5.6, 1
    to 4).
    """
    depth = math.log1p(centrality + fragmentation) / math.log(4)
    return factor * depth / (depth + 1)


def access_decay(days: float) -> float:
    """Return D(Δt) in (0, 1]: 1 at 0, never increasing, approaching 0; a clock set back counts as 0
    days.
    """
    return 1 / (1 + max(0.0, days) / HALF_LIFE)


def protection_floor(gravities: Sequence[float]) -> Floor:
    """Return the floor over the base gravities of all entries: their 90th percentile, by nearest
    rank.

    With fewer than 30 entries the three highest may be above it, as with 30: those that exceed 0.4;
    with fewer than 12 only what exceeds 0.6. Ties lie on one side: where all are equal, none is
    above.
    """
    count = len(gravities)
    if count < SMALL:
        return Floor(FLOOR, f"{FLOOR}, for fewer than {SMALL} entries", count)
    ranked = sorted(round(gravity, 6) for gravity in gravities)
    if count >= FEW:
        value = ranked[math.ceil(SHARE * count) - 1]
        return Floor(value, "the 90th percentile of base gravity", count)
    value = max(LEAST, min(FLOOR, ranked[-1 - HIGHEST]))
    rule = f"the fourth highest of fewer than {FEW}, from {LEAST} to {FLOOR}"
    return Floor(value, rule, count)


def weigh_entry(
    parts: Parts,
    *,
    factor: float,
    days: float,
    limit: Floor,
    flag: bool,
    myself: bool = False,
) -> Weight:
    """Return one entry's gravity under the floor *limit*, *days* after its last access.

    A self-description (*myself*) is protected whatever rests on it; its gravity is not raised.
    """
    gravity = base_gravity(parts.centrality, parts.fragmentation, factor)
    return Weight(
        parts,
        factor,
        gravity,
        gravity * access_decay(days),
        days,
        limit.value,
        myself or limit.shields(gravity),
        flag,
        myself,
    )


def explain_base_gravity(parts: Parts, factor: float, gravity: float) -> str:
    """Return base gravity and its parts in words."""
    counts = (
        (parts.unsupported, "unsupported"),
        (parts.orphaned, "unlinked"),
        (parts.cut_off, "cut off"),
    )
    reason = f"centrality {parts.centrality:.2f} times the mean"
    losses = [f"{count:,} {name}" for count, name in counts if count]
    if losses:
        reason += f"; without it {', '.join(losses)}"
    if factor == SWITCHED_OFF:
        reason += "; companion.yaml goes without gravity"
    elif factor != 1:
        reason += f"; AUDIT left {factor:.2f} of it"
    return f"base gravity {gravity:.2f} ({reason})"

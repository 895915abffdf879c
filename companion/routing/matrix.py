"""The conflict routing matrix (MaM §5.0): which channel handles which conflict, and against what
friction.

Seven rows, in the paper's words and order. The paper leaves friction, cycle counts and "diverse" to
the implementation; they stand here, once. Rows are asked in the order of `PRECEDENCE`: safety
first, because row 3 must not depend on the utility that rows 1 and 2 go by, then what comes from
outside, then vocabulary, then evidence.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

VERSION = "routing-2"

Kind = Literal["vocabulary", "evidence", "reinforcement", "audit", "model"]
Channel = Literal[
    "mirror", "compensate", "buffer", "audit override", "external correction"
]
Domain = Literal[
    "operational",
    "operational → epistemic",
    "safety",
    "epistemic",
    "epistemic + safety",
]

# Friction multiplies the threshold that pressure must exceed; 1 is the default that "elevated" is
# measured by.
DEFAULT, EPISTEMIC, RECLASSIFIED, HIGHEST = 1.0, 1.25, 1.6, 3.0
DIVERSE = 2  # independent voices from which sources are diverse
MULTI = 2  # cycles with new tellings from which evidence is multi-cycle
REPEATED = 2  # AUDIT cycles with poor outcomes from which they are repeated
WINDOW = 3  # cycles with a utility reading that a trend needs
FALL = 0.1  # what utility must have lost over the window
# utility, in [0, 1], that is as bad all the same: 0.5 less such a fall, where 0.5 is what nobody
# knows anything about
LOW = 0.4


class Conflict(NamedTuple):
    """A conflict as the matrix sees it. What does not belong to its kind stays at its default."""

    kind: Kind
    protected: bool = False  # the entry in question is gravity-protected
    voices: int = 1  # independent ones among the tellings
    cycles: int = 1  # in which tellings came in
    # of the matter over the last cycles, oldest first, each in [0, 1]
    utility: Sequence[float] = ()
    harmful: bool = False  # an external signal says so
    poor_audits: int = 0  # AUDIT cycles that found poor outcomes


class Row(NamedTuple):
    """One row of the matrix."""

    number: int
    conflict: str
    domain: Domain
    channel: Channel
    friction: float
    mirrored: bool  # in reads; canonical pages are never touched by mirroring
    audited: bool  # what is concerned goes to AUDIT's priority queue
    rationale: str
    applies: Callable[[Conflict], bool]


class Routing(NamedTuple):
    """Where a conflict goes, and why."""

    row: int
    channel: Channel
    friction: float
    mirrored: bool
    reason: str
    audited: bool


def is_degrading(utility: Sequence[float]) -> bool:
    """Tell whether utility degrades: over the last three cycles it never rose and fell by 0.1 or
    more, or it was low in each of them. What was bad from its first day has nothing to fall from.
    """
    last = utility[-WINDOW:]
    if len(last) < WINDOW:
        return False
    falls = all(later <= earlier for earlier, later in pairwise(last))
    has_fallen = falls and round(last[0] - last[-1], 6) >= FALL
    return has_fallen or max(last) <= LOW


def _diverse(conflict: Conflict) -> bool:
    return conflict.voices >= DIVERSE and conflict.cycles >= MULTI


MATRIX: tuple[Row, ...] = (
    Row(1, "vocabulary diverges from the ontology, no observed utility degradation",
        "operational", "mirror", DEFAULT, True, False,
        "continuity is the goal; a divergence marker lets the next cycle decide, "
        "canonical pages stay",
        lambda c: c.kind == "vocabulary" and not is_degrading(c.utility)),
    Row(2, "vocabulary diverges from the ontology, utility degrading across cycles",
        "operational → epistemic", "compensate", RECLASSIFIED, False, False,
        "worsening outcomes reclassify the conflict as epistemic; it is scored at higher friction",
        lambda c: c.kind == "vocabulary" and is_degrading(c.utility)),
    Row(3, "a reinforced claim is flagged as harmful from outside, utility stable or high",
        "safety", "compensate", HIGHEST, False, True,
        "satisfaction with a harmful pattern is no evidence; utility is not asked, "
        "AUDIT's priority queue is",
        lambda c: c.harmful),
    Row(4, "evidence contradicts a high-gravity entry, single source, single cycle",
        "epistemic", "buffer", EPISTEMIC, False, False,
        "a candidate signal, not a confirmed one: it waits in a minority branch",
        lambda c: c.kind == "evidence" and c.protected and not _diverse(c)),
    Row(5, "evidence contradicts a high-gravity entry, diverse sources, several cycles",
        "epistemic", "compensate", EPISTEMIC, False, False,
        "promotion when accumulated pressure exceeds the incumbent's effective gravity "
        "under epistemic friction",
        lambda c: c.kind == "evidence" and c.protected and _diverse(c)),
    Row(6, "a high-gravity entry is implicated in poor outcomes over several AUDIT cycles",
        "epistemic + safety", "audit override", DEFAULT, False, True,
        "gravity is reduced whatever the centrality: AUDIT's channel, not CONSOLIDATE's",
        lambda c: c.kind == "audit" and c.protected and c.poor_audits >= REPEATED),
    Row(7, "a base-model update contradicts a high-gravity entry",
        "epistemic", "external correction", DEFAULT, False, False,
        "one source in one cycle: flagged for the next cycle, neither defended nor overwritten",
        lambda c: c.kind == "model" and c.protected),
)  # fmt: skip

PRECEDENCE = (3, 7, 6, 2, 1, 5, 4)


def route(conflict: Conflict) -> Routing | None:
    """Return where *conflict* goes; None where no row handles it and ordinary routing is enough."""
    for number in PRECEDENCE:
        row = MATRIX[number - 1]
        if row.applies(conflict):
            return Routing(
                row.number,
                row.channel,
                row.friction,
                row.mirrored,
                explain_row(row),
                row.audited,
            )
    return None


def explain_row(row: Row) -> str:
    """Return why a conflict that *row* handles goes where it goes."""
    return (
        f"row {row.number}, {row.domain}: {row.channel}, "
        f"friction {row.friction:.2f}; {row.rationale}"
    )

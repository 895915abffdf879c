"""How an active wiki forgets: the weights of vitality, and the thresholds below which an entry
fades (MaM §5.3).
"""

from companion.tuples import NamedTuple


class Policy(NamedTuple):
    """The settings under `vitality` in companion.yaml. Each is above 0: no term may be eliminated
    (MaM §7.5).

    A page that nobody reads and little links to begins to fade after about half a year, one whose
    gravity lies just under the floor after two. Twenty uses, or outcomes that were good throughout,
    each outweigh the first threshold.
    """

    recency: float = 1.0
    frequency: float = 0.005
    utility: float = 0.1
    gravity: float = 1.0
    wear: float = 0.1
    # below it an entry is decaying, and its page is compressed
    decaying: float = 0.1
    archived: float = 0.04  # below it a decaying entry is archived


DEFAULTS = Policy()
WEIGHT_NAMES = ("recency", "frequency", "utility", "gravity", "wear")


class Terms(NamedTuple):
    """The five terms of one entry's vitality, each with its weight; *wear* is taken away."""

    recency: float
    frequency: float
    utility: float
    gravity: float
    wear: float

    @property
    def total(self) -> float:
        """Vitality, rounded so that machines agree."""
        return round(
            self.recency
            + self.frequency
            + self.utility
            + self.gravity
            - self.wear,
            6,
        )

    def __str__(self) -> str:
        parts = (
            f"recency {self.recency:.3f}",
            f"use {self.frequency:.3f}",
            f"utility {self.utility:.3f}",
            f"gravity {self.gravity:.3f}",
        )
        return f"{' + '.join(parts)} - wear {self.wear:.3f}"

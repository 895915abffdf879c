"""Which of a question's rare words each passage has. On the hot path of a search.

Who asks for a hike after the road trip finds "after the road trip" in one turn of a talk, and the
hike in the turn before it: together they have what neither has. Common words stand everywhere, so
only rare ones count, and only these are cheap to look for.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from companion.tuples import NamedTuple

# of all passages, how many have a word that is rare, and how many at least
_RARE = 1 / 30
_FEW = 10
_MOST = 300  # passages with a rare word, at most

_Stems = Sequence[tuple[str, ...]]


class Rare(NamedTuple):
    """The rare words of a question: what each says, by how rare it is, and who has them.

    A passage has a word where that bit is set.
    """

    weights: Sequence[float]
    had: Mapping[int, int]

    def measure(self, bits: int) -> float:
        """Return the share of what all rare words say that those of *bits* say."""
        whole = sum(self.weights)
        if not whole or not bits:
            return 0.0
        told = (
            weight for at, weight in enumerate(self.weights) if bits >> at & 1
        )
        return sum(told) / whole


def find_rare(
    db: sqlite3.Connection,
    telling: Iterable[tuple[_Stems, float]],
    frequency: Mapping[tuple[str, ...], int],
    passages: int,
) -> Rare:
    """Return which passages have which rare words of *telling*, words as their stems and what each
    says; *frequency* tells how many of all *passages* have a stem.
    """
    most = min(_MOST, max(_FEW, int(_RARE * passages)))
    weights: list[float] = []
    had: dict[int, int] = {}
    for stems, weight in telling:
        known = [stem for stem in stems if frequency.get(stem)]
        if not known or max(frequency[stem] for stem in known) > most:
            continue
        bit = 1 << len(weights)
        weights.append(weight)
        for doc in _list_having(db, known):
            had[doc] = had.get(doc, 0) | bit
    return Rare(weights, had)


def _list_having(db: sqlite3.Connection, stems: _Stems) -> list[int]:
    wanted = " OR ".join(f'"{" ".join(stem)}"' for stem in dict.fromkeys(stems))
    query = "SELECT rowid FROM stems WHERE stems MATCH ?"
    return [doc for (doc,) in db.execute(query, (wanted,))]

"""Prediction 2 (MaM §7): what breaks under a storage cap, with gravity and without.

Graphs with a known structure of dependencies, from fixed seeds, pruned in rounds to ever smaller
caps; each round takes the entries of least vitality. *Vitality only* leaves the gravity term out
and protects nothing; *with gravity* has all five terms, as DECAY computes them, and spares what
lies above the floor as long as anything else is left. Foundations are quiet here: what an entry is
read for is drawn apart from what rests on it. Through the core, on graphs: living a wiki of this
size through its nights would take hours.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from companion.gravity.formula import (
    access_decay,
    base_gravity,
    fragmentation_cost,
    protection_floor,
)
from companion.gravity.topology import measure
from companion.values.decay.decay_policy import DEFAULTS

SEEDS = range(1, 11)
ENTRIES = 2000
CAPS = (0.9, 0.8, 0.7, 0.6, 0.5)


class Wiki(NamedTuple):
    """A graph, and how its entries are used."""

    tails: list[int]
    heads: list[int]
    days: list[float]  # since the last access
    reads: list[int]
    utility: list[float]


class Damage(NamedTuple):
    """What pruning broke among the entries that are left."""

    broken: int  # links to what is gone
    unsupported: int  # entries that rested on something, and now on nothing
    orphaned: int  # entries that were linked to, and now are by nobody


def wiki(seed: int) -> Wiki:
    """Make a wiki: each entry rests on up to four older ones, mostly on those that much rests on
    already.
    """
    chance = random.Random(seed)
    tails, heads, pool = [], [], [0]
    for entry in range(1, ENTRIES):
        for target in {
            chance.choice(pool) for _ in range(chance.randint(0, 4))
        }:
            tails.append(entry)
            heads.append(target)
            pool.append(target)
        pool.append(entry)
    days = [chance.expovariate(1 / 120) for _ in range(ENTRIES)]
    reads = [int(chance.paretovariate(1.2)) - 1 for _ in range(ENTRIES)]
    return Wiki(
        tails,
        heads,
        days,
        reads,
        [chance.betavariate(4, 4) for _ in range(ENTRIES)],
    )


def pruned(
    made: Wiki, cap: float, kept: Sequence[int], *, protecting: bool
) -> list[int]:
    """Return which of *kept* stay when the wiki may hold a share *cap* of its first entries."""
    place = {entry: n for n, entry in enumerate(kept)}
    inside = [
        (place[t], place[h])
        for t, h in zip(made.tails, made.heads, strict=True)
        if t in place and h in place
    ]
    ends = np.array(inside, np.int64).reshape(-1, 2)
    found = measure(len(kept), ends[:, 0], ends[:, 1], np.ones(len(ends)))
    bases = [
        base_gravity(c, fragmentation_cost(u, o, f))
        for c, u, o, f in zip(*found, strict=True)
    ]
    floor = protection_floor(bases)

    def order(entry: int) -> tuple[bool, float, int]:
        base = bases[place[entry]]
        alive = (
            DEFAULTS.recency / max(1.0, made.days[entry])
            + DEFAULTS.frequency * made.reads[entry]
            + DEFAULTS.utility * made.utility[entry]
        )
        if not protecting:
            return False, alive, entry
        return (
            floor.shields(base),
            alive + DEFAULTS.gravity * base * access_decay(made.days[entry]),
            entry,
        )

    return sorted(sorted(kept, key=order)[-round(cap * ENTRIES) :])


def damage(made: Wiki, kept: Sequence[int]) -> Damage:
    there = set(kept)
    links = list(zip(made.tails, made.heads, strict=True))
    broken = sum(tail in there and head not in there for tail, head in links)
    rested, rests = {t for t, _ in links}, {t for t, h in links if h in there}
    linked, links_now = (
        {h for _, h in links},
        {h for t, h in links if t in there},
    )
    return Damage(
        broken, len((there & rested) - rests), len((there & linked) - links_now)
    )


def rounds(seed: int, *, protecting: bool) -> Iterator[Damage]:
    made, kept = wiki(seed), list(range(ENTRIES))
    for cap in CAPS:
        kept = pruned(made, cap, kept, protecting=protecting)
        yield damage(made, kept)


def run() -> None:
    """Print what is broken after each round, the mean over all seeds."""
    print(
        f"\n(b) Prediction 2: {ENTRIES:,} entries pruned to a cap, mean of {len(SEEDS)} seeds"
        " (through the core)\n"
    )
    print(f"{'left':>5}" + "".join(f"{what:>29}" for what in Damage._fields))
    print(f"{'':>5}" + f"{'vitality':>16}{'with gravity':>13}" * 3)
    both = [
        [list(rounds(seed, protecting=way)) for seed in SEEDS]
        for way in (False, True)
    ]
    for n, cap in enumerate(CAPS):
        plain, held = (
            [sum(each[n][k] for each in way) / len(SEEDS) for k in range(3)]
            for way in both
        )
        print(
            f"{cap:>5.0%}"
            + "".join(
                f"{a:>16,.0f}{b:>13,.0f}"
                for a, b in zip(plain, held, strict=True)
            )
        )

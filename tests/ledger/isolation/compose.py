"""Pipelines of operators (1,364) and how often a judge of two minds contradicts itself (30
rates).
"""

import random
import sqlite3
from itertools import product
from pathlib import Path

from companion.ledger.operators import REQUIRES
from companion.storage.index import isolation
from companion.storage.index.isolation import View, WeakIsolation
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Logged, Verdicts
from companion.values.claims import Strategy
from tests.ledger.isolation.anomalies import Cell
from tests.ledger.isolation.beliefs import STRATEGIES
from tests.ledger.isolation.levels import LEVELS

LONGEST = 5


def pipelines(longest: int = LONGEST) -> list[tuple[Strategy, ...]]:
    return [
        chain
        for n in range(1, longest + 1)
        for chain in product(STRATEGIES, repeat=n)
    ]


def composition(longest: int = LONGEST) -> list[Cell]:
    """A pipeline runs where each of its steps may: at the join of what they require (TOKI, T4)."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    cells = []
    with isolation.deciding(db):
        for chain in pipelines(longest):
            join = max(LEVELS.index(REQUIRES[step]) for step in chain)
            for n, level in enumerate(LEVELS):
                cells.append(
                    (
                        " > ".join(chain),
                        level,
                        _refused(View(db, level), chain),
                        n < join,
                    )
                )
    return cells


def _refused(view: View, chain: tuple[Strategy, ...]) -> bool:
    try:
        for step in chain:
            view.require(REQUIRES[step])
    except WeakIsolation:
        return True
    return False


def replays(
    folder: Path, p: float, questions: int, *, keyed: bool, seed: int = 1
) -> float:
    """Return how often the second of two askings differs, of a judge that says yes with probability
    *p*.
    """
    rng = random.Random(f"{seed} {p}")
    first, second = (
        [rng.random() < p for _ in range(questions)] for _ in range(2)
    )
    if not keyed:
        return (
            sum(a != b for a, b in zip(first, second, strict=True)) / questions
        )
    log = Verdicts(Journal.open(str(folder / f"replay-{p}-{seed}.db")), None)
    # both decide on what the log has once they have told it
    for said in (first, second):
        log.add(
            [
                Logged(str(n), "relate", "coin", {"yes": yes})
                for n, yes in enumerate(said)
            ],
            "2026-11-22",
        )
        heard = log.find(map(str, range(questions)))
        decided = [bool(heard[str(n)].answer["yes"]) for n in range(questions)]
        first = decided if said is first else first
    return sum(a != b for a, b in zip(first, decided, strict=True)) / questions


def rates(cells: int = 30) -> list[float]:
    return [round((n + 1) / (cells + 1), 4) for n in range(cells)]

"""The four predictions, each as one pair of figures per seed: with the part, and without it."""

from collections.abc import Sequence
from math import log2
from typing import NamedTuple

import numpy as np

from tests.bench.pruning import rounds
from tests.predictions.memory import ARMS, FULL, Arm, Life, Memory
from tests.predictions.person import WEEKS, Person, make_person, near

PROBES = 3  # questions that are asked of every topic at the end


class Pair(NamedTuple):
    """A figure of one seed."""

    seed: int
    whole: float
    other: float


class Comparison(NamedTuple):
    """What one figure is with everything and with a part missing, seed by seed."""

    prediction: int
    figure: str
    other: str  # the memory that it is compared with
    more_is_better: bool
    pairs: tuple[Pair, ...]


class Influence(NamedTuple):
    """What became of minorities, over all seeds."""

    kind: str
    planted: int
    promoted: int
    several_cycles: int  # of those promoted
    asked: int  # questions on their matter after the promotion
    surfaced: int  # of those, where the winner was shown
    changed: int  # of those, where another page answers than without promotion
    influential: int  # promoted minorities that changed at least one answer


class Lived(NamedTuple):
    """The lives of one seed."""

    person: Person
    lives: dict[str, Life]
    diversity: dict[str, float]


def live(seed: int, arms: Sequence[Arm] = ARMS) -> Lived:
    """Let every arm live the life of *seed*."""
    person = make_person(seed)
    lives, diversity = {}, {}
    for arm in arms:
        memory = Memory(person, seed, arm)
        lives[arm.name] = memory.live()
        diversity[arm.name] = measure_diversity(memory, seed)
    return Lived(person, lives, diversity)


def measure_diversity(memory: Memory, seed: int) -> float:
    """Return the mean distance (1 - cosine) between pages that one probe shows, over all probes."""
    numbers = np.random.default_rng(seed + 2)
    distances = []
    for middle in memory.person.topics:
        for _ in range(PROBES):
            shown = memory.find(near(numbers, middle), 7.0 * WEEKS)
            vectors = np.stack([memory.pages[each].vector for each in shown])
            likeness = vectors @ vectors.T
            upper = np.triu_indices(len(shown), 1)
            distances.append(float(1 - likeness[upper].mean()))
    return sum(distances) / len(distances)


def measure_entropy(life: Life) -> float:
    """Return the Shannon entropy of a life's accesses, in bits."""
    counts = np.array(list(life.accesses.values()), float)
    shares = counts / counts.sum()
    return float(-sum(share * log2(share) for share in shares))


def compare(lived: dict[int, Lived]) -> list[Comparison]:
    """Return the figures of Predictions 1 to 3, the whole memory against each other one."""
    found = []
    for arm in ARMS[1:]:
        for figure, prediction, measure in (
            ("links that lead to an active page", 1, _integrity),
            ("self-description that still stands", 1, _selves),
            ("entropy of what is read, bits", 3, _entropy),
            ("diversity of what is shown", 3, _diversity),
        ):
            pairs = [
                Pair(seed, measure(each, FULL), measure(each, arm))
                for seed, each in lived.items()
            ]
            found.append(
                Comparison(prediction, figure, arm.name, True, tuple(pairs))
            )
    return found


def compare_pruning(seeds: Sequence[int]) -> list[Comparison]:
    """Return the figures of Prediction 2: what pruning to half of a wiki breaks."""
    found: dict[str, list[Pair]] = {}
    for seed in seeds:
        *_, plain = rounds(seed, protecting=False)
        *_, held = rounds(seed, protecting=True)
        for name in plain._fields:
            pair = Pair(seed, getattr(held, name), getattr(plain, name))
            found.setdefault(name, []).append(pair)
    words = {
        "broken": "links to what is gone",
        "unsupported": "entries that rest on nothing now",
        "orphaned": "entries that nothing links to now",
    }
    return [
        Comparison(2, words[name], "vitality only", False, tuple(pairs))
        for name, pairs in found.items()
    ]


def measure_influence(lived: dict[int, Lived]) -> list[Influence]:
    """Return the figures of Prediction 4, for true minorities and for what should not win."""
    planted = {"minority": 3, "noise": 1, "insider": 1}
    found = []
    for kind, count in planted.items():
        rows = []
        for each in lived.values():
            rows += _influence_of(each, kind)
        found.append(
            Influence(
                kind,
                count * len(lived),
                len(rows),
                *(sum(column) for column in zip(*rows, strict=True)),
            )
            if rows
            else Influence(kind, count * len(lived), 0, 0, 0, 0, 0, 0)
        )
    return found


def _influence_of(
    lived: Lived, kind: str
) -> list[tuple[int, int, int, int, int]]:
    """Return a row for every promoted minority: several cycles, asked, surfaced, changed, any."""
    whole, twin = lived.lives[FULL.name], lived.lives["without promotion"]
    questions = []
    for number, week in enumerate(lived.person.weeks):
        for question in week.questions:
            topic = question.topic if question.on_matter else -1
            questions.append((number, topic))
    rows = []
    for won in whole.promoted:
        if won.kind != kind:
            continue
        at = [
            place
            for place, (week, topic) in enumerate(questions)
            if topic == won.topic and week > won.week
        ]
        surfaced = sum(whole.outputs[place] >= 0 for place in at)
        changed = sum(
            whole.outputs[place] >= 0
            and whole.outputs[place] != twin.outputs[place]
            for place in at
        )
        rows.append(
            (int(won.cycles > 1), len(at), surfaced, changed, int(changed > 0))
        )
    return rows


def _integrity(lived: Lived, arm: Arm) -> float:
    return _mean(lived.lives[arm.name].integrity)


def _selves(lived: Lived, arm: Arm) -> float:
    return _mean(lived.lives[arm.name].selves)


def _entropy(lived: Lived, arm: Arm) -> float:
    return measure_entropy(lived.lives[arm.name])


def _diversity(lived: Lived, arm: Arm) -> float:
    return lived.diversity[arm.name]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)

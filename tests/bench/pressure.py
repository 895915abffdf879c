"""`python -m tests.bench pressure`: who wins against a protected entry, and who must not.

Pure simulation from fixed seeds, through `plan_branches` as a night calls it: planted cliques
(noise that agrees with itself) and true minorities press against one incumbent, night after night,
for half a year. A judge ties two captures that say the same in seven cases of ten, and each is
compared with four earlier ones at most. Wordings are fourteen made-up words: independent ones share
six of them, and copies all but two of each.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from companion.minority import pressure
from companion.minority.challenge import (
    Challenger,
    Decision,
    Incumbent,
    JoinedCapture,
    OpenBranch,
)
from companion.minority.clusters import Tie
from companion.minority.plan import plan_branches
from companion.minority.pressure import Policy, Telling
from companion.routing import matrix
from companion.values.trust import weigh_trust

START = datetime(2026, 1, 1, tzinfo=UTC)
GRAVITIES = (0.6, 0.7, 0.8, 0.9, 0.99)
SEEDS = 20
COMPARED = 4  # earlier captures that a judge is asked about
HEARD = 0.7  # of the pairs that say the same, a judge finds so many
# the threshold's base here: nothing is promoted, so that one run serves every gravity
HELD = 10.0
NO_TRUST: Mapping[str, float] = {}
_CORE = ["reservoir", "northern", "spring", "feeds", "from", "above"]
_OTHER = [f"w{n:03}" for n in range(400)]


class Said(NamedTuple):
    """One telling, before it is a capture."""

    day: float
    source: str
    agent: str
    words: tuple[str, ...]


Plant = Callable[[random.Random], list[Said]]


def own_words(chance: random.Random) -> tuple[str, ...]:
    """Return a wording of its own for the same statement."""
    return (*_CORE, *chance.sample(_OTHER, 8))


def copy_of(
    words: Sequence[str], chance: random.Random, changed: int = 2
) -> tuple[str, ...]:
    """Return *words* with a few of them exchanged, as whoever copies does."""
    copied = list(words)
    for place in chance.sample(range(len(copied)), changed):
        copied[place] = chance.choice(_OTHER)
    return tuple(copied)


def repeated(times: int, days: int, *, verbatim: bool) -> Plant:
    """One source that says the same *times* over, in the same words or in others."""

    def plant(chance: random.Random) -> list[Said]:
        words = own_words(chance)
        return [
            Said(
                chance.uniform(0, days),
                "one",
                "",
                words if verbatim else own_words(chance),
            )
            for _ in range(times)
        ]

    return plant


def bots(names: int, days: float, changed: int) -> Plant:
    """Many names with one wording, within *days*; *changed* words differ in each."""

    def plant(chance: random.Random) -> list[Said]:
        words = own_words(chance)
        return [
            Said(
                chance.uniform(0, days),
                f"bot {n}",
                "",
                copy_of(words, chance, changed),
            )
            for n in range(names)
        ]

    return plant


def voices(
    count: int, days: float, *, agent: str = "", times: int = 1
) -> Plant:
    """So many sources, each in words of its own, over *days*."""

    def plant(chance: random.Random) -> list[Said]:
        return [
            Said(
                chance.uniform(0, days), f"source {n}", agent, own_words(chance)
            )
            for n in range(count)
            for _ in range(times)
        ]

    return plant


NOISE: Mapping[str, Plant] = {
    "one source x 100, same words": repeated(100, 120, verbatim=True),
    "one source x 100, paraphrased": repeated(100, 120, verbatim=False),
    "20 bots, same words, one hour": bots(20, 0.04, 0),
    "20 bots, 2 words changed, one hour": bots(20, 0.04, 2),
    "20 bots, same words, a month": bots(20, 30, 0),
    "20 bots, 1 word changed, a month": bots(20, 30, 1),
    "one assistant, 20 invented sources": voices(20, 30, agent="assistant"),
    "two colluding sources x 50": voices(2, 120, times=50),
    "20 names, own words, one hour": voices(20, 0.04),
    "3 names, own words, one day": voices(3, 0.99),
}
TRUE: Mapping[str, Plant] = {
    **{
        f"{count} voices within {weeks} weeks": voices(count, weeks * 7)
        for count in (3, 4, 5, 6)
        for weeks in (3, 8)
    },
    "3 voices, twice each, within 8 weeks": voices(3, 56, times=2),
    "6 voices within a year": voices(6, 365),
}
LIMITS: Mapping[str, Plant] = {
    "3 colluding sources, own words": voices(3, 30),
    "6 names, own words, one day": voices(6, 0.99),
    "20 bots, 2 words changed, a month": bots(20, 30, 2),
}
DEFENCES: Mapping[str, Policy] = {
    "all defences": pressure.DEFAULT,
    "an author's sources are independent": replace(
        pressure.DEFAULT, author=1.0
    ),
    "a day is not bounded": replace(pressure.DEFAULT, crowd=(1.0,) * 100),
    "nothing ages": replace(pressure.DEFAULT, half_life=1e12),
}


class Course(NamedTuple):
    """One life: the pressure of the strongest branch after each cycle, and whether a promotion was
    open to it.
    """

    pressure: tuple[float, ...]
    free: tuple[bool, ...]

    def won(self, threshold: float) -> int | None:
        """Return the cycle in which *threshold* is exceeded first; None where it never is."""
        found = zip(self.pressure, self.free, strict=True)
        return next(
            (
                n
                for n, (value, free) in enumerate(found, 1)
                if free and value > threshold
            ),
            None,
        )


def live(
    plant: Plant,
    seed: int,
    policy: Policy,
    heard: float = HEARD,
    trust: Mapping[str, float] = NO_TRUST,
) -> Course:
    """Run the nights of one life, two a day where there is input, against an incumbent that cannot
    fall. *trust* is that of some sources; of all others it is 1.
    """
    chance = random.Random(seed)
    incumbents = {"x": Incumbent("x", "x", 1.0, 1.0, True)}
    open_: dict[str, OpenBranch] = {}
    ties: list[Tie] = []
    known: list[str] = []
    values: list[float] = []
    free: list[bool] = []
    for cycle, (day, some) in enumerate(_nights(plant(chance)), 1):
        loose = {}
        for said in some:
            capture = f"{len(known):04}"
            ties += _judge(capture, known, chance, heard)
            known.append(capture)
            loose[capture] = _challenger(capture, said, trust)
        decisions = plan_branches(
            loose.values(),
            open_.values(),
            ties,
            incumbents,
            cycle=cycle,
            now=_at(day),
            policy=replace(policy, base=HELD),
        )
        strongest = max(
            (each for each in decisions if each.pressure is not None),
            key=_value,
        )
        _apply(decisions, loose, open_, cycle)
        joined = {
            member.capture: member.cycle
            for branch in open_.values()
            for member in branch.members
        }
        values.append(_value(strongest))
        free.append(
            len({joined.get(capture, cycle) for capture in strongest.captures})
            >= matrix.MULTI
        )
    return Course(tuple(values), tuple(free))


def rates(
    plants: Mapping[str, Plant],
    policy: Policy = pressure.DEFAULT,
    seeds: int = SEEDS,
    heard: float = HEARD,
) -> dict[str, list[tuple[float, float]]]:
    """Return, for every plant and gravity, the share that wins and the mean cycle in which it
    does.
    """
    found = {}
    for name, plant in plants.items():
        courses = [live(plant, seed, policy, heard) for seed in range(seeds)]
        found[name] = [_rate(courses, gravity, policy) for gravity in GRAVITIES]
    return found


def _rate(
    courses: Sequence[Course], gravity: float, policy: Policy
) -> tuple[float, float]:
    needed = pressure.measure_threshold(gravity, matrix.EPISTEMIC, policy).value
    won = [
        cycle for course in courses if (cycle := course.won(needed)) is not None
    ]
    return len(won) / len(courses), sum(won) / len(won) if won else 0.0


def run() -> None:
    print(
        f"{SEEDS} seeds each; share promoted (mean cycle of the promotion) by effective gravity"
        " of the incumbent"
    )
    _table("noise, which must not win", rates(NOISE))
    _table("true minorities, which must", rates(TRUE))
    _table("the same, with a judge that misses nothing", rates(TRUE, heard=1.0))
    _table("where the limits are", rates(LIMITS))
    _curve()
    print("\nwith one defence off: share of noise promoted, over all gravities")
    for name, policy in DEFENCES.items():
        noise = rates(NOISE, policy, SEEDS // 2)
        worst = max(noise, key=lambda each: _mean(noise[each]))
        print(
            f"  {name:38} {_mean_of(noise):6.3f}   worst: {worst} {_mean(noise[worst]):.2f}"
        )


def _curve() -> None:
    """Print what other thresholds would do: all of them scaled, defences as they are."""
    print(
        "\nthreshold x   noise promoted   minorities promoted   (all gravities)"
    )
    lives = {
        kind: [
            live(plant, seed, pressure.DEFAULT)
            for plant in plants.values()
            for seed in range(SEEDS // 2)
        ]
        for kind, plants in (("noise", NOISE), ("true", TRUE))
    }
    for factor in (
        0.5,
        0.6,
        0.7,
        0.8,
        0.9,
        0.95,
        1.0,
        1.05,
        1.1,
        1.2,
        1.3,
        1.5,
    ):
        policy = replace(
            pressure.DEFAULT,
            base=pressure.DEFAULT.base * factor,
            rise=pressure.DEFAULT.rise * factor,
        )
        share = {
            k: sum(_rate(v, g, policy)[0] for g in GRAVITIES) / len(GRAVITIES)
            for k, v in lives.items()
        }
        bars = f"{'#' * round(20 * share['noise']):20} {'=' * round(20 * share['true']):20}"
        print(
            f"  {factor:6.2f}      {share['noise']:10.3f}       {share['true']:10.3f}         "
            f" {bars}"
        )


def _table(title: str, found: Mapping[str, list[tuple[float, float]]]) -> None:
    print(f"\n{title:40}" + "".join(f"{gravity:>12}" for gravity in GRAVITIES))
    for name, row in found.items():
        cells = "".join(
            f"{share:5.2f} ({cycle:4.1f})" if share else f"{share:5.2f}       "
            for share, cycle in row
        )
        print(f"  {name:38}{cells}")


def _mean(row: Sequence[tuple[float, float]]) -> float:
    return sum(share for share, _ in row) / len(row)


def _mean_of(found: Mapping[str, Sequence[tuple[float, float]]]) -> float:
    return sum(map(_mean, found.values())) / len(found)


def _nights(told: Sequence[Said]) -> Iterator[tuple[float, list[Said]]]:
    """Yield each night with input: its time and what was told since the last one."""
    for half in sorted({int(said.day * 2) for said in told}):
        yield (
            (half + 1) / 2,
            sorted(
                (said for said in told if int(said.day * 2) == half),
                key=lambda said: said.day,
            ),
        )


def _judge(
    capture: str, known: Sequence[str], chance: random.Random, heard: float
) -> Iterator[Tie]:
    for other in chance.sample(known, min(COMPARED, len(known))):
        if chance.random() < heard:
            yield Tie(
                other,
                capture,
                round(chance.uniform(0.6, 0.95), 3),
                False,
                0.0,
                "same",
            )


def _challenger(
    capture: str, said: Said, trust: Mapping[str, float]
) -> Challenger:
    told = Telling(
        capture,
        _at(said.day),
        _at(said.day),
        said.agent,
        said.source,
        "cli",
        weigh_trust(said.source, said.agent, trust.items()),
    )
    return Challenger(capture, ("x",), (told,), " ".join(said.words))


def _value(decision: Decision) -> float:
    return 0.0 if decision.pressure is None else decision.pressure.value


def _apply(
    decisions: Sequence[Decision],
    loose: Mapping[str, Challenger],
    open_: dict[str, OpenBranch],
    cycle: int,
) -> None:
    """Do to the branches what a night would."""
    for each in decisions:
        joined = tuple(
            JoinedCapture(c, cycle, loose[c].tellings, loose[c].text)
            for c in each.captures
            if c in loose
        )
        if each.action == "open":
            open_[each.branch] = OpenBranch(
                each.branch, each.incumbent, cycle, joined
            )
        elif each.action == "grow":
            branch = open_[each.branch]
            open_[each.branch] = branch._replace(
                members=(*branch.members, *joined)
            )


def _at(day: float) -> str:
    return (
        (START + timedelta(days=day))
        .isoformat(timespec="microseconds")
        .replace("+00:00", "Z")
    )

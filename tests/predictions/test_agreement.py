"""The pure rules of the experiments decide as the installed program does, where both live the same.

A foundation, what rests on it, and a minority of the written worlds of `streams` are told to the
program, week by week. The memory of the experiments is given the same pages, links and voices.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.bench.streams import Life, Note, World, foundation, weeks, worlds
from tests.predictions import memory
from tests.predictions.memory import FULL, Arm, Memory, Page
from tests.predictions.person import Dissent, make_person
from tests.predictions.program import live_twins, switch_off

TOPIC = 0
WORLDS = worlds("dev")
WITHOUT_PROMOTION = Arm("without promotion", promotion=False)


class Lived(NamedTuple):
    """What became of a minority."""

    gravity: float  # of the foundation, after its first night
    decided: list[
        tuple[int, str]
    ]  # the week, and what was done with the branch
    thresholds: dict[int, float]  # by the weeks in which the branch pressed


def live_by_program(world: World, folder: Path, without: str = "[]") -> Lived:
    """Live the minority of *world* in a wiki."""
    home = Life(folder / "wiki")
    switch_off(home.root, without)
    home.week(foundation(world))
    shown = home.run("show", world["title"], "-C", str(home.root))
    decided: list[tuple[int, str]] = []
    thresholds: dict[int, float] = {}
    for week, notes in weeks(world, "minority").items():
        for done in home.week(notes)["branches"]:
            if done["action"] in ("open", "grow", "promote"):
                decided.append((week, done["action"]))
            thresholds[week] = done["threshold"]
    return Lived(shown["gravity"], decided, thresholds)


def live_by_rules(
    world: World, patch: pytest.MonkeyPatch, arm: Arm = FULL
) -> Lived:
    """Live the same in the memory of the experiments, with a judge that misses nothing."""
    lived = Memory(make_person(0), 0, arm)
    patch.setattr(memory, "HEARD", 1.0)
    patch.setattr(memory, "TOPICS", 1)
    rest = len(foundation(world)) - 1
    vector = lived.pages[TOPIC].vector
    lived.pages = [Page(TOPIC, vector, ())]
    lived.pages += [Page(TOPIC, vector, (TOPIC,)) for _ in range(rest)]
    lived._weigh()
    gravity = lived._bases[TOPIC]
    decided: list[tuple[int, str]] = []
    carry_out = lived._carry_out

    def note(decision: memory.Decision, *given: object) -> None:
        if decision.action in ("open", "grow", "promote"):
            decided.append((week, decision.action))
        carry_out(decision, *given)  # type: ignore[arg-type]

    lived._carry_out = note  # type: ignore[method-assign]
    for week, notes in weeks(world, "minority").items():
        lived._consolidate(list(_dissent(notes)), week)
        lived._weigh()
    thresholds = {week: bar for _, week, _, bar in lived.life.pressed}
    return Lived(gravity, decided, thresholds)


def _dissent(notes: list[Note]) -> Iterator[Dissent]:
    for note in notes:
        if note.source:
            words = tuple(note.text.split())
            yield Dissent(TOPIC, note.source, words, "minority")


@pytest.mark.parametrize("world", WORLDS, ids=lambda world: world["name"])
def test_both_weigh_and_decide_alike(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_program = live_by_program(world, tmp_path)
    by_rules = live_by_rules(world, monkeypatch)

    assert by_rules.gravity == pytest.approx(by_program.gravity, abs=1e-9)
    assert by_rules.decided == by_program.decided
    assert by_rules.decided[-1][1] == "promote"
    # a note counts as an access of the page that it contradicts, by some days more or less
    for week, bar in by_rules.thresholds.items():
        assert bar == pytest.approx(by_program.thresholds[week], abs=0.06)


def test_neither_promotes_without_promotion(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = WORLDS[1]
    by_program = live_by_program(world, tmp_path, "[promotion]")
    by_rules = live_by_rules(world, monkeypatch, WITHOUT_PROMOTION)

    assert by_rules.decided == by_program.decided
    assert {action for _, action in by_rules.decided} == {"open", "grow"}


def test_a_promotion_changes_what_the_program_answers() -> None:
    assert live_twins(WORLDS[1]).is_influenced

"""`python -m tests.bench serial-facts [--notes N]`: N numbered facts of a made-up world, each a
note, and what `ask` answers of one step and of more.

A later number overrides an earlier one of the same matter. An answer is *right* where it is the one
value that holds, *wrong* where it is another, *none* where nothing is answered. Beside it the
latest of the ten facts whose static vectors are nearest: *near* where it holds the answer.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from companion.answers.claims import answer_question
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.operations.triage import capture
from companion.values.captures import Draft
from companion.values.claims import split_words
from companion.workspace import Workspace
from tests.bench.life import LIGHT, Life
from tests.bench.serial_facts.world import Asked, World, make_world
from tests.bench.staleness import Notes

NOW = "2026-11-01T08:00:00.000000Z"
QUESTIONS = 60  # of one step, and as many of more
NEAREST = 10
SEED = 17


class Answered(NamedTuple):
    """What became of one question."""

    asked: Asked
    verdict: str  # right, wrong or none
    given: str
    is_near: bool  # the latest of the nearest facts holds the answer


class Answers(NamedTuple):
    """What was answered of one world, and what it cost."""

    facts: int
    tokens: int
    told: float  # CPU seconds for taking all in and one night
    asked: float  # CPU seconds of a question
    answered: list[Answered]

    def count(self, *, one_step: bool) -> Counter[str]:
        """Count the verdicts, and "near", for questions of one step or for the others."""
        counts: Counter[str] = Counter()
        for each in self.answered:
            if (each.asked.hops == 1) == one_step:
                counts[each.verdict] += 1
                counts["near"] += each.is_near
        return counts


def serial_facts(count: int) -> None:
    """Print how many questions about *count* facts are answered right, by their steps."""
    found = answer(count)
    print(
        f"{found.facts} facts, {found.tokens} tokens, told in {found.told:.0f} CPU s; "
        f"{found.asked:.2f} CPU s a question"
    )
    for each in found.answered:
        if each.verdict != "right":
            asked = each.asked
            print(
                f"  {each.verdict}  {asked.question}  [{each.given}; {asked.answer}]"
            )
    for name, one_step in (("one step", True), ("more steps", False)):
        counts = found.count(one_step=one_step)
        parts = [
            f"{verdict} {counts[verdict]}"
            for verdict in ("right", "wrong", "none", "near")
        ]
        print(f"  {name}: {', '.join(parts)}")


def answer(count: int, reasoner: str = LIGHT) -> Answers:
    """Tell about *count* facts, have a night, and ask."""
    world = make_world(count, QUESTIONS, SEED)
    with tempfile.TemporaryDirectory(prefix="companion-facts-") as room:
        begun = time.process_time()
        ws = _tell(Path(room), world.facts, reasoner)
        told = time.process_time()
        given = [(one, *_judge(ws, one)) for one in world.questions]
        asked = time.process_time()
    answered = [
        Answered(*each, is_near)
        for each, is_near in zip(given, _find_near(world), strict=True)
    ]
    return Answers(
        len(world.facts),
        sum(map(len, world.facts)) // 4,
        told - begun,
        (asked - told) / len(given),
        answered,
    )


def _tell(root: Path, facts: Sequence[str], reasoner: str) -> Workspace:
    home = Life(root, NOW)
    if reasoner != LIGHT:
        home.choose(reasoner)
    lines = [f"{number}. {fact}" for number, fact in enumerate(facts)]
    capture.ingest(home.ws, [Draft(line, source="facts") for line in lines])
    home.night()
    return home.ws


def _find_near(world: World) -> Iterator[bool]:
    """Yield for each question whether the latest of the nearest facts holds its answer."""
    store = Notes(world.facts, StaticEmbedder())
    for asked in world.questions:
        latest = world.facts[max(store.list_near(asked.question, NEAREST))]
        yield _key(asked.answer) in _key(latest)


def _judge(ws: Workspace, asked: Asked) -> tuple[str, str]:
    """Return whether the answer is right, and what it is."""
    doc = answer_question(ws, asked.question, as_of=None, budget=500)
    values = list(dict.fromkeys(answer["value"] for answer in doc["answers"]))
    given = " / ".join(values)
    if not values:
        return "none", given
    if len(values) == 1 and _key(asked.answer) in _key(values[0]):
        return "right", given
    return "wrong", given


def _key(value: str) -> str:
    return " ".join(split_words(value))

"""`python -m tests.bench serial-facts [--notes N]`: N numbered facts of a made-up world, each a
note, and what `ask` answers of one step and of more.

A later number overrides an earlier one of the same matter. An answer is *right* where it is the one
value that holds, *wrong* where it is another, *none* where nothing is answered.
"""

import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from companion.answers.claims import answer_question
from companion.maintenance import init as care
from companion.operations.consolidate import run as night
from companion.operations.triage import capture
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.values.claims import split_words
from companion.workspace import Workspace
from tests.bench.serial_facts.world import Asked, make_world

NOW = "2026-11-01T08:00:00.000000Z"
QUESTIONS = 60  # of one step, and as many of more
SEED = 17


def serial_facts(count: int) -> None:
    """Print how many questions about *count* facts are answered right, by their steps."""
    world = make_world(count, QUESTIONS, SEED)
    with tempfile.TemporaryDirectory(prefix="companion-facts-") as room:
        begun = time.process_time()
        ws = _tell(Path(room), world.facts)
        told = time.process_time()
        verdicts = [(one, _judge(ws, one)) for one in world.questions]
    spent = time.process_time() - told
    counts = Counter((one.hops, verdict) for one, (verdict, _) in verdicts)
    tokens = sum(map(len, world.facts)) // 4
    print(
        f"{len(world.facts)} facts, {tokens} tokens, told in {told - begun:.0f} CPU s; "
        f"{spent / len(verdicts):.2f} CPU s a question"
    )
    for one, (verdict, given) in verdicts:
        if verdict != "right":
            print(f"  {verdict}  {one.question}  [{given}; {one.answer}]")
    for hops in sorted({one.hops for one in world.questions}):
        parts = [
            f"{verdict} {counts[hops, verdict]}"
            for verdict in ("right", "wrong", "none")
        ]
        print(f"  {hops} steps: {', '.join(parts)}")


def _tell(root: Path, facts: Sequence[str]) -> Workspace:
    care.init(str(root))
    found = layout.make_place(str(root))
    assert found is not None
    ws = Workspace(found, NOW)
    lines = [f"{number}. {fact}" for number, fact in enumerate(facts)]
    capture.ingest(ws, [Draft(line, source="facts") for line in lines])
    night.consolidate(ws)
    return ws


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

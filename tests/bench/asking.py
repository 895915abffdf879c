"""`python -m tests.bench ask --data DIR`: answers from claims, without a model, on
FactConsolidation.

DIR holds the folder `factconsolidation` as its makers publish it. Each fact is a line of one
source, told in the order of the file: through `ingest`, one night, `ask`. A stale answer is the
value that a later line replaced.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.answers.claims import answer_question
from companion.operations.triage import capture
from companion.values.captures import Draft
from companion.values.claims import split_words
from companion.workspace import Workspace
from tests.bench.life import LIGHT, Life

NOW = "2026-11-01T08:00:00.000000Z"


def ask(data: Path) -> None:
    """Print how many questions are answered right, by hops, and how often a replaced value is
    given.
    """
    folder = data / "factconsolidation"
    if not folder.is_dir():
        raise SystemExit(f"{folder} is missing: --data DIR must hold it")
    told = json.loads((folder / "factconsolidation_6k_facts.json").read_text())
    questions = json.loads((folder / "questions_6k.json").read_text())
    stale = _replaced(told)
    right, wrong, old = Counter[str](), Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory(prefix="companion-ask-") as room:
        ws = make_wiki(Path(room), [fact["text"] for fact in told])
        for each in questions:
            hops = each["source"].split("_")[1]
            answers = _answers(ws, each["question"])
            good = is_right(answers, each["golds"])
            (right if good else wrong)[hops] += 1
            old[hops] += not good and any(
                _key(answer) in stale for answer in answers
            )
            if not good:
                print(f"  {hops}  {each['qa_pair_id']}: {len(answers)} answers")
    for hops in sorted(right | wrong):
        print(
            f"{hops}: {right[hops]} of {right[hops] + wrong[hops]} right, {old[hops]} with a"
            " replaced value"
        )


def is_answered(ws: Workspace, question: Mapping[str, Any]) -> bool:
    """Tell whether *ws* answers a question of the set with a right value, and nothing else."""
    return is_right(_answers(ws, question["question"]), question["golds"])


def is_right(answers: Sequence[str], golds: Sequence[str]) -> bool:
    """Tell whether there is one answer and it holds one of *golds*."""
    return len(answers) == 1 and any(holds(gold, answers[0]) for gold in golds)


def make_wiki(root: Path, lines: list[str], reasoner: str = LIGHT) -> Workspace:
    """Return a wiki to which *lines* were told by one source, after one night."""
    home = Life(root, NOW)
    if reasoner != LIGHT:
        home.choose(reasoner)
    done = capture.ingest(
        home.ws,
        [Draft(line, source="facts", channel="lines") for line in lines],
    )
    home.night()
    print(f"{len(done['captures'])} lines told")
    return home.ws


def _answers(ws: Workspace, question: str) -> list[str]:
    doc = answer_question(ws, question, as_of=None, budget=500)
    return list(dict.fromkeys(answer["value"] for answer in doc["answers"]))


def _replaced(told: list[dict[str, Any]]) -> set[str]:
    """Return the values that only lines replaced by later ones have."""
    last = {
        (fact["subject"], fact["relation_id"]): fact["object"] for fact in told
    }
    return {_key(fact["object"]) for fact in told} - {
        _key(value) for value in last.values()
    }


def _key(value: str) -> str:
    return " ".join(split_words(value))


def holds(gold: str, answer: str) -> bool:
    """Tell whether *answer* has the words of *gold*."""
    return _key(gold) in _key(answer)

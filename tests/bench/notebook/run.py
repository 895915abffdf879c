"""`python -m tests.bench notebook [--half score]`: sixty questions as people ask them about forty
notes of their own, told on forty days with one night behind them.

Each answer is *right*; or *first*, not known with the answer in the first passage shown; *shown*,
in another one; *missing*; or *wrong*. What nobody told is right where nothing is answered.
"""

import contextlib
import io
import json
import os
import tempfile
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from companion.__main__ import main as companion

FOLDER = Path(__file__).parent
HALVES = {"dev": "worked-on.toml", "score": "shut.toml"}
NIGHT = "2026-10-08T22:00:00Z"
ASKED = "2026-10-09T09:00:00Z"


class Asked(NamedTuple):
    """One question, what a right answer has, and what a wrong one has."""

    question: str
    right: tuple[str, ...]  # none: nobody told it
    wrong: str


class Outcome(NamedTuple):
    """What `ask` made of one question."""

    question: str
    verdict: str
    given: str


def notebook(half: str) -> None:
    """Print what became of each question of the half worked on, and the totals."""
    outcomes = ask_all(HALVES[half])
    if half == "dev":
        for one in outcomes:
            print(f"  {one.verdict:8} {one.question}  [{one.given}]")
    counts = Counter(one.verdict for one in outcomes)
    print(", ".join(f"{name} {count}" for name, count in counts.most_common()))


def ask_all(name: str) -> list[Outcome]:
    """Return what became of each question of the notebook *name*."""
    book = tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))
    asked = [
        Asked(question, tuple(filter(None, right.split("|"))), wrong)
        for question, right, wrong in book["questions"]
    ]
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        root = Path(folder) / "wiki"
        _tell(root, book["notes"])
        return [_ask(root, one) for one in asked]


def _tell(root: Path, notes: list[list[str]]) -> None:
    run_json(f"{notes[0][0]}T07:00:00Z", "init", str(root))
    for day, words in notes:
        run_json(f"{day}T09:00:00Z", "ingest", words, "-C", str(root))
    run_json(NIGHT, "consolidate", "-C", str(root))


def _ask(root: Path, asked: Asked) -> Outcome:
    done = run_json(ASKED, "ask", asked.question, "-C", str(root))
    values = [each["value"] for each in done["answers"]]
    shown = sorted(done["passages"], key=lambda one: not one["of_subject"])
    texts = [each["text"] for each in shown]  # in the order of the terminal
    given = " / ".join(values) or " | ".join(texts[:1])
    return Outcome(asked.question, judge(asked, values, texts), given)


def judge(asked: Asked, values: list[str], texts: list[str]) -> str:
    """Return what *values*, or the *texts* shown in their place, are worth as an answer."""
    if values:
        return "right" if _is_right(asked, " / ".join(values)) else "WRONG"
    if not asked.right:
        return "right"
    for place, text in enumerate(texts):
        if has_one(text, asked.right):
            return "shown" if place else "first"
    return "missing"


def _is_right(asked: Asked, given: str) -> bool:
    if asked.wrong and asked.wrong.casefold() in given.casefold():
        return False
    return has_one(given, asked.right)


def has_one(text: str, wanted: tuple[str, ...]) -> bool:
    """Tell whether *text* has one of the words *wanted*."""
    return any(one.casefold() in text.casefold() for one in wanted)


def run_json(at: str, *args: str) -> dict[str, Any]:
    """Run the program at *at*, and return what it said. Raises RuntimeError."""
    out = io.StringIO()
    with (
        mock.patch.dict(os.environ, COMPANION_NOW=at),
        contextlib.redirect_stdout(out),
    ):
        code = companion([*args, "--json"])
    if code not in (0, 1):
        raise RuntimeError(f"{args}: {out.getvalue()}")
    return dict(json.loads(out.getvalue()))

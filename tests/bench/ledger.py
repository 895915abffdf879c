"""`python -m tests.bench ledger --data DIR [--only NAME]`: everything that is measured of the claim
ledger, in one go.

DIR holds the sets as their makers publish them; one that is missing is named and skipped. What is
made here (worlds, a hundred thousand claims) needs no DIR. Every figure comes out of the program's
own operations in this very run.
"""

import json
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from companion.values.captures import Draft
from tests.bench.absence import absence
from tests.bench.asking import ask
from tests.bench.beliefs import bmb
from tests.bench.conversations import memops
from tests.bench.falls import falls
from tests.bench.hoard import hoard
from tests.bench.life import life
from tests.bench.reads import budget
from tests.bench.updates import updates


def packs(folder: Path) -> None:
    """Print how many tokens an answer takes, as `ask` counts them, against five notes that search
    finds.
    """
    told = json.loads(
        (folder / "factconsolidation_6k_facts.json").read_text(encoding="utf-8")
    )
    questions = json.loads(
        (folder / "questions_6k.json").read_text(encoding="utf-8")
    )
    with life("2026-11-01T08:00:00.000000Z") as home:
        home.tell_all(
            [
                Draft(fact["text"], source="facts", channel="lines")
                for fact in told
            ]
        )
        home.night()
        docs = [
            doc
            for each in questions
            if (doc := home.ask(each["question"])) is not None
        ]
        found = [
            sum(len(text) // 4 for text in home.search(each["question"], 5))
            for each in questions
        ]
    spent = [doc["tokens"] for doc in docs]
    all_told = sum(len(fact["text"]) // 4 for fact in told)
    print(
        f"  tokens per answer: median {statistics.median(spent):.0f}, most {max(spent)}, of"
        f" {len(spent)} answers; "
        f"five pages from search {statistics.median(found):.0f}; everything told {all_told}"
    )


def facts(folder: Path) -> None:
    ask(folder.parent)
    packs(folder)


# name, which is the folder's -> (what it is, the measure)
SETS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "factconsolidation": ("FactConsolidation 6k through `ask`", facts),
    "memops": ("MemOps, replayed", memops),
    "bmb": ("BMB belief scenarios", bmb),
    "longmemeval": ("LongMemEval, knowledge updates among all turns", updates),
}
MADE_HERE: dict[str, tuple[str, Callable[[], object]]] = {
    "absence": ("Absence on generated worlds", absence),
    "cascade": ("Cascade on generated worlds", falls),
    "hoard": ("Current values in a hoard of claims", hoard),
    "reads": ("A year of reads, in bytes of ledger a capture", budget),
}


def ledger(data: Path, only: str | None = None) -> None:
    """Print every measure, or the one named *only*; a missing set is said, not skipped in
    silence.
    """
    for name, (title, measure) in SETS.items():
        if only in (None, name):
            there = (data / name).is_dir()
            _section(
                title,
                partial(measure, data / name)
                if there
                else partial(print, f"  {name}: not in {data}"),
            )
    for name, (title, made) in MADE_HERE.items():
        if only in (None, name):
            _section(title, made)


def _section(title: str, measure: Callable[[], object]) -> None:
    print(f"\n{title}")
    begun = time.process_time()
    measure()
    print(f"  [{time.process_time() - begun:.0f} CPU s]", flush=True)

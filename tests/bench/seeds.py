"""`python -m tests.bench.seeds --data DIR`: the tables of the papers that this program rests on, each
row with what was measured here, a baseline run here, and what was published.

DIR holds the folder `factconsolidation` as its makers publish it. What takes longer than minutes is
quoted from the page that has it, with its command.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from companion.answers.claims import answer_question
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.values.captures import Draft, Scope
from companion.workspace import Workspace
from tests.bench import asking, worlds
from tests.bench.beliefs import bmb
from tests.bench.field.page import RESULTS as FIELD
from tests.bench.field.page import SETS
from tests.bench.life import life
from tests.bench.staleness import RESULTS as STALENESS
from tests.bench.staleness import Notes
from tests.ledger.isolation import anomalies, beliefs
from tests.made import note_origin, publish

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "seeds.json"
PAGE = QUALITY / "seeds.md"
COMMAND = "python -m tests.bench.seeds --data DIR"
SEEDS = (1, 2, 3)


class Row(NamedTuple):
    """One row of a paper's table."""

    seed: str
    what: str
    here: str
    baseline: str
    published: str
    comparable: str


def toki() -> Row:
    """Return TOKI's verdicts: what three levels of isolation let through, cell by cell."""
    with tempfile.TemporaryDirectory(prefix="companion-toki-") as name:
        folder = Path(name)
        cells = anomalies.grid(folder) + beliefs.drift(folder)
        cells += beliefs.schema()
    right = sum(shows == should for _, _, shows, should in cells)
    admitted = sum(shows for _, _, shows, _ in cells)
    return Row(
        "TOKI",
        "cells of isolation, drift and schema that are as its theorems say, on SQLite",
        f"{right} of {len(cells)}",
        f"{admitted} cells admit an anomaly, as they must: a defence is off there",
        "TOKI alone of eight systems excludes all three anomalies (abstract)",
        "the verdict, yes: LED-8 provokes and excludes the same three; their eight systems were not run",
    )


def memstrata() -> Row:
    """Return the share of stale answers, from the results of `staleness`."""
    served = json.loads(STALENESS.read_text("utf-8"))["served"]

    def share(way: str) -> str:
        found = served[way]
        old = found.get("old as present", 0) / sum(found.values())
        return f"{old:.3f}"

    return Row(
        "MemStrata",
        "stale-fact-error rate: a replaced value served as present",
        f"ask {share('ask')}, context {share('context')}",
        f"nearest note by static vectors over the same store {share('nearest note')}",
        "about 0; RAG .15 to .40 (abstract)",
        "the kind, not the number: their worlds and their 7B reader are others",
    )


def fact_consolidation(data: Path) -> list[Row]:
    """Return right answers on FactConsolidation, by hops."""
    folder = data / "factconsolidation"
    facts = json.loads((folder / "factconsolidation_6k_facts.json").read_text())
    questions = json.loads((folder / "questions_6k.json").read_text())
    told = [fact["text"] for fact in facts]
    store = Notes(told, StaticEmbedder())
    rows = []
    with tempfile.TemporaryDirectory(prefix="companion-seeds-") as room:
        ws = asking.make_wiki(Path(room), told)
        for hops, published in (
            ("sh", "78.0 (gpt-4o-mini), 94.8 (gpt-4o); BM25 48, Zep 7"),
            ("mh", "30.2 (gpt-4o-mini), 51.5 (gpt-4o); best of others 7"),
        ):
            asked = [one for one in questions if f"_{hops}_" in one["source"]]
            here = sum(asking.is_answered(ws, one) for one in asked)
            near = sum(_is_near(store, one) for one in asked)
            name = "one step" if hops == "sh" else "several steps"
            rows.append(
                Row(
                    "Deterministic freshness",
                    f"FactConsolidation 6k, {name}",
                    f"{here} of {len(asked)}",
                    f"latest of the ten nearest facts holds the answer: {near} of {len(asked)}",
                    f"{published}, in percent (abstract)",
                    "nearly: the official questions at 6k; theirs are read by a language model, at sizes the abstract does not name",
                )
            )
    return rows


def _is_near(store: Notes, question: Mapping[str, Any]) -> bool:
    near = store.list_near(question["question"], 10)
    latest = store.notes[max(near)]
    return any(asking.holds(gold, latest) for gold in question["golds"])


def sharing(seeds: Sequence[int] = SEEDS) -> Row:
    """Return what another agent is told of facts that one agent told, shared and in private."""
    right = {"shared": 0, "private": 0}
    asked = 0
    for seed in seeds:
        facts = worlds.replacements(seed, "people", "en")
        asked += len(facts)
        for scope in ("shared", "private"):
            right[scope] += _ask_as_other(facts, scope)  # type: ignore[arg-type]
    return Row(
        "Mneme",
        "cross-agent recall: right answers to an agent other than the one that was told",
        f"shared {right['shared']} of {asked}",
        f"isolated (told in private) {right['private']} of {asked}",
        "shared .211, isolated .000 (MemoryStress, 19 questions)",
        "the mechanism, not the number: their haystack has 1,000 sessions",
    )


def _ask_as_other(facts: Sequence[worlds.Fact], scope: Scope) -> int:
    with life("2026-03-01T08:00:00.000000Z") as home:
        for day in (1, 2):
            home.at(f"2026-03-{day:02d}T18:00:00.000000Z")
            drafts = [
                Draft(words, agent="one", scope=scope)
                for fact in facts
                for when, words in fact.said
                if when == day
            ]
            home.tell_all(drafts)
            home.night()
        other = Workspace(home.place, "2026-03-03T08:00:00.000000Z", who="two")
        return sum(_tells(other, fact) for fact in facts)


def _tells(ws: Workspace, fact: worlds.Fact) -> bool:
    doc = answer_question(ws, fact.question, as_of=None, budget=500)
    return {one["value"] for one in doc["answers"]} == {fact.value}


QUOTED = (
    Row(
        "Mneme",
        "twelve writers on one subject at once",
        "one active claim, the latest by event time, none lost: a case of conformance",
        "a twin that hears one of many writers fails it",
        "the same (twelve threads)",
        "yes: `python -m conformance --only LED-11`",
    ),
    Row(
        "Mneme",
        "tokens to answer against chunk retrieval",
        "a context has at most 600 tokens by default",
        "five chunks of 512 tokens have 2,560",
        "576 against 992 (LongMemEval-S)",
        "no: no model answers here, and no haystack was to be had",
    ),
    Row(
        "MemOps",
        "share of the evidence among five, `dev`",
        ".581",
        "not run at this step",
        "none without a model",
        "no: `python -m tests.bench retrieval --data DIR`",
    ),
)

#: the set, which share of it, its words, what was published of it, whether that can be compared
RANKED = (
    (
        "locomo",
        "session_10",
        "session R@10, half `dev` of three conversations",
        ".603 raw, .889 hybrid, .924 with a large embedder (MemPalace)",
        "the measure, yes; three of ten conversations",
    ),
    (
        "longmemeval",
        "turn_5",
        "R@5 of evidence turns among all questions' turns, half `dev`",
        "none for this pool",
        "no: without the distractors of LongMemEval-S",
    ),
    (
        "beam",
        "all_sides_10",
        "both sides of a contradiction among ten, half `dev`",
        "Mneme .531 and Mem0 .375 answer the contradiction",
        "no: ranks, not answers",
    ),
)


def rank() -> list[Row]:
    """Return the rows of `field`, from its results."""
    listed = json.loads(FIELD.read_text("utf-8"))["rows"]
    marks = {(row["set"], row["program"]): row["marks"] for row in listed}
    rows = []
    for name, share, what, published, comparable in RANKED:
        here, plain = (
            _divide(marks[name, by], share) for by in ("companion", "bm25")
        )
        rows.append(
            Row(
                SETS[name],
                f"{what} ([field](field.md))",
                here,
                f"BM25 {plain}",
                published,
                comparable,
            )
        )
    return rows


def _divide(marks: Mapping[str, float], share: str) -> str:
    of = "sided" if share == "all_sides_10" else "questions"
    return f"{marks[share] / marks[of]:.3f}"


def believe(data: Path) -> Row:
    """Return how many assertions of BMB's scenarios hold."""
    right, asked = bmb(data / "bmb")
    return Row(
        "BMB",
        "assertions of its belief scenarios that hold",
        f"{right} of {asked}",
        "none",
        "none without a model",
        "no: those that a model grades are left out",
    )


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    rows: list[Row]


def measure(data: Path) -> Record:
    """Measure what takes minutes, and quote the rest."""
    rows = [toki(), memstrata(), *fact_consolidation(data), sharing()]
    rows += [*rank(), believe(data), *QUOTED]
    return Record(*note_origin(COMMAND), list(SEEDS), rows)


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    document = record._asdict()
    document["rows"] = [row._asdict() for row in record.rows]
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    rows = [Row(**row) for row in document.pop("rows")]
    return Record(**document, rows=rows)


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    lines = [_HEAD.format(**record._asdict())]
    lines.append(
        "| paper or set | what | this program, `light` | baseline here | published | comparable |"
    )
    lines.append("|---|---|---|---|---|---|")
    lines += [f"| {' | '.join(row)} |" for row in record.rows]
    return "\n".join([*lines, _TAIL])


_HEAD = """# The seeds' tables

Made by `{command}` on {date}, after {commit}; the rows are in [results/seeds.json](results/seeds.json). All but the last
three were measured by it or stand in the results of [field](field.md) and [staleness](staleness.md); those three are quoted or name
the command that shows them.
"""
_TAIL = """
**Not run.** No row has `[vectors]` or `[semantic]`. FactConsolidation at 32k to 262k was not to be had; a world of that kind with
32,080 tokens is in [benches](benches.md#plain-questions-and-numbered-facts). No peer that needs a model key was run.
"""


def main() -> None:
    """Measure, and write the results and the page of the documents."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.seeds")
    parser.add_argument("--data", type=Path, required=True)
    record = measure(parser.parse_args().data)
    publish(PAGE.stem, write_record(record), write_page(record))


if __name__ == "__main__":
    main()

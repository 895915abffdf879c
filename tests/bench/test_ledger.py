"""What is measured of the ledger is right where the answer is known: on tiny scenes made here,
never on real data.
"""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.bench import worlds
from tests.bench.absence import live
from tests.bench.beliefs import bmb
from tests.bench.conversations import memops, targets
from tests.bench.falls import World, by_links, by_sentences
from tests.bench.hoard import hoard, p99
from tests.bench.life import closest, life
from tests.bench.updates import instant, updates
from tests.bench.worlds import DOMAINS, KNOWN, UNKNOWN, Language


def operation(
    kind: str,
    day: int,
    turn: int,
    quote: str,
    value: str,
    validity: str = "confirmed",
) -> dict[str, Any]:
    return {
        "type": kind,
        "validity": validity,
        "new_value": value,
        "evidence_spans": [],
        "target": {"target_id": "title", "target_name": "title"},
        "trigger_span": {
            "segment_index": day,
            "turn_index": turn,
            "quote": quote,
        },
    }


def scene(folder: Path, *sessions: list[tuple[str, str, str, str]]) -> None:
    """Write one scenario: of each session the person's turns as (type, validity, words, value)."""
    operations, conversations = [], []
    for day, said in enumerate(sessions, 1):
        turns = []
        for kind, validity, words, value in said:
            turns += [
                {"role": "user", "content": words},
                {"role": "assistant", "content": "My title is Duke."},
            ]
            operations.append(
                operation(kind, day, len(turns) - 1, words, value, validity)
            )
        conversations.append({"segment_index": day, "dialogue": turns})
    (folder / "A1.json").write_text(
        json.dumps({"operations": operations, "conversations": conversations})
    )


def test_what_was_replaced_and_what_was_weighed_is_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene(
        tmp_path,
        [("remember", "confirmed", "My title is Baker.", "Baker")],
        [("update", "confirmed", "My title is now Miller.", "Miller")],
        [("update", "tentative", "My title might be Farmer.", "Farmer")],
    )

    memops(tmp_path)

    rows = capsys.readouterr().out
    assert "current    values    1: stands 1" in rows
    assert "replaced   values    1: stands 0, fell 1" in rows
    assert (
        "tentative  values    1: stands 0, fell 0, past 0, tentative 1" in rows
    )
    assert (
        "right 1/1" in rows
        and "by claims wholly 1/1" in rows
        and "recall @1 1.000" in rows
    )


def test_what_was_forgotten_and_still_stands_is_a_leak(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene(
        tmp_path,
        [("remember", "confirmed", "My title is Baker.", "Baker")],
        [("forget", "confirmed", "It rains a lot today.", "")],
    )

    memops(tmp_path)

    assert "forgotten  values    1: stands 1" in capsys.readouterr().out


def test_a_conclusion_is_no_target() -> None:
    assert targets([operation("reflect", 1, 1, "", "Baker")]) == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Data Analyst", "Data Analyst"),
        ("the Senior Data Analyst", "Senior Data Analyst"),
        ("a teacher", None),
    ],
)
def test_the_closest_value_is_meant(said: str, meant: str | None) -> None:
    assert closest(said, ["Data Analyst", "Senior Data Analyst"]) == meant


def question(id: str, *said: tuple[str, str]) -> dict[str, Any]:
    sessions = [
        {"date": date, "turns": [{"role": "user", "content": words}]}
        for date, words in said
    ]
    return {
        "question_id": id,
        "question_type": "knowledge-update",
        "question": "What is my title?",
        "answer": "Miller",
        "evidence_sessions": sessions,
    }


def test_a_slot_is_served_and_marked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = question(
        "1",
        ("2023/01/02 (Mon) 10:00", "My title is Baker."),
        ("2023/03/02 (Thu) 10:00", "My title is now Miller."),
    )
    (tmp_path / "turns.json").write_text(json.dumps([first]))

    updates(tmp_path)

    rows = capsys.readouterr().out
    assert (
        "on one key 1/1" in rows
        and "later served 1/1" in rows
        and "marked as replaced 1/1" in rows
    )
    assert "ask: right 1/1" in rows
    assert instant("2023/01/02 (Mon) 10:00") == "2023-01-02T10:00:00.000000Z"


def evidence(polarity: str, source: str) -> dict[str, Any]:
    return {
        "content": "seen",
        "polarity": polarity,
        "weight": 1,
        "reliability": 1,
        "source_ref": source,
    }


def test_beliefs_are_held_against_the_assertions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = "user works at Acme"
    told = {
        "type": "store",
        "label": "told",
        "claim": claim,
        "evidence": [evidence("supports", "a")],
    }
    actions = [
        told,
        {"type": "retract", "label": "gone", "target_label": "told"},
        {"type": "query", "label": "asked", "claim": claim},
    ]
    expected = [
        {"action_label": "told", "truth_state": "true", "merged": False},
        {"action_label": "gone", "affected_beliefs": 1},
        {
            "action_label": "asked",
            "truth_state": "true",
            "confidence_above": 0.5,
        },
    ]
    scenario = {
        "name": "one",
        "category": "retraction",
        "actions": actions,
        "expectations": expected,
    }
    (tmp_path / "scenarios.json").write_text(json.dumps([scenario]))

    bmb(tmp_path)

    rows = capsys.readouterr().out
    assert "one, asked: truth_state is neither, not true" in rows
    assert (
        "assertions that hold: 3/4" in rows
        and "graded ones not covered: 1" in rows
    )


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("domain", DOMAINS)
def test_a_world_knows_its_answers(domain: str, language: Language) -> None:
    facts = worlds.world(1, domain, language)

    assert (
        facts
        == worlds.world(1, domain, language)
        != worlds.world(2, domain, language)
    )
    assert {fact.fate for fact in facts} >= {
        "told",
        "updated",
        "absent",
        "deleted",
    }
    for fact in facts:
        assert fact.subject in fact.question and "{" not in fact.question
        assert (
            bool(fact.value) == (fact.fate in KNOWN) != (fact.fate in UNKNOWN)
        )
        assert not fact.value or fact.value in fact.said[-1][1]
        assert fact.old != fact.value


def test_a_deleted_page_is_gone_when_the_world_is_asked() -> None:
    facts = [
        fact
        for fact in worlds.world(1, "services", "en")
        if fact.fate in ("told", "deleted")
    ]
    with life("2026-03-01T08:00:00.000000Z") as home:
        live(home, facts)
        texts = [
            page.read_text(encoding="utf-8") for page in home.root.rglob("*.md")
        ]

    for fact in facts:
        assert any(fact.said[0][1] in text for text in texts) == (
            fact.fate == "told"
        )


def test_reads_are_compared_with_bare_sql(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hoard(200, 20)

    rows = capsys.readouterr().out
    assert "200 claims of 20 subjects" in rows
    assert re.search(r"bare SQL .*\( *1\.0 x\)", rows) and re.search(
        r"claims SUBJECT PREDICATE .* x\)", rows
    )
    assert p99(list(range(100))) == 99


def test_a_missing_set_is_named(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "tests.bench",
        "ledger",
        "--data",
        str(tmp_path),
        "--only",
        "bmb",
    ]

    done = subprocess.run(
        command,
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
    )

    assert (
        done.returncode == 0
        and f"bmb: not in {tmp_path}" in done.stdout
        and "MemOps" not in done.stdout
    )


@pytest.mark.parametrize("kind", ["sentences", "links"])
def test_what_must_fall_is_the_closure_of_what_falls(kind: str) -> None:
    world = World(1, "en")
    assert world.things == World(1, "en").things != World(2, "en").things
    must = world.resting()
    assert must and must >= {
        thing for thing, on in world.on.items() if on in world.falling
    }
    assert all(world.on[thing] in must | set(world.falling) for thing in must)

    with life("2026-03-01T08:00:00.000000Z") as home:
        flagged, reached = {"sentences": by_sentences, "links": by_links}[kind](
            home, world
        )

    gone = set(world.falling) if kind == "links" else set()
    assert flagged == must - gone and reached & set(world.on) >= must

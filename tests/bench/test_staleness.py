"""Stale answers: what is published is what was measured, and a world of it lives again."""

import pytest

from companion.language.vectors.static_vectors import StaticEmbedder
from tests.bench import worlds
from tests.bench.life import life
from tests.bench.staleness import (
    CLASSES,
    PAGE,
    RESULTS,
    WAYS,
    Record,
    Shown,
    _live,
    ask,
    classify,
    judge_answer,
    read_record,
    write_page,
    write_record,
)

FACT = worlds.replacements(1, "people", "en", subjects=1)[0]


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(RESULTS.read_text("utf-8"))


def test_the_page_says_what_is_recorded(record: Record) -> None:
    assert read_record(write_record(record)) == record
    assert PAGE.read_text("utf-8") == write_page(record)


def test_a_thousand_replacements_were_asked_for(record: Record) -> None:
    for counts in record.served.values():
        assert sum(counts.values()) >= 1000
        assert counts.keys() <= set(CLASSES)


def test_the_first_thing_that_names_a_value_decides() -> None:
    new, old = Shown(f"It is {FACT.value}."), Shown(f"It is {FACT.old}.")
    assert classify([Shown("Nothing."), new, old], FACT) == "new"
    assert classify([old, new], FACT) == "old as present"
    assert classify([old._replace(is_marked=True)], FACT) == "old marked"
    assert classify([Shown(f"{FACT.old}, now {FACT.value}")], FACT) == "new"
    assert classify([], FACT) == "neither"


def test_silence_is_right_only_where_nothing_is_known() -> None:
    assert judge_answer(set(), set()) == "right"
    assert judge_answer(set(), {"a"}) == "nothing"
    assert judge_answer({"a", "b"}, {"a"}) == "wrong"


def test_a_small_world_serves_no_replaced_value_and_likeness_alone_does() -> (
    None
):
    facts = worlds.replacements(7, "people", "en", subjects=4)
    shown: dict[str, list[str]] = {}
    with life("2026-03-01T08:00:00.000000Z") as home:
        for way, found, fact in _live(home, facts, StaticEmbedder()):
            shown.setdefault(way, []).append(classify(found, fact))
        again = [classify(ask(home, fact.question), fact) for fact in facts]

    assert shown.keys() > WAYS.keys()
    assert set(shown["ask"]) == {"new"}
    assert again == shown["ask"], "a retry gains nothing"
    assert "old as present" in shown["nearest note"]

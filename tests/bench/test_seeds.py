"""The seeds' tables: the page is what was measured, and sharing is measured again."""

import json

import pytest

from tests.bench import seeds, worlds
from tests.bench.seeds import KIND, QUOTED, ask_as_other, ask_each, rank
from tests.bench.seeds_page import (
    PAGE,
    RESULTS,
    Record,
    read_record,
    write_page,
    write_record,
)
from tests.bench.serial_facts.run import answer
from tests.bench.staleness import RESULTS as STALENESS


@pytest.fixture
def record() -> Record:
    return read_record(RESULTS.read_text("utf-8"))


def test_the_page_says_what_is_recorded(record: Record) -> None:
    assert read_record(write_record(record)) == record
    assert PAGE.read_text("utf-8") == write_page(record)
    assert record.parts["quoted"].rows == list(QUOTED)


def test_rows_of_other_pages_say_the_same_as_these(record: Record) -> None:
    assert record.parts["rank"].rows == list(rank())
    served = json.loads(STALENESS.read_text("utf-8"))["served"]
    (stale,) = record.parts["memstrata"].rows
    assert stale.light == seeds.show_stale(served)


def test_every_size_of_the_kind_is_recorded(record: Record) -> None:
    rows = record.parts["kind"].rows
    assert len(rows) == 2 * len(KIND)
    for size in KIND:
        assert sum(f", {size} (" in row.what for row in rows) == 2


def test_a_small_world_of_the_kind_is_answered() -> None:
    found = answer(120)
    right = sum(each.verdict == "right" for each in found.answered)
    wrong = sum(each.verdict == "wrong" for each in found.answered)
    assert right >= 0.8 * len(found.answered)
    assert wrong <= 0.05 * len(found.answered)
    assert found.count(one_step=True).total() >= 60


def test_another_agent_is_told_what_was_shared_and_nothing_private() -> None:
    facts = worlds.replacements(5, "people", "en", subjects=2)
    assert ask_as_other(facts, "shared") == len(facts)
    assert ask_as_other(facts, "private") == 0


def test_an_extra_that_is_not_installed_is_not_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seeds, "EXTRAS", {"vectors": "json", "semantic": "no"})
    found = ask_each(lambda reasoner: f"by {reasoner}")
    assert found == ("by light", "by vectors", seeds.LACKING)
    assert ask_each(str.upper, "known").light == "known"

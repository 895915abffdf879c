"""The seeds' tables: the page is what was measured, and sharing is measured again."""

from tests.bench import worlds
from tests.bench.seeds import (
    PAGE,
    QUOTED,
    RESULTS,
    _ask_as_other,
    memstrata,
    rank,
    read_record,
    write_page,
    write_record,
)


def test_the_page_says_what_is_recorded() -> None:
    record = read_record(RESULTS.read_text("utf-8"))
    assert read_record(write_record(record)) == record
    assert PAGE.read_text("utf-8") == write_page(record)
    assert memstrata() in record.rows
    assert set(QUOTED) < set(record.rows)
    assert set(rank()) < set(record.rows)


def test_another_agent_is_told_what_was_shared_and_nothing_private() -> None:
    facts = worlds.replacements(5, "people", "en", subjects=2)
    assert _ask_as_other(facts, "shared") == len(facts)
    assert _ask_as_other(facts, "private") == 0

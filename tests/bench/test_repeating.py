"""Nights of repeated facts: what is published was measured."""

from tests.bench.repeating import (
    PAGE,
    RESULTS,
    Record,
    read_record,
    write_page,
    write_record,
)


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    assert PAGE.read_text("utf-8") == write_page(record)


def test_the_last_nights_are_compared_with_the_first_full_ones() -> None:
    nights = [9.0, *[1.0] * 4, *[5.0] * 11, *[2.0] * 4]
    paces = [0.5] * 16 + [1.0] * 4
    record = Record("c", "0" * 8, "d", [1], nights, paces, 1900)
    assert (record.ratio, record.ratio_of_seconds) == (1.0, 2.0)
    page = write_page(record)
    assert "cost 1.00 times as much" in page
    assert "in seconds it is 2.00 times" in page

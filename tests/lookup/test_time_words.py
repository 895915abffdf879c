"""Times in words: read by the clock of the machine's zone, in several languages."""

import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from companion.lookup.time_words import (
    find_today,
    read_as_of,
    read_span,
    read_told,
)
from companion.values.time import BadTime
from tests.wiki import Wiki

#: a Monday, 00:30 in Berlin: in UTC it is still Sunday
NOW = datetime.fromisoformat("2026-11-22T23:30:00+00:00")


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiki]:
    made = Wiki.new(tmp_path / "wiki")
    made.now = NOW
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield made
    monkeypatch.delenv("TZ")
    time.tzset()


@pytest.mark.parametrize(
    ("words", "first", "days"),
    [
        ("yesterday", "2026-11-21T23:00", 1),
        ("Yesterday", "2026-11-21T23:00", 1),
        ("today", "2026-11-22T23:00", 1),
        ("last friday", "2026-11-19T23:00", 1),
        ("3 weeks ago", "2026-11-01T23:00", 7),
        ("gestern", "2026-11-21T23:00", 1),
        ("vor zwei Tagen", "2026-11-20T23:00", 1),
        ("letzten Freitag", "2026-11-19T23:00", 1),
        ("ayer", "2026-11-21T23:00", 1),
        ("hier", "2026-11-21T23:00", 1),
        ("ieri", "2026-11-21T23:00", 1),
        ("gisteren", "2026-11-21T23:00", 1),
        ("2026-11-03", "2026-11-02T23:00", 1),
        ("2026-11", "2026-10-31T23:00", 30),
        ("2026-07-01", "2026-06-30T22:00", 1),
    ],
)
def test_words_name_a_stretch_of_local_time(
    wiki: Wiki, words: str, first: str, days: int
) -> None:
    span = read_span(wiki.ws, words)

    assert span.start[:16] == first
    passed = datetime.fromisoformat(span.end) - datetime.fromisoformat(
        span.start
    )
    assert passed.total_seconds() == days * 86_400


def test_a_day_on_which_the_clocks_change_has_its_own_length(
    wiki: Wiki,
) -> None:
    span = read_span(wiki.ws, "2026-10-25")

    assert (span.start[:16], span.end[:16]) == (
        "2026-10-24T22:00",
        "2026-10-25T23:00",
    )


def test_an_answer_is_as_of_the_end_of_what_words_name(wiki: Wiki) -> None:
    ws = wiki.ws
    assert read_as_of(ws, "yesterday") == "2026-11-22T22:59:59.999999Z"
    assert read_as_of(ws, "today") == read_as_of(ws, "now") == ws.now()
    assert read_as_of(ws, "2026-03-01") == "2026-03-01"
    assert read_as_of(ws, None) is None


def test_a_telling_of_a_day_is_told_as_its_date(wiki: Wiki) -> None:
    ws = wiki.ws
    assert read_told(ws, "yesterday") == "2026-11-22"
    assert read_told(ws, "last month") == "2026-10"
    assert read_told(ws, "last year") == "2025"
    assert read_told(ws, "yesterday 10:00") == "2026-11-22T09:00:00.000000Z"
    assert read_told(ws, "2026-11-21T18:30Z") == "2026-11-21T18:30Z"
    assert read_told(ws, "now") == ws.now()


def test_today_ends_at_local_midnight(wiki: Wiki) -> None:
    today = find_today(wiki.ws)
    assert (today.start[:16], today.end[:16]) == (
        "2026-11-22T23:00",
        "2026-11-23T23:00",
    )


@pytest.mark.parametrize(
    "words", ["some day", "", "yesterday or so", "x" * 200, "ago"]
)
def test_other_words_are_no_time_and_are_not_repeated(
    wiki: Wiki, words: str
) -> None:
    for read in (read_span, read_as_of, read_told):
        with pytest.raises(BadTime) as error:
            read(wiki.ws, words)
        assert "yesterday" in (error.value.hint or "")
        assert not words or words not in str(error.value)


def test_a_day_that_the_calendar_lacks_is_named(wiki: Wiki) -> None:
    with pytest.raises(BadTime, match="there is no day 2026-02-30"):
        read_as_of(wiki.ws, "2026-02-30")

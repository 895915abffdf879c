"""Instants: what is read, what is refused, and that strings sort as times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.values.time import (
    BadTime,
    after,
    format_instant,
    next_transaction,
    parse_instant,
    precision,
)

# Two days from either end, so that no zone leads out of the years that exist.
moments = st.timedeltas(timedelta(0), timedelta(days=3_652_050)).map(
    lambda since: (datetime(1, 1, 3, tzinfo=UTC) + since).replace(tzinfo=None)
)
zones = st.integers(-1439, 1439).map(
    lambda minutes: timezone(timedelta(minutes=minutes))
)


@pytest.mark.parametrize(
    ("text", "instant", "exactness"),
    [
        ("2026", "2026-01-01T00:00:00.000000Z", "year"),
        ("2026-03", "2026-03-01T00:00:00.000000Z", "month"),
        ("2024-02-29", "2024-02-29T00:00:00.000000Z", "day"),
        ("0001-01-01", "0001-01-01T00:00:00.000000Z", "day"),
        ("2026-03-01T14:30", "2026-03-01T14:30:00.000000Z", "minute"),
        ("2026-03-01 14:30:05", "2026-03-01T14:30:05.000000Z", "second"),
        ("2026-03-01t14:30:05z", "2026-03-01T14:30:05.000000Z", "second"),
        ("2026-03-01T14:30:05.5Z", "2026-03-01T14:30:05.500000Z", "fraction"),
        (
            "2026-03-01T14:30:05.123456789Z",
            "2026-03-01T14:30:05.123456Z",
            "fraction",
        ),
        ("2026-03-01T00:30+01:00", "2026-02-28T23:30:00.000000Z", "minute"),
        ("2026-03-01 00:30:00 +0100", "2026-02-28T23:30:00.000000Z", "second"),
        ("2026-03-01T00:30:00-01", "2026-03-01T01:30:00.000000Z", "second"),
        ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999Z", "second"),
        ("2017-01-01T00:59:60+01:00", "2016-12-31T23:59:59.999999Z", "second"),
        ("2026-02-28T24:00", "2026-03-01T00:00:00.000000Z", "minute"),
        (
            "9999-12-31T23:59:59.999999Z",
            "9999-12-31T23:59:59.999999Z",
            "fraction",
        ),
    ],
)
def test_reads(text: str, instant: str, exactness: str) -> None:
    assert parse_instant(text) == instant
    assert precision(text) == exactness


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "now",
        "next tuesday",
        "2026-13",
        "2026-00",
        "2026-02-30",
        "2025-02-29",
        "2026-3-1",
        "2026-03-01T24:00:01",
        "2026-03-01T25:00",
        "2026-03-01T12:60",
        "2026-03-01T12:30:61",
        "2026-03-01T12:30:60",
        "0000-01-01",
        "10000-01-01",
        "20260301",
        "2026-03-01T",
        "2026-03-01T10",
        "2026-03-01T10:00:00+24:00",
        "2026-03-01T10:00:00+01:60",
        "0001-01-01T00:00+00:01",
        "9999-12-31T23:59-00:01",
        "9999-12-31T24:00",
        "\uff12\uff10\uff12\uff16-03-01",
        "٢٠٢٦-03-01",
        "2026-03-01\n",
        "2026-03-01\0",
        "9" * 10_000,
        "2026-03-01T10:00:00." + "1" * 9999,
        "2026-03-01Z",
        "-2026-03-01",
    ],
)
def test_refuses_with_a_hint(text: str) -> None:
    with pytest.raises(BadTime) as caught:
        parse_instant(text)

    assert caught.value.exit_code == 2
    assert "2026-03-01" in caught.value.hint
    assert len(str(caught.value)) < 100


def test_never_quotes_what_it_could_not_read() -> None:
    with pytest.raises(BadTime) as caught:
        parse_instant("hunter2-is-my-password")

    assert "hunter2" not in str(caught.value)


@given(moments, zones)
def test_round_trip(moment: datetime, zone: timezone) -> None:
    instant = format_instant(moment.replace(tzinfo=zone))

    assert parse_instant(instant) == instant
    assert datetime.fromisoformat(instant) == moment.replace(tzinfo=zone)
    assert parse_instant(moment.replace(tzinfo=zone).isoformat()) == instant


@given(moments, moments)
def test_strings_sort_as_times(one: datetime, other: datetime) -> None:
    first, second = (
        format_instant(m.replace(tzinfo=UTC)) for m in (one, other)
    )

    assert (first < second) == (one < other)
    assert len(first) == 27


@given(moments)
def test_after_is_the_very_next(moment: datetime) -> None:
    instant = format_instant(moment.replace(tzinfo=UTC))

    assert datetime.fromisoformat(after(instant)) - datetime.fromisoformat(
        instant
    ) == timedelta(microseconds=1)


@given(moments, moments)
def test_a_clock_set_back_never_reorders(
    clock: datetime, last: datetime
) -> None:
    told, before = (
        format_instant(m.replace(tzinfo=UTC)) for m in (clock, last)
    )

    assert next_transaction(told, before) == max(told, after(before))
    assert next_transaction(told, before) > before
    assert next_transaction(told, None) == told


def test_time_ends() -> None:
    with pytest.raises(BadTime):
        after("9999-12-31T23:59:59.999999Z")
    with pytest.raises(BadTime):
        format_instant(
            datetime.max.replace(tzinfo=timezone(-timedelta(hours=1)))
        )
    with pytest.raises(ValueError, match="zone"):
        format_instant(datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None))

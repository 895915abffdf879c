"""Instants: what is read, what is refused, and that strings sort as times."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.values.time import (
    BadTime,
    after,
    check_utc_offset,
    find_utc_offset,
    format_instant,
    local_day,
    local_minute,
    local_moment,
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


# -- the teller's own clock ------------------------------------------------------------------------

offsets = st.integers(-14 * 60, 14 * 60)


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("2026-11-22T23:30+02:00", 120),
        ("2026-11-22 23:30 -0330", -210),
        ("2026-11-22T23:30+14", 840),
        ("2026-11-22T23:30-14:00", -840),
        ("2026-11-22T23:30+14:01", None),
        ("2026-11-22T23:30-23:59", None),
        ("2026-11-22T23:30Z", None),
        ("2026-11-22T23:30+00:00", None),
        ("2026-11-22T23:30", None),
        ("2026-11-22", None),
    ],
)
def test_the_offset_is_the_one_that_the_time_names(
    text: str, offset: int | None
) -> None:
    assert find_utc_offset(text) == offset


@pytest.mark.parametrize(
    ("instant", "offset", "minute"),
    [
        ("2026-11-22T22:30:59.999999Z", None, "2026-11-22 22:30"),
        ("2026-11-22T22:30:00.000000Z", 60, "2026-11-22 23:30"),
        ("2026-11-22T22:30:00.000000Z", 120, "2026-11-23 00:30"),
        ("2026-11-22T22:30:00.000000Z", -330, "2026-11-22 17:00"),
        ("2026-12-31T23:59:59.000000Z", 1, "2027-01-01 00:00"),
        ("2027-01-01T00:00:00.000000Z", -1, "2026-12-31 23:59"),
        ("2024-02-28T12:00:00.000000Z", 840, "2024-02-29 02:00"),
        ("2026-01-01T13:59:00.000000Z", -840, "2025-12-31 23:59"),
        # Central Europe, a second before and after the clocks went forward, and back
        ("2026-03-29T00:59:59.000000Z", 60, "2026-03-29 01:59"),
        ("2026-03-29T01:00:00.000000Z", 120, "2026-03-29 03:00"),
        ("2026-10-25T00:59:59.000000Z", 120, "2026-10-25 02:59"),
        ("2026-10-25T01:00:00.000000Z", 60, "2026-10-25 02:00"),
        # no clock shows a year outside the calendar
        ("0001-01-01T00:00:00.000000Z", -1, "0001-01-01 00:00"),
        ("0001-01-01T00:00:00.000000Z", 840, "0001-01-01 14:00"),
        ("9999-12-31T23:59:59.999999Z", 1, "9999-12-31 23:59"),
        ("9999-12-31T23:59:59.999999Z", -840, "9999-12-31 09:59"),
    ],
)
def test_the_day_and_minute_of_a_telling_are_those_of_its_own_clock(
    instant: str, offset: int | None, minute: str
) -> None:
    assert local_minute(instant, offset) == minute
    assert local_day(instant, offset) == minute[:10]


@given(moments, offsets)
def test_the_clock_that_a_time_was_told_by_shows_it_as_it_was_told(
    moment: datetime, offset: int
) -> None:
    zone = timezone(timedelta(minutes=offset))
    text = moment.replace(tzinfo=zone).isoformat()
    found = find_utc_offset(text)
    assert found == (offset or None)
    instant = parse_instant(text)
    assert local_minute(instant, found) == text[:16].replace("T", " ")
    assert local_day(instant, found) == text[:10]


@given(moments, offsets)
def test_a_day_differs_from_that_of_utc_by_one_at_most(
    moment: datetime, offset: int
) -> None:
    instant = format_instant(moment.replace(tzinfo=UTC))
    local = datetime.fromisoformat(local_day(instant, offset))
    assert abs(local - datetime.fromisoformat(instant[:10])).days <= 1


@given(st.integers())
def test_an_offset_is_recorded_where_it_is_plausible_and_not_zero(
    minutes: int,
) -> None:
    recorded = check_utc_offset(minutes)
    assert recorded == (minutes if minutes and -840 <= minutes <= 840 else None)


def test_a_time_told_as_a_day_has_no_minute() -> None:
    day = "2026-03-01T00:00:00.000000Z"

    assert local_moment(day, None) == "2026-03-01"
    assert local_moment(day, 60) == "2026-03-01 01:00"
    assert local_moment("2026-03-01T00:01:00.000000Z", None) == (
        "2026-03-01 00:01"
    )

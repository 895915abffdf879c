"""Which nights were missed, and why."""

import re
from datetime import date, datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from companion.reading.morning.missed import Missed, find_missed
from companion.sleep.decision import policy
from companion.sleep.nights import AWAKE, NightRecord

MONDAY = date(2026, 11, 23)
POLICY = Path(policy.__file__)


def night(
    day: int,
    outcome: str = "slept",
    *,
    at: str = "04:52",
    kind: str = "",
    why: str = "",
) -> NightRecord:
    """A record that ended at the time *at* of a day of November."""
    ended = f"2026-11-{day:02}T{at}:00+01:00"
    return NightRecord(ended, ended, outcome, "night", why, kind, None, ())


BATTERY = "The machine runs on its battery; it waits for mains."
AFTERWARDS = "The machine ran on its battery."


def test_nothing_is_missed_where_nothing_was_recorded() -> None:
    assert find_missed([], MONDAY) == []


def test_nothing_is_missed_before_the_first_record() -> None:
    assert find_missed([night(22), night(23)], MONDAY) == []


def test_a_night_that_something_kept_away_is_named_with_the_reason() -> None:
    records = [
        night(20),
        night(21, "waited", why=BATTERY, kind="on battery"),
        # as a wake that waits records it: of that moment, not of now
        night(22, "waited", why=f"{AWAKE} {BATTERY}", kind="on battery"),
        night(23),
    ]

    assert find_missed(records, MONDAY) == [
        Missed(date(2026, 11, 21), date(2026, 11, 22), AFTERWARDS)
    ]


def test_every_reason_to_wait_that_misses_a_night_is_told_afterwards() -> None:
    """The policy says why it waits now; in the morning it was so."""
    kinds = set(re.findall(r'_wait\(\s*"([a-z ]+)"', POLICY.read_text()))
    assert len(kinds) > 8
    for kind in kinds - {"nothing due", "leased"}:
        waits = night(22, "waited", why="It is so now.", kind=kind)
        (missed,) = find_missed([night(21), waits, night(23)], MONDAY)
        assert missed.why != "It is so now.", kind


def test_days_without_a_record_are_missed_for_want_of_a_machine() -> None:
    (missed,) = find_missed([night(19), night(23)], MONDAY)

    assert (missed.first.day, missed.last.day) == (20, 22)
    assert "the machine was off" in missed.why


def test_the_night_of_today_may_still_come() -> None:
    assert find_missed([night(22)], MONDAY) == []
    waits = night(23, "waited", why=BATTERY, kind="on battery")
    assert find_missed([night(22), waits], MONDAY)[0].why == AFTERWARDS


def test_a_day_on_which_nothing_was_due_missed_nothing() -> None:
    idle = night(22, "waited", kind="nothing due", why="Nothing waits.")
    assert find_missed([night(21), idle, night(23)], MONDAY) == []


def test_a_night_before_midnight_is_that_of_the_next_morning() -> None:
    assert find_missed([night(21), night(22, at="23:30")], MONDAY) == [
        Missed(
            date(2026, 11, 22),
            date(2026, 11, 22),
            find_missed([night(21), night(23)], MONDAY)[0].why,
        )
    ]


@given(
    st.lists(
        st.tuples(
            st.integers(1, 23), st.sampled_from(["slept", "waited", "failed"])
        ),
        max_size=20,
    )
)
def test_no_night_is_both_slept_and_missed(
    nights: list[tuple[int, str]],
) -> None:
    records = [
        night(day, outcome, why="Why.") for day, outcome in sorted(nights)
    ]
    slept = {
        datetime.fromisoformat(each.ended).date()
        for each in records
        if each.outcome == "slept"
    }

    missed = find_missed(records, MONDAY)

    days = []
    for each in missed:
        span = (each.last - each.first).days
        days += [each.first + timedelta(days=n) for n in range(span + 1)]
    assert len(days) == len(set(days)) <= 7
    assert not slept & set(days)

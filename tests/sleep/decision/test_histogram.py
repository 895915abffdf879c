"""The histogram learns when a person works, and forgets how they used to."""

from datetime import datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.sleep.decision import histogram
from companion.sleep.decision.histogram import (
    Histogram,
    find_window,
    make_histogram,
    next_usual_hour,
)

MONDAY = datetime(2026, 11, 2)  # noqa: DTZ001 - local wall time


def work(
    days: int, hours: range, *, since: datetime = MONDAY
) -> list[datetime]:
    """Interactions at half past each of *hours*, on weekdays."""
    moments = []
    for day in range(days):
        date = since + timedelta(days=day)
        if date.weekday() < 5:
            moments += [
                date + timedelta(hours=hour, minutes=30) for hour in hours
            ]
    return moments


def office(now: datetime) -> Histogram:
    return make_histogram(work(21, range(8, 18)), now)


def test_it_knows_when_the_person_begins() -> None:
    tuesday = MONDAY + timedelta(days=22, hours=3, minutes=15)
    assert next_usual_hour(office(tuesday), tuesday) == (8 - 3) * 60 - 15
    at_noon = tuesday.replace(hour=12)
    assert next_usual_hour(office(at_noon), at_noon) == 0


def test_a_night_lies_in_the_middle_of_the_free_hours() -> None:
    evening = MONDAY + timedelta(days=21, hours=22)
    window = find_window(office(evening), evening, lasts=30)
    assert window is not None
    begins = evening + timedelta(minutes=window)
    assert datetime(2026, 11, 24, 0) < begins < datetime(2026, 11, 24, 2)  # noqa: DTZ001
    after = MONDAY + timedelta(days=22, hours=4, minutes=45)
    assert find_window(office(after), after, lasts=30) == 0


def test_a_closed_laptop_sleeps_while_it_is_open() -> None:
    evening = MONDAY + timedelta(days=21, hours=18, minutes=20)
    awake = [
        1.0 if 7 <= hour < 23 else 0.0 for _ in range(7) for hour in range(24)
    ]
    window = find_window(office(evening), evening, lasts=30, awake=awake)
    assert window is not None
    begins = evening + timedelta(minutes=window)
    assert begins.hour in range(18, 23)


def test_few_days_predict_nothing() -> None:
    now = MONDAY + timedelta(days=2, hours=3)
    few = make_histogram(work(2, range(8, 18)), now)
    assert next_usual_hour(few, now) is None
    assert find_window(few, now, lasts=30) is None
    assert next_usual_hour(make_histogram([], now), now) is None


def test_a_new_life_replaces_the_old_one() -> None:
    days = work(42, range(8, 12)) + work(
        42, range(20, 24), since=MONDAY + timedelta(days=42)
    )
    now = MONDAY + timedelta(days=85, hours=3)
    later = make_histogram(days, now)
    assert next_usual_hour(later, now) == 17 * 60


@given(
    st.lists(
        st.datetimes(
            MONDAY - timedelta(days=200), MONDAY + timedelta(days=2000)
        )
    )
)
def test_shares_are_shares_and_the_future_counts_nothing(
    moments: list[datetime],
) -> None:
    found = make_histogram(moments, MONDAY)
    assert all(0 <= share <= 1 for share in found.shares)
    assert 0 <= found.days <= histogram.REACH + 1
    assert found == make_histogram([m for m in moments if m <= MONDAY], MONDAY)


# the last hour that is looked at was once taken to end with the minute of now
@example([0, 0, 0, 10, 24, 161, 171, 329, 353, 367], 303.0, 119)
@given(
    st.lists(st.integers(0, 20 * 24), min_size=10),
    st.floats(1, 600),
    st.integers(0, 23 * 60),
)
def test_a_window_has_room_before_the_next_session(
    hours: list[int], lasts: float, minute: int
) -> None:
    moments = [MONDAY + timedelta(hours=hour) for hour in hours]
    now = MONDAY + timedelta(days=21, minutes=minute)
    usual = make_histogram(moments, now)
    window = find_window(usual, now, lasts)
    if window is None:
        return
    begins = now + timedelta(minutes=window)
    for share_hour in (begins, begins + timedelta(minutes=max(lasts - 1, 0))):
        place = share_hour.weekday() * 24 + share_hour.hour
        assert usual.shares[place] < histogram.FREE


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_change_of_summer_time_moves_it_by_an_hour_at_most(
    shift: int,
) -> None:
    moments = work(21, range(8, 18))
    shifted = [m + timedelta(hours=shift) if m.day > 20 else m for m in moments]
    now = MONDAY + timedelta(days=22, hours=3)
    begins = next_usual_hour(make_histogram(shifted, now), now)
    assert begins is not None and abs(begins - 300) <= 60

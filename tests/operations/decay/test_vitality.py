"""Vitality: the formula of MaM §5.3 with all of its terms, and when its decision falls."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lifecycle.compress import measure_distortion
from companion.operations.decay import vitality
from companion.operations.decay.vitality import PRESENT, Columns
from companion.values.decay.decay_policy import WEIGHT_NAMES, Policy
from companion.values.time import days_between

NOW = "2026-11-22T12:00:00.000000Z"
PLAIN = Policy()

days = st.floats(0, 40_000)
counts = st.integers(0, 100_000)
shares = st.floats(0, 1)
bases = st.floats(0, 0.99)
weights = st.floats(0.0001, 1000)
policies = st.builds(Policy, **dict.fromkeys(WEIGHT_NAMES, weights))


def total(policy: Policy = PLAIN, **given: float) -> float:
    values = {
        "days": 10.0,
        "count": 3,
        "utility": 0.5,
        "base": 0.4,
        "distortion": 0.2,
        **given,
    }
    found = vitality.terms(policy=policy, **values)  # type: ignore[arg-type]
    return (
        found.recency
        + found.frequency
        + found.utility
        + found.gravity
        - found.wear
    )


def test_the_formula_is_the_papers() -> None:
    """DEC-1: w_r/days + w_f·count + w_u·utility + w_g·G_eff - w_d·distortion."""
    found = vitality.terms(
        days=10,
        count=3,
        utility=0.5,
        base=0.4,
        distortion=0.2,
        policy=Policy(2, 3, 5, 7, 11),
    )
    assert found == pytest.approx(
        (2 / 10, 3 * 3, 5 * 0.5, 7 * 0.4 / (1 + 10 / 180), 11 * 0.2)
    )
    assert found.total == pytest.approx(
        0.2 + 9 + 2.5 + 7 * 0.4 / (1 + 10 / 180) - 2.2, abs=1e-6
    )


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"days": 3.0}, {"days": 4.0}),
        ({"count": 4}, {"count": 3}),
        ({"utility": 0.6}, {"utility": 0.5}),
        ({"base": 0.5}, {"base": 0.4}),
        ({"distortion": 0.1}, {"distortion": 0.2}),
    ],
)
def test_every_term_counts(
    better: dict[str, float], worse: dict[str, float]
) -> None:
    assert total(**better) > total(**worse)


@given(policies, days, counts, st.floats(-1, 1), bases, shares)
def test_many_at_once_are_what_each_is(
    policy: Policy,
    since: float,
    count: int,
    utility: float,
    base: float,
    distortion: float,
) -> None:
    import numpy as np

    columns = Columns(
        *(
            np.array([value], float)
            for value in (since, count, utility, base, distortion)
        )
    )
    one = vitality.terms(
        days=since,
        count=count,
        utility=utility,
        base=base,
        distortion=distortion,
        policy=policy,
    )
    assert vitality.measure_columns(columns, policy)[0] == pytest.approx(
        one.total, rel=1e-9, abs=2e-6
    )


@pytest.mark.parametrize("since", [0.0, 0.5, 1.0, -365.0])
def test_today_counts_as_one_day_and_a_clock_set_back_as_today(
    since: float,
) -> None:
    assert total(days=since) <= total(days=0.0)
    assert (
        vitality.terms(
            days=since, count=0, utility=0, base=0, distortion=0, policy=PLAIN
        ).recency
        == 1.0
    )


def test_among_many_a_clock_set_back_counts_as_today_too() -> None:
    import numpy as np

    days = np.array([-365.0, -0.5, 0.0])
    none = np.zeros(3)
    columns = Columns(days, none, none, none + 0.5, none)
    ahead, *_, today = vitality.measure_columns(columns, PLAIN)
    assert ahead == today


def test_among_many_a_millionth_is_the_smallest_difference() -> None:
    import numpy as np

    one = np.array([3.0])
    columns = Columns(one, one, one / 7, one / 11, one / 13)
    (found,) = vitality.measure_columns(columns, PLAIN)
    assert found == round(float(found), 6)


def test_time_is_counted_from_the_last_access_and_never_backwards() -> None:
    assert days_between("2026-11-20T12:00:00.000000Z", NOW) == 2
    assert days_between("2027-11-20T12:00:00.000000Z", NOW) == 0
    assert days_between(None, NOW) == 0


def used(*ago: int) -> list[str]:
    return [
        f"2026-11-{22 - day:02}" if day < 22 else f"2026-08-{day - 20:02}"
        for day in ago
    ]


def test_the_decision_waits_for_seven_days_of_use() -> None:
    """Time away is no neglect: days on which nobody was there decide nothing."""
    assert (
        vitality.deciding_instant(used(*range(PRESENT)), NOW)
        == "2026-11-16T00:00:00.000000Z"
    )
    assert vitality.deciding_instant(used(*range(PRESENT - 1)), NOW) is None
    assert vitality.deciding_instant([], NOW) is None


def test_who_was_away_finds_the_decision_where_it_was() -> None:
    before = [f"2026-08-{day:02}" for day in range(1, 11)]
    assert (
        vitality.deciding_instant([*before, "2026-11-22"], NOW)
        == "2026-08-05T00:00:00.000000Z"
    )


def test_days_ahead_of_the_clock_are_a_clocks_mistake() -> None:
    ahead = [f"2027-01-{day:02}" for day in range(1, 20)]
    assert vitality.deciding_instant([*ahead, *used(0, 1, 2)], NOW) is None


words = st.lists(st.sampled_from("abcdefgh"), max_size=30)


@given(words, words)
def test_distortion_is_a_share_of_the_original(
    original: list[str], summary: list[str]
) -> None:
    found = measure_distortion(original, summary)
    assert 0 <= found <= 1
    assert measure_distortion(original, original) == 0
    assert measure_distortion(original, []) == (1 if original else 0)


def test_a_loss_in_two_steps_is_seen_whole() -> None:
    """DEC-4: each step alone loses half; from the original three quarters are gone."""
    original, first, second = list("abcdefgh"), list("abcd"), list("ab")
    assert measure_distortion(first, second) == 0.5
    assert measure_distortion(original, second) == 0.75

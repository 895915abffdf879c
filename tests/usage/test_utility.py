"""What evidence comes to: a posterior that never forgets how little it knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.usage.utility import (
    UNKNOWN,
    describe_utility,
    opening_weight,
    posterior,
    spread_credit,
)
from companion.values.decay.ageing import HALF_LIFE_DAYS, remain, weigh_days

credit = st.floats(0, 1e6)


def test_nothing_known_is_a_half_and_uncertain() -> None:
    assert (0.5, pytest.approx(0.2887, abs=1e-4), 0.0) == UNKNOWN


@given(credit, credit)
def test_utility_is_a_share_and_its_uncertainty_never_vanishes(
    gain: float, loss: float
) -> None:
    known = posterior(gain, loss)
    assert 0 < known.mean < 1 and 0 < known.deviation <= UNKNOWN.deviation
    assert known.evidence == gain + loss


@given(st.floats(0, 1e4), st.floats(0, 1e4), st.floats(1e-3, 1e3))
def test_each_outcome_moves_it_its_own_way(
    gain: float, loss: float, more: float
) -> None:
    at = posterior(gain, loss).mean
    assert (
        posterior(gain + more, loss).mean
        > at
        > posterior(gain, loss + more).mean
    )


@given(st.integers(1, 50))
def test_one_outcome_is_spread_whole_and_falls_from_place_to_place(
    count: int,
) -> None:
    shares = spread_credit(count)
    assert (
        sum(shares) == pytest.approx(1)
        and shares == sorted(shares, reverse=True)
        and len(set(shares)) == count
    )


def test_an_opening_counts_half_after_half_an_hour_and_not_at_all_after_a_day() -> (
    None
):
    assert [opening_weight(m) for m in (-60, 0, 30, 60, 24 * 60 + 1)] == [
        1,
        1,
        0.5,
        0.25,
        0,
    ]


def test_evidence_counts_half_after_as_many_days_of_use() -> None:
    days = [f"{2000 + n}-01-01" for n in range(int(HALF_LIFE_DAYS) + 1)]
    weights = weigh_days([*days, days[0]])
    assert weights[days[-1]] == 1.0
    assert weights[days[0]] == pytest.approx(0.5)
    assert list(weights.values()) == sorted(weights.values(), reverse=True)


def test_a_clock_set_back_makes_no_evidence_more_than_it_was() -> None:
    assert remain(-3) == remain(0) == 1.0 > remain(1) > 0


def test_the_reason_says_what_happened_in_words() -> None:
    known = posterior(1.5, 0.5)
    assert (
        describe_utility(12, 4, 2, 0, known)
        == "shown 12 times, opened 4, good 2, bad 0: utility .62 ± .22"
    )
    assert describe_utility(1, 0, 0.25, 0, known).startswith(
        "shown once, opened 0, good 0.25, bad 0"
    )

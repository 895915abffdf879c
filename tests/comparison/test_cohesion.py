"""The coherence gradient: degrees that sum to 1, in the paper's three buckets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.comparison.cohesion import BUCKETS, Trapezoid, place_score

scores = st.floats(0, 1)


@given(scores)
def test_degrees_sum_to_one_and_the_largest_routes(score: float) -> None:
    placed = place_score(score)
    assert sum(placed.degrees.values()) == pytest.approx(1, abs=3e-6)
    assert all(0 <= degree <= 1 for degree in placed.degrees.values())
    assert placed.degrees[placed.bucket] == max(placed.degrees.values())


@given(scores, scores)
def test_a_higher_score_never_lands_in_a_lower_bucket(
    one: float, other: float
) -> None:
    order = list(BUCKETS)
    low, high = sorted((one, other))
    assert order.index(place_score(low).bucket) <= order.index(
        place_score(high).bucket
    )


@pytest.mark.parametrize(
    ("score", "bucket"),
    [
        (0, "low"),
        (0.25, "low"),
        (0.35, "low"),
        (0.36, "mid"),
        (0.5, "mid"),
        (0.65, "mid"),
        (0.66, "high"),
        (1, "high"),
    ],
)
def test_the_corners(score: float, bucket: str) -> None:
    assert place_score(score).bucket == bucket


def test_noise_beyond_the_sixth_digit_does_not_route() -> None:
    assert place_score(0.35 + 4e-7) == place_score(0.35)


def test_a_trapezoid_is_flat_between_and_linear_beside() -> None:
    shape = Trapezoid(0.2, 0.4, 0.6, 1.0)
    assert [shape.degree(x) for x in (0.2, 0.4, 0.5, 0.6, 1.0)] == [
        0,
        1,
        1,
        1,
        0,
    ]
    assert shape.degree(0.3) == pytest.approx(0.5)
    assert shape.degree(0.8) == pytest.approx(0.5)

"""The laws of gravity (MaM §5.6, GRA-1 to GRA-6), one property each."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.gravity import topology
from companion.gravity.formula import (
    FEW,
    KINDS,
    Parts,
    access_decay,
    base_gravity,
    protection_floor,
    weigh_entry,
)

#: centralities as `topology` gives them: millionths, up to a wiki of ten million entries
CENTRALITY = st.one_of(st.integers(0, 10**13), st.integers(0, 10**6)).map(
    lambda n: n / 10**6
)
COSTS = st.integers(0, 10**7)
FACTORS = st.floats(0.01, 1)


def measure(size: int, tails: "np.ndarray[Any, Any]") -> list[Parts]:
    """The parts of every entry, where *tails* rest on the first."""
    found = topology.measure(
        size, tails, np.zeros_like(tails), np.ones(len(tails))
    )
    return [Parts(*row) for row in zip(*found, strict=True)]


@given(CENTRALITY, CENTRALITY, COSTS)
def test_more_central_is_heavier(one: float, other: float, cost: int) -> None:
    """GRA-1, to the last millionth: a saturating formula would call two foundations equal (pitfall
    5).
    """
    assume(one != other)

    assert base_gravity(max(one, other), cost) > base_gravity(
        min(one, other), cost
    )


@given(CENTRALITY, COSTS, COSTS)
def test_what_would_break_more_is_heavier(
    centrality: float, one: int, other: int
) -> None:
    """GRA-2, for each kind of loss."""
    assume(one != other)

    for place in (1, 2, 3):
        less, more = (
            Parts(centrality, 0, 0, 0)._replace(**{Parts._fields[place]: n})
            for n in sorted((one, other))
        )
        assert base_gravity(more.centrality, more.fragmentation) > base_gravity(
            less.centrality, less.fragmentation
        )


@given(
    st.floats(0, 50),
    st.floats(0.01, 10),
    st.floats(0, 10),
    st.integers(1, 10**5),
    st.integers(1, 10**4),
)
def test_each_dependent_adds_less_than_the_one_before(
    start: float, central: float, cost: float, dependents: int, more: int
) -> None:
    """GRA-3 for both parts together: each grows with dependents, and their sum is what must be
    sub-linear.
    """

    def at(count: int) -> float:
        return base_gravity(start + central * count, cost * count)

    first, second = (
        at(dependents + more) - at(dependents),
        at(dependents + 2 * more) - at(dependents + more),
    )

    assert 0 < second < first


def test_real_stars_grow_sub_linearly() -> None:
    """GRA-3 on graphs: ten times the dependents, far from ten times the gravity, and less with
    every step.
    """
    weights = {}
    for dependents in (1, 3, 10, 30, 100, 300, 1000, 3000, 10_000):
        tails = np.arange(1, dependents + 1)
        parts = measure(dependents + 1, tails)[0]
        weights[dependents] = base_gravity(
            parts.centrality, parts.fragmentation
        )
    per = [weight / dependents for dependents, weight in weights.items()]

    assert list(weights.values()) == sorted(weights.values())
    assert per == sorted(per, reverse=True) and per[-1] < per[0] / 1000


@given(CENTRALITY, COSTS, FACTORS)
def test_gravity_is_bounded(
    centrality: float, cost: int, factor: float
) -> None:
    """GRA-4."""
    assert 0 <= base_gravity(centrality, cost, factor) < 1


@given(st.floats(0, 1e7), st.floats(0, 1e7))
def test_time_takes_effective_gravity_and_never_gives_any(
    one: float, other: float
) -> None:
    """GRA-5."""
    assert access_decay(0) == 1
    assert access_decay(-one) == 1
    assert access_decay(max(one, other)) <= access_decay(min(one, other))
    assert access_decay(1e12) < 1e-9
    assert access_decay(180) == 0.5


@given(st.integers(0, 10**5), CENTRALITY, COSTS, FACTORS)
def test_time_never_enters_the_floor(
    days: int, centrality: float, cost: int, factor: float
) -> None:
    """DEC-2: base gravity decides, so that a foundation nobody reads stays."""
    parts = Parts(centrality, cost, 0, 0)
    limit = protection_floor([base_gravity(n, 0) for n in range(100)])

    now, later = (
        weigh_entry(parts, factor=factor, days=n, limit=limit, flag=False)
        for n in (0, days)
    )

    assert (later.base, later.above, later.protected) == (
        now.base,
        now.above,
        now.protected,
    )
    assert later.effective <= now.effective == now.base


@given(
    st.lists(
        st.integers(0, 40).map(lambda n: n / 40), min_size=FEW, max_size=200
    )
)
def test_at_most_a_tenth_is_above_the_floor(gravities: list[float]) -> None:
    limit = protection_floor(gravities)
    above = [each for each in gravities if limit.shields(each)]
    below = [each for each in gravities if not limit.shields(each)]

    assert len(above) <= len(gravities) / 10
    # monotone in base gravity, comparable
    assert all(one > other for one in above for other in below)


@pytest.mark.parametrize(("count", "above"), [(30, 3), (100, 10), (105, 10)])
def test_of_unequal_entries_as_many_as_a_tenth_allows_are_above(
    count: int, above: int
) -> None:
    gravities = [n / count for n in range(count)]
    assert sum(map(protection_floor(gravities).shields, gravities)) == above


def test_where_all_are_equal_none_is_above() -> None:
    assert not any(map(protection_floor([0.33] * 500).shields, [0.33]))


@pytest.mark.parametrize(
    ("entries", "value"), [(0, 0.6), (11, 0.6), (12, 0.5), (30, 0.5)]
)
def test_a_small_wiki_has_a_floor_of_its_own(
    entries: int, value: float
) -> None:
    assert protection_floor([0.5] * entries).value == value


def test_a_young_wiki_has_as_many_foundations_as_one_of_thirty() -> None:
    gravities = [0.51, 0.49, 0.46, 0.44, *[0.27] * 20]

    limit = protection_floor(gravities)

    assert [one for one in gravities if limit.shields(one)] == gravities[:3]


def test_a_single_link_makes_no_foundation_of_a_young_wiki() -> None:
    limit = protection_floor([0.38, *[0.27] * 20])

    assert not limit.shields(0.38)


@pytest.mark.parametrize(
    ("dependents", "protected"), [(2, False), (4, True), (8, True)]
)
def test_four_pages_that_rest_on_one_protect_it_in_a_small_wiki(
    dependents: int, protected: bool
) -> None:
    tails = np.arange(1, dependents + 1)
    size = dependents + 3
    parts = measure(size, tails)
    weights = [
        base_gravity(each.centrality, each.fragmentation) for each in parts
    ]

    assert protection_floor(weights).shields(weights[0]) is protected
    assert not any(map(protection_floor(weights).shields, weights[1:]))


def test_an_audit_takes_from_gravity_before_the_floor() -> None:
    """GRA-8: the factor is outside the formula, so weighing anew cannot undo it."""
    parts = Parts(9.0, 30, 0, 0)
    limit = protection_floor([])
    full, cut = (
        weigh_entry(parts, factor=factor, days=0, limit=limit, flag=False)
        for factor in (1, 0.5)
    )

    assert cut.base == full.base / 2
    assert (full.above, cut.above) == (True, False)
    assert "AUDIT left 0.50" in cut.reason


def test_who_goes_without_gravity_reads_why_there_is_none() -> None:
    """The switch of the experiments is no finding of an audit."""
    weight = weigh_entry(
        Parts(9.0, 30, 0, 0),
        factor=0.0,
        days=0,
        limit=protection_floor([]),
        flag=False,
    )

    assert weight.base == 0 and not weight.protected
    assert "companion.yaml goes without gravity" in weight.reason
    assert "AUDIT" not in weight.reason


def test_the_reason_names_every_part() -> None:
    weight = weigh_entry(
        Parts(5.2, 14, 2, 1),
        factor=1,
        days=12,
        limit=protection_floor([]),
        flag=True,
    )

    assert weight.reason == (
        "base gravity 0.69 (centrality 5.20 times the mean; without it 14 unsupported, 2 unlinked, "
        "1 cut off); effective 0.64 after 12 days; above the floor 0.60: protected"
    )
    assert math.isclose(weight.base, base_gravity(5.2, 14.3))


@pytest.mark.parametrize(
    ("parts", "flag", "words"),
    [
        (Parts(9.0, 30, 0, 0), True, "protected"),
        (Parts(9.0, 30, 0, 0), False, "DECAY will protect it"),
        (Parts(0.1, 0, 0, 0), True, "protected until DECAY runs"),
        (Parts(0.1, 0, 0, 0), False, "not protected"),
    ],
)
def test_the_reason_says_who_protects_it(
    parts: Parts, flag: bool, words: str
) -> None:
    limit = protection_floor([])
    weight = weigh_entry(parts, factor=1, days=0, limit=limit, flag=flag)

    assert weight.reason.endswith(f": {words}")
    assert weight.protected is (words != "not protected")


def test_a_page_that_is_embedded_carries_more_than_one_that_is_linked() -> None:
    assert set(KINDS) == {"link", "embed"}
    assert KINDS["embed"] > KINDS["link"] > 0

"""Pressure's laws: bounded in repetitions, unbounded in voices, a function of the set and of
now.
"""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.minority import pressure
from companion.minority.pressure import DEFAULT, OWNER, Telling
from companion.routing import matrix
from companion.values.trust import TRUST

START = datetime(2026, 1, 1, 10, tzinfo=UTC)
NOW = "2027-01-01T00:00:00.000000Z"
shares = st.floats(0, 1)
gravities = st.floats(0, 1)
frictions = st.sampled_from([row.friction for row in matrix.MATRIX])


def at(day: float) -> str:
    return (
        (START + timedelta(days=day))
        .isoformat(timespec="microseconds")
        .replace("+00:00", "Z")
    )


def member(
    n: int, day: float = 0, source: str = "", agent: str = "", **known: Any
) -> Telling:
    return Telling(f"c{n}", at(day), at(day), agent, source, "cli")._replace(
        **known
    )


def value(members: list[Telling], now: str = NOW) -> float:
    return pressure.measure_pressure(members, now=now).value


def needed(gravity: float) -> float:
    return pressure.measure_threshold(gravity, matrix.EPISTEMIC).value


@st.composite
def tellings(draw: st.DrawFn, *, names: int = 4) -> list[Telling]:
    """Draw tellings that share sources, authors and days at random."""
    name = st.sampled_from(["", *(f"n{n}" for n in range(names))])
    one = st.builds(
        lambda n, day, said, source, agent, useful, trust: member(
            n,
            day,
            source,
            agent,
            event_time=at(said),
            useful=useful,
            trust=trust,
        ),
        st.integers(0, 50),
        st.integers(0, 9),
        st.integers(-400, 20),
        name,
        name,
        shares,
        st.sampled_from(sorted(TRUST.values())),
    )
    return draw(st.lists(one, max_size=12))


@given(tellings(), st.randoms())
def test_the_order_of_tellings_does_not_matter(
    members: list[Telling], chance: random.Random
) -> None:
    shuffled = list(members)
    chance.shuffle(shuffled)
    assert pressure.measure_pressure(
        shuffled, now=NOW
    ) == pressure.measure_pressure(members, now=NOW)


@given(tellings())
def test_the_parts_add_up_to_the_value_that_the_reason_names(
    members: list[Telling],
) -> None:
    weighed = pressure.measure_pressure(members, now=NOW)
    assert sum(number for _, number in weighed.parts) == pytest.approx(
        weighed.value, abs=1e-5
    )
    assert (
        f"pressure {weighed.value:.2f}: {weighed.voices} independent"
        in weighed.reason
    )


@given(st.lists(tellings(), min_size=2, max_size=2), st.integers(0, 400))
def test_no_later_telling_ever_lowers_the_pressure(
    drawn: list[list[Telling]], age: int
) -> None:
    before, later = drawn
    told = list(before)
    for n, telling in enumerate(later):
        seen = at(10 + n)
        more = [*told, telling._replace(seen_at=seen)]
        assert value(more, at(60 + age)) >= value(told, at(60 + age))
        told = more


@given(tellings(), st.integers(1, 50))
def test_repetitions_renew_what_they_repeat_and_add_nothing(
    members: list[Telling], times: int
) -> None:
    """TRI-8: repeats alone never tip a threshold that fresh voices stay below."""
    ordinary = [one._replace(trust=1.0, useful=1.0) for one in members]
    repeated = [
        one._replace(seen_at=at(10 + n), event_time=at(10 + n))
        for n in range(times)
        for one in ordinary
    ]
    ageless = replace(DEFAULT, half_life=1e12)
    once = pressure.measure_pressure(ordinary, now=at(70), policy=ageless)
    often = pressure.measure_pressure(
        [*ordinary, *repeated], now=at(70), policy=ageless
    )
    assert often.value == pytest.approx(once.value, abs=1e-6)
    assert often.voices == once.voices


def test_repeating_one_after_the_other_lowers_nothing() -> None:
    """CON-15: 1.80 became 1.21 when one of two voices repeated the other."""
    chance = random.Random(15)
    for _ in range(3000):
        told = _draw_at_random(chance, chance.randint(1, 8))
        before = value(told, at(40))
        later = _draw_at_random(chance, 1)[0]._replace(seen_at=at(30))
        assert value([*told, later], at(40)) >= before


def _draw_at_random(chance: random.Random, count: int) -> list[Telling]:
    names = ["", "a", "b", "c", "d"]
    return [
        member(
            chance.randint(0, 99),
            chance.uniform(0, 20),
            chance.choice(names),
            chance.choice(names),
            event_time=at(chance.uniform(-500, 20)),
            trust=chance.choice(sorted(TRUST.values())),
            useful=chance.random(),
        )
        for _ in range(count)
    ]


@given(tellings(), st.integers(0, 2000), st.integers(0, 2000))
def test_pressure_only_ever_falls_by_waiting(
    members: list[Telling], one: int, other: int
) -> None:
    early, late = sorted((one, other))
    assert (
        value(members, at(400 + late)) <= value(members, at(400 + early)) + 1e-6
    )


def test_a_telling_weighs_half_after_the_half_life() -> None:
    fresh, old = (
        value([member(1, 0)], at(age)) for age in (0, DEFAULT.half_life)
    )
    assert old == pytest.approx(fresh / 2, abs=1e-6)


@given(
    st.integers(1, 300),
    st.integers(1, 300),
    st.floats(0, 1),
    st.sampled_from(["ordinary", "high"]),
)
def test_one_voice_alone_never_reaches_any_threshold(
    times: int, days: int, gravity: float, trust: str
) -> None:
    told = [
        member(n, n % days, "a", f"agent {n}", useful=1.0, trust=TRUST[trust])
        for n in range(times)
    ]
    assert value(told, at(days)) < needed(0.0) <= needed(gravity)


@given(st.integers(1, 200), st.integers(1, 40))
def test_the_same_author_counts_less_and_less_and_two_voices_at_most(
    times: int, repeats: int
) -> None:
    told = [
        member(n, n, f"s{n % times}", "one author", useful=1.0)
        for n in range(times * repeats % 400)
    ]
    assert value(told, at(0)) <= 2.0
    assert value(told, at(0)) <= value(
        [*told, member(999, 0, "another", "one author")], at(0)
    )


@given(gravities, st.integers(1, 30), st.integers(1, 30))
def test_three_independent_voices_over_time_can_overturn_anything(
    gravity: float, gap: int, other: int
) -> None:
    told = [
        member(n, day, f"s{n}") for n, day in enumerate((0, gap, gap + other))
    ]
    assert value(told, at(gap + other)) > needed(gravity)


@given(st.floats(0.9, 1.0), st.integers(1, 60))
def test_two_voices_never_overturn_what_is_heavy_however_often_they_speak(
    gravity: float, times: int
) -> None:
    told = [member(n, n / 2, f"s{n % 2}", useful=1.0) for n in range(2 * times)]
    assert value(told, at(times)) <= needed(gravity)


@given(st.integers(1, 100))
def test_however_many_speak_on_one_day_they_are_bounded(voices: int) -> None:
    told = [member(n, 0.0, f"s{n}", useful=1.0) for n in range(voices)]
    assert value(told, at(0)) <= min(voices, sum(DEFAULT.crowd))
    backdated = [
        each._replace(event_time=at(-n)) for n, each in enumerate(told)
    ]
    assert value(backdated, at(0)) <= min(voices, sum(DEFAULT.crowd))
    spread = [
        each._replace(event_time=at(n), seen_at=at(n))
        for n, each in enumerate(told)
    ]
    assert value(spread, at(voices)) >= min(1.5, voices * 0.8)
    assert value(spread, at(voices)) >= value(told, at(voices)) - 1e-3


def test_three_voices_on_one_day_overturn_nothing_that_is_read() -> None:
    told = [member(n, 0.01, f"s{n}") for n in range(3)]
    assert value(told, at(0)) < needed(0.6)


def test_a_trusted_source_weighs_more_and_is_no_free_pass() -> None:
    trusted, other = (
        member(1, 0, "a rigorous paper", trust=TRUST["high"]),
        member(2, 9, "someone"),
    )
    ordinary = trusted._replace(trust=1.0)
    assert value([trusted]) > value([ordinary])
    assert value([trusted], at(0)) < needed(0.0)
    assert (
        value([ordinary, other], at(9))
        < needed(0.6)
        < value([trusted, other], at(9))
    )


@given(st.integers(1, 60), st.floats(1.0, 2.0))
def test_one_author_who_names_trusted_sources_is_believed_more_once(
    times: int, trust: float
) -> None:
    told = [
        member(n, n, f"paper {n}", "one author", useful=1.0, trust=trust)
        for n in range(times)
    ]
    plain = [each._replace(trust=1.0) for each in told]
    assert value(told, at(0)) <= value(plain, at(0)) + trust - 1.0 + 1e-6


def test_the_reason_says_whose_word_weighs_more() -> None:
    told = [
        member(1, 0, "journal/1", trust=1.5),
        member(2, 1, "gossip", trust=0.5),
        member(3, 2, "someone"),
    ]
    assert pressure.measure_pressure(told, now=NOW).reason.endswith(
        "; 1 told by trust 0.50; 1 told by trust 1.50"
    )


@given(gravities, gravities, frictions, frictions)
def test_the_threshold_rises_strictly_with_gravity_and_friction(
    one: float, other: float, low: float, high: float
) -> None:
    assume(abs(one - other) > 1e-4)
    assert (
        pressure.measure_threshold(min(one, other), low).value
        < pressure.measure_threshold(max(one, other), low).value
    )
    if low < high:
        assert (
            pressure.measure_threshold(one, low).value
            < pressure.measure_threshold(one, high).value
        )


@pytest.mark.parametrize(
    ("source", "agent", "who"),
    [
        ("", "", OWNER),
        ("", "Claude", "claude"),
        ("Clinic  North", "claude", "clinic north"),
        ("https://www.example.org/a/?from=1#part", "", "example.org/a"),
        ("http://example.org/a", "", "example.org/a"),
    ],
)
def test_who_speaks(source: str, agent: str, who: str) -> None:
    assert pressure.voice_of(member(1, 0, source, agent)) == who


def test_two_voices_stay_two_when_a_third_telling_quotes_both() -> None:
    two = [member(1, 0, "a"), member(2, 5, "b")]
    courier = [member(3, 6, "a", "claude"), member(4, 7, "b", "claude")]
    weighed = pressure.measure_pressure([*two, *courier], now=at(7))
    assert weighed.voices == 2
    assert weighed.value >= value(two, at(7))


def test_the_reason_says_how_old_the_evidence_is_and_what_that_costs() -> None:
    told = [member(1, 0, "a"), member(2, 300, "b")]
    weighed = pressure.measure_pressure(told, now=at(365))
    assert dict(weighed.parts)["age"] == pytest.approx(-0.583, abs=0.01)
    assert weighed.reason.endswith(
        "age -0.59); the oldest was told 365 days ago and counts 0.50"
    )


def test_the_reason_says_on_how_many_days_and_within_how_many() -> None:
    def reason(*days: float) -> str:
        told = [member(n, day, f"s{n}") for n, day in enumerate(days)]
        return pressure.measure_pressure(told, now=at(40)).reason

    assert "2 independent voices on 2 days within 31" in reason(0, 30)
    assert "3 independent voices on 2 days within 2" in reason(8, 9, 9)
    assert "voices on 1 day" in reason(5, 5) and "within" not in reason(5, 5)


def test_evidence_of_today_and_no_evidence_have_no_age() -> None:
    for told in ([], [member(1, 0, "a")]):
        weighed = pressure.measure_pressure(told, now=at(0.9))
        assert "the oldest" not in weighed.reason
    weighed = pressure.measure_pressure([member(1, 0, "a")], now=at(1))
    assert "the oldest was told 1 day ago" in weighed.reason


def test_a_time_ahead_of_its_telling_gains_nothing() -> None:
    honest, ahead = member(1, 0), member(1, 0, event_time=at(500))
    assert value([ahead], at(300)) == value([honest], at(300))

"""Supersession by rule: what stands is a function of what was told, of two clocks, and of nothing
else.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ledger import supersession
from companion.ledger.operators import REQUIRES, Policy
from companion.ledger.settlement import (
    LIVE,
    PageFall,
    Rules,
    list_standing_values,
    settle,
)
from companion.ledger.supersession import (
    Spell,
    find_conflicts,
    list_spells,
    name_open_question,
    resolve,
)
from companion.values.claims import Assertion

END = "2099-01-01T00:00:00.000000Z"
KEY = ("me", "lives in")


def day(number: int) -> str:
    """An instant in a year of thirty-day months."""
    return f"{2026 + number // 360}-{number % 360 // 30 + 1:02}-{number % 30 + 1:02}T00:00:00.000000Z"


def told(value: str, since: int, **more: Any) -> Assertion:
    at = more.pop("told", since)
    return Assertion(
        more.pop("id", f"{value}{since}-{at}"),
        KEY,
        value,
        day(at),
        day(since),
        **more,
    )


def standing(
    *tellings: Assertion, at: str = END, known_at: str = END, **rules: Any
) -> dict[str, str]:
    return {
        s.assertion.id: s.status
        for s in resolve(
            tellings, at=at, known_at=known_at, rules=Rules(**rules)
        )
    }


@st.composite
def assertions(draw: st.DrawFn) -> list[Assertion]:
    """Assertions on one key, of few values, days and voices, so that everything collides."""
    found = []
    for number in range(draw(st.integers(1, 7))):
        since = draw(st.integers(0, 5))
        found.append(
            Assertion(
                f"c{number}",
                KEY,
                draw(st.sampled_from("abc")),
                day(draw(st.integers(0, 40))),
                day(since * 20),
                valid_to=draw(
                    st.sampled_from([None, None, day(since * 20 + 15)])
                ),
                precision=draw(
                    st.sampled_from(["year", "month", "day", "second"])
                ),
                stated=draw(st.booleans()),
                change=draw(st.booleans()),
                mood=draw(
                    st.sampled_from(
                        [
                            "confirmed",
                            "confirmed",
                            "confirmed",
                            "tentative",
                            "retracted",
                        ]
                    )
                ),
                negated=draw(st.sampled_from([False, False, False, True])),
                agent=draw(st.sampled_from(["", "x", "y"])),
                serial=draw(st.sampled_from([None, 1, 2])),
                confidence=draw(st.sampled_from([0.5, 0.8, 1.0])),
            )
        )
    return found


STRATEGIES = st.sampled_from(sorted(REQUIRES))


@given(assertions(), st.randoms(use_true_random=False), STRATEGIES)
def test_the_order_of_arrival_does_not_matter(
    tellings: list[Assertion], random: Any, strategy: Any
) -> None:
    shuffled = list(tellings)
    random.shuffle(shuffled)
    rules = Rules(strategy)
    assert resolve(shuffled, at=day(60), known_at=END, rules=rules) == resolve(
        tellings, at=day(60), known_at=END, rules=rules
    )


@given(assertions(), STRATEGIES)
def test_nothing_is_erased_and_a_loser_names_what_stands_against_it(
    tellings: list[Assertion], strategy: Any
) -> None:
    found = resolve(tellings, at=day(60), known_at=END, rules=Rules(strategy))
    assert sorted(s.assertion.id for s in found) == sorted(
        a.id for a in tellings
    )
    for s in found:
        assert s.reason
        if s.status in ("superseded", "disputed"):
            assert s.by and s.assertion.id not in s.by


@given(assertions(), STRATEGIES, st.sets(st.integers(0, 6)))
def test_the_values_that_stand_are_those_of_the_standings(
    tellings: list[Assertion], strategy: Any, protected: set[int]
) -> None:
    said = [a for a in tellings if not a.negated]
    rules = Rules(strategy, protected=[f"c{number}" for number in protected])
    values = {
        s.assertion.value for s in settle(said, rules) if s.status in LIVE
    }
    assert list_standing_values(said, rules) == tuple(sorted(values))


@given(assertions(), STRATEGIES)
def test_telling_everything_twice_changes_nothing(
    tellings: list[Assertion], strategy: Any
) -> None:
    rules = Rules(strategy)
    assert resolve(tellings * 2, at=END, known_at=END, rules=rules) == resolve(
        tellings, at=END, known_at=END, rules=rules
    )


@given(assertions(), st.integers(0, 40))
def test_what_was_believed_then_is_not_changed_by_what_was_told_later(
    tellings: list[Assertion], then: int
) -> None:
    early = [a for a in tellings if a.told_at <= day(then)]
    assert resolve(tellings, at=day(60), known_at=day(then)) == resolve(
        early, at=day(60), known_at=END
    )


@given(assertions())
def test_at_most_one_value_stands_or_all_of_several_are_disputed(
    tellings: list[Assertion],
) -> None:
    found = [
        s
        for s in resolve(tellings, at=day(60), known_at=END)
        if not s.assertion.negated
    ]
    active = {s.assertion.value for s in found if s.status == "active"}
    disputed = {s.assertion.value for s in found if s.status == "disputed"}
    assert len(active) + (1 if disputed else 0) <= 1
    assert len(disputed) != 1
    holding = [
        a
        for a in tellings
        if a.mood == "confirmed" and not a.negated and a.valid_from <= day(60)
    ]
    if len(holding) == len(tellings) and all(
        a.valid_to is None for a in tellings
    ):
        assert active or disputed, "something was told, and nothing stands"


@given(assertions())
def test_a_history_agrees_with_every_moment_in_it(
    tellings: list[Assertion],
) -> None:
    for spell in list_spells(tellings, known_at=END):
        found = resolve(tellings, at=spell.start, known_at=END)
        live = {
            s.assertion.value
            for s in found
            if s.status in ("active", "disputed") and not s.assertion.negated
        }
        assert tuple(sorted(live)) == spell.values


@st.composite
def plain_assertions(draw: st.DrawFn) -> list[Assertion]:
    """Assertions that only their times tell apart, as those of a series are."""
    return [
        told(
            draw(st.sampled_from("abc")),
            draw(st.integers(0, 70)),
            id=str(number),
            precision=draw(st.sampled_from(("month", "day", "second"))),
            change=draw(st.booleans()),
            source=draw(st.sampled_from(("", "ana", "ben"))),
        )
        for number in range(draw(st.integers(1, 12)))
    ]


@given(plain_assertions())
def test_a_history_that_time_decides_is_that_of_every_moment_in_it(
    tellings: list[Assertion],
) -> None:
    spells = list_spells(tellings, known_at=END)
    assert [spell.start for spell in spells[1:]] == [
        spell.end for spell in spells[:-1]
    ]
    for moment in {a.valid_from for a in tellings}:
        firm = [a for a in tellings if a.valid_from <= moment]
        (now,) = [
            spell
            for spell in spells
            if spell.start <= moment
            and (spell.end is None or moment < spell.end)
        ]
        assert now.values == list_standing_values(firm, Rules())


def test_a_long_series_is_not_gone_through_again_for_each_of_its_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(
        supersession,
        "list_latest_values",
        lambda tellings: asked.append(len(tellings)) or (tellings[0].value,),
    )
    series = [told(f"{n} kg", n) for n in range(300)]
    assert len(list_spells(series, known_at=END)) == 300
    assert set(asked) == {1}


def test_the_later_valid_time_wins_whatever_arrived_first() -> None:
    porto, lisbon = told("porto", 10, told=90), told("lisbon", 50, told=60)
    assert standing(porto, lisbon) == {
        porto.id: "superseded",
        lisbon.id: "active",
    }


def test_since_when_it_is_so_corrects_what_was_told_without_a_time() -> None:
    plain = told("jenkins", 100)
    since = told("forgejo", 50, told=120, change=True, stated=True)
    assert standing(plain, since) == {
        plain.id: "superseded",
        since.id: "active",
    }
    assert standing(plain, since, known_at=day(110)) == {plain.id: "active"}
    assert list_spells([plain, since], known_at=END) == [
        Spell(day(50), None, ("forgejo",)),
    ]
    again = told("jenkins", 130)
    assert standing(plain, since, again)[again.id] == "active"


@pytest.mark.parametrize(
    "plain",
    [
        told("jenkins", 100, stated=True),
        told("jenkins", 100, given=True),
        told("jenkins", 100, change=True),
        told("jenkins", 100, told=120),
    ],
)
def test_what_has_a_time_of_its_own_is_not_corrected_by_an_earlier_one(
    plain: Assertion,
) -> None:
    since = told("forgejo", 50, told=110, change=True, stated=True)
    assert standing(plain, since)[plain.id] == "active"


@pytest.mark.parametrize("more", [{"given": True}, {"mood": "tentative"}])
def test_only_who_says_of_today_since_when_it_is_so_corrects(
    more: dict[str, Any],
) -> None:
    plain = told("jenkins", 100)
    since = told("forgejo", 50, told=120, change=True, stated=True, **more)
    assert standing(plain, since)[plain.id] == "active"


def test_there_and_back_again_ends_where_it_began() -> None:
    tellings = [told("a", 1), told("b", 2), told("a", 3)]
    assert [spell.values for spell in list_spells(tellings, known_at=END)] == [
        ("a",),
        ("b",),
        ("a",),
    ]


def test_what_was_so_then_is_still_what_was_so_then() -> None:
    tellings = [told("porto", 10), told("lisbon", 50)]
    assert list_spells(tellings, known_at=END) == [
        Spell(day(10), day(50), ("porto",)),
        Spell(day(50), None, ("lisbon",)),
    ]


def test_two_who_tell_different_things_of_one_time_are_both_shown() -> None:
    x, y = told("a", 5, agent="x"), told("b", 5, agent="y")
    assert set(standing(x, y).values()) == {"disputed"}


def test_since_when_it_is_not_so_corrects_the_value_that_it_denies_alone() -> (
    None
):
    porto, lisbon = told("porto", 40), told("lisbon", 50)
    left = told(
        "porto", 20, id="left", told=90, negated=True, change=True, stated=True
    )
    assert standing(porto, lisbon, left) == {
        porto.id: "superseded",
        lisbon.id: "active",
        left.id: "active",
    }


def test_a_denial_of_the_same_moment_ends_nothing() -> None:
    porto = told("porto", 40)
    denial = told("porto", 40, id="denial", told=90, negated=True)
    assert standing(porto, denial) == {
        porto.id: "active",
        denial.id: "active",
    }


def test_a_tie_that_was_settled_in_review_is_settled_in_the_history_too() -> (
    None
):
    x, y = told("a", 5, agent="x"), told("b", 5, agent="y")
    question = name_open_question(resolve([x, y], at=END, known_at=END))
    assert question is not None
    rules = Rules(policy=Policy(answers={question: "b"}))
    assert list_spells([x, y], known_at=END) == [
        Spell(day(5), None, ("a", "b"))
    ]
    assert list_spells([x, y], known_at=END, rules=rules) == [
        Spell(day(5), None, ("b",))
    ]


def test_one_voice_corrects_itself() -> None:
    first, second = told("a", 5, told=6), told("b", 5, told=7)
    assert standing(first, second) == {
        first.id: "superseded",
        second.id: "active",
    }


def test_a_source_orders_its_own_statements() -> None:
    first, second = (
        told("a", 5, source="list", serial=2),
        told("b", 5, source="list", serial=11),
    )
    assert standing(first, second)[second.id] == "active"


def test_a_year_is_no_later_than_a_day_in_it() -> None:
    vague = told("a", 0, precision="year", agent="x")
    exact = told("b", 40, precision="day", agent="y")
    assert set(standing(vague, exact).values()) == {"disputed"}


def test_of_two_of_one_time_the_one_stated_as_a_change_wins() -> None:
    vague = told("a", 0, precision="year", agent="x")
    exact = told("b", 40, precision="day", agent="y", change=True, stated=True)
    assert standing(vague, exact)[exact.id] == "active"


def test_a_possibility_settles_nothing() -> None:
    porto, maybe = told("porto", 1), told("lisbon", 5, mood="tentative")
    assert standing(porto, maybe) == {porto.id: "active", maybe.id: "tentative"}


def test_the_future_comes_true_when_its_time_comes() -> None:
    porto, lisbon = told("porto", 1), told("lisbon", 90, told=2)
    assert standing(porto, lisbon, at=day(50)) == {
        porto.id: "active",
        lisbon.id: "future",
    }
    assert standing(porto, lisbon, at=day(90)) == {
        porto.id: "superseded",
        lisbon.id: "active",
    }


def test_what_is_no_longer_so_ends_and_nothing_takes_its_place() -> None:
    porto, gone = told("porto", 1), told("porto", 50, negated=True)
    assert standing(porto, gone)[porto.id] == "ended"
    assert list_spells([porto, gone], known_at=END)[-1].values == ()


def test_a_stay_with_an_end_gives_way_to_what_went_on_meanwhile() -> None:
    berlin, rome = told("berlin", 1), told("rome", 30, valid_to=day(60))
    assert [
        spell.values for spell in list_spells([berlin, rome], known_at=END)
    ] == [
        ("berlin",),
        ("rome",),
        ("berlin",),
    ]


def test_only_its_own_voice_takes_a_telling_back() -> None:
    mine = told("a", 1, agent="x", id="mine")
    theirs = told("a", 1, agent="y", id="theirs")
    back = told("a", 5, agent="x", mood="retracted", id="back")
    assert standing(mine, theirs, back) == {
        mine.id: "retracted",
        theirs.id: "active",
        "back": "retracted",
    }


def test_a_correction_by_hand_names_its_day_and_the_first_one() -> None:
    first = told("a", 1, agent="x", id="first")
    backs = [
        told(
            "a", n, agent="x", mood="retracted", retracts=("first",), id=f"b{n}"
        )
        for n in (9, 5)
    ]
    ((_, reason),) = {
        (s.assertion.id, s.reason)
        for s in resolve([first, *backs], at=END, known_at=END, rules=Rules())
        if s.assertion.id == "first"
    }
    assert reason == f"corrected by hand on {day(5)[:10]}"


def test_a_key_with_several_values_keeps_them_all() -> None:
    tea, coffee = (
        told("tea", 1, functional=False),
        told("coffee", 2, functional=False),
    )
    assert standing(tea, coffee) == {tea.id: "active", coffee.id: "active"}


def test_a_protected_belief_gives_way_to_a_stated_change_only() -> None:
    held = told("a", 1)
    challenge = told("b", 50, agent="y")
    assert standing(held, challenge, protected={held.id}) == {
        held.id: "active",
        challenge.id: "disputed",
    }
    assert find_conflicts(
        [held, challenge], Rules(protected={held.id}), at=END, known_at=END
    ) == [(challenge, held)]
    change = told("b", 50, agent="y", change=True, stated=True)
    assert standing(held, change, protected={held.id}) == {
        held.id: "superseded",
        change.id: "active",
    }
    assert (
        find_conflicts(
            [held, change], Rules(protected={held.id}), at=END, known_at=END
        )
        == []
    )


def test_what_a_fallen_page_states_yields_to_what_took_its_place_however_late_it_was_told() -> (
    None
):
    """Both stand while the shift is young; what others tell is settled as ever (CON-8, CON-10)."""
    old, new = (
        told("bern", 5, id="old", change=True, stated=True),
        told("graz", 1, id="new"),
    )
    for young, status in ((True, "disputed"), (False, "superseded")):
        fallen = {"old": PageFall({"new"}, young, "its page lost its place")}
        assert standing(old, new, fallen=fallen) == {
            "old": status,
            "new": "active",
        }
        assert standing(old, fallen=fallen) == {"old": "active"}
        later = told("rome", 9, id="later")
        assert standing(old, new, later, fallen=fallen) == {
            "old": status,
            "new": "superseded",
            "later": "active",
        }
    assert standing(old, new) == {"old": "active", "new": "superseded"}


def test_pages_that_took_each_others_place_are_superseded_both() -> None:
    one, other = told("anna", 1), told("bert", 2)
    fallen = {
        one.id: PageFall({other.id}, False, "its page lost its place"),
        other.id: PageFall({one.id}, False, "its page lost its place"),
    }
    assert set(standing(one, other, fallen=fallen).values()) == {"superseded"}

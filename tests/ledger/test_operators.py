"""The four operators: what each chooses, what each leaves open, and that an answer of the owner
goes before them.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.ledger.operators import (
    REQUIRES,
    Policy,
    Side,
    choose_side,
    set_key,
)
from companion.values.claims import Assertion

KEY = ("atlas", "release date")


def side(value: str, *voices: tuple[str, float]) -> Side:
    tellings = tuple(
        Assertion(
            f"{value}-{voice}",
            KEY,
            value,
            "t",
            "v",
            agent=voice,
            confidence=confidence,
        )
        for voice, confidence in voices
    )
    return Side(value, tellings)


MAY = side("may", ("ada", 0.6), ("bob", 0.6))
JUNE = side("june", ("eve", 0.8))


@pytest.mark.parametrize("strategy", sorted(REQUIRES))
def test_an_answer_of_the_owner_goes_before_every_operator(
    strategy: Any,
) -> None:
    policy = Policy(answers={set_key(KEY, [JUNE, MAY]): "june"})
    assert choose_side(strategy, KEY, [MAY, JUNE], policy).value == "june"


@pytest.mark.parametrize("strategy", sorted(REQUIRES))
def test_an_answer_to_another_question_does_not_count(strategy: Any) -> None:
    third = side("july", ("zoe", 0.1))
    policy = Policy(answers={set_key(KEY, [JUNE, MAY, third]): "july"})
    assert choose_side(strategy, KEY, [MAY, JUNE], policy).value != "july"


def test_the_name_of_a_conflict_stays_for_ever() -> None:
    """An answer of the owner in the ledger names it."""
    assert set_key(KEY, [JUNE, MAY]) == "ef0d1885e25f"


def dated(value: str, since: str, precision: Any = "day") -> Side:
    telling = Assertion(
        f"{value}{since}",
        KEY,
        value,
        "t",
        f"{since}T00:00:00.000000Z",
        precision=precision,
        given=True,
    )
    return Side(value, (telling,))


def test_an_answer_to_one_dispute_settles_no_later_one_of_the_same_values() -> (
    None
):
    first = [dated("may", "2026-02-10"), dated("june", "2026-02-10")]
    later = [dated("may", "2029-02-10"), dated("june", "2029-02-10")]
    policy = Policy(answers={set_key(KEY, first): "may"})

    assert choose_side("latest", KEY, first, policy).value == "may"
    assert choose_side("latest", KEY, later, policy).value is None


def test_who_says_more_exactly_when_asks_no_new_question() -> None:
    month = [
        dated("may", "2026-02-01", "month"),
        dated("june", "2026-02-01", "month"),
    ]
    policy = Policy(answers={set_key(KEY, month): "may"})
    exact = [dated("may", "2026-02-10"), month[1]]

    assert choose_side("latest", KEY, exact, policy).value == "may"


def test_an_answer_by_the_old_name_counts_for_what_was_so_when_it_was_given() -> (
    None
):
    plain = set_key(KEY, [side("may", ("a", 0.8)), side("june", ("b", 0.8))])
    policy = Policy(
        answers={plain: "may"},
        answered_at={plain: "2027-01-01T00:00:00.000000Z"},
    )
    first = [dated("may", "2026-02-10"), dated("june", "2026-02-10")]
    later = [dated("may", "2029-02-10"), dated("june", "2029-02-10")]

    assert choose_side("latest", KEY, first, policy).value == "may"
    assert choose_side("latest", KEY, later, policy).value is None


def test_an_answer_by_the_old_name_counts_for_what_began_at_its_moment() -> (
    None
):
    plain = set_key(KEY, [side("may", ("a", 0.8)), side("june", ("b", 0.8))])
    sides = [
        dated("may", "2026-02-10", "second"),
        dated("june", "2026-02-10", "second"),
    ]
    began = sides[0].tellings[0].valid_from
    for answered, value in ((began, "may"), ("2026-02-09T23", None)):
        policy = Policy(answers={plain: "may"}, answered_at={plain: answered})
        assert choose_side("latest", KEY, sides, policy).value == value


VOICES = st.tuples(
    st.sampled_from(["ada", "bob", "eve"]), st.sampled_from([0.2, 0.5, 0.8])
)
ONE = st.builds(
    lambda value, said: side(value, *said),
    st.sampled_from("abcd"),
    st.lists(VOICES, min_size=1, max_size=3),
)
SIDES = st.lists(ONE, min_size=2, max_size=4, unique_by=lambda each: each.value)


@given(
    SIDES, st.randoms(use_true_random=False), st.sampled_from(sorted(REQUIRES))
)
def test_of_any_number_of_sides_the_choice_is_one_of_them_whatever_their_order(
    sides: Any, rng: Any, how: Any
) -> None:
    policy = Policy(("eve", "ada"))
    chosen = choose_side(how, KEY, sides, policy)
    assert chosen.value is None or chosen.value in {
        each.value for each in sides
    }
    rng.shuffle(sides)
    assert choose_side(how, KEY, sides, policy) == chosen and set_key(
        KEY, sides
    ) == set_key(KEY, sorted(sides))


@given(SIDES, st.sampled_from(sorted(REQUIRES)))
def test_who_wins_against_all_wins_against_each(sides: Any, how: Any) -> None:
    policy = Policy(("eve", "ada"))
    chosen = choose_side(how, KEY, sides, policy).value
    for loser in sides:
        if chosen not in (None, loser.value):
            pair = [loser, *(each for each in sides if each.value == chosen)]
            assert choose_side(how, KEY, pair, policy).value == chosen


def test_latest_breaks_no_tie() -> None:
    assert choose_side("latest", KEY, [MAY, JUNE]) == (
        None,
        "2 values of one valid time from 3 voices",
    )


def test_two_who_agree_weigh_more_than_a_surer_one() -> None:
    assert choose_side("evidence", KEY, [MAY, JUNE]) == (
        "may",
        "evidence 0.84 of 2 voices against 0.8",
    )


@pytest.mark.parametrize("sure", [0.5, 0.8, 1.0])
@pytest.mark.parametrize(
    ("few", "many"), [(1, 2), (10, 11), (10, 30), (99, 100)]
)
def test_any_two_unequal_sums_of_evidence_are_in_order(
    few: int, many: int, sure: float
) -> None:
    """LED-5: ten voices against thirty were disputed for ever."""
    lost = side("lost", *((f"l{n}", sure) for n in range(few)))
    won = side("won", *((f"w{n}", sure) for n in range(many)))
    assert choose_side("evidence", KEY, [lost, won]).value == "won"


def test_where_both_sides_look_alike_the_reason_counts_their_voices() -> None:
    few = side("few", *((f"f{n}", 0.999) for n in range(10)))
    many = side("many", *((f"m{n}", 0.999) for n in range(30)))
    assert choose_side("evidence", KEY, [few, many]) == (
        "many",
        "evidence 1 of 30 voices against 1 of 10",
    )


def test_one_voice_repeated_weighs_as_much_as_once() -> None:
    assert side("may", *[("ada", 0.6)] * 100).weight == 0.6


def test_equal_evidence_decides_nothing() -> None:
    assert (
        choose_side(
            "evidence", KEY, [side("a", ("x", 0.5)), side("b", ("y", 0.5))]
        ).value
        is None
    )


def test_less_than_a_billionth_is_no_evidence() -> None:
    one, other = side("a", ("x", 0.5)), side("b", ("y", 0.5 + 1e-10))
    assert choose_side("evidence", KEY, [one, other]).value is None
    more = side("b", ("y", 0.5 + 1e-8))
    assert choose_side("evidence", KEY, [one, more]).value == "b"


def test_await_waits() -> None:
    assert choose_side("await", KEY, [MAY, JUNE]).value is None


def test_a_policy_follows_its_ranking_and_stops_where_the_first_is_of_two_minds() -> (
    None
):
    assert choose_side(
        "policy", KEY, [MAY, JUNE], Policy(prefer=["nobody", "eve", "ada"])
    ) == ("june", "the source ranked 2 says so")
    both = side("may", ("eve", 0.5))
    assert (
        choose_side(
            "policy", KEY, [both, JUNE], Policy(prefer=["eve", "ada"])
        ).value
        is None
    )
    assert choose_side("policy", KEY, [MAY, JUNE]).value is None

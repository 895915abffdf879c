"""What a doubt costs by the gravity it meets, and by what the person works on (CON-14)."""

from hypothesis import given
from hypothesis import strategies as st

from companion.comparison.alignment import (
    CLOSES,
    LIFT,
    lift_consistency,
    measure_alignment,
    weigh_cost,
)

share = st.floats(0, 1).map(lambda x: round(x, 4))
words = st.sets(st.sampled_from("abcdefgh"), min_size=1)


@given(share, share, share)
def test_a_doubt_costs_more_the_heavier_the_page_that_it_meets(
    cost: float, one: float, other: float
) -> None:
    light, heavy = sorted((one, other))
    assert cost <= weigh_cost(cost, light) + 1e-6
    assert weigh_cost(cost, light) <= weigh_cost(cost, heavy) <= 1


def test_neither_none_nor_all_changes_and_a_half_does() -> None:
    assert [weigh_cost(cost, 1.0) for cost in (0.0, 0.5, 1.0)] == [0, 0.75, 1]
    assert weigh_cost(0.5, 0.0) == 0.5
    lifted = [lift_consistency(each, 1.0) for each in (0.0, 0.5, 1.0)]
    assert lifted == [0, 0.5 + LIFT, 1]


@given(share, share, share)
def test_alignment_lifts_and_never_turns_an_order_round(
    one: float, other: float, alignment: float
) -> None:
    less, more = sorted((one, other))
    assert less <= lift_consistency(less, alignment) + 1e-6
    assert (
        lift_consistency(less, alignment)
        <= lift_consistency(more, alignment) + 1e-6
        <= 1 + 1e-6
    )


@given(words, st.lists(words, max_size=5), words)
def test_another_question_never_lowers_the_alignment(
    note: set[str], task: list[set[str]], more: set[str]
) -> None:
    before = measure_alignment(note, task)
    assert 0 <= before <= measure_alignment(note, [*task, more]) <= 1


def test_one_word_in_common_is_chance_unless_there_is_only_one() -> None:
    note = {"staging", "postgres", "version"}
    assert measure_alignment(note, [{"staging", "door"}]) == 0
    assert measure_alignment(note, [{"staging"}]) == CLOSES
    assert measure_alignment(note, [{"staging", "postgres"}]) == CLOSES

"""The scorer of rankings is right where the answer is known."""

from tests.bench.retrieval.measures import mark
from tests.bench.retrieval.sets import Question

SESSIONS = {"a": "one", "b": "one", "c": "two", "d": "three"}
EARLIER, LATER = frozenset("a"), frozenset("c")
UPDATE = Question("?", (EARLIER, LATER), is_update=True)


def ranking(turns: str) -> list[frozenset[str]]:
    return [frozenset(turn) for turn in turns]


def test_the_first_place_counts_whole_and_the_third_a_third() -> None:
    question = Question("?", (LATER,))

    assert mark(question, ranking("cd"), SESSIONS).reciprocal == 1
    third = mark(question, ranking("dbc"), SESSIONS)
    assert third.reciprocal == 1 / 3
    assert (third.turn_1, third.turn_5, third.turn_10) == (0, 1, 1)


def test_beyond_the_tenth_place_nothing_is_found() -> None:
    far = mark(Question("?", (LATER,)), ranking("dddddddddd" + "c"), SESSIONS)

    assert (far.turn_10, far.reciprocal, far.session_10) == (0, 0, 0)


def test_another_turn_of_the_session_finds_the_session_alone() -> None:
    near = mark(Question("?", (EARLIER,)), ranking("db"), SESSIONS)

    assert (near.turn_10, near.session_10) == (0, 1)


def test_each_side_must_be_found() -> None:
    assert mark(UPDATE, ranking("dc"), SESSIONS).all_sides_10 == 0
    assert mark(UPDATE, ranking("adc"), SESSIONS).all_sides_10 == 1


def test_the_later_statement_must_be_found_and_stand_first() -> None:
    assert mark(UPDATE, ranking("ca"), SESSIONS).later_first == 1
    assert mark(UPDATE, ranking("dc"), SESSIONS).later_first == 1
    assert mark(UPDATE, ranking("ac"), SESSIONS).later_first == 0
    assert mark(UPDATE, ranking("d"), SESSIONS).later_first == 0


def test_marks_add_up_to_shares() -> None:
    question = Question("?", (LATER,))

    both = mark(question, ranking("c"), SESSIONS)
    both += mark(question, ranking("d"), SESSIONS)

    assert both.show().startswith("turn R@10 0.500")

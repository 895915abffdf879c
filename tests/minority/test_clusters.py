"""Mutual support: who presses together against an incumbent, and who is a rival."""

import pytest

from companion.comparison.consistency import Choice, Judged
from companion.minority import clusters
from companion.values.relations import Label, Relation


def judged(
    one: str,
    other: str,
    label: Label,
    *,
    similarity: float = 0.0,
    opposition: float = 0.0,
    update: float = 0.0,
    phase: int = 1,
    answer: Choice | None = None,
) -> Judged:
    relation = Relation(label, 0.9, "r", opposition, update, similarity)
    return Judged(
        one, other, phase, relation, f"{one}{other}{label}", False, answer
    )


@pytest.mark.parametrize(
    ("each", "support", "rival"),
    [
        (judged("b", "a", "same"), 0.9, False),
        (judged("b", "a", "supports"), 0.9, False),
        (judged("b", "a", "contradicts", similarity=0.99), 0.0, True),
        (judged("b", "a", "neutral", similarity=0.7), 0.7, False),
        (judged("b", "a", "neutral", similarity=0.3), 0.0, False),
        (
            judged("b", "a", "neutral", similarity=0.9, opposition=0.55),
            0.0,
            False,
        ),
        (judged("b", "a", "neutral", similarity=0.9, update=0.7), 0.9, False),
        (judged("b", "a", "same", answer="prefer-new"), 0.0, True),
        (judged("b", "a", "contradicts", answer="accept"), 1.0, False),
    ],
)
def test_what_an_answer_says_of_a_pair(
    each: Judged, support: float, rival: bool
) -> None:
    (tie,) = clusters.tie_captures([each])
    assert (tie.one, tie.other, tie.support, tie.rival) == (
        "a",
        "b",
        support,
        rival,
    )


@pytest.mark.parametrize(
    ("label", "alike"),
    [("same", False), ("supports", False), ("neutral", True)],
)
def test_likeness_alone_is_marked_as_such(label: Label, alike: bool) -> None:
    (tie,) = clusters.tie_captures([judged("b", "a", label, similarity=0.8)])
    assert tie.alike is alike and not tie.heard
    assert not clusters.make_tie("a", "b", 1.0, "r").alike
    plain = clusters.Tie("a", "b", 1.0, False, 0.0, "r")
    assert not plain.alike and not plain.heard


def test_what_the_wiki_was_asked_decides_nothing_in_phase_1() -> None:
    assert clusters.tie_captures([judged("b", "a", "same", phase=2)]) == []


def test_any_opposition_among_several_passages_makes_rivals() -> None:
    (tie,) = clusters.tie_captures(
        [
            judged("b", "a", "same"),
            judged("b", "a", "contradicts"),
            judged("a", "b", "same"),
        ]
    )
    assert tie.rival


@pytest.mark.parametrize(
    ("similarity", "opposition", "support"),
    [
        (0.6, 0.0, 0.6),
        (0.599, 0.0, 0.0),
        (0.9, 0.499, 0.9),
        (0.9, 0.5, 0.0),
        (1.5, 0.0, 1.0),
        (0.7654321, 0.0, 0.765432),
    ],
)
def test_from_where_likeness_supports(
    similarity: float, opposition: float, support: float
) -> None:
    (tie,) = clusters.tie_captures(
        [
            judged(
                "b",
                "a",
                "neutral",
                similarity=similarity,
                opposition=opposition,
            )
        ]
    )
    assert tie.support == support
    assert tie.alike is (support > 0)


def test_a_judge_supports_as_far_as_it_is_sure_and_no_further() -> None:
    for score, support in ((0.1234567, 0.123457), (1.5, 1.0)):
        sure = judged("b", "a", "same")
        sure = sure._replace(relation=sure.relation._replace(score=score))
        (tie,) = clusters.tie_captures([sure])
        assert tie.support == support and not tie.rival


def test_what_is_said_of_two_notes_goes_before_that_they_are_alike() -> None:
    said = judged("b", "a", "supports")
    said = said._replace(relation=said.relation._replace(score=0.2))
    alike = judged("a", "b", "neutral", similarity=0.9)
    for answers in ([said, alike], [alike, said]):
        (tie,) = clusters.tie_captures(answers)
        assert (tie.support, tie.alike) == (0.2, False)


def test_a_note_is_no_support_of_itself() -> None:
    assert clusters.tie_captures([judged("a", "a", "same")]) == []


def test_each_pair_has_one_tie_in_the_order_of_names() -> None:
    answers = [judged("c", "b", "same"), judged("b", "a", "contradicts")]
    ties = clusters.tie_captures(answers)
    assert [(tie.one, tie.other) for tie in ties] == [("a", "b"), ("b", "c")]
    assert ties[0].reason == "they exclude each other"
    turned = [
        each._replace(capture=each.other, other=each.capture)
        for each in answers
    ]
    assert clusters.tie_captures(turned) == ties

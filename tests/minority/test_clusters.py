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
    assert not clusters.Tie("a", "b", 1.0, False, 0.0, "r").alike


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

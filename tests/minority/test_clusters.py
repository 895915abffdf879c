"""Mutual support: who presses together against an incumbent, who is a rival, and whose words are
one.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.comparison.consistency import Choice, Judged
from companion.minority import clusters
from companion.minority.clusters import Tie
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


def test_support_reaches_along_ties_by_the_weaker_one() -> None:
    support = {frozenset("ab"): 0.9, frozenset("bc"): 0.6}
    assert clusters.measure_cohesion("abc", support) == {
        "a": 0.75,
        "b": 0.75,
        "c": 0.6,
    }
    assert clusters.measure_cohesion("a", {}) == {"a": 1.0}
    assert clusters.measure_cohesion("ab", {}) == {"a": 0.0, "b": 0.0}


TOGETHER, APART = "2026-11-01T10:00:00Z", "2026-11-20T10:00:00Z"


def test_near_identical_wordings_are_one_echo_and_a_like_opinion_is_none() -> (
    None
):
    texts = {
        "a": "The reservoir above the mill is fed by the northern spring.",
        "b": "the reservoir above the mill is actually fed by the northern spring",
        "c": "Dye put into the northern spring reached the reservoir above the mill by noon.",
        "d": "Quite another matter: the ferry leaves at six.",
    }
    assert clusters.group_echoes(texts, dict.fromkeys(texts, TOGETHER)) == {
        "a": "a",
        "b": "a",
        "c": "c",
        "d": "d",
    }


def test_of_what_is_told_within_a_day_less_likeness_is_asked() -> None:
    texts = {
        "a": "By my own count the old gate has nine locks.",
        "b": "The keeper says the old gate has nine locks.",
    }
    assert clusters.group_echoes(texts, dict.fromkeys(texts, TOGETHER)) == {
        "a": "a",
        "b": "a",
    }
    assert clusters.group_echoes(texts, {"a": TOGETHER, "b": APART}) == {
        "a": "a",
        "b": "b",
    }


@given(
    st.dictionaries(
        st.sampled_from("abcdefgh"),
        st.lists(st.sampled_from("pqr"), max_size=6).map(" ".join),
    )
)
def test_an_echo_reaches_as_far_as_pairs_of_like_wordings_lead(
    texts: dict[str, str],
) -> None:
    words = {id: clusters._split_words(text) for id, text in texts.items()}
    group = {id: {id} for id in texts}
    for _ in texts:
        for one in texts:
            for other in texts:
                low, high = sorted((one, other))
                if one != other and clusters.is_echo(
                    words[low], words[high], clusters.ECHO_SOON
                ):
                    group[one] |= group[other]

    assert clusters.group_echoes(texts, dict.fromkeys(texts, TOGETHER)) == {
        id: min(group[id]) for id in texts
    }


def test_a_judge_that_finds_two_texts_all_but_equal_makes_them_one_echo() -> (
    None
):
    texts = {"a": "one two three", "b": "uno dos tres", "c": "un deux trois"}
    likeness = [
        Tie("a", "b", 1.0, False, 0.99, "same"),
        Tie("b", "c", 1.0, False, 0.9, "same"),
    ]
    told = {"a": TOGETHER, "b": APART, "c": APART}
    assert clusters.group_echoes(texts, told, likeness) == {
        "a": "a",
        "b": "a",
        "c": "c",
    }


@given(
    st.lists(st.sampled_from("abc"), max_size=9),
    st.lists(st.sampled_from("abc"), max_size=9),
)
def test_the_common_words_in_one_order_are_counted_as_the_plain_table_does(
    one: list[str], other: list[str]
) -> None:
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for n, ours in enumerate(one, 1):
        for m, theirs in enumerate(other, 1):
            table[n][m] = (
                table[n - 1][m - 1] + 1
                if ours == theirs
                else max(table[n - 1][m], table[n][m - 1])
            )
    common = table[-1][-1]
    for share in (0.3, 0.6, 0.85):
        enough = common >= share * (len(one) + len(other)) / 2
        assert clusters.is_echo(tuple(one), tuple(other), share) == enough

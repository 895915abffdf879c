"""What relations come to: opposition, an update, and an update without a time cost differently; a
person outweighs.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.comparison import cohesion, consistency
from companion.comparison.consistency import CLEAR, Judged, Page
from companion.values.relations import Relation

shares = st.floats(0, 1)
labels = st.sampled_from(
    ["same", "supports", "contradicts", "neutral", "unsure"]
)
relations = st.builds(Relation, labels, shares, st.just("r"), shares, shares)


def judged(
    relation: Relation,
    phase: int = 2,
    later: bool = False,
    answer: consistency.Choice | None = None,
) -> Judged:
    return Judged("c", "o", phase, relation, "k", later, answer)


OPPOSED = Relation("contradicts", 0.9, "negation", opposition=0.9)
UPDATE = Relation("contradicts", 0.9, "value", opposition=0.9, update=0.9)


@pytest.mark.parametrize(
    ("each", "price"),
    [
        (judged(OPPOSED), 0.9),
        (judged(OPPOSED, phase=1), 0.45),
        (judged(UPDATE), 0.45),
        (judged(UPDATE, later=True), 0.0),
        (judged(OPPOSED, later=True), 0.9),
        (judged(OPPOSED, answer="accept"), 0.0),
        (judged(OPPOSED._replace(label="neutral"), answer="reject"), 1.0),
        (judged(OPPOSED._replace(label="neutral")), 0.0),
    ],
)
def test_what_each_finding_costs(each: Judged, price: float) -> None:
    assert consistency.contradiction_cost(each) == price


@pytest.mark.parametrize(
    ("each", "kind"),
    [
        (judged(OPPOSED), "contradicts"),
        (judged(OPPOSED, phase=1), "contradicts"),
        (judged(UPDATE), "contradicts"),
        (judged(UPDATE, later=True), "updates"),
        (judged(UPDATE, later=True, answer="reject"), "contradicts"),
        (judged(OPPOSED)._replace(changed=True), "updates"),
        (judged(OPPOSED, answer="merge"), None),
        (
            judged(OPPOSED._replace(label="neutral"), answer="reject"),
            "contradicts",
        ),
        (judged(Relation("supports", 0.9, "r")), "supports"),
        (judged(Relation("same", 0.9, "r")), "same"),
        (judged(Relation("neutral", 0.9, "r")), None),
        (judged(Relation("unsure", 0.9, "r")), None),
    ],
)
def test_the_kind_of_each_finding(
    each: Judged, kind: consistency.Kind | None
) -> None:
    assert consistency.find_kind(each) == kind


@given(st.builds(judged, relations, st.sampled_from([1, 2]), st.booleans()))
def test_a_finding_that_costs_is_a_contradiction_and_no_other_is(
    found: Judged,
) -> None:
    assert (consistency.find_kind(found) == "contradicts") == (
        consistency.contradiction_cost(found) > 0
    )


def test_relations_name_the_page_of_the_other_side_each_once() -> None:
    of_the_wiki = judged(OPPOSED)._replace(path="door.md")
    of_tonight = judged(OPPOSED, phase=1)._replace(other="peer")
    waiting = judged(Relation("same", 0.9, "r"), phase=1)._replace(
        other="waits"
    )
    found = [
        waiting,
        of_tonight,
        of_the_wiki,
        of_the_wiki._replace(key="another passage"),
    ]
    assert consistency.list_relations(
        found, {"peer": Page("e", "peer.md")}
    ) == [
        ("contradicts", "e", "peer.md", "peer"),
        ("contradicts", "o", "door.md", None),
        ("same", None, None, "waits"),
    ]


@given(
    st.lists(
        st.builds(judged, relations, st.sampled_from([1, 2]), st.booleans()),
        max_size=6,
    )
)
def test_consistency_is_a_share_whatever_the_order(found: list[Judged]) -> None:
    stood = consistency.measure_standing(found)
    assert 0 <= stood.consistency <= 1
    assert (
        stood.consistency
        == consistency.measure_standing(found[::-1]).consistency
    )
    assert (stood.against is None) == (stood.consistency == 1)
    assert stood == CLEAR if not found else stood.words


@given(st.builds(judged, relations, st.just(1), st.booleans()))
def test_inside_the_buffer_nothing_is_quarantined(found: Judged) -> None:
    assert (
        cohesion.place_score(
            consistency.measure_standing([found]).consistency
        ).bucket
        != "low"
    )

"""What relations come to: opposition, an update, and an update without a time cost differently; a person outweighs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.comparison import cohesion, consistency
from companion.comparison.consistency import CLEAR, Judged
from companion.values.relations import Relation

shares = st.floats(0, 1)
labels = st.sampled_from(["same", "supports", "contradicts", "neutral", "unsure"])
relations = st.builds(Relation, labels, shares, st.just("r"), shares, shares)


def judged(relation: Relation, phase: int = 2, later: bool = False, answer: consistency.Choice | None = None) -> Judged:
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
    assert consistency.cost(each) == price


@given(st.lists(st.builds(judged, relations, st.sampled_from([1, 2]), st.booleans()), max_size=6))
def test_consistency_is_a_share_whatever_the_order(found: list[Judged]) -> None:
    stood = consistency.stand(found)
    assert 0 <= stood.consistency <= 1
    assert stood.consistency == consistency.stand(found[::-1]).consistency
    assert (stood.against is None) == (stood.consistency == 1)
    assert stood == CLEAR if not found else stood.words


@given(st.builds(judged, relations, st.just(1), st.booleans()))
def test_inside_the_buffer_nothing_is_quarantined(found: Judged) -> None:
    assert cohesion.place(consistency.stand([found]).consistency).bucket != "low"

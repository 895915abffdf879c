"""Fusing rankings: whatever their order, an item that more rankings place high comes first; what
falls off is cut.
"""

from hypothesis import given
from hypothesis import strategies as st

from companion.answers.passages import MOST, count_related, fuse_rankings

rankings = st.dictionaries(
    st.sampled_from(["dense", "words", "names"]),
    st.lists(st.integers(0, 9), max_size=8),
)


@given(rankings)
def test_every_item_is_there_once_with_the_rankings_that_have_it(
    given: dict[str, list[int]],
) -> None:
    fused = fuse_rankings(given)
    assert sorted(item for item, _, _ in fused) == sorted(
        {item for ranking in given.values() for item in ranking}
    )
    assert all(
        set(names) == {name for name in given if item in given[name]}
        for item, _, names in fused
    )
    assert [score for _, score, _ in fused] == sorted(
        (score for _, score, _ in fused), reverse=True
    )


@given(rankings)
def test_the_order_of_the_rankings_does_not_matter(
    given: dict[str, list[int]],
) -> None:
    assert fuse_rankings(given) == fuse_rankings(
        dict(reversed(list(given.items())))
    )


def test_first_in_two_rankings_beats_first_in_one() -> None:
    assert (
        next(
            item
            for item, _, _ in fuse_rankings(
                {"a": ["x", "y"], "b": ["y"], "c": ["z"]}
            )
        )
        == "y"
    )
    assert fuse_rankings({}) == fuse_rankings({"a": []}) == []


def test_as_many_as_belong_together() -> None:
    assert count_related([]) == 0 and count_related([1.0]) == 1
    assert count_related([0.05, 0.048, 0.02, 0.019]) == 2
    assert count_related([0.016] * 20) == MOST

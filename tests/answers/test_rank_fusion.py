"""Fusing rankings: whatever their order, an item that more rankings place high comes first; what
falls off is cut.
"""

from hypothesis import given
from hypothesis import strategies as st

from companion.answers.notes.passages import (
    MOST,
    WEIGHTS,
    fuse_rankings,
    keep_related,
)

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


def test_what_several_ways_find_belongs_to_the_question() -> None:
    fused = fuse_rankings({"meaning": ["x", "y"], "words": ["z", "y", "w"]})
    scores = {"z": 4.0, "y": 0.4, "w": 1.0}

    kept = [item for item, _ in keep_related(fused, scores)]

    assert kept == ["y", "z"]  # x has no words of it, and w too few


def test_agreement_on_one_note_does_not_hide_the_others() -> None:
    fused = fuse_rankings({"names": ["x"], "words": ["x", "y", "z"]})

    kept = keep_related(fused, {"x": 4.0, "y": 3.0, "z": 2.0})

    assert kept == [
        ("x", ("names", "words")),
        ("y", ("words",)),
        ("z", ("words",)),
    ]


def test_where_no_words_fit_what_else_was_found_is_kept() -> None:
    fused = fuse_rankings({"meaning": ["x", "y"], "words": []})

    assert [item for item, _ in keep_related(fused, {})] == ["x", "y"]
    assert keep_related([], {}) == []


def test_a_list_is_short() -> None:
    items = [str(number) for number in range(40)]
    fused = fuse_rankings({"words": items})

    assert len(keep_related(fused, dict.fromkeys(items, 1.0))) == MOST


def test_words_lead_in_their_own_order() -> None:
    rankings = {"names": ["x", "z"], "words": ["y", "w", "x"]}

    led = [item for item, _, _ in fuse_rankings(rankings, WEIGHTS)]

    assert led == ["y", "w", "x", "z"]

"""Which pairs are judged: bounded, ordered, and only where there are words in common."""

from hypothesis import given
from hypothesis import strategies as st

from companion.comparison import candidate_pairs
from companion.comparison.candidate_pairs import (
    PassageIndex,
    SideId,
    pair_passages,
    pair_with_any,
)

texts = st.lists(st.text("ab cd.\n", max_size=30), max_size=8)


def test_passages_are_sentences_and_items_without_frontmatter_headings_and_code() -> (
    None
):
    text = (
        "---\nid: x\n---\n# Door\n\nIt is open. It is red!\n\n- [ ] paint the door\n\n```\nrm"
        " -rf it\n```\nOk\n"
    )
    assert candidate_pairs.split_passages(text) == [
        "It is open.",
        "It is red!",
        "paint the door",
    ]
    assert (
        len(candidate_pairs.split_passages("One more line.\n" * 500))
        == candidate_pairs.PASSAGES
    )


def test_mere_links_state_nothing() -> None:
    text = "[[Alice]] [[Bob]]\n- [[A long name]]\n[[Alice]] left\nsee https://x.org/y"
    assert candidate_pairs.split_passages(text) == [
        "[[Alice]] left",
        "see https://x.org/y",
    ]


def test_below_the_floor_nobody_is_asked() -> None:
    ours, theirs = ["one two three four"], ["one five six seven"]
    assert len(candidate_pairs.pair_passages("c", ours, "o", theirs)) == 1
    assert (
        len(
            candidate_pairs.pair_passages(
                "c", ours, "o", theirs, floor=1 / 7 - 1e-6
            )
        )
        == 1
    )
    assert (
        candidate_pairs.pair_passages(
            "c", ours, "o", theirs, floor=candidate_pairs.FRAME
        )
        == []
    )


@given(texts, texts)
def test_pairs_are_few_and_share_words(
    ours: list[str], theirs: list[str]
) -> None:
    found = candidate_pairs.pair_passages("c", ours, "o", theirs)
    assert len(found) <= candidate_pairs.BEST
    assert all(
        candidate_pairs._overlap(
            candidate_pairs._split_words(p.earlier),
            candidate_pairs._split_words(p.later),
        )
        > 0
        for p in found
    )


def test_phase_one_compares_with_earlier_captures_only_and_with_few() -> None:
    order = [f"c{n}" for n in range(9)]
    found = candidate_pairs.list_earlier_candidates(
        order, dict.fromkeys(order, "door"), {}, {"c8": ["c0"]}
    )
    assert found["c8"] == ["c7", "c6", "c5", "c4"] and "c0" not in found
    assert candidate_pairs.list_earlier_candidates(
        ["a", "b"], {}, {"a": ["x"], "b": ["x"]}, {"a": ["b"]}
    ) == {"b": ["a"]}


def test_what_bears_weight_goes_by_gravity_then_by_links() -> None:
    standing = [
        ("linked", 0.0, 9.0),
        ("heavy", 0.7, 1.0),
        ("alone", 0.3, 0.0),
        ("b", 0.0, 9.0),
    ]
    assert candidate_pairs.rank_load_bearing(standing, 3) == [
        "heavy",
        "b",
        "linked",
    ]


WORDS = st.lists(
    st.sampled_from(["anna", "lives", "bergen", "harbour", "12", "of"]),
    max_size=5,
).map(" ".join)


@given(st.lists(WORDS, max_size=8), WORDS)
def test_an_index_finds_the_overlap_that_a_look_at_every_passage_finds(
    passages: list[str], text: str
) -> None:
    index = PassageIndex([("one", passage) for passage in passages])
    best = max(index.measure(text).values(), default=0.0)

    at_best = pair_passages("c", [text], "o", passages, floor=best)
    above = pair_passages("c", [text], "o", passages, floor=best + 0.001)
    assert (len(at_best), above) == (int(best > 0), [])


def test_of_equal_statements_the_one_told_last_is_paired() -> None:
    index = PassageIndex(
        [
            ("old", "Anna lives in Bergen"),
            ("new", "Anna lives in Cadiz"),
            ("else", "The dog sleeps"),
        ]
    )
    [pair] = pair_with_any("c", ["Anna lives in Oslo"], "page", index)
    assert pair.side == SideId("page", "new")
    assert index.rank_statements(["Anna lives in Oslo"], 2) == ["new", "old"]
    assert index.rank_statements(["Kiln"], 2) == ["else", "new"]

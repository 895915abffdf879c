"""How many letters differ between two words."""

from hypothesis import given
from hypothesis import strategies as st

from companion.storage.index.search.spelling import (
    find_near_word,
    measure_distance,
)

WORDS = st.text("abc", max_size=6)


def test_each_kind_of_slip_counts_one() -> None:
    for typed in ("gardn", "gardenn", "garten", "gadren", "agrden"):
        assert measure_distance(typed, "garden", 2) == 1, typed
    assert measure_distance("gardn", "gate", 2) == 3


@given(WORDS, WORDS)
def test_the_distance_is_even_and_bounded(left: str, right: str) -> None:
    distance = measure_distance(left, right, 6)
    assert distance == measure_distance(right, left, 6)
    assert (distance == 0) == (left == right)
    assert (
        abs(len(left) - len(right)) <= distance <= max(map(len, (left, right)))
    )


def test_short_words_are_not_corrected() -> None:
    assert find_near_word(None, "oar", ["oat"]) is None
    assert find_near_word(None, "gardn", ["garden", "warden"]) == "garden"
    assert find_near_word(None, "xylofone", ["xylophone"]) == "xylophone"

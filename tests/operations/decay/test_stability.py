"""How much of a self-description still stands: words, by whom they changed, and from when."""

import pytest

from companion.operations.decay.stability import Version, measure_stability

FIRST, LATER, LAST = (f"2026-0{n}-01T08:00:00Z" for n in (1, 2, 3))


def test_a_page_that_nobody_changed_is_whole() -> None:
    found = measure_stability([Version(FIRST, "I keep bees.\n", True)])
    assert (found.since, found.share) == (FIRST, 1.0)
    assert (found.by_hand, found.by_night) == (0, 0)
    assert found.reason == (
        "100% as it was on 2026-01-01; 0 changes by hand, 0 by nights since"
    )


def test_a_change_counts_by_words_and_by_who_made_it() -> None:
    found = measure_stability(
        [
            Version(FIRST, "I keep bees.", True),
            Version(LATER, "I  keep\nbees.", True),
            Version(LATER, "I keep ten bees.", False),
            Version(LAST, "I keep ten cows.", True),
        ]
    )
    # 2 of 3 and 2 of 4 words in common
    assert found.share == pytest.approx(4 / 7)
    assert (found.by_hand, found.by_night) == (1, 1)


def test_the_way_back_makes_it_whole_again() -> None:
    words = ("I keep bees.", "Nothing.", "I keep bees.")
    found = measure_stability([Version(FIRST, one, True) for one in words])
    assert (found.share, found.by_hand) == (1.0, 2)


def test_without_a_text_nothing_is_claimed() -> None:
    assert measure_stability([]).since is None

"""What judging costs is told in pairs of the rules, with the range of all rounds."""

from unittest.mock import patch

from tests.bench.stance import speed
from tests.bench.stance.corpus import read_pairs
from tests.bench.stance.speed import Ratios

PAIRS = read_pairs("dev")[:6]


def test_a_ratio_is_told_with_its_range() -> None:
    assert Ratios([2.5, 2.0, 4.04]).show() == "2.5 (2.0 to 4.0)"


def test_texts_are_distinct() -> None:
    texts = speed.list_texts([*PAIRS, *PAIRS])

    assert len(texts) == len(set(texts)) > 6


def test_the_head_costs_more_than_the_rules_that_it_asks() -> None:
    with (
        patch.object(speed, "read_pairs", return_value=PAIRS),
        patch.object(speed, "find_spec", return_value=None),
    ):
        found = speed.measure_speed(rounds=2)

    assert list(found) == [speed._PAIR]
    assert len(found[speed._PAIR].rounds) == 2
    assert min(found[speed._PAIR].rounds) > 1

"""A sample of the 730 nights; the whole is `python -m tests weekly`."""

from pathlib import Path

import pytest

from tests.simulation.long_life import LongLife, check

NIGHTS = 8


def test_every_byte_of_a_week_is_found_again(tmp_path: Path) -> None:
    life = LongLife(tmp_path, seed=2)
    life.live(NIGHTS)

    check(life, tmp_path)
    assert life.killed and life.edited and life.merged
    assert all(life.told.values())


def test_a_byte_that_is_another_is_noticed(tmp_path: Path) -> None:
    life = LongLife(tmp_path, seed=3)
    life.live(1)
    told = life.told[life.away]
    told[min(told)] += b"\n"

    with pytest.raises(AssertionError, match="the other machine lacks"):
        check(life, tmp_path)

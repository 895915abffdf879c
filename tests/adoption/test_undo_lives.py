"""Random lives of plain notes, edits and moves: undo, newest first, gives every tree back."""

import random
from pathlib import Path

import pytest

from tests.bench.undoing import THEIRS, live, take_back
from tests.wiki import Wiki


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_each_run_of_a_life_is_taken_back(seed: int, tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", THEIRS)
    made = live(wiki, random.Random(seed), 12)
    assert take_back(wiki, made) == []

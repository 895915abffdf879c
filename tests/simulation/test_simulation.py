"""A sample of `python -m tests.simulation`; the sweep is a command of its own."""

import pytest

from tests.simulation.mutants import MUTANTS
from tests.simulation.run import live

STEPS = 12


@pytest.mark.parametrize("seed", [1, 2])
def test_a_world_keeps_every_law(seed: int) -> None:
    outcome = live(seed, STEPS)

    assert outcome.why == "", "\n".join([*outcome.happened, outcome.why])
    assert outcome.machines >= 3


def test_what_breaks_down_is_a_fault_of_the_world() -> None:
    def broken() -> None:
        raise OSError("the disk is gone")

    assert "the disk is gone" in live(1, 1, broken).why


def test_a_random_world_shows_a_broken_rule() -> None:
    patch = MUTANTS["what came is not recorded"]

    assert any(live(seed, STEPS, patch).why for seed in range(1, 6))

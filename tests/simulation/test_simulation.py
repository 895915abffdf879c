"""A sample of `python -m tests.simulation`; the sweep is a command of its own."""

import pytest

from tests.simulation.mutants import MUTANTS
from tests.simulation.page import (
    PAGE,
    RESULTS,
    Sweep,
    read_sweeps,
    write_page,
    write_sweeps,
)
from tests.simulation.run import live

STEPS = 12


@pytest.mark.parametrize("seed", [1, 2])
def test_a_world_keeps_every_law(seed: int) -> None:
    outcome = live(seed, STEPS)

    assert outcome.why == "", "\n".join([*outcome.happened, outcome.why])
    assert outcome.machines >= 3


def test_a_world_in_which_nobody_tells_anything_keeps_every_law() -> None:
    assert live(1, 0).why == ""


def test_what_breaks_down_is_a_fault_of_the_world() -> None:
    def broken() -> None:
        raise OSError("the disk is gone")

    assert "the disk is gone" in live(1, 1, broken).why


def test_a_random_world_shows_a_broken_rule() -> None:
    patch = MUTANTS["what came is not recorded"]

    assert any(live(seed, STEPS, patch).why for seed in range(1, 6))


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    sweeps = read_sweeps(text)
    assert write_sweeps(sweeps) == text
    assert PAGE.read_text("utf-8") == write_page(sweeps)


def test_a_sweep_names_the_seeds_that_failed() -> None:
    sweep = Sweep(7, 24, 10, (8, 9), 99, 12.5, 3, 40, "0" * 8, "2026-01-01")
    page = write_page([sweep, sweep])
    assert "20 worlds of 25 simulated years and 198 notes" in page
    assert "| 7 to 16 | 24 | 10 | 8, 9 | 99 |" in page
    assert read_sweeps(write_sweeps([sweep])) == [sweep]

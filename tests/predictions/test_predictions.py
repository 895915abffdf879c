"""The experiments can be rerun: the same seed gives the same figures, and the page says them."""

import pytest

from tests.predictions import results
from tests.predictions.experiments import live
from tests.predictions.memory import ARMS, FULL, Memory
from tests.predictions.page import draw_plot, write_page
from tests.predictions.person import make_person
from tests.predictions.statistics import measure_effect


@pytest.fixture(scope="module")
def record() -> results.Results:
    return results.read_record(results.RECORD.read_text("utf-8"))


def test_the_page_says_what_is_recorded(record: results.Results) -> None:
    assert results.PAGE.read_text("utf-8") == write_page(record)


def test_the_plot_is_of_what_is_recorded(record: results.Results) -> None:
    assert results.PLOT.read_text("utf-8") == draw_plot(record)


def test_one_seed_gives_what_is_recorded(record: results.Results) -> None:
    seed = record.seeds[0]
    again = results.run([seed], record.made)

    for now, then in zip(again.comparisons, record.comparisons, strict=True):
        assert (now.figure, now.other) == (then.figure, then.other)
        recorded = [pair for pair in then.pairs if pair.seed == seed]
        assert [*now.pairs[0]] == pytest.approx([*recorded[0]], rel=1e-6)


def test_at_least_thirty_seeds_are_recorded(record: results.Results) -> None:
    assert len(record.seeds) >= 30
    assert all(
        len(each.pairs) == len(record.seeds) for each in record.comparisons
    )


def test_arms_live_the_same_life_but_for_what_they_lack() -> None:
    lived = live(0, (FULL, ARMS[2]))
    whole, twin = lived.lives.values()

    assert whole.promoted
    assert not twin.promoted
    first = min(won.week for won in whole.promoted)
    assert whole.integrity[:first] == twin.integrity[:first]


def test_without_gravity_nothing_is_protected() -> None:
    memory = Memory(make_person(0), 0, ARMS[1])
    memory._weigh()

    assert set(memory._bases.values()) == {0.0}
    assert not memory._floor.shields(0.0)


def test_an_effect_is_the_mean_of_paired_differences() -> None:
    effect = measure_effect([1.0, 2.0, 3.0])

    assert (effect.mean, effect.size, effect.in_favour) == (2.0, 2.0, 3)
    assert 1.0 <= effect.low < 2.0 < effect.high <= 3.0
    assert measure_effect([0.0, 0.0]).size == 0.0

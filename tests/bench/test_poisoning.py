"""The price of poisoning: what is published is what was measured, and measures again."""

import pytest

from tests.bench.poisoning import (
    ATTACKS,
    PAGE,
    PLOT,
    POLICIES,
    RESULTS,
    SEEDS,
    VOICES,
    Record,
    draw_plot,
    measure_share,
    read_record,
    write_page,
    write_record,
)


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(RESULTS.read_text("utf-8"))


def test_the_page_and_the_plot_say_what_is_recorded(record: Record) -> None:
    assert read_record(write_record(record)) == record
    assert PAGE.read_text("utf-8") == write_page(record)
    assert PLOT.read_text("utf-8") == draw_plot(record)


@pytest.mark.parametrize("defence", POLICIES)
@pytest.mark.parametrize("attack", ATTACKS)
def test_three_voices_in_a_week_cost_what_is_recorded(
    record: Record, attack: str, defence: str
) -> None:
    plant, policy = ATTACKS[attack](3, 7), POLICIES[defence]
    again = measure_share(plant, policy, SEEDS, trusted=False)
    (price,) = [
        each
        for each in record.prices
        if (each.attack, each.defence) == (attack, defence)
        and each.nights == 7
        and not each.trusted
    ]
    assert price.shares[VOICES.index(3)] == pytest.approx(again)


def test_names_through_one_assistant_never_win_and_would_without_defences(
    record: Record,
) -> None:
    for price in record.prices:
        if price.attack.startswith("names"):
            assert (max(price.shares) > 0) == (price.defence == "off")

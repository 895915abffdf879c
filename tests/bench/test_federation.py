"""What federation gives away: what is published was measured, and a unit of it lives again."""

import numpy as np

from tests.bench.federation import WEEKS, _live, _measure_liars, _Unit
from tests.bench.federation_page import (
    PAGE,
    RESULTS,
    read_record,
    write_page,
    write_record,
)


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    record = read_record(text)
    assert write_record(record) == text
    assert PAGE.read_text("utf-8") == write_page(record)


def test_liars_who_are_fewer_than_the_owners_weigh_next_to_nothing() -> None:
    """Their release may say what they like in some week."""
    record = read_record(RESULTS.read_text("utf-8"))
    assert max(one.spoke for one in record.liars) > 0.1
    assert max(one.fewer_voice for one in record.liars) < 0.002
    found = _measure_liars(25, 5, 2, np.random.default_rng(7))
    assert found.voice == 0.0 and found.fewer == 2


def test_a_change_that_all_owners_made_is_heard_after_four_weeks() -> None:
    chance = np.random.default_rng(3)
    lived = _live(_Unit.draw(50, 0, 1.0, chance), chance)
    assert 4 <= lived.first <= WEEKS

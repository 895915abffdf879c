"""Groups, masks and releases: what a relay learns, and what liars move."""

import numpy as np
import pytest

from companion.federation.sums.groups import (
    Sum,
    draw_groups,
    release_topics,
    subtract_own,
)
from companion.federation.sums.masks import add_sheets, mask_sheet
from companion.federation.sums.profiles import (
    ANONYMITY,
    PROFILES,
    explain_silence,
)
from companion.federation.sums.sketch import (
    MOST,
    SIZE,
    Signal,
    make_sheet,
    read_topic,
)

SALT = bytes(range(32))
WEEK = 2948
TOPIC = "staging database"


def pair_secret(one: int, other: int) -> bytes:
    return f"{min(one, other)}-{max(one, other)}".encode()


def sum_of(sheets: dict[int, np.ndarray]) -> np.ndarray:
    """The relay's sum: every sheet arrives masked."""
    group = tuple(sorted(sheets))
    arrived = []
    for member in group:
        secrets = {other: pair_secret(member, other) for other in group}
        arrived.append(mask_sheet(sheets[member], member, group, secrets, WEEK))
    return add_sheets(arrived)


def told(*topics: str, **numbers: int) -> np.ndarray:
    return make_sheet({each: Signal(**numbers) for each in topics}, SALT, WEEK)


def test_masks_cancel_in_the_sum_of_a_whole_group_and_nowhere_else():
    sheets = {n: told(TOPIC, gravity=n) for n in range(5)}
    whole = sum_of(sheets)

    assert np.array_equal(whole, add_sheets(list(sheets.values())))
    group = tuple(sheets)
    secrets = {other: pair_secret(0, other) for other in group}
    alone = mask_sheet(sheets[0], 0, group, secrets, WEEK)
    # a masked sheet is even noise: no word of it is what the member told
    assert not np.any(alone == sheets[0])


def test_all_but_two_members_together_learn_only_the_sum_of_the_two():
    one, other = told(TOPIC, won=1), told("rent", open=1)
    swapped = {0: other, 1: one}
    plain = {0: one, 1: other}
    rest = {n: told("anything") for n in range(2, 5)}

    assert np.array_equal(sum_of(plain | rest), sum_of(swapped | rest))


def test_a_mask_is_of_one_week_and_one_group():
    secrets = {n: pair_secret(0, n) for n in range(6)}
    sheet = told(TOPIC)
    first = mask_sheet(sheet, 0, (0, 1, 2), secrets, WEEK)

    assert not np.array_equal(
        first, mask_sheet(sheet, 0, (0, 1, 2), secrets, WEEK + 1)
    )
    assert not np.array_equal(
        first, mask_sheet(sheet, 0, (0, 1, 3), secrets, WEEK)
    )


@pytest.mark.parametrize("members", [5, 9, 10, 14, 15, 29, 500])
def test_groups_hold_everybody_once_and_at_least_five(members):
    groups = draw_groups(members, ANONYMITY, SALT, WEEK)

    assert sorted(sum(groups, ())) == list(range(members))
    assert min(map(len, groups)) >= ANONYMITY
    assert max(map(len, groups)) <= MOST


def test_groups_are_drawn_anew_every_week():
    assert draw_groups(20, 5, SALT, WEEK) != draw_groups(20, 5, SALT, WEEK + 1)


@pytest.mark.parametrize("members", range(1, 5))
def test_fewer_than_five_exchange_nothing_and_hear_why(members):
    for profile in PROFILES.values():
        why = explain_silence(members, profile)
        assert f"unit of {members} exchanges nothing" in why
    assert draw_groups(members, ANONYMITY, SALT, WEEK) == ()


def test_a_topic_of_four_owners_is_not_released_and_one_of_five_is():
    four = add_sheets([told(TOPIC)] * 4 + [told("other")])
    five = add_sheets([told(TOPIC)] * 5)

    assert not np.any(release_topics([Sum(four, 5)], 5).sheet)
    released = release_topics([Sum(five, 5)], 5).sheet
    assert read_topic(released, TOPIC, SALT, WEEK).owners == 5


def test_liars_in_one_of_three_groups_release_nothing_by_themselves():
    honest = add_sheets([told("lunch")] * 5)
    lying = add_sheets([told(TOPIC, won=1, pressure=15)] * 5)
    released = release_topics(
        [Sum(honest, 5), Sum(lying, 5), Sum(honest, 5)], 5
    )

    assert released.tolerated == 1
    assert read_topic(released.sheet, TOPIC, SALT, WEEK).owners == 0
    assert read_topic(released.sheet, "lunch", SALT, WEEK).owners == 10


@pytest.mark.parametrize("seed", range(20))
def test_no_liars_in_tolerated_groups_raise_what_speaks_for_a_change(seed):
    """Whatever a lying group says, the others alone would have said as much."""
    chance = np.random.default_rng(seed)
    sums = []
    for _ in range(5):
        some = [
            told(
                TOPIC,
                won=int(chance.integers(2)),
                gravity=int(chance.integers(16)),
            )
            for _ in range(int(chance.integers(1, 6)))
        ]
        sums.append(Sum(add_sheets(some), 5))
    liars = [
        Sum(told(TOPIC, won=1, pressure=15) * np.uint64(chance.integers(6)), 5)
        for _ in range(2)
    ]
    found = read_topic(
        release_topics([*sums[:3], *liars], 3).sheet, TOPIC, SALT, WEEK
    )
    honest = read_topic(
        add_sheets([one.sheet for one in sums[:3]]), TOPIC, SALT, WEEK
    )

    assert found.won <= honest.won
    assert found.pressure <= honest.pressure
    if found.owners:
        assert found.won / found.owners <= honest.won / honest.owners


def test_a_sum_that_its_members_cannot_have_made_is_left_out():
    forged = told(TOPIC) * np.uint64(9)
    noise = np.full(SIZE, 2**63, dtype=np.uint64)
    nobody = make_sheet({TOPIC: Signal(owners=0, won=1)}, SALT, WEEK)

    for sheet in (forged, noise, nobody):
        released = release_topics([Sum(sheet, 5)], 5)
        assert released.members == 0
        assert not np.any(released.sheet)


def test_what_this_wiki_told_is_no_news_to_it():
    found = Signal(owners=6, gravity=40, won=4)

    assert subtract_own(found, Signal(gravity=9, won=1)) == Signal(
        owners=5, gravity=31, won=3
    )
    assert subtract_own(found, None) == found


def test_no_sum_of_the_most_members_runs_into_the_next_number():
    full = Signal(1, 15, 15, 1, 1, 1, 1, 3)
    sheet = make_sheet({TOPIC: full}, SALT, WEEK) * np.uint64(MOST)

    found = read_topic(sheet, TOPIC, SALT, WEEK)
    assert found == Signal(*(MOST * number for number in full))


def test_another_salt_or_week_puts_a_topic_elsewhere():
    sheet = told(TOPIC)

    assert read_topic(sheet, TOPIC, SALT, WEEK).owners == 1
    assert read_topic(sheet, TOPIC, b"another salt", WEEK).owners == 0
    assert read_topic(sheet, TOPIC, SALT, WEEK + 1).owners == 0

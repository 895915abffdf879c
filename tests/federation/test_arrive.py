"""What units told, week after week: one word of one week is no voice (MaM §10.2)."""

from typing import Any

from companion.federation.arrive import Own, match_release, merge_heard
from companion.federation.sums.profiles import PROFILES
from companion.federation.sums.sketch import Sheet, Signal, make_sheet
from companion.federation.unit import Unit
from companion.routing.peers import (
    CONFIRMED,
    REMEMBERED,
    Heard,
    after_weeks,
    find_voices,
)

SALT = bytes(range(32))
UNIT = Unit("team", SALT, "r", (), PROFILES["team"])
BEGUN = 2950
OWN = [Own("staging database", "e1", None)]


def at(week: int) -> str:
    return after_weeks("2026-07-06T08:00:00Z", week)


def release(week: int, **numbers: int) -> Sheet:
    signals = {"staging database": Signal(**numbers)}
    return make_sheet(signals, SALT, BEGUN + week)


def hear(
    known: list[Heard], week: int, tolerated: int = 1, **numbers: int
) -> list[Heard]:
    lines = []
    if numbers:
        lines = match_release(
            release(week, **numbers),
            OWN,
            UNIT,
            week=BEGUN + week,
            tolerated=tolerated,
            now=at(week),
        )
    return merge_heard(known, lines, UNIT.id, BEGUN + week, at(week))


def live(*weeks: dict[str, Any]) -> list[bool]:
    """In which of some weeks, one after the other, a voice was heard."""
    known: list[Heard] = []
    voices = []
    for week, numbers in enumerate(weeks):
        known = hear(known, week, **numbers)
        voices.append(bool(find_voices(known, at(week))))
    return voices


WON = {"owners": 1, "won": 1}
HELD = {"owners": 1, "gravity": 8}


def test_a_word_is_a_voice_from_the_fourth_week_on() -> None:
    assert live(*[WON] * 5) == [False, False, False, True, True]


def test_liars_who_get_through_in_some_weeks_are_no_voice() -> None:
    assert not any(live(WON, HELD, HELD, HELD, WON, HELD, HELD, HELD, WON))
    assert not any(live(*[HELD, WON, HELD] * 8))


def test_what_is_not_told_any_more_speaks_against_what_was() -> None:
    voices = live(*[WON] * 4, *[{}] * 4)
    assert voices[3:] == [True, True, True, True, False]


def test_what_comes_to_be_so_is_heard_though_it_was_otherwise_for_long() -> (
    None
):
    voices = live(*[HELD] * 30, *[WON] * REMEMBERED)
    assert not any(voices[:30]) and voices[-1]


def test_one_release_counts_once_however_often_it_is_fetched() -> None:
    known = hear([], 0, **WON)
    for _ in range(9):
        known = hear(known, 0, **WON)
    assert known[0].weeks == 1
    # the release of the week before, fetched late, counts no more
    known = hear(known, 1, **WON)
    assert hear(known, 0, **WON)[0].weeks == 2


def test_what_one_liar_could_have_made_is_told_against() -> None:
    known: list[Heard] = []
    for week in range(CONFIRMED + 1):
        known = hear(known, week, tolerated=0, **WON)
    assert known[0].mean == -1.0
    assert not find_voices(known, at(CONFIRMED))


def test_what_another_unit_told_is_left_as_it_is() -> None:
    (line,) = hear([], 0, **WON)
    other = line._replace(unit="0" * 16)
    assert other in merge_heard([line, other], [], UNIT.id, BEGUN + 1, at(1))


def test_what_expired_is_gone() -> None:
    known = hear([], 0, **WON)
    end = UNIT.profile.life
    assert merge_heard(known, [], UNIT.id, BEGUN + end, at(end)) == []


def test_a_voice_that_goes_on_keeps_its_first_day() -> None:
    known: list[Heard] = []
    for week in range(4):
        known = hear(known, week, **WON)
    assert known[0].seen == at(0)
    assert known[0].until == at(3 + UNIT.profile.life)
    assert hear(known, 4, owners=1, open=1)[0].seen == at(4)

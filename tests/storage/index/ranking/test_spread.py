"""Later places of a search go to several conversations."""

from companion.storage.index.ranking.spread import (
    FIRST,
    list_conversations,
    spread_days,
)
from companion.storage.index.ranking.tellings import Telling


def _tell(doc: int, day: str, speaker: str) -> Telling:
    time = f"2026-11-{day}T10:00:00.000000Z"
    return Telling(doc, False, f"c{doc}", time, time, speaker)


def test_a_day_of_several_speakers_is_a_conversation() -> None:
    told = [_tell(1, "01", "ann"), _tell(2, "01", "ben"), _tell(3, "02", "ann")]
    assert list_conversations(told) == {"2026-11-01"}


def test_another_day_gets_a_place_of_the_last_three() -> None:
    ranked = [(10.0 - place / 100, "monday") for place in range(10)]
    ranked.append((9.0, "friday"))
    shown = spread_days(ranked, 10)
    places = [place for place, _ in shown]
    assert places == [*range(FIRST), 10, 7, 8]
    worths = [ranked[place][0] - lost for place, lost in shown]
    assert worths == sorted(worths, reverse=True)
    assert not shown[FIRST][1]
    assert all(lost > 0 for _, lost in shown[FIRST + 1 :])


def test_days_of_one_speaker_are_left_as_they_are() -> None:
    ranked = [(10.0 - place / 100, "") for place in range(12)]
    assert spread_days(ranked, 10) == [(place, 0.0) for place in range(10)]


def test_what_is_worth_nothing_is_not_raised() -> None:
    ranked = [(1.0, "monday")] * 8 + [(-1.0, "monday"), (-2.0, "friday")]
    assert [place for place, _ in spread_days(ranked, 10)] == [*range(10)]

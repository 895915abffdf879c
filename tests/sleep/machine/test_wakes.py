"""What wakes remember: the course of the battery, and when the machine runs."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from companion.sleep.decision.state import Body
from companion.sleep.machine import wakes
from companion.sleep.machine.wakes import (
    Wakes,
    add_wake,
    list_awake_hours,
    measure_drain,
)
from tests.wiki import Wiki

BEGIN = datetime(2026, 11, 2, 8)  # noqa: DTZ001 - local wall time


def at(minutes: float) -> str:
    return (BEGIN + timedelta(minutes=minutes)).isoformat(
        timespec="microseconds"
    ) + "Z"


def after(*levels: tuple[float, bool]) -> Wakes:
    """Wakes every twenty minutes, with these levels of the battery."""
    known = Wakes()
    for number, (level, on_mains) in enumerate(levels):
        body = Body(battery=level, on_mains=on_mains)
        moment = BEGIN + timedelta(minutes=20 * number)
        known = add_wake(known, body, at(20 * number), moment)
    return known


def test_the_course_is_followed_since_the_plug_was_pulled() -> None:
    known = after((0.9, True), (1.0, False), (0.9, False))
    now = Body(battery=0.8, on_mains=False)
    drain = measure_drain(known, now, at(60))
    assert drain == pytest.approx(0.3)
    assert measure_drain(known, now._replace(on_mains=True), at(60)) is None


def test_too_short_a_time_and_a_clock_set_back_tell_nothing() -> None:
    now = Body(battery=0.5, on_mains=False)
    assert measure_drain(after((0.9, False)), now, at(2)) is None
    assert measure_drain(after((0.9, False)), now, at(-600)) is None
    assert measure_drain(after((0.9, False)), now, at(60 * 24 * 9)) is None
    assert measure_drain(after((0.9, False)), Body(), at(30)) is None


def test_it_knows_the_hours_in_which_the_machine_ran() -> None:
    known = after(*[(0.5, True)] * 9)
    assert list_awake_hours(known) == [
        BEGIN + timedelta(hours=hour) for hour in range(3)
    ]


def test_the_file_stays_small_and_damage_costs_only_memory(
    tmp_path: Path,
) -> None:
    place = Wiki.new(tmp_path / "wiki").ws.place
    known = Wakes()
    for wake in range(0, 400 * 24, 3):
        moment = BEGIN + timedelta(hours=wake)
        known = add_wake(
            known, Body(battery=0.5, on_mains=True), at(wake * 60), moment
        )
    wakes.write_wakes(place, known)
    path = Path(place.state, wakes.NAME)
    assert path.stat().st_size < 4000
    assert wakes.read_wakes(place) == known
    path.write_bytes(path.read_bytes()[:100])
    assert wakes.read_wakes(place) == Wakes()

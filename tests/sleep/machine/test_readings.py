"""Readings as Linux and macOS give them; what is not told is None, and named."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from companion.sleep.decision.state import Body
from companion.sleep.machine import readings
from companion.sleep.machine.readings import BadBody, SimulatedBody, open_body
from tests.wiki import Wiki


def sensor(
    current: float, high: float | None = None, critical: float | None = None
) -> Any:
    return SimpleNamespace(current=current, high=high, critical=critical)


@pytest.mark.parametrize(
    ("sensors", "heat"),
    [
        ({}, None),
        ({"coretemp": [sensor(50, 100, 100), sensor(80, 100, 100)]}, 0.8),
        ({"k10temp": [sensor(47.5)]}, 0.5),
        (
            {"acpitz": [sensor(47.5, 20.8, 20.8)]},
            0.5,
        ),  # a limit that no processor has
        (
            {"nvme": [sensor(-273.15, 80), sensor(65261.8, 80)]},
            None,
        ),  # not believed
    ],
)
def test_the_hottest_sensor_counts(sensors: Any, heat: float | None) -> None:
    assert readings.find_hottest(sensors) == heat


@pytest.mark.parametrize(
    ("words", "metered"),
    [
        ("u 1\n", True),
        ("u 2\n", False),
        ("u 3\n", True),
        ("u 4\n", False),
        ("u 0\n", None),
        (None, None),
        ("Call failed: Unit dbus not found.", None),
    ],
)
def test_network_manager_tells_what_is_metered(
    words: str | None, metered: bool | None
) -> None:
    assert readings.parse_metered(words) is metered


PMSET = """\
Note: No thermal warning level has been recorded
Note: No performance warning level has been recorded
2026-11-23 10:00:00 +0100 CPU Power notify
\tCPU_Scheduler_Limit \t= 100
\tCPU_Available_CPUs \t= 8
\tCPU_Speed_Limit \t= {limit}
"""


def test_a_mac_tells_when_it_is_slowed_down() -> None:
    assert readings.parse_thermal_state(PMSET.format(limit=100)) == 0.5
    assert readings.parse_thermal_state(PMSET.format(limit=54)) == 1.0
    assert (
        readings.parse_thermal_state(
            "Note: No thermal warning level has been recorded\n"
        )
        == 0.5
    )
    assert readings.parse_thermal_state(None) is None
    assert readings.parse_thermal_state("what?") is None


def test_a_mac_tells_the_last_key_press() -> None:
    registry = '    | |   "HIDIdleTime" = 150000000000\n'
    assert readings.parse_idle_registry(registry) == 2.5
    assert readings.parse_idle_registry("") is None


def test_a_desktop_that_reports_no_idleness_is_no_answer() -> None:
    assert readings.parse_idle_hint("IdleHint=no\nIdleSinceHint=0\n") is None
    assert readings.parse_idle_hint(None) is None
    idle = readings.parse_idle_hint("IdleHint=yes\nIdleSinceHint=1000000\n")
    assert idle is not None and idle > 1_000_000


def test_programs_that_are_missing_or_hang_are_no_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert readings._ask("no-such-program-here") is None
    assert readings._ask("false") is None
    monkeypatch.setattr(readings, "_PATIENCE", 0.05)
    assert readings._ask("sleep", "5") is None


def test_this_machine_says_something_and_names_the_rest(tmp_path: Path) -> None:
    body = readings.Machine(Wiki.new(tmp_path / "wiki").ws).read()
    assert body.load is not None and body.free is not None
    unknown = [name for name in Body._fields[:8] if getattr(body, name) is None]
    unknown = [name for name in unknown if name not in ("battery", "drain")]
    assert len(body.missing) == len(unknown)


def test_a_machine_without_sensors_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import psutil

    monkeypatch.delattr(psutil, "sensors_battery")
    monkeypatch.delattr(psutil, "sensors_temperatures", raising=False)
    assert readings.read_power() == (None, None)
    if sys.platform != "darwin":
        assert readings.read_heat() is None


@pytest.mark.parametrize(
    ("percent", "plugged", "power"),
    [
        (41, False, (0.41, False)),
        (99, True, (0.99, True)),
        (50, None, (0.5, None)),
    ],
)
def test_the_battery(
    monkeypatch: pytest.MonkeyPatch, percent: float, plugged: Any, power: Any
) -> None:
    import psutil

    battery = SimpleNamespace(percent=percent, power_plugged=plugged)
    monkeypatch.setattr(
        psutil, "sensors_battery", lambda: battery, raising=False
    )
    assert readings.read_power() == power


def test_a_removed_drive_has_no_room_that_is_known() -> None:
    assert readings.read_free("/no/such/drive") is None


def test_a_body_can_be_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = Wiki.new(tmp_path / "wiki").ws
    monkeypatch.setenv(
        "COMPANION_BODY", '[{"load": 0.5}, {"on_mains": false, "battery": 1}]'
    )
    body = open_body(ws)
    assert isinstance(body, SimulatedBody)
    assert body.read() == Body(load=0.5)
    assert body.read() == body.read() == Body(on_mains=False, battery=1)


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "7",
        '{"load": "high"}',
        '{"on_mains": 1}',
        '{"load": true}',
        '{"moon": 1}',
    ],
)
def test_a_body_that_describes_no_machine_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    ws = Wiki.new(tmp_path / "wiki").ws
    monkeypatch.setenv("COMPANION_BODY", text)
    with pytest.raises(BadBody):
        open_body(ws)

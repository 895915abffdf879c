"""Read what the machine says of itself; what cannot be read is None, and is said.

psutil answers for the processor, the temperature and the battery. Whether the network is metered,
and when a key was pressed last, is asked of the desktop's own programs where they are there.
"""

import os
import re
import shutil
import subprocess
import sys
from typing import Any

from companion.errors import MALFORMED, BadInput
from companion.sleep.decision.state import Body
from companion.workspace import Workspace, real_now, simulated_body

_PATIENCE = 3.0  # seconds that another program may take to answer
# °C taken as the limit where the sensor names none
_LIMIT = 95.0
_HEALTHY = (5.0, 150.0)  # °C between which a sensor is believed
_NETWORK_MANAGER = (
    "busctl",
    "--system",
    "get-property",
    "org.freedesktop.NetworkManager",
    "/org/freedesktop/NetworkManager",
    "org.freedesktop.NetworkManager",
    "Metered",
)


class BadBody(BadInput):
    """COMPANION_BODY describes no machine."""

    exit_code = 2
    hint = (
        'Give readings like {"battery": 0.4, "on_mains": false}, or unset it.'
    )


class Machine:
    """The machine that the wiki lies on."""

    def __init__(self, ws: Workspace) -> None:
        self._folder = ws.place.root

    def read(self) -> Body:
        """Return the readings of this moment."""
        battery, on_mains = read_power()
        body = Body(
            load=read_load(),
            heat=read_heat(),
            on_mains=on_mains,
            battery=battery,
            metered=read_metered(),
            free=read_free(self._folder),
            idle=read_idle(),
        )
        return body._replace(missing=name_missing(body))


class SimulatedBody:
    """Readings that a test or a simulation gives, one after another; the last one stays."""

    def __init__(self, *bodies: Body) -> None:
        self._bodies = list(bodies)

    def read(self) -> Body:
        """Return the next readings."""
        if len(self._bodies) > 1:
            return self._bodies.pop(0)
        return self._bodies[0]


def open_body(ws: Workspace) -> Machine | SimulatedBody:
    """Return the machine, or the one that COMPANION_BODY describes. Raises BadBody."""
    described = simulated_body()
    if described is None:
        return Machine(ws)
    import json

    try:
        found = json.loads(described)
        listed = found if isinstance(found, list) and found else [found]
        return SimulatedBody(*(parse_body(fields) for fields in listed))
    except MALFORMED as error:
        raise BadBody(f"COMPANION_BODY: {error}") from error


def parse_body(fields: dict[str, Any]) -> Body:
    """Return the body that *fields* of JSON describe. Raises TypeError or ValueError."""
    missing = tuple(fields.pop("missing", ()))
    for name, value in fields.items():
        is_flag = name in ("on_mains", "metered")
        if is_flag != isinstance(value, bool) and value is not None:
            raise ValueError(f"{name} cannot be {value!r}")
        if not isinstance(value, bool | int | float | None):
            raise ValueError(f"{name} cannot be {value!r}")
    return Body(**fields, missing=missing)


def name_missing(body: Body) -> tuple[str, ...]:
    """Return in words what could not be read."""
    names = {
        "processor load": body.load,
        "temperature": body.heat,
        "power": body.on_mains,
        "whether the network is metered": body.metered,
        "last key press": body.idle,
        "free space": body.free,
    }
    return tuple(name for name, value in names.items() if value is None)


def read_load() -> float | None:
    """Return the share of the cores that had work over the last five minutes."""
    import psutil

    try:
        five = psutil.getloadavg()[1]
    except OSError:
        return None
    return float(five / (psutil.cpu_count() or 1))


def read_heat() -> float | None:
    """Return how near the hottest sensor is to where the processor slows down, 1 at the limit."""
    if sys.platform == "darwin":
        return parse_thermal_state(_ask("pmset", "-g", "therm"))
    import psutil

    sensors = getattr(psutil, "sensors_temperatures", None)
    if sensors is None:
        return None
    return find_hottest(sensors())


def find_hottest(sensors: Any) -> float | None:
    """Return the highest share of its limit among psutil's *sensors*; None where there is none."""
    shares: list[float] = []
    for readings in sensors.values():
        for reading in readings:
            if not _HEALTHY[0] < reading.current < _HEALTHY[1]:
                continue
            limit = reading.high or reading.critical or _LIMIT
            # some drivers give a limit that no processor has
            if not 60 <= limit <= 120:
                limit = _LIMIT
            shares.append(reading.current / limit)
    return max(shares, default=None)


def parse_thermal_state(words: str | None) -> float | None:
    """Return the heat by macOS's `pmset -g therm`: 1 where the processor is slowed down.

    The system says only that it slows down, not how warm it is; otherwise it is taken as 0.5.
    """
    if words is None:
        return None
    found = re.search(r"CPU_Speed_Limit\s*=\s*(\d+)", words)
    if found is None:
        return 0.5 if "No thermal warning" in words else None
    return 1.0 if int(found[1]) < 100 else 0.5


def read_power() -> tuple[float | None, bool | None]:
    """Return the share of the battery that is left, and whether the machine is on mains.

    A machine without a battery is on mains.
    """
    import psutil

    sensor = getattr(psutil, "sensors_battery", None)
    if sensor is None:
        return None, None
    battery = sensor()
    if battery is None:
        return None, True
    plugged = battery.power_plugged
    return battery.percent / 100, None if plugged is None else bool(plugged)


def read_metered() -> bool | None:
    """Return whether the network is metered, as NetworkManager knows it."""
    if sys.platform == "darwin":
        return None  # macOS tells programs, but no command
    return parse_metered(_ask(*_NETWORK_MANAGER))


def parse_metered(words: str | None) -> bool | None:
    """Return NetworkManager's answer: 1 yes, 2 no, 3 and 4 the same as a guess, 0 unknown."""
    found = re.fullmatch(r"u ([0-4])\s*", words or "")
    if found is None or found[1] == "0":
        return None
    return found[1] in "13"


def read_free(folder: str) -> int | None:
    """Return the bytes that are free for us where *folder* lies; None where it is gone."""
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return None


def read_idle() -> float | None:
    """Return the minutes since somebody used the keyboard or the mouse here."""
    if sys.platform == "darwin":
        return parse_idle_registry(_ask("ioreg", "-rd1", "-c", "IOHIDSystem"))
    ages = [_terminal_idle(), parse_idle_hint(_ask_login_manager())]
    return min((age for age in ages if age is not None), default=None)


def parse_idle_registry(words: str | None) -> float | None:
    """Return the idle minutes in macOS's I/O registry, which has them in nanoseconds."""
    found = re.search(r'"HIDIdleTime"\s*=\s*(\d+)', words or "")
    return None if found is None else int(found[1]) / 60e9


def parse_idle_hint(words: str | None) -> float | None:
    """Return the minutes since the desktop says that nobody is there; None where it does not.

    A desktop that reports no idleness always says `no`: that is no answer.
    """
    found = dict(
        line.split("=", 1) for line in (words or "").splitlines() if "=" in line
    )
    since = found.get("IdleSinceHint", "")
    if found.get("IdleHint") != "yes" or not since.isdecimal():
        return None
    return max(0.0, (real_now().timestamp() - int(since) / 1e6) / 60)


def _ask_login_manager() -> str | None:
    return _ask(
        "loginctl",
        "show-user",
        str(os.getuid()),
        "--property=IdleHint",
        "--property=IdleSinceHint",
    )


def _terminal_idle() -> float | None:
    """Return the minutes since something was typed into one of this person's terminals."""
    now = real_now().timestamp()
    ages: list[float] = []
    for folder in ("/dev", "/dev/pts"):
        for name in _list_terminals(folder):
            try:
                found = os.stat(os.path.join(folder, name))
            except OSError:
                continue  # it was closed meanwhile
            if found.st_uid == os.getuid():
                ages.append(max(0.0, now - found.st_atime) / 60)
    return min(ages, default=None)


def _list_terminals(folder: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    pattern = r"\d+" if folder.endswith("pts") else r"tty\d+"
    return [name for name in os.listdir(folder) if re.fullmatch(pattern, name)]


def _ask(*command: str) -> str | None:
    """Return what another program prints; None where it is not there, fails or hangs."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None

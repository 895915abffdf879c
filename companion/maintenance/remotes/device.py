"""What this device is called, where several share a wiki: `log` and `why` show it."""

from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.runs.publication import DEVICE
from companion.storage.git import setup
from companion.storage.git.repo import Repo
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.maintenance.results import DeviceResult

_LONGEST = 60  # characters


class BadName(CompanionError):
    """This cannot be the name of a device."""

    exit_code = 2
    hint = f"One line of at most {_LONGEST} letters, as in: companion remote device laptop"


def read_device(ws: Workspace) -> "DeviceResult":
    """Return the name of this device."""
    return {"device": Repo(ws.place).config(DEVICE)}


def name_device(ws: Workspace, name: str) -> "DeviceResult":
    """Call this device *name* from now on. Raises BadName."""
    name = name.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise BadName
    if read_device(ws)["device"] != name:
        setup.configure(ws.place, [(DEVICE, name)], replaces=True)
    return {"device": name}

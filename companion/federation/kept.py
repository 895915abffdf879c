"""The state of a federation on this machine, beside its keys: unit, messages sent, ε spent."""

import json
import os
from typing import NamedTuple

from companion.errors import CompanionError
from companion.federation.keys import FOLDER
from companion.federation.sums.sketch import Signal
from companion.federation.unit import Unit, encode_unit, parse_unit
from companion.storage.files import durable

_UNIT = "unit.json"
_PREVIEWED = "previewed"
_SENT = "sent.jsonl"


class NotJoined(CompanionError):
    """This wiki is in no unit."""

    exit_code = 2
    hint = "`companion federation join FILE` joins one. Nothing leaves before."


class Sent(NamedTuple):
    """The message sent in one week."""

    week: int
    form: int
    roster: int
    epsilon: float  # 0 under masks
    message: str  # hex
    topics: dict[str, list[int]]


def read_unit(state: str) -> Unit:
    """Return the unit that was joined. Raises NotJoined or BadUnit."""
    data = durable.read_if_there(_path(state, _UNIT))
    if data is None:
        raise NotJoined("this wiki is in no unit")
    return parse_unit(data)


def write_unit(state: str, unit: Unit) -> None:
    """Keep the unit that is joined; a new roster must be previewed anew."""
    durable.make_dirs(os.path.join(state, FOLDER), mode=0o700)
    durable.replace(_path(state, _UNIT), encode_unit(unit), mode=0o600)


def forget_unit(state: str) -> None:
    """Forget the unit: nothing is told from now on."""
    os.unlink(_path(state, _UNIT))


def is_previewed(state: str, unit: Unit) -> bool:
    """Tell whether a person saw what this roster would be sent."""
    data = durable.read_if_there(_path(state, _PREVIEWED))
    return data == str(unit.roster).encode()


def note_preview(state: str, unit: Unit) -> None:
    """Note that a person saw what this roster would be sent."""
    data = str(unit.roster).encode()
    durable.replace(_path(state, _PREVIEWED), data, mode=0o600)


def list_sent(state: str) -> list[Sent]:
    """Return what was told, oldest first."""
    data = durable.read_if_there(_path(state, _SENT)) or b""
    return [Sent(**json.loads(line)) for line in data.splitlines()]


def find_sent(state: str, week: int, form: int, roster: int) -> Sent | None:
    """Return what was told in a week: a retry sends the same bytes again."""
    for one in list_sent(state):
        if (one.week, one.form, one.roster) == (week, form, roster):
            return one
    return None


def note_sent(state: str, sent: Sent) -> None:
    """Keep what is told before it is sent. Of weeks long past only ε stays."""
    known = []
    for one in list_sent(state):
        if one.week < sent.week - 2:
            one = one._replace(message="", topics={})
        known.append(one)
    lines = [json.dumps(one._asdict()) for one in [*known, sent]]
    data = "".join(f"{line}\n" for line in lines).encode()
    durable.replace(_path(state, _SENT), data, mode=0o600)


def find_own(sent: Sent | None, topic: str) -> Signal | None:
    """Return what this wiki told of a *topic* itself."""
    if sent is None or topic not in sent.topics:
        return None
    return Signal(*sent.topics[topic])


def _path(state: str, name: str) -> str:
    return os.path.join(state, FOLDER, name)

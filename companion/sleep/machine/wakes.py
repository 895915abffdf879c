"""Records that wakes leave for later ones: the battery's course, and when this machine runs.

Every wake writes one small file in the state folder. It never leaves this machine, and losing it
costs a few predictions.
"""

import os
from datetime import date, datetime, timedelta
from typing import NamedTuple

from companion.errors import MALFORMED
from companion.sleep.decision.histogram import REACH
from companion.sleep.decision.state import Body
from companion.storage.files import durable
from companion.storage.git.layout import Place

NAME = "wakes.json"
# samples of the battery that are kept; the timer wakes every twenty minutes
SAMPLES = 9
#: notes a minute: what a slice takes in at most, and at least
FASTEST, SLOWEST = 40.0, 0.5
# minutes over which the battery's course is followed, at least and at most
_LEAST, _MOST = 8.0, 180.0


class Sample(NamedTuple):
    """The battery at one wake."""

    at: str  # RFC 3339 UTC
    battery: float
    on_mains: bool


class Wakes(NamedTuple):
    """The memory of earlier wakes."""

    samples: tuple[Sample, ...] = ()  # the oldest first
    # local day -> the hours of it in which a wake was, as bits
    awake: tuple[tuple[str, int], ...] = ()
    # the newest capture in the journal that a night has looked at
    seen: int = 0
    # when the remote said last that another machine holds the lease
    leased_at: str | None = None
    # notes that a slice takes in for each minute; it learns from those that came too short
    pace: float = FASTEST
    # the last wake by a timer; a person's `companion sleep` is none
    last: str | None = None  # RFC 3339 UTC


def read_wakes(place: Place) -> Wakes:
    """Return what is remembered; nothing where the file is missing or damaged."""
    data = durable.read_if_there(os.path.join(place.state, NAME))
    if data is None:
        return Wakes()
    import json

    try:
        document = json.loads(data)
        samples = [Sample(*fields) for fields in document["samples"]]
        awake = [(str(day), int(bits)) for day, bits in document["awake"]]
        return Wakes(
            tuple(samples),
            tuple(awake),
            int(document["seen"]),
            document.get("leased_at"),
            float(document.get("pace", FASTEST)),
            document.get("last"),
        )
    except MALFORMED:
        return Wakes()  # it is only memory of the last weeks: it grows again


def write_wakes(place: Place, wakes: Wakes) -> None:
    """Store *wakes*; a power cut may lose the newest. Raises StorageError."""
    import json

    document = {
        "samples": wakes.samples,
        "awake": wakes.awake,
        "seen": wakes.seen,
        "leased_at": wakes.leased_at,
        "pace": wakes.pace,
        "last": wakes.last,
    }
    durable.make_dirs(place.state, mode=0o700)
    path = os.path.join(place.state, NAME)
    data = json.dumps(document).encode()
    durable.replace(path, data, mode=0o600, sync=False)


def add_wake(wakes: Wakes, body: Body, at: str, local: datetime) -> Wakes:
    """Return *wakes* with this one, at the instant *at* and the *local* wall time."""
    samples = list(wakes.samples)
    if body.battery is not None and body.on_mains is not None:
        samples.append(Sample(at, body.battery, body.on_mains))
    hours = dict(wakes.awake)
    today = local.date().isoformat()
    hours[today] = hours.get(today, 0) | 1 << local.hour
    oldest = (local.date() - timedelta(days=REACH)).isoformat()
    kept = sorted((day, bits) for day, bits in hours.items() if day >= oldest)
    return wakes._replace(
        samples=tuple(samples[-SAMPLES:]), awake=tuple(kept), last=at
    )


def measure_drain(wakes: Wakes, body: Body, at: str) -> float | None:
    """Return the share of the battery lost in an hour since it has the present source of power.

    None where that is too short to tell. A clock that was set back begins anew.
    """
    if body.battery is None:
        return None
    first: tuple[float, float] | None = None
    for sample in reversed(wakes.samples):
        minutes = _minutes_between(sample.at, at)
        if sample.on_mains != body.on_mains or not 0 <= minutes <= _MOST:
            break
        first = (minutes, sample.battery)
    if first is None or first[0] < _LEAST:
        return None
    minutes, battery = first
    return (battery - body.battery) / (minutes / 60)


def adapt_pace(pace: float, *, is_done: bool) -> float:
    """Return the notes a minute of the next slice: half as many after one that was not done.

    One that was done lets the next try a quarter more. A slice that ends early keeps nothing but
    the answers of a model, so that it must become small enough to be done.
    """
    if is_done:
        return min(FASTEST, 1.25 * pace)
    return max(SLOWEST, pace / 2)


def list_awake_hours(wakes: Wakes) -> list[datetime]:
    """Return the beginnings of the local hours in which this machine ran."""
    hours = []
    for day, bits in wakes.awake:
        midnight = datetime.fromisoformat(date.fromisoformat(day).isoformat())
        for hour in range(24):
            if bits >> hour & 1:
                hours.append(midnight + timedelta(hours=hour))
    return hours


def _minutes_between(since: str, until: str) -> float:
    before = datetime.fromisoformat(since)
    return (datetime.fromisoformat(until) - before).total_seconds() / 60

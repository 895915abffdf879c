"""The check of a foreign telling: the one place that decides whether a telling can be believed.

A file of a buffer that another machine wrote is bytes until `read_telling` has returned. What it
returns, every command can work with: times that are in the calendar, numbers in their ranges, texts
that have bytes, at least one telling. The journal's own rows pass the same checks before a night
works on them, for a bit may flip on the disk.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from companion.errors import MALFORMED
from companion.tuples import NamedTuple
from companion.values.captures import (
    Capture,
    Sighting,
    has_controls,
)
from companion.values.time import check_utc_offset

LARGEST = 4 * 2**20  # bytes of one file of tellings
MOST_TELLINGS = 10_000  # in one file
_MOST_EDGES = 64
_LONGEST = 4096  # characters of a title, a source, a channel or a link's target

_LAST_YEAR = "9999"
_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)
_BLOB = re.compile(r"[0-9a-f]{40}")


class Doubtful(Exception):
    """Something foreign that cannot be believed; the message says why, and quotes none of it."""


class Telling(NamedTuple):
    """The content of one file of a buffer."""

    header: Capture | None  # without its bytes; None: later tellings only
    sightings: tuple[Sighting, ...]  # one at least

    @property
    def day(self) -> str:
        """The day under which its file lies, `YYYY-MM-DD`."""
        return self.sightings[0].seen_at[:10]

    @property
    def newest(self) -> str:
        """The newest instant that it was told at."""
        times = [sighting.seen_at for sighting in self.sightings]
        if self.header is not None:
            times.append(self.header.ingested_at)
        return max(times)


def read_telling(data: bytes, id: str) -> Telling:
    """Return what *data*, a file about the capture *id*, says. Raises Doubtful."""
    if len(data) > LARGEST:
        raise Doubtful(f"it is larger than {LARGEST // 2**20} MiB")
    try:
        fields = json.loads(data)
        telling = _read_fields(fields, id)
    except MALFORMED as error:
        raise Doubtful("it cannot be read as a telling") from error
    check_telling(telling)
    return telling


def check_telling(telling: Telling) -> None:
    """Raise Doubtful unless every value of *telling* is one that the program can work with."""
    if not telling.sightings:
        raise Doubtful("nobody told it: there is no sighting")
    if telling.header is not None:
        _check_header(telling.header)
    for sighting in telling.sightings:
        _check_sighting(sighting)


def is_usable_time(instant: str) -> bool:
    """Tell whether something can be told after *instant*."""
    try:
        _check_time(instant)
        # a run takes several instants of its own
        return instant < _LAST_YEAR
    except Doubtful:
        return False


def check_content(content: bytes, id: str) -> None:
    """Raise Doubtful unless *content* are the bytes that *id* names, and text."""
    if hashlib.sha256(content).hexdigest() != id:
        raise Doubtful("its bytes are not what its id says")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        raise Doubtful("its bytes are no text") from error


def decode_sighting(capture: str, fields: Mapping[str, Any]) -> Sighting:
    """Return the sighting of *capture* that the buffer or the ledger wrote as *fields*."""
    seen_at = fields["seen_at"]
    event_time = seen_at
    if "event_time" in fields:
        event_time = fields["event_time"]
    return Sighting(
        capture,
        seen_at,
        event_time,
        bool(fields.get("explicit", False)),
        fields.get("source"),
        fields["channel"],
        fields.get("agent"),
        fields.get("scope", "shared"),
        check_utc_offset(fields.get("utc_offset", 0)),
        fields.get("device"),
    )


def merge_tellings(tellings: Iterable[Telling]) -> Telling:
    """Return what all of *tellings*, of one capture, say: the oldest header, each sighting once."""
    header: Capture | None = None
    sightings: dict[Sighting, Sighting] = {}
    for telling in tellings:
        if telling.header is not None and (
            header is None or telling.header.ingested_at < header.ingested_at
        ):
            header = telling.header
        for sighting in telling.sightings:
            # a copy of one that is there only completes its UTC offset and its device
            key = sighting.without_details()
            known = sightings.get(key, sighting)
            sightings[key] = known.complete(sighting)
    return Telling(header, tuple(sightings.values()))


def _read_fields(fields: Mapping[str, Any], id: str) -> Telling:
    version = fields["v"]
    if type(version) is int and version > 1:
        raise Doubtful("a newer companion wrote it")
    if version != 1 or fields["id"] != id:
        raise Doubtful("it does not tell of the capture in its name")
    listed = fields["sightings"]
    if type(listed) is not list:
        raise Doubtful("its sightings are no list")
    if len(listed) > MOST_TELLINGS:
        raise Doubtful(f"it has more than {MOST_TELLINGS} tellings")
    sightings = []
    for one in listed:
        if type(one.get("explicit", False)) is not bool:
            raise Doubtful("a field of a telling is of another kind")
        if type(one.get("utc_offset", 0)) is not int:
            raise Doubtful("a UTC offset is no number of minutes")
        sightings.append(decode_sighting(id, one))
    return Telling(_read_header(fields), tuple(sightings))


def _read_header(fields: Mapping[str, Any]) -> Capture | None:
    if "blob" not in fields:
        return None
    edges = fields["edges"]
    if type(edges) is not list:
        raise Doubtful("its links are no list")
    return Capture(
        fields["id"],
        fields["blob"],
        fields["ingested_at"],
        fields["channel"],
        fields["priority"],
        fields["title"],
        tuple(edges),
        b"",
    )


def _check_header(header: Capture) -> None:
    if type(header.blob) is not str or not _BLOB.fullmatch(header.blob):
        raise Doubtful("it names no bytes")
    _check_time(header.ingested_at)
    _check_name(header.channel)
    if header.title is not None:
        _check_name(header.title)
    # NaN is in no range
    is_number = type(header.priority) in (int, float)
    if not is_number or not 0 <= header.priority <= 1:
        raise Doubtful("its priority is no number from 0 to 1")
    if len(header.edges) > _MOST_EDGES:
        raise Doubtful(f"it has more than {_MOST_EDGES} links")
    for edge in header.edges:
        _check_text(edge)


def _check_sighting(sighting: Sighting) -> None:
    _check_time(sighting.seen_at)
    _check_time(sighting.event_time)
    _check_name(sighting.channel)
    for text in (sighting.source, sighting.agent, sighting.device):
        if text is not None:
            _check_name(text)
    if sighting.scope not in ("shared", "private"):
        raise Doubtful("it is neither shared nor private")


def _check_time(instant: object) -> None:
    if type(instant) is not str or not _INSTANT.fullmatch(instant):
        raise Doubtful("a time is not written as times are")
    try:
        datetime.fromisoformat(instant[:-1])
    except ValueError as error:
        raise Doubtful("a time is not in the calendar") from error


def _check_name(text: object) -> None:
    """Raise Doubtful unless *text* can stand on one line."""
    _check_text(text)
    assert isinstance(text, str)
    if has_controls(text):
        raise Doubtful("a text has control characters")


def _check_text(text: object) -> None:
    if type(text) is not str:
        raise Doubtful("a text is of another kind")
    if len(text) > _LONGEST:
        raise Doubtful(f"a text has more than {_LONGEST} characters")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Doubtful("a text has half a character") from error

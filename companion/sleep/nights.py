"""The record of nights: what each did, why it ended early, and why there was none.

It lies in the state folder, one JSON line a record, and never leaves this machine. `status` and the
morning read it, so it loads little: stdlib only.
"""

import os

from companion import json_text
from companion.annotations import Any
from companion.storage.files import durable
from companion.storage.git.layout import Place
from companion.tuples import NamedTuple
from companion.workspace import Workspace, find_local_offset

NAME = "nights.jsonl"
OLDER = "nights.old.jsonl"
# bytes after which the file is set aside; one older file is kept
FULL = 256 << 10

#: begins the words of a wake that found no time to sleep
AWAKE = "It does not sleep now."

SLEPT = "slept"
ABORTED = "aborted"
FAILED = "failed"
WAITED = "waited"


class StepRecord(NamedTuple):
    """One step of a night."""

    # fetch | adopt | contextualize | consolidate | decay | audit | settle
    name: str
    outcome: str  # done | nothing | aborted | failed | skipped
    seconds: float
    run: str | None  # the run it made
    words: str  # one plain sentence


class NightRecord(NamedTuple):
    """One night, or one stretch of a day in which there was none."""

    started: str  # local time with its UTC offset, to the second (RFC 3339)
    ended: str
    outcome: str  # slept | aborted | failed | waited
    depth: str  # nap | slice | night | deep; empty where it waited
    why: str  # why it slept, ended early or waited: plain sentences
    kind: str  # the policy's name for that reason, e.g. `used lately`
    done_by: str | None  # by when it meant to be done
    steps: tuple[StepRecord, ...]
    wakes: int = 1  # how often it was woken for this record


def read_nights(ws: Workspace, limit: int | None = None) -> list[NightRecord]:
    """Return the records on this machine, the oldest first; with *limit*, that many of the newest.

    A line that a power cut tore, or that a newer version wrote, is left out.
    """
    return read_records(ws.place, limit)


def read_records(place: Place, limit: int | None = None) -> list[NightRecord]:
    """Return the records of the wiki at *place*; see `read_nights`."""
    lines = _read_lines(os.path.join(place.state, NAME))
    if limit is None or len(lines) < limit:
        lines = _read_lines(os.path.join(place.state, OLDER)) + lines
    if limit is not None:
        lines = lines[-limit:] if limit else []
    records = [_parse(line) for line in lines]
    return [record for record in records if record is not None]


def write_record(place: Place, record: NightRecord) -> None:
    """Add *record*; one that waits for the same reason on the same day grows. Raises StorageError.

    The timer wakes the companion often: without that, a day of waiting would fill the file.
    """
    path = os.path.join(place.state, NAME)
    durable.make_dirs(place.state, mode=0o700)
    lines = _read_lines(path)
    last = _parse(lines[-1]) if lines else None
    if last is not None and _is_same_wait(last, record):
        lines.pop()
        record = record._replace(
            started=last.started, wakes=last.wakes + record.wakes
        )
    if sum(map(len, lines)) > FULL:
        older = os.path.join(place.state, OLDER)
        durable.replace(older, _join(lines), mode=0o600)
        lines = []
    durable.replace(path, _join([*lines, _encode(record)]), mode=0o600)


def local_time(instant: str) -> str:
    """Return *instant* by this machine's clock, with its offset: `2026-11-23T04:45:00+01:00`."""
    from datetime import datetime, timedelta, timezone

    minutes = find_local_offset(instant) or 0
    zone = timezone(timedelta(minutes=minutes))
    moment = datetime.fromisoformat(instant).astimezone(zone)
    return moment.isoformat(timespec="seconds")


def _is_same_wait(last: NightRecord, record: NightRecord) -> bool:
    if last.outcome != WAITED or record.outcome != WAITED:
        return False
    return last.kind == record.kind and last.ended[:10] == record.ended[:10]


def _read_lines(path: str) -> list[bytes]:
    return (durable.read_if_there(path) or b"").splitlines()


def _join(lines: list[bytes]) -> bytes:
    return b"".join(line + b"\n" for line in lines)


def _encode(record: NightRecord) -> bytes:
    document = record._asdict()
    document["steps"] = [step._asdict() for step in record.steps]
    return json_text.dumps(document, ensure_ascii=False).encode()


def _parse(line: bytes) -> NightRecord | None:
    try:
        document: dict[str, Any] = json_text.loads(line)
        steps = [StepRecord(**step) for step in document.pop("steps")]
        return NightRecord(steps=tuple(steps), **document)
    except (ValueError, TypeError, KeyError, AttributeError):
        return None  # torn, or of another version: the docstring says so

"""The ledger's codec: one JSONL file per run, its complete input first, then every event with its
reason.

A file is never changed once written. Every line is ``{"v":1,"e":…}``; a line of an unknown version
or event stops the reader, because guessing at what a newer companion decided would be worse than
waiting for an upgrade.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError
from companion.storage.index.tables import audits, claims, resolutions

VERSION = 1
FOLDER = ".companion/ledger/"

_PATH = re.compile(
    re.escape(FOLDER)
    + r"\d{4}/\d{2}/(\d{4}-\d{2}-\d{2}-[a-z]+-[0-9a-f]{12})\.jsonl"
)

# It becomes a folder and a ref: nothing that leads out of either, or that git refuses in a name.
_BRANCH = re.compile(
    r"[^\x00-\x20\x7f/.~^:?*\[\]\\@{}-][^\x00-\x20\x7f/.~^:?*\[\]\\@{}]{0,99}"
)

#: every event this companion understands, with the fields that must be there
EVENTS: Mapping[str, tuple[str, ...]] = {
    "run": ("operation", "now"),
    "registered": ("entry", "path", "blob", "reason"),
    "edited": ("entry", "path", "blob", "reason"),
    "renamed": ("entry", "from", "path", "blob", "reason"),
    "deleted": ("entry", "path", "reason"),
    "created": ("entry", "path", "blob", "bucket", "quarantined", "reason"),
    "grown": ("entry", "path", "blob", "reason"),
    "consumed": ("capture", "outcome", "entry", "sightings", "reason"),
    "claims": ("capture", "entry", "telling", "claims", "reason"),
    "sighted": ("capture", "entry", "sightings", "reason"),
    "waits": ("capture", "reason"),
    "undone": ("run", "outcome", "reason"),
    "verdict": ("key", "task", "judge", "answer", "reason"),
    "resolved": ("capture", "entry", "keys", "reason"),
    "judged": ("task", "judge", "neutral", "reason"),
    "flagged": ("flag", "kind", "entry", "reason"),
    "requalified": ("entry", "bucket", "quarantined", "reason"),
    "reasoner": ("reasoner", "model", "reason"),
    "answered": ("flag", "key", "judge", "choice", "reason"),
    "erased": ("mark", "hash", "reason"),
    "protected": ("entry", "gravity", "floor", "reason"),
    "unprotected": ("entry", "gravity", "floor", "reason"),
    "branched": ("branch", "entry", "reason"),
    "joined": ("branch", "capture", "entry", "path", "blob", "reason"),
    "weighed": ("branch", "pressure", "threshold", "reason"),
    "promoted": (
        "branch",
        "entry",
        "incumbent",
        "path",
        "blob",
        "bucket",
        "quarantined",
        "pages",
        "reason",
    ),
    "followed": ("branch", "entry", "reason"),
    "decaying": ("entry", "reason"),
    "compressed": (
        "entry",
        "path",
        "blob",
        "cold",
        "original",
        "distortion",
        "reason",
    ),
    "archived": ("entry", "reason"),
    "restored": ("entry", "reason"),
    "queued": ("entry", "row", "reason"),
    "unqueued": ("entry", "row", "reason"),
    "diverges": ("entry", "key", "term", "row", "reason"),
    "converges": ("entry", "key", "reason"),
    "reduced": ("entry", "factor", "reason"),
    "used": ("entry", "accesses", "last", "reason"),
    "asked": (
        "query",
        "words",
        "at",
        "verb",
        "shown",
        "opened",
        "outcome",
        "agent",
        "reason",
    ),
    "rated": ("query", "opened", "outcome", "reason"),
    "auditing": ("entry", "audit", "reason"),
    "audited": ("entry", "audit", "result", "outcome", "reason"),
    "inconclusive": ("entry", "reason"),
    "settled": ("entry", "audit", "outcome", "reason"),
    "closed": ("branch", "entry", "audit", "reason"),
}


class BadLedger(CompanionError):
    """A ledger file cannot be read."""

    exit_code = 65
    hint = "Ledger files are never edited: `git log -- .companion/ledger` shows what happened to it."


class NewerLedger(CompanionError):
    """A newer companion wrote this ledger."""

    exit_code = 65
    hint = "Upgrade companion-wiki; your pages are readable as they are."


@dataclass(frozen=True)
class RunRecord:
    """One run as its ledger file tells it. *events* of a file are read, and checked, as they are
    iterated.
    """

    id: str
    input: dict[str, Any]
    events: Iterable[dict[str, Any]]

    @property
    def operation(self) -> str:
        return str(self.input["operation"])

    @property
    def now(self) -> str:
        return str(self.input["now"])

    @property
    def path(self) -> str:
        return make_path(self.id)


def make_path(run_id: str) -> str:
    """Return where the run's file lies, relative to the wiki: the id begins with its date."""
    return f"{FOLDER}{run_id[:4]}/{run_id[5:7]}/{run_id}.jsonl"


def find_run_at(path: str) -> str | None:
    """Return the run whose file lies at *path*; None for a file that is no run's."""
    found = _PATH.fullmatch(path)
    return (
        found[1] if found is not None and make_path(found[1]) == path else None
    )


def make_run(
    operation: str,
    now: str,
    inputs: Mapping[str, Any],
    events: Sequence[dict[str, Any]],
) -> RunRecord:
    """Build a run. Its id is its date, its operation and a hash of its complete input (CON-3)."""
    first = {
        "v": VERSION,
        "e": "run",
        "operation": operation,
        "now": now,
        **inputs,
    }
    return RunRecord(_id(operation, now, encode_line(first)), first, events)


def _id(operation: str, now: str, first_line: bytes) -> str:
    return (
        f"{now[:10]}-{operation}-{hashlib.sha256(first_line).hexdigest()[:12]}"
    )


def encode(run: RunRecord) -> bytes:
    """Return the file's bytes: canonical JSON, one object a line."""
    return encode_line(run.input) + b"".join(
        encode_line({"v": VERSION, **event}) for event in run.events
    )


def decode(run_id: str, data: bytes) -> RunRecord:
    """Read a ledger file back. Raises BadLedger or NewerLedger, naming the line; so does iterating
    its events.
    """
    lines = data.splitlines()
    first: dict[str, Any] = (
        _parse(run_id, 1, lines[0]) if lines else {"e": None}
    )
    if first["e"] != "run":
        raise BadLedger(f"{run_id}: the first line is not the run's input")
    if _id(first["operation"], first["now"], lines[0] + b"\n") != run_id:
        raise BadLedger(
            f"{run_id}: its name is not that of the run in its first line"
        )
    return RunRecord(run_id, first, _Events(run_id, lines[1:]))


class _Events:
    """A file's events, parsed one at a time: a run of 10,000 captures is not held as objects."""

    def __init__(self, run_id: str, lines: Sequence[bytes]) -> None:
        self.run_id, self.lines = run_id, lines

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for n, text in enumerate(self.lines, 2):
            event = _parse(self.run_id, n, text)
            if event["e"] == "run":
                raise BadLedger(f"{self.run_id}: two runs in one file")
            yield event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and list(self) == list(other)


def _parse(run_id: str, n: int, text: bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadLedger(f"{run_id} line {n}: not JSON ({error})") from error
    if (
        not isinstance(line, dict)
        or not isinstance(line.get("v"), int)
        or not isinstance(line.get("e"), str)
    ):
        raise BadLedger(f"{run_id} line {n}: not a ledger line")
    if line["v"] > VERSION or line["e"] not in EVENTS:
        raise NewerLedger(
            f"{run_id} line {n}: event {line['e']!r} of version {line['v']} is unknown here"
        )
    missing = [key for key in EVENTS[line["e"]] if key not in line]
    if missing:
        raise BadLedger(
            f"{run_id} line {n}: {line['e']} lacks {', '.join(missing)}"
        )
    odd = [
        key
        for key, value in line.items()
        if key in _KINDS and not _KINDS[key](value)
    ]
    if odd:
        raise BadLedger(f"{run_id} line {n}: {', '.join(odd)} cannot be that")
    return line


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _are_tellings(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict)
        and _is_text(item.get("seen_at"))
        and _is_text(item.get("event_time", ""))
        for item in value
    )


def _is_tie(value: object) -> bool:
    """[other capture, support, rival, similarity]"""
    kinds = (str, int | float, int, int | float)
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(map(isinstance, value, kinds))
    )


def _are_dependents(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict)
        and _is_text(item.get("entry"))
        and isinstance(item.get("path"), list)
        and all(map(_is_text, item["path"]))
        for item in value
    )


def _is_credit(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(v, int | float) and abs(v) < 1e9 for v in value.values()
    )


#: what the fold relies on: a file may come from anybody's clone
_KINDS: Mapping[str, Callable[[object], bool]] = {
    **dict.fromkeys(
        (
            "operation",
            "now",
            "entry",
            "path",
            "from",
            "blob",
            "bucket",
            "title",
        ),
        _is_text,
    ),
    **dict.fromkeys(
        ("entries", "pages"),
        lambda value: isinstance(value, list) and all(map(_is_text, value)),
    ),
    **dict.fromkeys(
        (
            "capture",
            "outcome",
            "run",
            "reason",
            "key",
            "task",
            "judge",
            "flag",
            "kind",
            "choice",
            "mark",
            "hash",
        ),
        _is_text,
    ),
    **dict.fromkeys(
        ("incumbent", "by", "cold", "original", "restored_from"), _is_text
    ),
    "distortion": lambda value: (
        isinstance(value, int | float) and 0 <= value <= 1
    ),
    **dict.fromkeys(
        ("pressure", "threshold"),
        lambda value: isinstance(value, int | float) and abs(value) < 1e9,
    ),
    "branch": lambda value: (
        isinstance(value, str) and _BRANCH.fullmatch(value) is not None
    ),
    "contradicts": lambda value: value in (0, 1),
    **dict.fromkeys(("term", "signal"), _is_text),
    "row": lambda value: isinstance(value, int) and 1 <= value <= 7,
    "factor": lambda value: isinstance(value, int | float) and 0 < value <= 1,
    "audit": _is_text,
    "result": lambda value: value in audits.RESULTS,
    "poor": lambda value: isinstance(value, int),
    "numbers": lambda value: isinstance(value, dict),
    "ties": lambda value: isinstance(value, list) and all(map(_is_tie, value)),
    "rests": _are_dependents,
    "answer": lambda value: isinstance(value, dict),
    "neutral": lambda value: isinstance(value, int),
    **dict.fromkeys(
        ("gravity", "floor"), lambda value: isinstance(value, int | float)
    ),
    "quarantined": lambda value: value in (0, 1),
    "sightings": _are_tellings,
    "telling": lambda value: _are_tellings([value]),
    "claims": lambda value: (
        isinstance(value, list) and all(map(claims.is_claim_line, value))
    ),
    "keys": lambda value: (
        isinstance(value, list)
        and all(map(resolutions.is_resolution_line, value))
    ),
    **dict.fromkeys(("claim", "at"), _is_text),
    **dict.fromkeys(("last", "query", "words", "verb", "agent"), _is_text),
    **dict.fromkeys(
        ("shown", "opened"),
        lambda value: isinstance(value, list) and all(map(_is_text, value)),
    ),
    **dict.fromkeys(
        ("accesses", "count"),
        lambda value: isinstance(value, int) and 0 <= value < 2**53,
    ),
    "credit": _is_credit,
}


def encode_line(value: Mapping[str, Any]) -> bytes:
    """Return one line of a ledger file."""
    return (
        json.dumps(
            value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
        ).encode()
        + b"\n"
    )

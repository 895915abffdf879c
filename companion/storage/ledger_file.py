"""Write and read ledger files: one JSONL file per run, its complete input first, then every event
with its reason.

A file is never changed once written. Every line is ``{"v":1,"e":…}``. A line of an unknown version
or event stops the reader: a wrong guess at what a newer companion decided would be worse than
waiting for an upgrade.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from companion.errors import CompanionError
from companion.storage.ledger_lines import (
    EVENTS,
    list_missing_fields,
    list_wrong_fields,
)
from companion.values.events import JsonDocument, LedgerLine

VERSION = 1
FOLDER = ".companion/ledger/"

_PATH = re.compile(
    re.escape(FOLDER)
    + r"\d{4}/\d{2}/(\d{4}-\d{2}-\d{2}-[a-z]+-[0-9a-f]{12})\.jsonl"
)


class BadLedger(CompanionError):
    """A ledger file cannot be read."""

    exit_code = 65
    hint = (
        "Ledger files are never edited: "
        "`git log -- .companion/ledger` shows what happened to it."
    )


class NewerLedger(CompanionError):
    """A newer companion wrote this ledger."""

    exit_code = 65
    hint = "Upgrade companion-wiki; your pages are readable as they are."


@dataclass(frozen=True)
class RunRecord:
    """One run as its ledger file has it.

    The *events* of a file are read, and checked, as they are iterated.
    """

    id: str
    input: LedgerLine
    events: Iterable[LedgerLine]

    @property
    def operation(self) -> str:
        """The verb that ran: consolidate, decay, adopt and so on."""
        return str(self.input["operation"])

    @property
    def now(self) -> str:
        """The time of the run (RFC 3339 UTC)."""
        return str(self.input["now"])

    @property
    def path(self) -> str:
        """The path of the run's file, relative to the wiki."""
        return make_path(self.id)


def make_path(run_id: str) -> str:
    """Return where the run's file lies, relative to the wiki: the id begins with its date."""
    return f"{FOLDER}{run_id[:4]}/{run_id[5:7]}/{run_id}.jsonl"


def find_run_at(path: str) -> str | None:
    """Return the run whose file lies at *path*; None for a file that is no run's."""
    found = _PATH.fullmatch(path)
    if found is None or make_path(found[1]) != path:
        return None
    return found[1]


def make_run(
    operation: str,
    now: str,
    inputs: JsonDocument,
    events: Sequence[LedgerLine],
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
    """Return the run that a ledger file tells of.

    Raises BadLedger or NewerLedger, which name the line; so does iterating the run's events.
    """
    lines = data.splitlines()
    first: LedgerLine = _parse(run_id, 1, lines[0]) if lines else {"e": None}
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

    def __iter__(self) -> Iterator[LedgerLine]:
        for n, text in enumerate(self.lines, 2):
            event = _parse(self.run_id, n, text)
            if event["e"] == "run":
                raise BadLedger(f"{self.run_id}: two runs in one file")
            yield event

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Iterable) and list(self) == list(other)


def _parse(run_id: str, n: int, text: bytes) -> LedgerLine:
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
    missing = list_missing_fields(line)
    if missing:
        raise BadLedger(
            f"{run_id} line {n}: {line['e']} lacks {', '.join(missing)}"
        )
    wrong = list_wrong_fields(line)
    if wrong:
        raise BadLedger(f"{run_id} line {n}: wrong value in {', '.join(wrong)}")
    return line


def encode_line(value: LedgerLine) -> bytes:
    """Return one line of a ledger file."""
    return (
        json.dumps(
            value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
        ).encode()
        + b"\n"
    )

"""External safety signals: warnings of what is harmful, and whether a text says it (MaM §5.0, row
3).
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.comparison import candidate_pairs
from companion.values.claims import split_words

VERSION = "signals-2"
MAX_BYTES = 1_000_000
MAX_SIGNALS = 1_000
_LONGEST = 300  # characters of a field
_FEWEST = 2  # words of a claim: one word alone is in every other note
_FIELDS = ("entry", "claim", "by", "why")


class Signal(NamedTuple):
    """One warning: of an entry, of a claim wherever it stands, or of both."""

    # an id, a path, a title or an alias; "" where only a claim is named
    entry: str
    # words in their order, `*` for any words between them; "" where only an entry is named
    claim: str
    by: str
    why: str

    @property
    def said(self) -> str:
        """Return who warns, and why, as the end of a sentence."""
        return f"flagged by {self.by}: {self.why.rstrip('.')}."

    @property
    def id(self) -> str:
        """Return a name by which it is known again, 12 hex digits."""
        return hashlib.sha256("\n".join(self).encode()).hexdigest()[:12]


def parse_signals(data: bytes) -> tuple[list[Signal], list[str]]:
    """Return the signals of *data*, one a line, and what is wrong with the lines that are none."""
    if len(data) > MAX_BYTES:
        return [], [f"it is larger than {MAX_BYTES // 1000} kB"]
    found: list[Signal] = []
    problems: list[str] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        if len(found) >= MAX_SIGNALS:
            problems.append(f"line {number}: more than {MAX_SIGNALS} signals")
            continue
        signal = _parse_line(line)
        if isinstance(signal, Signal):
            found.append(signal)
        else:
            problems.append(f"line {number}: {signal}")
    return found, problems


def _parse_line(line: bytes) -> Signal | str:
    """Return the signal of one line, or what is wrong with it."""
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    if not isinstance(given, dict):
        return "not a JSON object"
    unknown = sorted(set(given) - set(_FIELDS))
    if unknown:
        return f"unknown keys: {', '.join(unknown)[:80]}; known: {', '.join(_FIELDS)}"
    fields: dict[str, str] = {}
    for name in _FIELDS:
        value = given.get(name, "")
        if not _is_short_text(value):
            return f"{name} must be a text of one line and at most {_LONGEST} characters"
        fields[name] = " ".join(value.split())
    signal = Signal(**fields)
    return _find_gap(signal) or signal


def _is_short_text(value: object) -> bool:
    if not isinstance(value, str):
        return False
    return len(value) <= _LONGEST and value.isprintable()


def _find_gap(signal: Signal) -> str:
    """Return what is missing in *signal*; "" where nothing is."""
    if not signal.by or not signal.why:
        return "`by` and `why` must say who warns and why"
    if not signal.entry and not signal.claim:
        return "`entry` or `claim` must say of what"
    if signal.claim and len(split_words(signal.claim)) < _FEWEST:
        return f"`claim` needs at least {_FEWEST} words"
    return ""


def find_passages(claim: str, text: str) -> Iterator[str]:
    """Yield the passages of *text* that have the words of *claim* in their order."""
    pattern = _pattern(claim)
    yield from (
        each
        for each in candidate_pairs.split_passages(text)
        if pattern.search(f" {' '.join(split_words(each))} ")
    )


def _pattern(claim: str) -> re.Pattern[str]:
    parts = [
        " ".join(map(re.escape, split_words(part))) for part in claim.split("*")
    ]
    return re.compile(
        " " + " (?:.* )?".join(part for part in parts if part) + " "
    )


def list_terms(claim: str) -> Sequence[str]:
    """Return the words that a text must have to have *claim*."""
    return split_words(claim)

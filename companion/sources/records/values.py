"""JSON values of exports: decoding them, and taking fields out of them.

`get_…` is for what may be missing: the result is empty then. `need_…` is for what a conversation
cannot be read without: it raises Unreadable("schema"), for then the program writes another format.
"""

import codecs
import json
from collections.abc import Iterator
from typing import NamedTuple

from companion.sources.document import Unreadable

Record = dict[str, object]

_LONGEST_WORD = 12  # characters, of two escapes of four digits
_HINT = "The program may write a newer format; its bytes are kept until a reader knows it."


class Line(NamedTuple):
    """One record of a JSONL file."""

    number: int  # from 1
    record: Record


class BadLine(NamedTuple):
    """A line of a JSONL file that is no record, and why."""

    number: int
    reason: str


def changed(reason: str) -> Unreadable:
    """Return the error for an export whose format is not the one known."""
    return Unreadable("schema", reason, hint=_HINT)


def load_json(content: bytes) -> object:
    """Return the JSON value that *content* is. Raises Unreadable."""
    try:
        return json.loads(_decode(content))
    except json.JSONDecodeError as error:
        if _ends_early(error):
            raise Unreadable(
                "truncated",
                "the JSON ends before it is complete",
                hint="Export or copy it again.",
            ) from error
        raise Unreadable(
            "malformed", f"not JSON: {error.msg}, line {error.lineno}"
        ) from error
    except ValueError as error:  # a number of 5,000 digits
        raise Unreadable("malformed", "a number is out of range") from error
    except RecursionError as error:
        raise Unreadable("too-deep", "it is nested too deeply") from error


def _ends_early(error: json.JSONDecodeError) -> bool:
    """Tell whether the text may go on: the error is in its last word, or a string has no end."""
    left = len(error.doc.rstrip()) - error.pos
    return error.msg.startswith("Unterminated string") or (
        left <= _LONGEST_WORD and error.msg != "Extra data"
    )


def load_record(content: bytes) -> Record:
    """Return the JSON object that *content* is, or that is the only one in an array.

    Raises Unreadable.
    """
    value = load_json(content)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, list):
        raise Unreadable(
            "many-items",
            f"it is an array of {len(value)} items, not one of them",
            hint="Ingest the export itself: its items are then taken one by one.",
        )
    if not isinstance(value, dict):
        raise changed("a JSON object was expected")
    return value


def load_records(content: bytes) -> list[Record]:
    """Return the objects of the JSON array that *content* is; of one object, that object.

    Raises Unreadable.
    """
    value = load_json(content)
    items = [value] if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise changed("a JSON array was expected")
    records = [item for item in items if isinstance(item, dict)]
    if len(records) < len(items):
        raise changed("an array of nothing but objects was expected")
    return records


def load_lines(content: bytes) -> Iterator[Line | BadLine]:
    """Yield the records of the JSONL file *content* in order, blank lines left out."""
    for number, raw in enumerate(content.split(b"\n"), 1):
        if not raw.strip():
            continue
        try:
            value = load_json(raw)
        except Unreadable as error:
            yield BadLine(number, str(error))
            continue
        if isinstance(value, dict):
            yield Line(number, value)
        else:
            yield BadLine(number, "a JSON object was expected")


def _decode(content: bytes) -> str:
    body = content.removeprefix(codecs.BOM_UTF8)
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise Unreadable(
            "encoding", f"not UTF-8 at byte offset {error.start}"
        ) from error


def get_text(record: Record, key: str) -> str:
    """Return the string under *key*, else the empty string."""
    value = record.get(key)
    return value if isinstance(value, str) else ""


def get_first(record: Record, *keys: str) -> str:
    """Return the first string under one of *keys* that is not empty, else the empty string."""
    for key in keys:
        text = get_text(record, key)
        if text:
            return text
    return ""


def get_record(record: Record, key: str) -> Record:
    """Return the object under *key*, else an empty one."""
    value = record.get(key)
    return value if isinstance(value, dict) else {}


def get_list(record: Record, key: str) -> list[object]:
    """Return the array under *key*, else an empty one."""
    value = record.get(key)
    return value if isinstance(value, list) else []


def get_records(record: Record, key: str) -> list[Record]:
    """Return the objects of the array under *key*."""
    return [item for item in get_list(record, key) if isinstance(item, dict)]


def need_text(record: Record, key: str) -> str:
    """Return the string under *key*. Raises Unreadable."""
    value = record.get(key)
    if not isinstance(value, str):
        raise changed(f'"{key}" was expected to be a text')
    return value


def need_record(record: Record, key: str) -> Record:
    """Return the object under *key*. Raises Unreadable."""
    value = record.get(key)
    if not isinstance(value, dict):
        raise changed(f'"{key}" was expected to be an object')
    return value


def need_list(record: Record, key: str) -> list[object]:
    """Return the array under *key*. Raises Unreadable."""
    value = record.get(key)
    if not isinstance(value, list):
        raise changed(f'"{key}" was expected to be an array')
    return value

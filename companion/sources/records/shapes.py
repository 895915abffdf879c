"""The shape of JSON by its first bytes, which may end anywhere."""

import json
import re
from functools import lru_cache
from typing import NamedTuple

from companion.sources.records.values import Record

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[{}\[\]:,"]', re.DOTALL)
_OPENING, _CLOSING = (b"{", b"["), (b"}", b"]")
_LONGEST_KEY = 100  # bytes


class Shape(NamedTuple):
    """The beginning of a JSON text: an array or an object, and its keys."""

    array: bool  # an array, of whose first object the keys are
    keys: frozenset[str]  # of the object, as far as the bytes go


@lru_cache(maxsize=4)
def find_shape(head: bytes) -> Shape:
    """Return the shape of the JSON text that begins with *head*; no keys where it is none."""
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    array = start.startswith(b"[")
    if not array and not start.startswith(b"{"):
        return Shape(False, frozenset())
    return Shape(array, frozenset(_find_keys(start, 2 if array else 1)))


def _find_keys(text: bytes, wanted: int) -> set[str]:
    """Return the keys of the first object that is nested *wanted* levels deep."""
    keys: set[str] = set()
    depth, before = 0, b""
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == b'"':
            break  # a string that the bytes cut off
        if token in _OPENING:
            depth += 1
        elif token in _CLOSING:
            depth -= 1
            if depth < wanted and (keys or depth == 0):
                break
        elif token == b":" and depth == wanted:
            keys.add(_read_key(before))
        before = token
    return keys


def _read_key(token: bytes) -> str:
    return token[1:-1][:_LONGEST_KEY].decode("utf-8", "replace")


@lru_cache(maxsize=4)
def find_records(head: bytes) -> tuple[Record, ...]:
    """Return the records of the first lines of a JSONL file that begins with *head*.

    The last line counts only where it is complete.
    """
    records: list[Record] = []
    for line in head.split(b"\n"):
        if not line.lstrip().startswith(b"{"):
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue  # cut off, or no JSON: the reader will say so
        if isinstance(value, dict):
            records.append(value)
    return tuple(records)

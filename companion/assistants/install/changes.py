"""The three ways to add to a file of somebody else: a value in JSON, lines between two marks, a
file of our own. Each can take out again what it added.

Pure: a text comes in, None where there is no file, and a text goes out.
"""

import tomllib
from typing import NamedTuple

from companion.assistants.install import json_text
from companion.assistants.install.json_text import NotJson, Place
from companion.errors import BadInput


class Unreadable(BadInput):
    """This file is not what its name says."""


class Occupied(BadInput):
    """Something else stands where companion would write."""


class JsonValue(NamedTuple):
    """A value in a JSON document."""

    place: Place
    value: object

    def add(self, text: str | None) -> str:
        """Return *text* with the value. Raises Unreadable or Occupied."""
        try:
            if text is None or not text.strip():
                return json_text.put("{}", self.place, self.value) + "\n"
            if json_text.find_value(text, self.place, self.value):
                raise Occupied("it has an entry for companion already")
            return json_text.put(text, self.place, self.value)
        except NotJson as error:
            raise Unreadable(
                "it is no JSON document that companion can add to"
            ) from error

    def take(self, text: str, before: str | None) -> str | None:
        """Return *text* without the value; None where nothing else was ever there."""
        created = len(self.place.path)
        try:
            if before is not None and before.strip():
                created = json_text.count_missing(before, self.place.path)
            left = json_text.take(text, self.place, self.value, created=created)
        except NotJson as error:
            raise Unreadable(
                "it is no JSON document any more: take the entry out by hand"
            ) from error
        if before is None and left.strip() == "{}":
            return None
        return left


class JsonValues(NamedTuple):
    """Several values in one JSON document."""

    values: tuple[JsonValue, ...]

    def add(self, text: str | None) -> str:
        """Return *text* with the values. Raises Unreadable or Occupied."""
        for value in self.values:
            text = value.add(text)
        return text or ""

    def take(self, text: str, before: str | None) -> str | None:
        """Return *text* without the values; None where nothing else was ever there."""
        left: str | None = text
        for value in reversed(self.values):
            if left is not None:
                left = value.take(left, before)
        return left


class Block(NamedTuple):
    """Lines between two marks, at the end of a text.

    The marks name the assistant: several may read the same AGENTS.md.
    """

    assistant: str
    lines: str
    comment: tuple[str, str]  # what begins and ends a comment
    is_toml: bool = False

    @property
    def begin(self) -> str:
        """The line before ours."""
        return self._mark("begin")

    @property
    def end(self) -> str:
        """The line behind ours."""
        return self._mark("end")

    def add(self, text: str | None) -> str:
        """Return *text* with the lines at its end. Raises Unreadable or Occupied."""
        text = text or ""
        if self.begin in text:
            raise Occupied("it has lines of companion already")
        whole = text + _gap(text) + self.begin + self.lines + self.end
        if self.is_toml:
            _check_toml(text, whole)
        return whole

    def take(self, text: str, before: str | None) -> str | None:
        """Return *text* without the lines and their marks; None where nothing else is there."""
        start = text.find(self.begin)
        end = text.find(self.end, max(start, 0))
        if start < 0:
            return text
        if end < 0:
            raise Unreadable(
                f"the line {self.end.strip()!r} is missing: take ours out by hand"
            )
        head = text[:start].removesuffix(_gap(before or ""))
        tail = text[end + len(self.end) :]
        left = head + tail
        if before is None and not left.strip():
            return None
        return left

    def _mark(self, which: str) -> str:
        opening, closing = self.comment
        return f"{opening}companion, for {self.assistant}: {which}{closing}\n"


class OwnFile(NamedTuple):
    """A file that is companion's from its first byte to its last."""

    text: str

    def add(self, text: str | None) -> str:
        """Return the file. Raises Occupied where there is another."""
        if text is not None and text != self.text:
            raise Occupied("there is another file of that name")
        return self.text

    def take(self, text: str, before: str | None) -> str | None:
        """Return None, or the file as it was before."""
        return before


Change = JsonValues | JsonValue | Block | OwnFile


def _gap(text: str) -> str:
    """Return what parts a text from lines that are added to it."""
    if not text:
        return ""
    return "\n" if text.endswith("\n") else "\n\n"


def _check_toml(before: str, after: str) -> None:
    """Raise Unreadable or Occupied unless *after* is *before* and more."""
    try:
        tomllib.loads(before)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable("it is no TOML document") from error
    try:
        tomllib.loads(after)
    except tomllib.TOMLDecodeError as error:
        raise Occupied("it has an entry for companion already") from error

"""Put a value into the text of a JSON document, or take it out, and leave every other byte.

Parsing and writing anew would lose the indentation, the escapes and the numbers of a file that
belongs to somebody else. Pure.
"""

import json
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.errors import MALFORMED, BadInput

_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()
_UNIT = "  "  # of indentation, where the document shows none
_DEEPEST = 200  # containers within each other


class NotJson(BadInput):
    """This is no JSON document with an object in it."""


class Place(NamedTuple):
    """Where a value belongs: below the names *path*, under *key*; without one it ends an array."""

    path: tuple[str, ...]
    key: str | None


class Node(NamedTuple):
    """One value in the text: from *start* to *end*, with its members if it is a container."""

    start: int
    end: int
    opener: str = ""  # { or [ of a container
    members: tuple["Member", ...] = ()

    def find(self, name: str) -> "Member | None":
        """Return the last member of that name, which is the one that counts."""
        found = [member for member in self.members if member.name == name]
        return found[-1] if found else None


class Member(NamedTuple):
    """A member of a container; an item of an array has no name."""

    name: str
    start: int  # of its name, or of its value
    node: Node


def read(text: str) -> Node:
    """Return the object that the document *text* is. Raises NotJson."""
    try:
        json.loads(text)
        node = _read_value(text, _skip(text, 0), 0)
    except MALFORMED as error:
        raise NotJson from error
    if node.opener != "{":
        raise NotJson
    return node


def find_value(text: str, place: Place, value: object) -> bool:
    """Tell whether *place* is taken: by any value under its key, or by *value* in its array."""
    container = _find_container(read(text), place.path)
    return (
        container is not None
        and _find_member(text, container, place, value) is not None
    )


def put(text: str, place: Place, value: object) -> str:
    """Return *text* with *value* at *place*, behind what is there; containers that lack are made.

    Raises NotJson, also where something else than a container is in the way.
    """
    node = read(text)
    path = list(place.path)
    while path and (member := node.find(path[0])) is not None:
        node = member.node
        path.pop(0)
    name, added = place.key, value
    if path:
        name, *inner = path
        added = _wrap(inner, place.key, value)
    if node.opener != ("[" if name is None else "{"):
        raise NotJson
    return _append(text, node, name, added)


def take(text: str, place: Place, value: object, *, created: int) -> str:
    """Return *text* without what `put` added at *place*, and without the *created* containers
    around it where they are empty then.

    *text* as it is, where nothing is there. Raises NotJson.
    """
    container = _find_container(read(text), place.path)
    if container is None:
        return text
    member = _find_member(text, container, place, value)
    if member is None:
        return text
    text = _cut(text, container, member)
    for depth in range(len(place.path), len(place.path) - created, -1):
        path = place.path[: depth - 1]
        outer = _find_container(read(text), path)
        inner = outer.find(place.path[depth - 1]) if outer else None
        if outer is None or inner is None or inner.node.members:
            break
        text = _cut(text, outer, inner)
    return text


def count_missing(text: str, path: Sequence[str]) -> int:
    """Return how many of the containers *path* the document does not have. Raises NotJson."""
    node = read(text)
    for number, name in enumerate(path):
        member = node.find(name)
        if member is None:
            return len(path) - number
        node = member.node
    return 0


def _wrap(path: Sequence[str], key: str | None, value: object) -> object:
    """Return *value* within the containers that lead to it."""
    inner: object = [value] if key is None else {key: value}
    for name in reversed(path):
        inner = {name: inner}
    return inner


def _find_container(node: Node, path: Sequence[str]) -> Node | None:
    for name in path:
        member = node.find(name)
        if member is None:
            return None
        node = member.node
    return node


def _find_member(
    text: str, container: Node, place: Place, value: object
) -> Member | None:
    if place.key is not None:
        return container.find(place.key)
    for member in container.members:
        if json.loads(text[member.node.start : member.node.end]) == value:
            return member
    return None


# -- text ------------------------------------------------------------------------------------------


def _append(text: str, node: Node, name: str | None, value: object) -> str:
    """Return *text* with a last member in the container *node*, indented as the others are."""
    indent = _indent_of_members(text, node)
    unit = _unit(text)
    written = json.dumps(value, ensure_ascii=False, indent=unit or None)
    if name is not None:
        written = f"{json.dumps(name, ensure_ascii=False)}: {written}"
    if unit:
        written = written.replace("\n", f"\n{indent}")
    if node.members:
        at = node.members[-1].node.end
        gap = f",\n{indent}" if unit else ", "
        return text[:at] + gap + written + text[at:]
    at = node.start + 1
    inside = f"\n{indent}{written}\n{indent[len(unit) :]}" if unit else written
    return text[:at] + inside + text[node.end - 1 :]


def _unit(text: str) -> str:
    """Return one step of indentation; none in a document of one line."""
    root = read(text)
    if not root.members:
        return _UNIT
    before = text[root.start + 1 : root.members[0].start]
    if "\n" not in before:
        return ""
    return before.rpartition("\n")[2] or _UNIT


def _indent_of_members(text: str, node: Node) -> str:
    """Return the blanks before a member of *node*."""
    if node.members:
        before = text[: node.members[0].start].rpartition("\n")[2]
        if not before.strip(_BLANK):
            return before
    line = text[: node.start].rpartition("\n")[2]
    return line[: len(line) - len(line.lstrip(_BLANK))] + _unit(text)


def _cut(text: str, container: Node, member: Member) -> str:
    """Return *text* without one member, and without the comma that it needed."""
    members = container.members
    number = members.index(member)
    if len(members) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    if number > 0:
        return text[: members[number - 1].node.end] + text[member.node.end :]
    return text[: member.start] + text[members[1].start :]


# -- reading ---------------------------------------------------------------------------------------


def _skip(text: str, at: int) -> int:
    """Return where the next character stands that is not blank."""
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at


def _read_value(text: str, at: int, depth: int) -> Node:
    """Return the value that begins at *at*; the document is known to be valid. Raises NotJson."""
    if depth > _DEEPEST:
        raise NotJson("containers within containers, too deep to read")
    opener = text[at]
    if opener not in "{[":
        end = _DECODER.raw_decode(text, at)[1]
        return Node(at, end)
    members = tuple(_read_members(text, at + 1, opener, depth))
    last = members[-1].node.end if members else at + 1
    return Node(at, _skip(text, last) + 1, opener, members)


def _read_members(
    text: str, at: int, opener: str, depth: int
) -> Iterator[Member]:
    at = _skip(text, at)
    while text[at] not in "}]":
        start, name = at, ""
        if opener == "{":
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        node = _read_value(text, at, depth + 1)
        yield Member(name, start, node)
        at = _skip(text, node.end)
        if text[at] == ",":
            at = _skip(text, at + 1)

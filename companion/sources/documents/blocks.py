"""Plain text with light marks as passages: Markdown, Org, reStructuredText, or none at all."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from companion.sources.document import Kind, Passage
from companion.sources.documents.text import say_lines

_HASHES = re.compile(r"(#{1,6})[ \t]+(.+?)(?:[ \t]+#+)?[ \t]*")
_STARS = re.compile(r"(\*{1,6})[ \t]+(.+?)[ \t]*")
_UNDERLINE = re.compile(r"([=\-~^\"*+#`'])\1{2,}[ \t]*")
_FENCE = re.compile(r"[ ]{0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S")

Place = Callable[[int, int], str]  # the first and the last line, from 1


class _Block(NamedTuple):
    """Neighbouring lines of one kind."""

    kind: Kind
    text: str
    level: int
    first: int  # line, from 0
    end: int  # the line after it


def split_blocks(
    text: str, *, org: bool = False, place: Place = say_lines, offset: int = 0
) -> tuple[Passage, ...]:
    """Return the passages of *text*; line 1 is called line *offset* + 1.

    A heading loses its marks; everything else keeps them, as it would stand on a page. *org*: stars
    at the beginning of a line are a heading, as in Org, and no list.
    """
    lines = text.split("\n")
    passages = []
    for block in _find_blocks(lines, org):
        if not block.text.strip():
            continue
        where = place(offset + block.first + 1, offset + block.end)
        passages.append(Passage(block.text, block.kind, block.level, where))
    return tuple(passages)


def _find_blocks(lines: list[str], org: bool) -> Iterator[_Block]:
    at = 0
    while at < len(lines):
        block = _read_block(lines, at, org)
        if block is not None:
            yield block
            at = block.end
        else:
            at += 1


def _read_block(lines: list[str], at: int, org: bool) -> _Block | None:
    """Return the block that begins at the line *at*; None where that is blank."""
    line = lines[at]
    if not line.strip():
        return None
    heading = (_STARS if org else _HASHES).fullmatch(line)
    if heading is not None:
        return _Block("heading", heading[2], len(heading[1]), at, at + 1)
    underlined = _read_underlined(lines, at)
    if underlined is not None:
        return underlined
    fence = _FENCE.match(line)
    if fence is not None:
        return _read_fenced(lines, at, fence[1])
    return _read_plain(lines, at, org)


def _read_underlined(lines: list[str], at: int) -> _Block | None:
    """Read a heading that has a line of marks below it."""
    if at + 1 == len(lines) or _kind_of(lines[at]) != "paragraph":
        return None
    mark = _UNDERLINE.fullmatch(lines[at + 1])
    if mark is None or _UNDERLINE.fullmatch(lines[at]):
        return None
    level = 1 if mark[1] == "=" else 2
    return _Block("heading", lines[at].strip(), level, at, at + 2)


def _read_fenced(lines: list[str], at: int, fence: str) -> _Block:
    """Read code up to the end of its fence, or of the text."""
    end = at + 1
    while end < len(lines) and not lines[end].lstrip().startswith(fence):
        end += 1
    end = min(end + 1, len(lines))
    return _Block("code", "\n".join(lines[at:end]), 0, at, end)


def _read_plain(lines: list[str], at: int, org: bool) -> _Block:
    """Read neighbouring lines that are one list, table, quote or paragraph."""
    kind = _kind_of(lines[at])
    end = at + 1
    while end < len(lines) and _goes_on(lines, end, kind, org):
        end += 1
    text = "\n".join(line.rstrip() for line in lines[at:end])
    if kind == "paragraph":
        text = text.strip()
    return _Block(kind, text, 0, at, end)


def _goes_on(lines: list[str], at: int, kind: Kind, org: bool) -> bool:
    line = lines[at]
    if not line.strip() or _FENCE.match(line):
        return False
    if (_STARS if org else _HASHES).fullmatch(line):
        return False
    if kind == "list":
        return True  # what follows an item without a blank line is its own
    if _read_underlined(lines, at) is not None:
        return False
    return _kind_of(line) == kind


def _kind_of(line: str) -> Kind:
    start = line.lstrip()[:1]
    if start == ">":
        return "quote"
    if start == "|":
        return "table"
    if _ITEM.match(line):
        return "list"
    return "paragraph"

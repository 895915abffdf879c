"""Merging by ownership: companion may add to a managed page, and never touches a person's line."""

import re
from typing import NamedTuple

from companion.pages.frontmatter import read_front


class _Side(NamedTuple):
    """How one side changed the base: slot 2i is what stands before base line i, slot 2i+1 in its
    place.
    """

    slots: list[list[str]]
    kept: list[bool]  # per base line
    rewritten: list[range]  # runs of base lines that other lines replaced, each run as a whole


def merge(base: str, ours: str, theirs: str) -> str | None:
    """Merge what companion wants to write into a managed page that a person may have edited (design
    §1).

    *base* is the text companion last wrote, *ours* what it wants to write now, *theirs* what is
    there. Lines the person added or changed are all in the result, unchanged and in their order;
    lines they deleted stay deleted; lines only companion added are added, after theirs where both
    added. None when companion rewrote a line that the person changed or deleted, or when the
    frontmatter would no longer read: then the page is left as it is. Line endings and the final
    newline stay theirs.
    """
    if theirs in (base, ours):
        return ours
    if ours == base:
        return theirs
    merged = _merge_lines(_bare_all(lines_of(base)), _bare_all(lines_of(ours)), lines_of(theirs))
    if merged is None or _front_lost(base, ours, theirs):
        return None
    result = _assemble(merged, theirs or ours)
    return None if read_front(result).problem and not read_front(theirs).problem else result


def _front_lost(base: str, ours: str, theirs: str) -> bool:
    """The person removed the frontmatter, so what companion wants to add to it has no place
    left.
    """
    if not read_front(base).meta or read_front(theirs).meta:
        return False
    return read_front(ours).meta != read_front(base).meta


def _merge_lines(base: list[str], ours: list[str], theirs: list[str]) -> list[str] | None:
    bare = _bare_all(theirs)
    gone = {line for line in set(base) - set(bare) if line.strip()}
    mine, person = _side(base, ours, ours), _side(base, bare, theirs)
    if _clash(mine, person):
        return None
    merged: list[str] = []
    for slot, (added, written) in enumerate(zip(mine.slots, person.slots, strict=True)):
        new = [line for line in added if line not in gone]
        if slot % 2 == 0:
            merged += written if _holds(_bare_all(written), new) else written + new
        elif not person.kept[slot // 2]:
            merged += written
        else:
            merged += written if mine.kept[slot // 2] else new
    return merged


def _clash(mine: _Side, person: _Side) -> bool:
    """Say whether companion rewrote lines that the person changed, otherwise, or deleted."""
    for hunk in mine.rewritten:
        if not all(person.kept[hunk.start : hunk.stop]):
            slots = slice(2 * hunk.start + 1, 2 * hunk.stop)
            if mine.slots[slots] != [_bare_all(lines) for lines in person.slots[slots]]:
                return True
    return False


def _side(base: list[str], bare: list[str], lines: list[str]) -> _Side:
    """Compare *bare*, a side's lines without endings, with *base*; the slots hold *lines*."""
    side = _Side([[] for _ in range(2 * len(base) + 1)], [False] * len(base), [])
    for tag, start, stop, at, to in _opcodes(base, bare):
        new = lines[at:to]
        if start == stop:
            side.slots[2 * start] = new
        elif len(new) == stop - start:
            # Line for line, so that what the other side put between two lines stays between them.
            for offset, line in enumerate(new):
                side.slots[2 * (start + offset) + 1] = [line]
                side.kept[start + offset] = tag == "equal"
            side.rewritten.extend(range(i, i + 1) for i in range(start, stop) if tag == "replace")
        else:
            side.slots[2 * start + 1] = new
            side.rewritten.extend([range(start, stop)] if new else [])
    return side


def _opcodes(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    """difflib's opcodes, its quadratic search spared the common head and tail."""
    from difflib import SequenceMatcher

    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    tail = next((i for i in range(shorter - head) if old[-1 - i] != new[-1 - i]), shorter - head)
    middle = SequenceMatcher(
        None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False
    )
    codes = [
        (tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in middle.get_opcodes()
    ]
    ends = [("equal", 0, head, 0, head)] if head else []
    rest = [("equal", len(old) - tail, len(old), len(new) - tail, len(new))] if tail else []
    return ends + codes + rest


def _holds(lines: list[str], part: list[str]) -> bool:
    return any(lines[at : at + len(part)] == part for at in range(len(lines) - len(part) + 1))


def _assemble(lines: list[str], like: str) -> str:
    eol = eol_of(like)
    text = "".join(line if line.endswith(("\n", "\r")) else line + eol for line in lines)
    if not lines or like.endswith(("\n", "\r")):
        return text
    return text.removesuffix("\n").removesuffix("\r") if text.endswith("\r\n") else text[:-1]


def lines_of(text: str) -> list[str]:
    """Lines with their endings; only CR and LF end one (`splitlines` would also cut at U+2028)."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def _bare_all(lines: list[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def eol_of(text: str) -> str:
    """Return the line ending that most of *text*'s lines have, LF where it has none."""
    crlf, lf = text.count("\r\n"), text.count("\n")
    return "\r\n" if crlf * 2 > lf else "\n" if lf or "\r" not in text else "\r"

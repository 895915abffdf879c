"""Merging by ownership: companion may add to a managed page, and never touches a person's line."""

import re
from typing import NamedTuple

from companion.pages.frontmatter import read_front


class _Side(NamedTuple):
    """How one side changed the base.

    Slot 2i holds what stands before base line i, slot 2i+1 what stands in its place.
    """

    slots: list[list[str]]
    kept: list[bool]  # per base line
    # runs of base lines that other lines replaced, each run as a whole
    rewritten: list[range]


class _Change(NamedTuple):
    """Lines of one text, and the lines of another that stand in their place."""

    equal: bool
    old: range
    new: range


def merge(base: str, ours: str, theirs: str) -> str | None:
    """Return what companion wants to write merged with what a person did to a managed page.

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
    merged = _merge_lines(
        _bare_all(lines_of(base)), _bare_all(lines_of(ours)), lines_of(theirs)
    )
    if merged is None or _front_lost(base, ours, theirs):
        return None
    result = _assemble(merged, theirs or ours)
    breaks_front = read_front(result).problem and not read_front(theirs).problem
    return None if breaks_front else result


def _front_lost(base: str, ours: str, theirs: str) -> bool:
    """Tell whether what companion wants to add to the frontmatter has no place left.

    It has none where the person removed the frontmatter.
    """
    if not read_front(base).meta or read_front(theirs).meta:
        return False
    return read_front(ours).meta != read_front(base).meta


def _merge_lines(
    base: list[str], ours: list[str], theirs: list[str]
) -> list[str] | None:
    bare = _bare_all(theirs)
    deleted = {line for line in set(base) - set(bare) if line.strip()}
    mine = _side(base, ours, ours)
    person = _side(base, bare, theirs)
    if _clash(mine, person):
        return None
    merged: list[str] = []
    for slot, (added, written) in enumerate(
        zip(mine.slots, person.slots, strict=True)
    ):
        new = [line for line in added if line not in deleted]
        if slot % 2 == 0:
            merged += written
            if not _holds(_bare_all(written), new):
                merged += new
        elif person.kept[slot // 2] and not mine.kept[slot // 2]:
            merged += new
        else:
            merged += written
    return merged


def _clash(mine: _Side, person: _Side) -> bool:
    """Tell whether companion rewrote lines that the person changed, otherwise, or deleted."""
    for hunk in mine.rewritten:
        if all(person.kept[hunk.start : hunk.stop]):
            continue
        slots = slice(2 * hunk.start + 1, 2 * hunk.stop)
        if mine.slots[slots] != [
            _bare_all(lines) for lines in person.slots[slots]
        ]:
            return True
    return False


def _side(base: list[str], bare: list[str], lines: list[str]) -> _Side:
    """Compare *bare*, a side's lines without endings, with *base*; the slots hold *lines*."""
    side = _Side(
        [[] for _ in range(2 * len(base) + 1)], [False] * len(base), []
    )
    for change in _changes(base, bare):
        new = lines[change.new.start : change.new.stop]
        if not change.old:
            side.slots[2 * change.old.start] = new
        elif len(new) == len(change.old):
            # Line for line, so that what the other side put between two lines stays between them.
            for at, line in zip(change.old, new, strict=True):
                side.slots[2 * at + 1] = [line]
                side.kept[at] = change.equal
                if not change.equal:
                    side.rewritten.append(range(at, at + 1))
        else:
            side.slots[2 * change.old.start + 1] = new
            if new:
                side.rewritten.append(change.old)
    return side


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    """Return the differences by difflib, without its quadratic search in common head and tail."""
    from difflib import SequenceMatcher

    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    old_end = len(old) - tail
    new_end = len(new) - tail
    middle = SequenceMatcher(
        None, old[head:old_end], new[head:new_end], autojunk=False
    )
    changes = [_Change(True, range(head), range(head))]
    for tag, a, b, c, d in middle.get_opcodes():
        changes.append(
            _Change(
                tag == "equal",
                range(a + head, b + head),
                range(c + head, d + head),
            )
        )
    changes.append(
        _Change(True, range(old_end, len(old)), range(new_end, len(new)))
    )
    return [change for change in changes if change.old or change.new]


def _holds(lines: list[str], part: list[str]) -> bool:
    return any(
        lines[at : at + len(part)] == part
        for at in range(len(lines) - len(part) + 1)
    )


def _assemble(lines: list[str], like: str) -> str:
    eol = eol_of(like)
    text = "".join(
        line if line.endswith(("\n", "\r")) else line + eol for line in lines
    )
    if not lines or like.endswith(("\n", "\r")):
        return text
    return text[:-2] if text.endswith("\r\n") else text[:-1]


def lines_of(text: str) -> list[str]:
    """Return lines with their endings; only CR and LF end one (`splitlines` cuts at U+2028, too)."""
    return re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", text)


def _bare_all(lines: list[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def eol_of(text: str) -> str:
    """Return the line ending that most of *text*'s lines have, LF where it has none."""
    crlf, lf = text.count("\r\n"), text.count("\n")
    if crlf * 2 > lf:
        return "\r\n"
    return "\n" if lf or "\r" not in text else "\r"

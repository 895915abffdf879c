"""Merging by ownership: companion may add to a managed page, and never touches a person's line."""

from collections.abc import Iterable

from companion.pages.frontmatter import read_front
from companion.pages.lines import eol_of, lines_of
from companion.tuples import NamedTuple


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
    base_lines = _bare_all(lines_of(base))
    our_lines = _bare_all(lines_of(ours))
    merged = _merge_lines(base_lines, our_lines, lines_of(theirs))
    if merged is None or _front_lost(base, ours, theirs):
        return None
    result = _assemble(merged, theirs or ours)
    if read_front(result).problem and not read_front(theirs).problem:
        return None
    return result


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
    mine = _side(base, ours, ours)
    person = _side(base, bare, theirs)
    if _clash(mine, person):
        return None
    deleted = {line for line in set(base) - set(bare) if line.strip()}
    merged: list[str] = []
    for slot, lines in enumerate(mine.slots):
        new = [line for line in lines if line not in deleted]
        merged += _merge_slot(slot, new, mine, person)
    return merged


def _merge_slot(
    slot: int, new: list[str], mine: _Side, person: _Side
) -> list[str]:
    """Return the lines of one slot: the person's, with or without companion's *new* ones."""
    theirs = person.slots[slot]
    at = slot // 2
    if slot % 2:
        if person.kept[at] and not mine.kept[at]:
            return new
        return theirs
    if _holds(_bare_all(theirs), new):
        return theirs
    return theirs + new


def _clash(mine: _Side, person: _Side) -> bool:
    """Tell whether companion rewrote lines that the person changed, otherwise, or deleted."""
    for hunk in mine.rewritten:
        if all(person.kept[hunk.start : hunk.stop]):
            continue
        slots = slice(2 * hunk.start + 1, 2 * hunk.stop)
        theirs = [_bare_all(lines) for lines in person.slots[slots]]
        if mine.slots[slots] != theirs:
            return True
    return False


def _side(base: list[str], bare: list[str], lines: list[str]) -> _Side:
    """Compare *bare*, a side's lines without endings, with *base*; the slots hold *lines*."""
    slots: list[list[str]] = [[] for _ in range(2 * len(base) + 1)]
    side = _Side(slots, [False] * len(base), [])
    for change in _changes(base, bare):
        new = lines[change.new.start : change.new.stop]
        if not change.old:
            slots[2 * change.old.start] = new
        elif len(new) == len(change.old):
            _fill_line_for_line(side, change, new)
        else:
            slots[2 * change.old.start + 1] = new
            if new:
                side.rewritten.append(change.old)
    return side


def _fill_line_for_line(side: _Side, change: _Change, new: list[str]) -> None:
    """Fill the slots of single lines: what the other side put between two lines stays there."""
    for at, line in zip(change.old, new, strict=True):
        side.slots[2 * at + 1] = [line]
        side.kept[at] = change.equal
        if not change.equal:
            side.rewritten.append(range(at, at + 1))


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    """Return the differences by difflib, without its quadratic search in common head and tail."""
    from difflib import SequenceMatcher

    head = _common_head(old, new)
    tail = _common_head(reversed(old[head:]), reversed(new[head:]))
    old_end = len(old) - tail
    new_end = len(new) - tail
    changes = [_Change(True, range(head), range(head))]
    middle = SequenceMatcher(
        None, old[head:old_end], new[head:new_end], autojunk=False
    )
    for tag, old_start, old_stop, new_start, new_stop in middle.get_opcodes():
        old_range = range(old_start + head, old_stop + head)
        new_range = range(new_start + head, new_stop + head)
        changes.append(_Change(tag == "equal", old_range, new_range))
    old_tail = range(old_end, len(old))
    changes.append(_Change(True, old_tail, range(new_end, len(new))))
    return [change for change in changes if change.old or change.new]


def _common_head(old: Iterable[str], new: Iterable[str]) -> int:
    """Return how many of the first lines are the same."""
    count = 0
    for line, other in zip(old, new, strict=False):
        if line != other:
            break
        count += 1
    return count


def _holds(lines: list[str], part: list[str]) -> bool:
    return any(
        lines[at : at + len(part)] == part
        for at in range(len(lines) - len(part) + 1)
    )


def _assemble(lines: list[str], like: str) -> str:
    """Return *lines* as a text with the line endings and the final newline of *like*."""
    eol = eol_of(like)
    ended: list[str] = []
    for line in lines:
        if line.endswith(("\n", "\r")):
            ended.append(line)
        else:
            ended.append(line + eol)
    text = "".join(ended)
    if not lines or like.endswith(("\n", "\r")):
        return text
    if text.endswith("\r\n"):
        return text[:-2]
    return text[:-1]


def _bare_all(lines: list[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]

"""Merging what two wrote of one page at once, so that nothing of either is lost. Pure.

`ownership_merge` leaves a page as it is where both changed one line: a night has time. Here a
person waits, so both lines stand there, the person's first.
"""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from companion.pages.frontmatter import read_front
from companion.pages.lines import eol_of
from companion.pages.ownership_merge import merge
from companion.pages.statements import MARK, bare_lines


class Both(NamedTuple):
    """A page with what two wrote of it."""

    text: str
    # lines of the other that stand below the person's, who changed the same place
    doubled: tuple[str, ...] = ()
    # lines of the other that have no place beside the person's
    left_out: tuple[str, ...] = ()


class _Region(NamedTuple):
    """A stretch of a page in three texts."""

    base: list[str]
    person: list[str]
    other: list[str]


def keep_both(base: str, person: str, other: str) -> Both:
    """Return the page that *person* and *other* made of *base*, which both began with.

    What the person wrote stands as they wrote it; what they took out, and the other left alone, is
    gone. Every line that the other added stands, too, but for those in the frontmatter and those
    that end with the id of a statement that the person changed: a page has a key and an id once.
    """
    merged = merge(base, other, person)
    if merged is not None:
        return Both(merged)
    return _Merger(base, person, other).run()


class _Merger:
    def __init__(self, base: str, person: str, other: str) -> None:
        self.person = bare_lines(person)
        self.regions = _split(bare_lines(base), self.person, bare_lines(other))
        self.eol = eol_of(person)
        self.front = _count_front(person, self.person)
        self.ids = _ids_of(self.person)
        self.lines: list[str] = []
        self.doubled: list[str] = []
        self.left_out: list[str] = []

    def run(self) -> Both:
        at = 0  # line of the person's text
        for region in self.regions:
            if region.person == region.base:
                self.lines += region.other
            else:
                self.lines += region.person
                self._add_other(region, is_front=at < self.front)
            at += len(region.person)
        text = self.eol.join([*self.lines, ""])
        return Both(text, tuple(self.doubled), tuple(self.left_out))

    def _add_other(self, region: _Region, *, is_front: bool) -> None:
        """Put what the other added in *region* below what the person wrote there."""
        known = {*region.base, *region.person}
        for line in region.other:
            if not line.strip():
                self._add_gap()
            elif line in known:
                continue
            elif is_front or not self.ids.isdisjoint(_ids_of([line])):
                self.left_out.append(line)
            else:
                self.lines.append(line)
                self.doubled.append(line)

    def _add_gap(self) -> None:
        if self.lines and self.lines[-1].strip():
            self.lines.append("")


def _split(
    base: list[str], person: list[str], other: list[str]
) -> Iterator[_Region]:
    """Yield the three texts cut at the lines of *base* that both still have (diff3)."""
    in_person = _match(base, person)
    in_other = _match(base, other)
    at, of_person, of_other = 0, 0, 0
    for line in range(len(base)):
        if line not in in_person or line not in in_other:
            continue
        mine, theirs = in_person[line], in_other[line]
        yield _Region(
            base[at:line], person[of_person:mine], other[of_other:theirs]
        )
        same = [base[line]]
        yield _Region(same, same, same)
        at, of_person, of_other = line + 1, mine + 1, theirs + 1
    yield _Region(base[at:], person[of_person:], other[of_other:])


def _match(base: Sequence[str], text: Sequence[str]) -> dict[int, int]:
    """Return the lines of *base* that *text* still has, with their numbers there."""
    matcher = SequenceMatcher(None, base, text, autojunk=False)
    places = {}
    for old, new, size in matcher.get_matching_blocks():
        for step in range(size):
            places[old + step] = new + step
    return places


def _count_front(text: str, lines: Sequence[str]) -> int:
    """Return how many lines the frontmatter of *text* has, with its fences."""
    return len(lines) - len(bare_lines(read_front(text).body))


def _ids_of(lines: Sequence[str]) -> set[str]:
    found = map(MARK.search, lines)
    return {mark[1] for mark in found if mark is not None}

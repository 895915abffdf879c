"""Put the facts section into the text of a page, where a person may have edited it. Pure."""

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial

from companion.ledger.facts.section import Line, Sheet, comparable_value
from companion.pages.body import (
    EARLIER,
    EARLIER_LINE,
    FACT_LINE,
    HEADING,
    BodyParts,
    split_at_facts,
)
from companion.pages.lines import eol_of, lines_of


def put_facts(
    text: str,
    wanted: Sheet,
    *,
    theirs: Collection[str],
    gone: Collection[str],
    has: bool,
    labels: Collection[str] | None = None,
) -> str:
    """Return *text* with its section saying *wanted*; *has*: companion wrote it one.

    Lines in *theirs* stay as they are and where they are, also when they are not so any more; an
    earlier line in *gone* was deleted by its owner and stays so. Everything outside the section
    stays byte for byte. Where only lines of some *labels* are wanted, all others stay too.
    """
    lines = [line.rstrip("\r\n") for line in lines_of(text)]
    page = split_at_facts(text) if has else BodyParts(lines, [], [])
    before = [line for line in wanted.earlier if line.text not in gone]
    place = partial(_place_lines, theirs=theirs, labels=labels)
    same = wanted.same
    current = place(page.current, wanted.current, shape=FACT_LINE, same=same)
    earlier = place(page.earlier, before, shape=EARLIER_LINE, same=same)
    section = _section_lines(current, earlier)
    if section == page.section:
        return text
    return _replace_section(text, page, section)


def _section_lines(current: Sequence[str], earlier: Sequence[str]) -> list[str]:
    """Return the lines of a section; none where it has nothing to say."""
    if not current and not earlier:
        return []
    section = [HEADING, "", *current]
    if earlier and current:
        section.append("")
    if earlier:
        section += [EARLIER, "", *earlier]
    return section


def _replace_section(text: str, page: BodyParts, section: Sequence[str]) -> str:
    eol = eol_of(text)
    lines = lines_of(text)
    start = len(page.before)
    before = "".join(lines[:start])
    after = "".join(lines[start + len(page.section) :])
    if not section:
        head = before.rstrip("\r\n") + eol if before else ""
        return eol.join(part for part in (head, after.lstrip("\r\n")) if part)
    if before and not before.endswith(("\n", "\r")):
        before += eol
    has_words_above = bool(before and page.before and page.before[-1])
    gap = eol if has_words_above else ""
    return before + gap + eol.join(section) + eol + after


class _Wanted:
    """The lines that a list should have, each placed once."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._rest = dict(enumerate(lines))
        self._places: dict[tuple[str, str], list[int]] = {}
        for place, line in self._rest.items():
            said = line.label, comparable_value(line.object)
            self._places.setdefault(said, []).append(place)

    def take_all(self, label: str, words: str) -> None:
        """Take the lines that say *words* of *label*: a person's line says it."""
        for place in self._list_places(label, words):
            del self._rest[place]

    def take_first(self, label: str, words: str) -> str:
        """Take the first line that says *words* of *label*, and return its text; "" without one: an
        empty line is left out in the end.
        """
        places = self._list_places(label, words)
        if not places:
            return ""
        first = self._rest[places[0]]
        for place in places:
            if self._rest[place] == first:
                del self._rest[place]
        return first.text

    def list_rest(self) -> list[Line]:
        """Return the lines that were not taken."""
        return list(self._rest.values())

    def _list_places(self, label: str, words: str) -> list[int]:
        said = label, comparable_value(words)
        places = self._places.get(said, ())
        return [place for place in places if place in self._rest]


def _place_lines(
    there: Sequence[str],
    wanted: Sequence[Line],
    *,
    theirs: Collection[str],
    labels: Collection[str] | None,
    shape: re.Pattern[str],
    same: Mapping[str, str],
) -> list[str]:
    """Return the lines of a list: a person's as they are, companion's as they should be, new ones
    with their like. Of other than *labels* none was asked for.
    """
    lines = _Wanted(wanted)
    placed: list[tuple[str, str]] = []  # (label, line)
    for line in there:
        match = shape.fullmatch(line)
        if match is None:
            placed.append(("", line))
            continue
        label = same.get(match["label"], match["label"])
        if labels is not None and match["label"] not in labels:
            placed.append((label, line))
        elif line in theirs:
            lines.take_all(label, match["object"])
            placed.append((label, line))
        else:
            text = lines.take_first(label, match["object"])
            placed.append((label, text))
    for new in lines.list_rest():
        place = _place_after_like(placed, new.label)
        placed.insert(place, (new.label, new.text))
    return [line for _, line in placed if line]


def _place_after_like(placed: Sequence[tuple[str, str]], label: str) -> int:
    """Return the place after the last line of *label*; the end where there is none."""
    for place in range(len(placed), 0, -1):
        if placed[place - 1][0] == label:
            return place
    return len(placed)

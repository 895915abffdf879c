"""The body of a page: its facts section, the lines around it, and the words of its notes.

`ledger.facts.section` decides what such a section says; this file reads one.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from companion.pages.lines import eol_of, lines_of
from companion.pages.statements import (
    FACTS,
    standing_text,
    text_beside_statements,
)

HEADING = FACTS
EARLIER = "### Earlier"
_DATE = r"\d{4}(?:-\d\d(?:-\d\d(?:[ T]\d\d:\d\d)?)?)?"
FACT_LINE = re.compile(
    r"[-*+] (?P<label>.*?[^:\s]) ?::[ \t]+(?P<object>.*?)(?: \((?:disputed, )?"
    rf"(?:(?P<how>told|since|from) (?P<start>{_DATE}))?"
    rf"(?:(?:,? )?until (?P<end>{_DATE}))?\))?[ \t]*"
)
EARLIER_LINE = re.compile(
    r"- (?P<label>.*?[^:\s]): (?P<object>.*) \((?P<when>[^()]*?(?:: then .*)?)\)"
)
_ITEM = re.compile(r"[-*+](?:[ \t]|$)|[ \t]+\S")


class Fact(NamedTuple):
    """A line of the section as somebody left it."""

    label: str
    object: str
    start: str | None  # as written: a year, month, day or minute
    end: str | None
    stated: bool  # a time is said, and not only when it was told
    line: str


class BodyParts(NamedTuple):
    """A page around its facts section; *before* alone where it has none."""

    before: list[str]
    section: list[str]
    after: list[str]

    @property
    def current(self) -> list[str]:
        """The lines of what is so."""
        return _items(self.section[: self._turn()])

    @property
    def earlier(self) -> list[str]:
        """The lines of what was so."""
        return _items(self.section[self._turn() :])

    def _turn(self) -> int:
        """Return where the earlier facts begin."""
        if EARLIER in self.section:
            return self.section.index(EARLIER)
        return len(self.section)


def _items(lines: list[str]) -> list[str]:
    return [line for line in lines if _ITEM.match(line)]


def split_at_facts(text: str) -> BodyParts:
    """Return the lines of *text*, without endings, around its last facts section.

    The section has headings and lists, and nothing else.
    """
    lines = _bare_lines(text)
    if HEADING not in lines:
        return BodyParts(lines, [], [])
    start = len(lines) - 1 - lines[::-1].index(HEADING)
    stop = start + 1
    while stop < len(lines) and _belongs_to_facts(lines[stop]):
        stop += 1
    while not lines[stop - 1]:
        stop -= 1
    return BodyParts(lines[:start], lines[start:stop], lines[stop:])


def _belongs_to_facts(line: str) -> bool:
    return not line or line == EARLIER or _ITEM.match(line) is not None


def _bare_lines(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def count_facts_headings(text: str) -> int:
    """Return how many headings of facts a text has.

    With fewer than companion left there, its owner wants none.
    """
    return _bare_lines(text).count(HEADING)


def dated_lines(page: BodyParts) -> list[Fact]:
    """Return the lines of what is so that can be read as facts, in their order."""
    facts: list[Fact] = []
    for line in page.current:
        match = FACT_LINE.fullmatch(line)
        if match is not None and match["object"]:
            facts.append(_fact(match))
    return facts


def _fact(line: re.Match[str]) -> Fact:
    stated = line["how"] in ("since", "from") or line["end"] is not None
    return Fact(
        line["label"],
        line["object"],
        line["start"],
        line["end"],
        stated,
        line.string,
    )


def without_facts(text: str) -> str:
    """Return *text* without its facts section: the words of its notes and its owner."""
    page = split_at_facts(text)
    return "\n".join([*page.before, *page.after])


def words_to_judge(text: str) -> str:
    """Return what the notes and the owner of a page say, for judges.

    Dated facts only repeat it, the past ones too. Statements that lost and derived lines are left
    out.
    """
    return _without_dated_facts(standing_text(text))


def words_beside_statements(text: str) -> str:
    """Return what a page says beside its statements, for judges; empty for headings alone."""
    words = _without_dated_facts(text_beside_statements(text)).strip()
    if any(line.strip() and line[0] != "#" for line in words.splitlines()):
        return words
    return ""


def _without_dated_facts(text: str) -> str:
    if HEADING not in text:
        return text
    page = split_at_facts(text)
    dated = {fact.line for fact in dated_lines(page) if fact.start or fact.end}
    dated |= {line for line in page.earlier if EARLIER_LINE.fullmatch(line)}
    section = [line for line in page.section if line not in dated]
    return "\n".join([*page.before, *section, *page.after])


def grow_before_facts(text: str, grow: Callable[[str], str]) -> str:
    """Return *text* grown by *grow*, with what came in before the facts that end the page."""
    page = split_at_facts(text)
    if not page.section or any(page.after):
        return grow(text)
    eol = eol_of(text)
    before = "".join(lines_of(text)[: len(page.before)])
    grown = grow(before).rstrip("\r\n")
    return grown + eol * 2 + eol.join(page.section) + eol

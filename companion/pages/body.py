"""The body of a page: its facts section, the lines around it, and the words of its notes.

`ledger.facts.section` decides what such a section says; this file reads one.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from companion.pages.ownership_merge import eol_of, lines_of

HEADING = "## Facts"
EARLIER = "### Earlier"
_DATE = r"\d{4}(?:-\d\d(?:-\d\d(?:[ T]\d\d:\d\d)?)?)?"
FACT_LINE = re.compile(
    r"[-*+] (?P<label>.*?[^:\s]) ?::[ \t]+(?P<object>.*?)(?: \((?:disputed, )?"
    rf"(?:(?P<how>told|since|from) (?P<start>{_DATE}))?(?:(?:,? )?until (?P<end>{_DATE}))?\))?[ \t]*"
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
        return [
            line for line in self.section[: self._turn()] if _ITEM.match(line)
        ]

    @property
    def earlier(self) -> list[str]:
        """The lines of what was so."""
        return [
            line for line in self.section[self._turn() :] if _ITEM.match(line)
        ]

    def _turn(self) -> int:
        return (
            self.section.index(EARLIER)
            if EARLIER in self.section
            else len(self.section)
        )


def split_at_facts(text: str) -> BodyParts:
    """Part *text*, as lines without endings, around its last facts section: headings, lists and
    nothing else.
    """
    lines = [line.rstrip("\r\n") for line in lines_of(text)]
    if HEADING not in lines:
        return BodyParts(lines, [], [])
    start = len(lines) - 1 - lines[::-1].index(HEADING)
    stop = start + 1
    while stop < len(lines) and (
        not lines[stop] or lines[stop] == EARLIER or _ITEM.match(lines[stop])
    ):
        stop += 1
    while not lines[stop - 1]:
        stop -= 1
    return BodyParts(lines[:start], lines[start:stop], lines[stop:])


def count_facts_headings(text: str) -> int:
    """Return how many headings of facts a text has: with fewer than companion left there, its owner
    wants none.
    """
    return [line.rstrip("\r\n") for line in lines_of(text)].count(HEADING)


def dated_lines(page: BodyParts) -> list[Fact]:
    """Return the lines of what is so that can be read as facts, in their order."""
    found = ((line, FACT_LINE.fullmatch(line)) for line in page.current)
    return [
        Fact(
            m["label"],
            m["object"],
            m["start"],
            m["end"],
            m["how"] in ("since", "from") or m["end"] is not None,
            line,
        )
        for line, m in found
        if m is not None and m["object"]
    ]


def without_facts(text: str) -> str:
    """Return *text* without its facts section: the words of its notes and its owner."""
    page = split_at_facts(text)
    return "\n".join([*page.before, *page.after])


def words_to_judge(text: str) -> str:
    """Return what the notes and the owner of a page say, for judges: dated facts only repeat it,
    the past ones too.
    """
    if HEADING not in text:
        return text
    page = split_at_facts(text)
    dated = {fact.line for fact in dated_lines(page) if fact.start or fact.end}
    dated |= {line for line in page.earlier if EARLIER_LINE.fullmatch(line)}
    return "\n".join(
        [
            *page.before,
            *(line for line in page.section if line not in dated),
            *page.after,
        ]
    )


def grow_before_facts(text: str, grow: Callable[[str], str]) -> str:
    """Return *text* grown by *grow*, with what came in before the facts that end the page."""
    page = split_at_facts(text)
    if not page.section or any(page.after):
        return grow(text)
    eol = eol_of(text)
    kept = text[: sum(map(len, lines_of(text)[: len(page.before)]))]
    return grow(kept).rstrip("\r\n") + eol * 2 + eol.join(page.section) + eol

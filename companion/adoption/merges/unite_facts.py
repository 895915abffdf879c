"""Bring the facts sections of one page together that two machines wrote. Pure.

Git merges them line by line, wherever it finds a place. The section is put together anew, at the
end of the page: the heading once, and each line of a machine once.
"""

from collections.abc import Iterable, Sequence

from companion.pages.body import EARLIER, HEADING, split_at_facts
from companion.pages.lines import eol_of, lines_of
from companion.pages.statements import (
    bare_lines,
    find_blocks,
    without_derived,
)


def take_out_facts(text: str, known: Iterable[str], tips: Sequence[str]) -> str:
    """Return *text* without the headings of facts and the lines that a section of *known*, the
    texts that machines gave the page, has; a line that stands beside the section in one of *tips*
    stays.
    """
    gone = {HEADING, EARLIER}
    for one in known:
        page = split_at_facts(one)
        gone.update((*page.current, *page.earlier))
    for one in tips:
        gone -= _list_beside(one)
    bare = bare_lines(text)
    outside = set(_list_outside(bare))
    kept: list[str] = []
    follows = False  # something that was taken out
    for number, line in enumerate(lines_of(text)):
        if number in outside and bare[number] in gone:
            follows = True
            continue
        if follows and not bare[number] and _ends_blank(kept):
            continue
        follows = follows and not bare[number]
        kept.append(line)
    return "".join(kept)


def put_section(text: str, tips: Sequence[str]) -> str:
    """Return *text* with a facts section that has each line of those of *tips* once."""
    pages = [split_at_facts(tip) for tip in tips]
    current = _list_once(page.current for page in pages)
    earlier = _list_once(page.earlier for page in pages)
    section = [HEADING, "", *current]
    if earlier:
        section += (
            ["", EARLIER, "", *earlier] if current else [EARLIER, "", *earlier]
        )
    if not current and not earlier:
        return text
    eol = eol_of(text)
    words = text.rstrip("\r\n")
    return words + eol * 2 + eol.join(section) + eol


def list_lines_of_person(text: str) -> set[str]:
    """Return the lines of a page that are neither of a note nor derived."""
    return _list_beside(without_derived(text))


def _list_beside(text: str) -> set[str]:
    """Return the lines of a page that stand neither in its section nor in a note."""
    page = split_at_facts(text)
    beside: set[str] = set()
    for part in (page.before, page.after):
        beside.update(part[n] for n in _list_outside(part))
    return beside


def _list_outside(lines: list[str]) -> list[int]:
    """Return the numbers of the lines that are in no note and are not blank."""
    inside: set[int] = set()
    for block in find_blocks(lines):
        inside.update(range(block.start, block.stop))
    return [n for n, line in enumerate(lines) if line and n not in inside]


def _ends_blank(lines: Sequence[str]) -> bool:
    return not lines or not lines[-1].strip()


def _list_once(lists: Iterable[Iterable[str]]) -> list[str]:
    """Return the lines of all *lists*, each once."""
    lines: dict[str, None] = {}
    for one in lists:
        lines.update(dict.fromkeys(one))
    return list(lines)

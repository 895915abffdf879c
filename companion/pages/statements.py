"""The statements of a page: the notes that stand on it as blocks of their own, and derived lines.

A page gathers a subject; a statement is what is believed on it. A block begins with a heading that
says when its note was told, and ends with a block id, as Obsidian knows them:

    ## 2026-03-02 09:14

    Anna moved to Oslo. ^a1b2c3d4e5f6

The id is the beginning of the capture's. What a person writes between two blocks is theirs. A
statement that lost stands under ``## Earlier``, with the reason; a page of one statement that lost
has the reason alone, straight below that heading. Lines under ``## Mentions`` are derived: each
links a block that stands on another page.

Pure; nothing here raises on any text. Lines end as `pages.lines` reads them.
"""

import re
from functools import lru_cache

from companion.pages.lines import lines_of
from companion.patterns import lazy
from companion.tuples import NamedTuple

FACTS = "## Facts"
ID_LENGTH = 12  # hex digits of a capture's id that name its statement
EARLIER = "## Earlier"
MENTIONS = "## Mentions"

_WHEN = r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|\d\d:\d\d"
BLOCK_HEADING = lazy(
    rf"(?P<level>###?) (?P<when>{_WHEN})(?: \^(?P<id>[0-9a-f]{{12}}))?[ \t]*"
)
MARK = lazy(r"(?:^|(?<=\S) )\^([0-9a-f]{12})[ \t]*$")
_MARKS = lazy(r"(?:^|(?<=\S) )\^[0-9a-f]{12}[ \t]*$", re.MULTILINE)
MENTION = lazy(
    rf"- (?:{_WHEN}): \[\[(?P<page>[^\[\]|#\n]+)"
    r"(?:#\^(?P<id>[0-9a-f]{12}))?(?:\|(?P<words>[^\[\]|\n]*))?\]\]"
)
SHELVED = lazy(
    rf"- (?:{_WHEN}): archived on \d{{4}}-\d\d-\d\d; "
    r"`companion recall (?P<id>[0-9a-f]{12})` shows it"
)

# what says below "Earlier" that all that stands on a page lost
_LOST_PAGE = lazy(
    r"Until \d{4}-\d\d-\d\d: \[\[[^\[\]\n]+\]\] took its place"
    r" \(\d+ independent sources?\)\."
)
_MARK_OF_LOSS = "took its place ("


class Statement(NamedTuple):
    """A block of a page: one note, with the lines that it takes up."""

    id: str
    when: (
        str  # as its heading says: "2026-03-02 09:14", "2026-03-02" or "09:14"
    )
    words: str  # lines end in "\n", without one at the end
    earlier: bool  # it lost, and stands under "Earlier"
    start: int  # number of its heading's line, from 0
    stop: int  # behind its last line


class Mention(NamedTuple):
    """A derived line: a note that stands as a statement on another page."""

    when: str
    page: str  # the file name that it links, without ending
    id: str
    words: str  # how the note begins


def statement_id(capture: str) -> str:
    """Return the id of the statement that *capture* becomes."""
    return capture[:ID_LENGTH]


def name_statement(title: str, when: str) -> str:
    """Return what sentences call a statement: "Anna (2026-03-02)".

    *when* is what its heading says. On the page of a day that is an hour: "2026-03-02 09:14".
    """
    day = when.partition(" ")[0]
    if ":" in day:
        return f"{title} {day}"
    return f"{title} ({day})"


def moment_of(title: str, when: str) -> str:
    """Return the day and the minute that a heading says on the page called *title*.

    On the page of a day the headings have the minute alone.
    """
    if len(when) == len("09:14"):
        return f"{title[:10]} {when}"
    return when


def read_statements(text: str) -> list[Statement]:
    """Return the statements of a page, in their order on it."""
    return list(_parse_blocks(_bare_lines(text)))


def find_statement(text: str, id: str) -> Statement | None:
    """Return the statement *id* of a page; None if it has none of that id."""
    for statement in read_statements(text):
        if statement.id == id:
            return statement
    return None


def lines_of_statement(text: str, statement: Statement) -> list[str]:
    """Return the lines that *statement* takes up in *text*, without their ends."""
    return bare_lines(text)[statement.start : statement.stop]


def read_opening(text: str) -> str:
    """Return the words of the statement that a page began with, and that has no id.

    They stand before everything of ours: blocks, what lost, derived lines, facts. A heading of
    the first level above them is the page's.
    """
    lines = bare_lines(text)
    return "\n".join(lines[slice(*find_opening_lines(lines))])


def read_mentions(text: str) -> list[Mention]:
    """Return the derived lines of a page."""
    lines = bare_lines(text)
    mentions = []
    for number in list_mention_lines(lines):
        match = MENTION.fullmatch(lines[number])
        assert match is not None  # that is how its line was found
        when = lines[number][2:].partition(": [[")[0]
        mentions.append(
            Mention(
                when, match["page"], match["id"] or "", match["words"] or ""
            )
        )
    return mentions


def is_mention(line: str) -> bool:
    """Tell whether *line* has the form of a derived line."""
    return MENTION.fullmatch(line) is not None


def without_derived(text: str) -> str:
    """Return *text* without its derived lines: what no search, judge or claim may read (GRA-9)."""
    if not may_have_derived(text):
        return text
    return _drop_derived(text)


def may_have_derived(text: str) -> bool:
    """Tell, by a quick look, whether *text* can have derived lines."""
    return MENTIONS in text or (EARLIER in text and _MARK_OF_LOSS in text)


@lru_cache(maxsize=256)
def _drop_derived(text: str) -> str:
    lines = lines_of(text)
    bare = bare_lines(text)
    gone = set(list_mention_lines(bare))
    section = find_section(bare, MENTIONS)
    if gone and section is not None:
        gone.add(section)
    gone.update(list_lost_page_lines(bare))
    return "".join(line for n, line in enumerate(lines) if n not in gone)


def standing_text(text: str) -> str:
    """Return what stands on a page: *text* without statements that lost, derived lines and ids."""
    if "^" not in text and MENTIONS not in text and EARLIER not in text:
        return text
    lines = bare_lines(without_derived(text))
    gone = _find_lost_lines(lines)
    gone.update(n for n, line in enumerate(lines) if SHELVED.fullmatch(line))
    kept = [line for n, line in enumerate(lines) if n not in gone]
    return without_marks("\n".join(kept))


def _find_lost_lines(lines: list[str]) -> set[int]:
    """Return the numbers of the lines of statements that lost, and of the reasons below them."""
    gone: set[int] = set()
    for block in find_blocks(lines):
        if not block.earlier:
            continue
        gone.update(range(block.start, block.stop))
        if is_reason(lines[block.stop : block.stop + 2]):
            gone.add(block.stop + 1)
    return gone


def text_beside_statements(text: str) -> str:
    """Return what stands on a page beside its statements: *text* without them and without lines of
    ours.
    """
    lines = bare_lines(without_derived(text))
    blocks = find_blocks(lines)
    gone: set[int] = set()
    for block in blocks:
        gone.update(range(block.start, block.stop))
        if block.earlier and is_reason(lines[block.stop : block.stop + 2]):
            gone.add(block.stop + 1)
    section = find_section(lines, EARLIER)
    if section is not None and any(block.earlier for block in blocks):
        gone.add(section)
    return "\n".join(line for n, line in enumerate(lines) if n not in gone)


def derived_text(text: str) -> str:
    """Return the derived lines of *text* alone."""
    lines = bare_lines(text)
    derived = [*list_lost_page_lines(lines), *list_mention_lines(lines)]
    return "\n".join(lines[n] for n in derived)


def without_marks(text: str) -> str:
    """Return *text* without the ids at the ends of its statements."""
    if "^" not in text:
        return text
    return _MARKS.sub("", text)


def bare_lines(text: str) -> list[str]:
    """Return the lines of *text* without their ends."""
    return list(_bare_lines(text))


# a night looks at the same page for many of its notes, and at the pages of many days
@lru_cache(maxsize=256)
def _bare_lines(text: str) -> tuple[str, ...]:
    if "\r" not in text:
        # the common case: each line of a long page is not touched one by one
        lines = text.split("\n")
        return tuple(lines if lines[-1] else lines[:-1])
    return tuple(line.rstrip("\r\n") for line in lines_of(text))


def find_blocks(lines: list[str]) -> list[Statement]:
    """Return the statements in the lines of a page, in their order."""
    return list(_parse_blocks(tuple(lines)))


@lru_cache(maxsize=256)
def _parse_blocks(lines: tuple[str, ...]) -> tuple[Statement, ...]:
    blocks: list[Statement] = []
    heading: re.Match[str] | None = None
    start = 0
    earlier = False
    for n, line in enumerate(lines):
        if line.startswith("##") and _may_be_followed(heading):
            earlier = earlier or line == EARLIER
            found = BLOCK_HEADING.fullmatch(line)
            if found is not None:
                heading, start = found, n
                continue
        # the quick look first: a search reads pages of many notes
        if heading is None or "^" not in line:
            continue  # an id without a heading of ours is a person's
        mark = _find_end(line, heading["id"])
        if mark is None:
            continue
        words = _words(list(lines[start + 1 : n + 1]))
        is_lost = earlier and heading["level"] == "###"
        blocks.append(
            Statement(mark[1], heading["when"], words, is_lost, start, n + 1)
        )
        heading = None
    return tuple(blocks)


def _find_end(line: str, id: str | None) -> re.Match[str] | None:
    """Return the mark that ends a statement in *line*: that of *id*, if its heading names one."""
    mark = MARK.search(line)
    return mark if mark is not None and id in (None, mark[1]) else None


def _may_be_followed(heading: re.Match[str] | None) -> bool:
    """Tell whether a heading may follow *heading*: one that names its id goes on until that id."""
    return heading is None or heading["id"] is None


def _words(lines: list[str]) -> str:
    """Return the words of a block from the lines below its heading."""
    last = MARK.sub("", lines[-1])
    inner = [*lines[:-1], last]
    while inner and not inner[0]:
        inner = inner[1:]
    while inner and not inner[-1]:
        inner = inner[:-1]
    return "\n".join(inner)


def start_of_derived(lines: list[str]) -> int:
    """Return the line of the first section of ours that follows the statements."""
    earlier = find_section(lines, EARLIER)
    if earlier is not None and (
        any(block.earlier for block in find_blocks(lines))
        or list_lost_page_lines(lines)
    ):
        return earlier
    mentions = find_section(lines, MENTIONS)
    if mentions is not None and list_mention_lines(lines):
        return mentions
    return start_of_facts(lines)


def start_of_facts(lines: list[str]) -> int:
    """Return the line of the facts, or the line behind the last one."""
    facts = find_section(lines, FACTS)
    return len(lines) if facts is None else facts


def find_section(lines: list[str], heading: str) -> int | None:
    """Return the last line that is *heading* and no part of a statement; None if there is none."""
    if heading not in lines:
        return None
    blocks = find_blocks(lines)
    for n in range(len(lines) - 1, -1, -1):
        if lines[n] != heading:
            continue
        if not any(block.start <= n < block.stop for block in blocks):
            return n
    return None


def end_of_section(lines: list[str], heading: int) -> int:
    """Return the line behind the section that begins at the line *heading*."""
    for n in range(heading + 1, len(lines)):
        if lines[n].startswith(("# ", "## ")):
            return n
    return len(lines)


def find_opening_lines(lines: list[str]) -> tuple[int, int]:
    """Return the line of the first word of the opening, and the line behind its last."""
    start = _end_of_frontmatter(lines)
    blocks = find_blocks(lines)
    stop = min([start_of_derived(lines), *(block.start for block in blocks)])
    while start < stop and not lines[start].strip():
        start += 1
    if start < stop and lines[start].startswith("# "):
        start += 1
    while start < stop and not lines[start].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    return start, stop


def _end_of_frontmatter(lines: list[str]) -> int:
    """Return the line behind the frontmatter; 0 where there is none."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    for n in range(1, len(lines)):
        if lines[n].rstrip() == "---":
            return n + 1
    return 0


def is_reason(lines: list[str]) -> bool:
    """Tell whether two lines are a blank one and why a statement lost."""
    return len(lines) == 2 and not lines[0] and lines[1].startswith("Until ")


def list_lost_page_lines(lines: list[str]) -> list[int]:
    """Return the numbers of the lines that say that all that stands on a page lost: the reason
    straight below the heading "Earlier", and the heading where nothing else stands below it.
    """
    section = find_section(lines, EARLIER)
    if section is None:
        return []
    reason = section + 2
    below = lines[section + 1 : reason + 1]
    if not is_reason(below) or _LOST_PAGE.fullmatch(below[1]) is None:
        return []
    rest = lines[reason + 1 : end_of_section(lines, section)]
    if any(line.strip() for line in rest):
        return [section + 1, reason]
    return [section, section + 1, reason]


def list_mention_lines(lines: list[str]) -> list[int]:
    """Return the numbers of the derived lines: items of our form in the section of ours."""
    start = find_section(lines, MENTIONS)
    if start is None:
        return []
    stop = end_of_section(lines, start)
    return [n for n in range(start, stop) if MENTION.fullmatch(lines[n])]

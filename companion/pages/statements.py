"""The statements of a page: the notes that stand on it as blocks of their own, and derived lines.

A page gathers a subject; a statement is what is believed on it. A block begins with a heading that
says when its note was told, and ends with a block id, as Obsidian knows them:

    ## 2026-03-02 09:14

    Anna moved to Oslo. ^a1b2c3d4e5f6

The id is the beginning of the capture's. What a person writes between two blocks is theirs. A
statement that lost stands under ``## Earlier``, with the reason. Lines under ``## Mentions`` are
derived: each links a block that stands on another page.

Pure; nothing here raises on any text. Lines end as `pages.lines` reads them.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from companion.pages.lines import eol_of, lines_of

FACTS = "## Facts"
ID_LENGTH = 12  # hex digits of a capture's id that name its statement
EARLIER = "## Earlier"
MENTIONS = "## Mentions"

_WHEN = r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?|\d\d:\d\d"
_BLOCK_HEADING = re.compile(
    rf"(?P<level>###?) (?P<when>{_WHEN})(?: \^(?P<id>[0-9a-f]{{12}}))?[ \t]*"
)
_MARK = re.compile(r"(?:^|(?<=\S) )\^([0-9a-f]{12})[ \t]*$")
_MARKS = re.compile(r"(?:^|(?<=\S) )\^[0-9a-f]{12}[ \t]*$", re.MULTILINE)
_MENTION = re.compile(
    rf"- (?:{_WHEN}): \[\[(?P<page>[^\[\]|#\n]+)"
    r"(?:#\^(?P<id>[0-9a-f]{12}))?(?:\|(?P<words>[^\[\]|\n]*))?\]\]"
)
_SHELVED = re.compile(
    rf"- (?:{_WHEN}): archived on \d{{4}}-\d\d-\d\d; "
    r"`companion recall (?P<id>[0-9a-f]{12})` shows it"
)
# what a block id cannot follow on its own line: items, quotes, tables, HTML, headings, fences
_NO_PARAGRAPH = re.compile(r"\s*(?:[-*+>|<#=]|\d+[.)]\s|```|~~~|$)|\s{4}|\t")
_ENDS_OPEN = re.compile(r".*\|\s*")
_LINK_BREAKERS = re.compile(r"[\[\]|\r\n]+")


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


class NewStatement(NamedTuple):
    """A note that becomes a statement."""

    id: str
    when: str
    words: str


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
    return _find_blocks(_bare_lines(text))


def find_statement(text: str, id: str) -> Statement | None:
    """Return the statement *id* of a page; None if it has none of that id."""
    for statement in read_statements(text):
        if statement.id == id:
            return statement
    return None


def add_statement(
    text: str,
    id: str,
    when: str,
    words: str,
    *,
    order: Mapping[str, str] | None = None,
) -> str:
    """Return *text* with one more statement, in the order of *order*.

    *order* has when each statement was told (RFC 3339 UTC) by its id; one that it does not have
    counts as told when its heading says. Ties go by id, so that machines agree. A statement that is
    there already is not added again.
    """
    return add_statements(text, [NewStatement(id, when, words)], order=order)


def add_statements(
    text: str,
    notes: Iterable[NewStatement],
    *,
    order: Mapping[str, str] | None = None,
) -> str:
    """Return *text* with more statements, as `add_statement` adds each; the page is read once."""
    times = order or {}
    lines = _bare_lines(text)
    blocks = _find_blocks(lines)
    known = {block.id for block in blocks}
    current = [block for block in blocks if not block.earlier]
    ranks = [(times.get(one.id, one.when), one.id) for one in current]
    end = _end_of_statements(lines, current)
    placed: list[tuple[int, tuple[str, str], list[str]]] = []
    for note in notes:
        if note.id in known:
            continue
        known.add(note.id)
        rank = (times.get(note.id, note.when), note.id)
        at = end
        for block, other in zip(current, ranks, strict=True):
            if other > rank:
                at = block.start
                break
        placed.append((at, rank, format_statement(*note)))
    raw = lines_of(text)
    eol = eol_of(text)
    for at, _, block_lines in sorted(placed, reverse=True):
        raw = _replace_lines(raw, at, at, block_lines, eol)
    return "".join(raw)


def format_statement(
    id: str, when: str, words: str, *, level: int = 2
) -> list[str]:
    """Return the lines of a statement: its heading, a blank line, its words and its id."""
    inner = _bare_lines(words.strip("\r\n"))
    heading = f"{'#' * level} {when}"
    if any(_BLOCK_HEADING.fullmatch(line) for line in inner) or any(
        map(_MARK.search, inner)
    ):
        # its own words look like ours: then its heading says which id ends it
        heading += f" ^{id}"
    return [heading, "", *_mark(inner, id)]


def enclose_opening(text: str, body: str, id: str, when: str) -> str:
    """Return *text* with the words that its *body* opens with as the statement *id*.

    A first heading stays above it. A page of one note has its words without a block until a second
    note joins it. A page that has statements already stays as it is.
    """
    lines = _bare_lines(text)
    if _find_blocks(lines):
        return text
    start = len(lines) - len(_bare_lines(body))
    stop = _start_of_derived(lines)
    while start < stop and not lines[start].strip():
        start += 1
    if start < stop and lines[start].startswith("# "):
        start += 1
    words = "\n".join(lines[start:stop]).strip("\n")
    if not words.strip():
        return text
    block = format_statement(id, when, words)
    return _replace(text, start, stop, block)


def remove_statements(text: str, ids: Collection[str]) -> str:
    """Return *text* without the statements *ids*; lines of the person around them stay."""
    raw = lines_of(text)
    eol = eol_of(text)
    for block in reversed(_find_blocks(_bare_lines(text))):
        if block.id in ids:
            raw = _replace_lines(raw, block.start, block.stop, [], eol)
    return "".join(raw)


def lines_of_statement(text: str, statement: Statement) -> list[str]:
    """Return the lines that *statement* takes up in *text*, without their ends."""
    return _bare_lines(text)[statement.start : statement.stop]


def read_opening(text: str) -> str:
    """Return the words of the statement that a page began with, and that has no id.

    They stand before everything of ours: blocks, what lost, derived lines, facts. A heading of
    the first level above them is the page's.
    """
    lines = _bare_lines(text)
    return "\n".join(lines[slice(*_find_opening(lines))])


def retire_opening(
    text: str, id: str, when: str, until: str, link: str, reason: str
) -> str:
    """Return *text* with its opening under "Earlier", as the statement *id* told at *when*.

    *until*, *link* and *reason* are as in `retire_statement`.
    """
    words = read_opening(text)
    if not words:
        return text
    lines = _bare_lines(text)
    text = _replace(text, *_find_opening(lines), [])
    return _add_earlier(text, id, when, words, _say_why(until, link, reason))


def remove_opening(text: str) -> str:
    """Return *text* without the words of the statement that it began with."""
    return _replace(text, *_find_opening(_bare_lines(text)), [])


def remove_statement(text: str, id: str) -> str:
    """Return *text* without the statement *id*; lines of the person around it stay."""
    lines = _bare_lines(text)
    for block in _find_blocks(lines):
        if block.id == id:
            return _replace(text, block.start, block.stop, [])
    return text


def retire_statement(
    text: str, id: str, until: str, link: str, reason: str
) -> str:
    """Return *text* with the statement *id* under "Earlier", and why it stands there.

    *until* is the day on which it lost, *link* a link to what took its place, or empty.
    """
    lines = _bare_lines(text)
    found = [block for block in _find_blocks(lines) if block.id == id]
    if not found or found[0].earlier:
        return text
    lost = found[0]
    text = _replace(text, lost.start, lost.stop, [])
    why = _say_why(until, link, reason)
    return _add_earlier(text, id, lost.when, lost.words, why)


def shelve_statement(text: str, id: str, day: str) -> str:
    """Return *text* with a line in the place of the lost statement *id*, whose words are in cold
    memory since *day*.
    """
    lines = _bare_lines(text)
    found = [block for block in _find_blocks(lines) if block.id == id]
    if not found or not found[0].earlier:
        return text
    lost = found[0]
    stop = lost.stop
    if _is_reason(lines[stop : stop + 2]):
        stop += 2
    line = f"- {lost.when}: archived on {day}; `companion recall {id}` shows it"
    return _replace(text, lost.start, stop, [line])


def unshelve_statement(text: str, id: str) -> str:
    """Return *text* without the line of a statement whose words are in cold memory."""
    lines = _bare_lines(text)
    for n, line in enumerate(lines):
        match = _SHELVED.fullmatch(line)
        if match is not None and match["id"] == id:
            return _drop_empty(_replace(text, n, n + 1, []), EARLIER)
    return text


def reinstate_statement(text: str, id: str) -> str:
    """Return *text* with the statement *id* among those that stand again."""
    statement = find_statement(text, id)
    if statement is None or not statement.earlier:
        return text
    lines = _bare_lines(text)
    stop = statement.stop
    if _is_reason(lines[stop : stop + 2]):
        stop += 2
    text = _replace(text, statement.start, stop, [])
    text = _drop_empty(text, EARLIER)
    return add_statement(text, id, statement.when, statement.words)


# -- derived lines ---------------------------------------------------------------------------------


def read_mentions(text: str) -> list[Mention]:
    """Return the derived lines of a page."""
    lines = _bare_lines(text)
    mentions = []
    for number in _list_mention_lines(lines):
        match = _MENTION.fullmatch(lines[number])
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
    return _MENTION.fullmatch(line) is not None


def put_mentions(
    text: str, mentions: Iterable[Mention], known: Collection[str]
) -> str:
    """Return *text* with exactly *mentions* among the derived lines of statements in *known*.

    Derived lines of other statements stay, and so does whatever a person wrote in the section.
    """
    lines = _bare_lines(text)
    gone = set()
    for number in _list_mention_lines(lines):
        match = _MENTION.fullmatch(lines[number])
        if match is not None and match["id"] in known:
            gone.add(number)
    if gone:
        raw = enumerate(lines_of(text))
        text = "".join(line for n, line in raw if n not in gone)
    wanted = sorted(mentions, key=lambda one: (one.when, one.id))
    added = list(map(_format_mention, wanted))
    if not added:
        return _drop_empty(text, MENTIONS) if gone else text
    kept = _bare_lines(text)
    section = _find_section(kept, MENTIONS)
    if section is None:
        return _insert(text, _start_of_facts(kept), [MENTIONS, "", *added])
    start = section + 1
    rows = [n for n in _list_mention_lines(kept) if n >= start]
    merged = sorted([*(kept[n] for n in rows), *added])
    first = rows[0] if rows else start
    if not rows:
        merged = ["", *merged]
    rest = [line for n, line in enumerate(lines_of(text)) if n not in set(rows)]
    return _join(text, [*rest[:first], *merged, *rest[first:]])


def without_derived(text: str) -> str:
    """Return *text* without its derived lines: what no search, judge or claim may read (GRA-9)."""
    if MENTIONS not in text:
        return text
    lines = lines_of(text)
    bare = [line.rstrip("\r\n") for line in lines]
    gone = set(_list_mention_lines(bare))
    section = _find_section(bare, MENTIONS)
    if gone and section is not None:
        gone.add(section)
    return "".join(line for n, line in enumerate(lines) if n not in gone)


def standing_text(text: str) -> str:
    """Return what stands on a page: *text* without statements that lost, derived lines and ids."""
    if "^" not in text and MENTIONS not in text and EARLIER not in text:
        return text
    lines = _bare_lines(without_derived(text))
    blocks = _find_blocks(lines)
    gone: set[int] = set()
    for block in blocks:
        if block.earlier:
            gone.update(range(block.start, block.stop))
            if _is_reason(lines[block.stop : block.stop + 2]):
                gone.add(block.stop + 1)
    gone.update(n for n, line in enumerate(lines) if _SHELVED.fullmatch(line))
    kept = [line for n, line in enumerate(lines) if n not in gone]
    return without_marks("\n".join(kept))


def text_beside_statements(text: str) -> str:
    """Return what stands on a page beside its statements: *text* without them and without lines of
    ours.
    """
    lines = _bare_lines(without_derived(text))
    blocks = _find_blocks(lines)
    gone: set[int] = set()
    for block in blocks:
        gone.update(range(block.start, block.stop))
        if block.earlier and _is_reason(lines[block.stop : block.stop + 2]):
            gone.add(block.stop + 1)
    section = _find_section(lines, EARLIER)
    if section is not None and any(block.earlier for block in blocks):
        gone.add(section)
    return "\n".join(line for n, line in enumerate(lines) if n not in gone)


def derived_text(text: str) -> str:
    """Return the derived lines of *text* alone."""
    lines = _bare_lines(text)
    return "\n".join(lines[n] for n in _list_mention_lines(lines))


def without_marks(text: str) -> str:
    """Return *text* without the ids at the ends of its statements."""
    if "^" not in text:
        return text
    return _MARKS.sub("", text)


def clean_link_words(words: str) -> str:
    """Return *words* as they may stand in a link."""
    return " ".join(_LINK_BREAKERS.sub(" ", words).split())


# -- lines -----------------------------------------------------------------------------------------


def _bare_lines(text: str) -> list[str]:
    return [line.rstrip("\r\n") for line in lines_of(text)]


def _find_blocks(lines: list[str]) -> list[Statement]:
    return list(_parse_blocks(tuple(lines)))


# a night looks at the same page for many of its notes
@lru_cache(maxsize=64)
def _parse_blocks(lines: tuple[str, ...]) -> tuple[Statement, ...]:
    blocks: list[Statement] = []
    heading: re.Match[str] | None = None
    start = 0
    earlier = False
    for n, line in enumerate(lines):
        if heading is None or heading["id"] is None:
            if line == EARLIER:
                earlier = True
            found = None
            if line.startswith("##"):
                found = _BLOCK_HEADING.fullmatch(line)
            if found is not None:
                heading, start = found, n
                continue
        # the quick look first: a search reads pages of many notes
        mark = _MARK.search(line) if "^" in line else None
        if mark is None:
            continue
        if heading is None:
            continue  # an id without a heading of ours: a person's
        if heading["id"] not in (None, mark[1]):
            continue
        words = _words(list(lines[start + 1 : n + 1]))
        is_earlier = earlier and heading["level"] == "###"
        blocks.append(
            Statement(mark[1], heading["when"], words, is_earlier, start, n + 1)
        )
        heading = None
    return tuple(blocks)


def _words(lines: list[str]) -> str:
    """Return the words of a block from the lines below its heading."""
    last = _MARK.sub("", lines[-1])
    inner = [*lines[:-1], last]
    while inner and not inner[0]:
        inner = inner[1:]
    while inner and not inner[-1]:
        inner = inner[:-1]
    return "\n".join(inner)


def _mark(inner: list[str], id: str) -> list[str]:
    """Return the lines *inner* with the id at their end."""
    if not inner:
        return [f"^{id}"]
    if _ends_in_paragraph(inner):
        return [*inner[:-1], f"{inner[-1].rstrip()} ^{id}"]
    return [*inner, "", f"^{id}"]


def _ends_in_paragraph(lines: list[str]) -> bool:
    """Tell whether the last line is one of a paragraph, which an id may follow."""
    first = len(lines) - 1
    while first > 0 and lines[first - 1].strip():
        first -= 1
    paragraph = lines[first:]
    if sum(line.lstrip().startswith(("```", "~~~")) for line in lines) % 2:
        return False  # a fence that nothing closes
    if any(map(_NO_PARAGRAPH.match, paragraph)):
        return False
    last = paragraph[-1]
    return _ENDS_OPEN.fullmatch(last) is None and last == last.rstrip()


def _end_of_statements(lines: list[str], blocks: list[Statement]) -> int:
    """Return the line before which one more statement stands, behind all others."""
    if blocks:
        return blocks[-1].stop
    return _start_of_derived(lines)


def _start_of_derived(lines: list[str]) -> int:
    """Return the line of the first section of ours that follows the statements."""
    earlier = _find_section(lines, EARLIER)
    if earlier is not None and any(
        block.earlier for block in _find_blocks(lines)
    ):
        return earlier
    mentions = _find_section(lines, MENTIONS)
    if mentions is not None and _list_mention_lines(lines):
        return mentions
    return _start_of_facts(lines)


def _start_of_facts(lines: list[str]) -> int:
    facts = _find_section(lines, FACTS)
    return len(lines) if facts is None else facts


def _find_section(lines: list[str], heading: str) -> int | None:
    """Return the last line that is *heading* and no part of a statement; None if there is none."""
    if heading not in lines:
        return None
    blocks = _find_blocks(lines)
    for n in range(len(lines) - 1, -1, -1):
        if lines[n] != heading:
            continue
        if not any(block.start <= n < block.stop for block in blocks):
            return n
    return None


def _end_of_section(lines: list[str], heading: int) -> int:
    """Return the line behind the section that begins at the line *heading*."""
    for n in range(heading + 1, len(lines)):
        if lines[n].startswith(("# ", "## ")):
            return n
    return len(lines)


def _say_why(until: str, link: str, reason: str) -> str:
    return f"Until {until}: {link + ' ' if link else ''}{reason}".rstrip()


def _add_earlier(text: str, id: str, when: str, words: str, why: str) -> str:
    """Return *text* with one more statement under "Earlier", and *why* it stands there."""
    lines = _bare_lines(text)
    block = [*format_statement(id, when, words, level=3), "", why]
    section = _find_section(lines, EARLIER)
    if section is not None:
        return _insert(text, _end_of_section(lines, section), block)
    return _insert(text, _start_of_derived(lines), [EARLIER, "", *block])


def _find_opening(lines: list[str]) -> tuple[int, int]:
    """Return the line of the first word of the opening, and the line behind its last."""
    start = _end_of_frontmatter(lines)
    blocks = _find_blocks(lines)
    stop = min([_start_of_derived(lines), *(block.start for block in blocks)])
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


def _is_reason(lines: list[str]) -> bool:
    return len(lines) == 2 and not lines[0] and lines[1].startswith("Until ")


def _list_mention_lines(lines: list[str]) -> list[int]:
    """Return the numbers of the derived lines: items of our form in the section of ours."""
    start = _find_section(lines, MENTIONS)
    if start is None:
        return []
    stop = _end_of_section(lines, start)
    return [n for n in range(start, stop) if _MENTION.fullmatch(lines[n])]


def _format_mention(mention: Mention) -> str:
    target = f"{mention.page}#^{mention.id}" if mention.id else mention.page
    words = clean_link_words(mention.words)
    return f"- {mention.when}: [[{target}|{words or mention.page}]]"


def _drop_empty(text: str, heading: str) -> str:
    """Return *text* without a section of ours in which nothing is left."""
    lines = _bare_lines(text)
    start = _find_section(lines, heading)
    if start is None:
        return text
    stop = _end_of_section(lines, start)
    if any(line.strip() for line in lines[start + 1 : stop]):
        return text
    return _replace(text, start, stop, [])


def _insert(text: str, at: int, block: list[str]) -> str:
    return _replace(text, at, at, block)


def _replace(text: str, start: int, stop: int, block: list[str]) -> str:
    """Return *text* with the lines from *start* to *stop* replaced by *block*.

    One blank line stands on either side of what is written. All other lines keep their ends.
    """
    raw = _replace_lines(lines_of(text), start, stop, block, eol_of(text))
    return _join(text, raw)


def _replace_lines(
    raw: list[str], start: int, stop: int, block: list[str], eol: str
) -> list[str]:
    """Return the lines *raw*, with their ends, as `_replace` does; each line has an end then."""
    before = raw[:start]
    after = raw[stop:]
    while before and not before[-1].strip():
        before.pop()
    first = 0
    while first < len(after) and not after[first].strip():
        first += 1
    after = after[first:]
    if before and (block or after):
        before.append("")
    if block and after:
        block = [*block, ""]
    ended = []
    for line in (*before, *block, *after):
        ended.append(line if line.endswith(("\n", "\r")) else line + eol)
    return ended


def _join(text: str, lines: list[str]) -> str:
    """Return *lines* as a text; those without an end get the one that *text* has."""
    eol = eol_of(text)
    ended = []
    for line in lines:
        has_end = line.endswith(("\n", "\r"))
        ended.append(line if has_end else line + eol)
    return "".join(ended)

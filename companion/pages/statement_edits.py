"""Changes of a page's statements: adding, moving and removing their blocks, and derived lines.

What a person wrote between two blocks stays where it stands. Pure; nothing here raises on any text.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import dropwhile

from companion.pages.lines import eol_of, lines_of
from companion.pages.statements import (
    BLOCK_HEADING,
    EARLIER,
    MARK,
    MENTION,
    MENTIONS,
    SHELVED,
    Mention,
    Statement,
    bare_lines,
    end_of_section,
    find_blocks,
    find_opening_lines,
    find_section,
    find_statement,
    is_reason,
    list_lost_page_lines,
    list_mention_lines,
    read_opening,
    start_of_derived,
    start_of_facts,
)
from companion.tuples import NamedTuple

# what a block id cannot follow on its own line: items, quotes, tables, HTML, headings, fences
_NO_PARAGRAPH = re.compile(r"\s*(?:[-*+>|<#=]|\d+[.)]\s|```|~~~|$)|\s{4}|\t")


_ENDS_OPEN = re.compile(r".*\|\s*")


_LINK_BREAKERS = re.compile(r"[\[\]|\r\n]+")


class NewStatement(NamedTuple):
    """A note that becomes a statement."""

    id: str
    when: str
    words: str


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
    lines = bare_lines(text)
    blocks = find_blocks(lines)
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
        at = _find_first_later(current, ranks, rank)
        line = end if at is None else at
        placed.append((line, rank, format_statement(*note)))
    raw = lines_of(text)
    eol = eol_of(text)
    for at, block_lines in sorted(_join_by_line(placed).items(), reverse=True):
        raw = _replace_lines(raw, at, at, block_lines, eol)
    return "".join(raw)


def _join_by_line(
    placed: Iterable[tuple[int, tuple[str, str], list[str]]],
) -> dict[int, list[str]]:
    """Return the lines that stand before each line, in their order: the page is cut once for each
    place, not for each note.
    """
    by_line: dict[int, list[str]] = {}
    for at, _, block_lines in sorted(placed):
        lines = by_line.setdefault(at, [])
        if lines:
            lines.append("")
        lines += block_lines
    return by_line


def _find_first_later(
    blocks: Iterable[Statement],
    ranks: Iterable[tuple[str, str]],
    rank: tuple[str, str],
) -> int | None:
    """Return the line of the first of *blocks* that was told after *rank*; None behind all."""
    for block, other in zip(blocks, ranks, strict=True):
        if other > rank:
            return block.start
    return None


def format_statement(
    id: str, when: str, words: str, *, level: int = 2
) -> list[str]:
    """Return the lines of a statement: its heading, a blank line, its words and its id."""
    inner = bare_lines(words.strip("\r\n"))
    heading = f"{'#' * level} {when}"
    if any(BLOCK_HEADING.fullmatch(line) for line in inner) or any(
        map(MARK.search, inner)
    ):
        # its own words look like ours: then its heading says which id ends it
        heading += f" ^{id}"
    return [heading, "", *_mark(inner, id)]


def enclose_opening(text: str, body: str, id: str, when: str) -> str:
    """Return *text* with the words that its *body* opens with as the statement *id*.

    A first heading stays above it. A page of one note has its words without a block until a second
    note joins it. A page that has statements already stays as it is.
    """
    lines = bare_lines(text)
    if find_blocks(lines):
        return text
    start = len(lines) - len(bare_lines(body))
    stop = start_of_derived(lines)
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
    blocks = find_blocks(bare_lines(text))
    return remove_blocks(text, [one for one in blocks if one.id in ids])


def remove_blocks(text: str, blocks: Iterable[Statement]) -> str:
    """Return *text* without *blocks* of its own; lines of the person around them stay."""
    raw = lines_of(text)
    eol = eol_of(text)
    for block in sorted(blocks, key=lambda one: one.start, reverse=True):
        raw = _replace_lines(raw, block.start, block.stop, [], eol)
    return "".join(raw)


def retire_opening(
    text: str, id: str, when: str, until: str, link: str, reason: str
) -> str:
    """Return *text* with its opening under "Earlier", as the statement *id* told at *when*.

    *until*, *link* and *reason* are as in `retire_statement`.
    """
    words = read_opening(text)
    if not words:
        return text
    lines = bare_lines(text)
    text = _replace(text, *find_opening_lines(lines), [])
    return _add_earlier(text, id, when, words, _say_why(until, link, reason))


def remove_opening(text: str) -> str:
    """Return *text* without the words of the statement that it began with."""
    return _replace(text, *find_opening_lines(bare_lines(text)), [])


def remove_statement(text: str, id: str) -> str:
    """Return *text* without the statement *id*; lines of the person around it stay."""
    lines = bare_lines(text)
    for block in find_blocks(lines):
        if block.id == id:
            return _replace(text, block.start, block.stop, [])
    return text


def retire_statement(
    text: str, id: str, until: str, link: str, reason: str
) -> str:
    """Return *text* with the statement *id* under "Earlier", and why it stands there.

    *until* is the day on which it lost, *link* a link to what took its place, or empty.
    """
    lines = bare_lines(text)
    found = [block for block in find_blocks(lines) if block.id == id]
    if not found or found[0].earlier:
        return text
    lost = found[0]
    text = _replace(text, lost.start, lost.stop, [])
    why = _say_why(until, link, reason)
    return _add_earlier(text, id, lost.when, lost.words, why)


def mark_lost_page(text: str, until: str, link: str, reason: str) -> str:
    """Return *text* with why all that stands on it lost, straight below "Earlier".

    *until*, *link* and *reason* are as in `retire_statement`. The words stay where they stand.
    """
    lines = bare_lines(text)
    if list_lost_page_lines(lines):
        return text
    why = _say_why(until, link, reason)
    section = find_section(lines, EARLIER)
    if section is not None and section == start_of_derived(lines):
        return _insert(text, section + 1, [why])
    return _insert(text, start_of_derived(lines), [EARLIER, "", why])


def unmark_lost_page(text: str) -> str:
    """Return *text* without the line that says that all that stands on it lost."""
    numbers = list_lost_page_lines(bare_lines(text))
    if not numbers:
        return text
    return _replace(text, numbers[0], numbers[-1] + 1, [])


def shelve_statement(text: str, id: str, day: str) -> str:
    """Return *text* with a line in the place of the lost statement *id*, whose words are in cold
    memory since *day*.
    """
    lines = bare_lines(text)
    found = [block for block in find_blocks(lines) if block.id == id]
    if not found or not found[0].earlier:
        return text
    lost = found[0]
    stop = lost.stop
    if is_reason(lines[stop : stop + 2]):
        stop += 2
    line = f"- {lost.when}: archived on {day}; `companion recall {id}` shows it"
    return _replace(text, lost.start, stop, [line])


def unshelve_statement(text: str, id: str) -> str:
    """Return *text* without the line of a statement whose words are in cold memory."""
    lines = bare_lines(text)
    for n, line in enumerate(lines):
        match = SHELVED.fullmatch(line)
        if match is not None and match["id"] == id:
            return _drop_empty(_replace(text, n, n + 1, []), EARLIER)
    return text


def reinstate_statement(text: str, id: str) -> str:
    """Return *text* with the statement *id* among those that stand again."""
    statement = find_statement(text, id)
    if statement is None or not statement.earlier:
        return text
    lines = bare_lines(text)
    stop = statement.stop
    if is_reason(lines[stop : stop + 2]):
        stop += 2
    text = _replace(text, statement.start, stop, [])
    text = _drop_empty(text, EARLIER)
    return add_statement(text, id, statement.when, statement.words)


def put_mentions(
    text: str, mentions: Iterable[Mention], known: Collection[str]
) -> str:
    """Return *text* with exactly *mentions* among the derived lines of statements in *known*.

    Derived lines of other statements stay, and so does whatever a person wrote in the section.
    """
    gone = _find_mentions_of(bare_lines(text), known)
    if gone:
        text = "".join(_list_others(lines_of(text), gone))
    wanted = sorted(mentions, key=lambda one: (one.when, one.id))
    added = list(map(_format_mention, wanted))
    if not added:
        return _drop_empty(text, MENTIONS) if gone else text
    kept = bare_lines(text)
    section = find_section(kept, MENTIONS)
    if section is None:
        return _insert(text, start_of_facts(kept), [MENTIONS, "", *added])
    return _merge_mentions(text, section, added)


def _find_mentions_of(lines: list[str], known: Collection[str]) -> set[int]:
    """Return the numbers of the derived lines of statements in *known*."""
    gone = set()
    for number in list_mention_lines(lines):
        match = MENTION.fullmatch(lines[number])
        if match is not None and match["id"] in known:
            gone.add(number)
    return gone


def _merge_mentions(text: str, section: int, added: list[str]) -> str:
    """Return *text* with *added* sorted among the derived lines below the heading *section*."""
    lines = bare_lines(text)
    start = section + 1
    rows = [n for n in list_mention_lines(lines) if n >= start]
    merged = sorted([*(lines[n] for n in rows), *added])
    first = rows[0] if rows else start
    if not rows:
        merged = ["", *merged]
    rest = _list_others(lines_of(text), set(rows))
    return _join(text, [*rest[:first], *merged, *rest[first:]])


def _list_others(lines: list[str], numbers: Collection[int]) -> list[str]:
    """Return *lines* without those of *numbers*."""
    return [line for n, line in enumerate(lines) if n not in numbers]


def clean_link_words(words: str) -> str:
    """Return *words* as they may stand in a link."""
    return " ".join(_LINK_BREAKERS.sub(" ", words).split())


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
    return start_of_derived(lines)


def _say_why(until: str, link: str, reason: str) -> str:
    return f"Until {until}: {link + ' ' if link else ''}{reason}".rstrip()


def _add_earlier(text: str, id: str, when: str, words: str, why: str) -> str:
    """Return *text* with one more statement under "Earlier", and *why* it stands there."""
    lines = bare_lines(text)
    block = [*format_statement(id, when, words, level=3), "", why]
    section = find_section(lines, EARLIER)
    if section is not None:
        return _insert(text, end_of_section(lines, section), block)
    return _insert(text, start_of_derived(lines), [EARLIER, "", *block])


def _format_mention(mention: Mention) -> str:
    target = f"{mention.page}#^{mention.id}" if mention.id else mention.page
    words = clean_link_words(mention.words)
    return f"- {mention.when}: [[{target}|{words or mention.page}]]"


def _drop_empty(text: str, heading: str) -> str:
    """Return *text* without a section of ours in which nothing is left."""
    lines = bare_lines(text)
    start = find_section(lines, heading)
    if start is None:
        return text
    stop = end_of_section(lines, start)
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


def _drop_blank_first(lines: Iterable[str]) -> Iterable[str]:
    """Return *lines* from the first one that is not blank."""
    return dropwhile(lambda line: not line.strip(), lines)


def _replace_lines(
    raw: list[str], start: int, stop: int, block: list[str], eol: str
) -> list[str]:
    """Return the lines *raw*, with their ends, as `_replace` does; each line has an end then."""
    before = list(_drop_blank_first(reversed(raw[:start])))[::-1]
    after = list(_drop_blank_first(raw[stop:]))
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

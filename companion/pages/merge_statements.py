"""Bring the texts of one page together that two machines wrote. Pure.

Every statement stands once, in the order of telling; so do derived lines. What a merge of git left
of the page, markers and doubled blocks, is used only to see whether a person wrote there, too.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from companion.pages.lines import lines_of
from companion.pages.statement_edits import (
    add_statement,
    put_mentions,
    remove_blocks,
    remove_statement,
)
from companion.pages.statements import (
    Statement,
    bare_lines,
    find_opening_lines,
    find_statement,
    read_mentions,
    read_statements,
)

_MARKER = re.compile(r"(?:<{7}|>{7}|\|{7})(?: .*)?|={7}")


def unite_statements(
    sides: Sequence[str],
    standing: Collection[str],
    order: Mapping[str, str],
    lost: Collection[str] = (),
) -> str:
    """Return the page that *sides*, its texts on several machines, make together.

    It is the first one with the statements of the others; of *standing*, the ids that belong on the
    page. *order* has when each was told. Those that *lost* stay as the first side has them. Of a
    note that was told twice, sides may give two headings; the earlier one stays.
    """
    text = sides[0]
    blocks: dict[str, Statement] = {}
    for side in sides:
        for one in read_statements(side):
            blocks.setdefault(one.id, one)
    for id, one in sorted(blocks.items()):
        if id in lost:
            continue
        if id not in standing:
            text = remove_statement(text, id)
        else:
            text = add_statement(text, id, one.when, one.words, order=order)
    text = _put_headings(text, _find_first_headings(sides))
    mentions = []
    for side in sides:
        mentions += read_mentions(side)
    # a note that stands here needs no line
    lines = {one.id: one for one in mentions if one.id not in standing}
    return put_mentions(text, lines.values(), {one.id for one in mentions})


def drop_doubled(text: str, sides: Sequence[str]) -> str:
    """Return *text* with each statement once: of one that it has more often, the block under the
    earliest heading that one of *sides* gives it.
    """
    first = _find_first_headings(sides)
    blocks: dict[tuple[str, bool], list[Statement]] = {}
    for one in read_statements(text):
        blocks.setdefault((one.id, one.earlier), []).append(one)
    doubled: list[Statement] = []
    for same in blocks.values():
        same.sort(key=lambda one: one.when != first.get(one.id))
        doubled += same[1:]
    return remove_blocks(text, doubled)


def _find_first_headings(sides: Sequence[str]) -> dict[str, str]:
    """Return the earliest heading that one of *sides* gives each statement, by its id."""
    first: dict[str, str] = {}
    for side in sides:
        for one in read_statements(side):
            first[one.id] = min(one.when, first.get(one.id, one.when))
    return first


def _put_headings(text: str, first: Mapping[str, str]) -> str:
    """Return *text* with the headings *first* of its statements."""
    lines = lines_of(text)
    for one in read_statements(text):
        heading = lines[one.start]
        lines[one.start] = heading.replace(one.when, first[one.id], 1)
    return "".join(lines)


def stand_once(text: str, id: str) -> str:
    """Return *text* without the words that it begins with, where its statement *id* has them, too.

    A page begins with the words of one note. Where another machine has them as a statement, the
    merge of git puts both on the page. A text with git's marks stays as it is.
    """
    one = find_statement(text, id)
    if one is None or has_markers(text):
        return text
    lines = bare_lines(text)
    words = one.words.split("\n")
    start, stop = find_opening_lines(lines)
    end = start + len(words)
    if end > stop or lines[start:end] != words:
        return text
    opening = Statement("", "", one.words, False, start, end)
    return remove_blocks(text, [opening])


def has_markers(text: str) -> bool:
    """Tell whether a merge of git left its marks in *text*, be it some of them.

    A row of `=` alone underlines a heading, and a row of `>` alone may quote.
    """
    bare = [line.rstrip("\r\n") for line in lines_of(text)]
    kinds = {line[:7] for line in bare if _MARKER.fullmatch(line)}
    return "<" * 7 in kinds or {"=" * 7, ">" * 7} <= kinds


def has_new_markers(text: str, first: str) -> bool:
    """Tell whether *text* has marks of a merge that the page did not begin with, as in *first*."""
    began, marks = (
        Counter(line for line in bare_lines(one) if _MARKER.fullmatch(line))
        for one in (first, text)
    )
    return has_markers(text) and not marks <= began


def is_whole(text: str, standing: Collection[str]) -> bool:
    """Tell whether a page has each of the statements *standing* once, and no marks of git."""
    ids = [one.id for one in read_statements(text)]
    return (
        len(ids) == len(set(ids))
        and set(standing) <= set(ids)
        and not has_markers(text)
    )


def list_lines_beside(text: str, sides: Sequence[str]) -> list[str]:
    """Return the lines of *text* that none of *sides* has, and that are no marks of git."""
    known: set[str] = set()
    for side in sides:
        known.update(line.strip() for line in lines_of(side))
    lines = [line.strip() for line in lines_of(text)]
    return [
        line
        for line in lines
        if line and line not in known and not _MARKER.fullmatch(line)
    ]

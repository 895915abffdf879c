"""Merge what two machines made of one page since they last agreed. Pure.

A note that stands as a statement is one piece, and every other line is one. A piece that one side
took out goes, a piece that either put in comes in, and notes put in by both stand in the order in
which they were told. Where both changed the same piece, the lines of both stay, so nobody's words
are lost. Both machines get the same text, whichever merges.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import NamedTuple

from companion.pages.frontmatter import read_front
from companion.pages.lines import eol_of, lines_of
from companion.pages.merge_statements import has_markers
from companion.pages.statements import Statement, bare_lines, find_blocks

_CREATED = re.compile(r"created:[ \t]*(.*)")


class Merged(NamedTuple):
    """The text of both sides."""

    text: str
    both: int  # places that both sides changed; the lines of both stand there


class _Piece(NamedTuple):
    """A line, or the lines of a statement."""

    lines: tuple[str, ...]
    statement: str = ""  # its id
    when: str = ""  # it was told, as its heading says

    @property
    def is_blank(self) -> bool:
        return not self.statement and not self.lines[0].strip()


_Pieces = list[_Piece]


def merge_sides(base: str, ours: str, theirs: str) -> Merged | None:
    """Return *ours* and *theirs* merged, two texts that came of *base* ("" where both began it).

    None where only a person can decide: both sides changed one line of the frontmatter, or a
    side has marks of an earlier merge.
    """
    if ours == theirs or theirs == base:
        return Merged(ours, 0)
    if ours == base:
        return Merged(theirs, 0)
    if has_markers(ours) or has_markers(theirs):
        return None
    first, second = sorted((ours, theirs))
    pieces, both = _merge(_cut(base), _cut(first), _cut(second))
    lines = _unite_created(_set_apart(_drop_repeated(pieces)))
    text = _end_lines(lines, first)
    if _breaks_front(text, ours, theirs):
        return None
    return Merged(text, both)


# -- pieces ----------------------------------------------------------------------------------------


def _cut(text: str) -> _Pieces:
    """Return the pieces of *text*, in their order."""
    lines = bare_lines(text)
    pieces: _Pieces = []
    at = 0
    for block in find_blocks(lines):
        pieces += [_Piece((line,)) for line in lines[at : block.start]]
        pieces.append(_cut_statement(lines, block))
        at = block.stop
    return pieces + [_Piece((line,)) for line in lines[at:]]


def _cut_statement(lines: Sequence[str], block: Statement) -> _Piece:
    inside = tuple(lines[block.start : block.stop])
    return _Piece(inside, block.id, block.when)


def _drop_repeated(pieces: _Pieces) -> _Pieces:
    """Return *pieces* without a statement that both sides put in at different places."""
    seen = set()
    kept = []
    for piece in pieces:
        if piece.statement and piece in seen:
            continue
        seen.add(piece)
        kept.append(piece)
    return kept


def _set_apart(pieces: _Pieces) -> list[str]:
    """Return the lines of *pieces*, with a blank one at least on either side of a statement."""
    lines: list[str] = []
    follows = False  # a statement
    for piece in pieces:
        touches = follows or piece.statement
        if touches and lines and lines[-1].strip() and not piece.is_blank:
            lines.append("")
        lines += piece.lines
        follows = bool(piece.statement)
    return lines


# -- three texts -----------------------------------------------------------------------------------


def _merge(
    base: _Pieces, ours: _Pieces, theirs: _Pieces
) -> tuple[_Pieces, int]:
    """Return the pieces of both sides, and how many both changed, each otherwise."""
    merged: _Pieces = []
    both = 0
    slots = zip(_compare(base, ours), _compare(base, theirs), strict=True)
    for at, sides in enumerate(slots):
        before = [base[at // 2]] if at % 2 else []
        changed = [side for side in sides if side != before]
        if not changed:
            merged += before
            continue
        # what one side took out and the other changed stays as changed
        written = [side for side in changed if side]
        both += at % 2 and _are_different(written)
        merged += _unite(written)
    return merged, both


def _are_different(written: Sequence[_Pieces]) -> bool:
    """Tell whether both sides wrote, and not the same."""
    return len(written) == 2 and written[0] != written[1]


def _compare(base: _Pieces, side: _Pieces) -> list[_Pieces]:
    """Return a side in slots: 2i has what stands before the base's piece i, 2i+1 that piece."""
    slots: list[_Pieces] = [[] for _ in range(2 * len(base) + 1)]
    matcher = SequenceMatcher(None, base, side, autojunk=False)
    for tag, start, stop, first, last in matcher.get_opcodes():
        new = side[first:last]
        if tag == "insert":
            slots[2 * start] = new
        else:
            _fill(slots, range(start, stop), new)
    return slots


def _fill(
    slots: list[_Pieces], places: Iterable[int], new: Iterable[_Piece]
) -> None:
    """Put *new* in the place of base pieces, one for one; what is left over in that of the last."""
    last = 0
    for at, piece in zip_longest(places, new):
        if at is not None:
            last = at
        if piece is not None:
            slots[2 * last + 1].append(piece)


def _unite(sides: Sequence[_Pieces]) -> _Pieces:
    """Return the pieces of one side or of two; what both have stands once."""
    if len(sides) < 2:
        return [piece for side in sides for piece in side]
    ours, theirs = sides
    united: _Pieces = []
    matcher = SequenceMatcher(None, ours, theirs, autojunk=False)
    for tag, start, stop, first, last in matcher.get_opcodes():
        pieces = ours[start:stop]
        if tag != "equal":
            pieces = _order_statements([*pieces, *theirs[first:last]])
        united += pieces
    return united


def _order_statements(pieces: _Pieces) -> _Pieces:
    """Return *pieces* with statements as they were told, where nothing stands between them."""
    if not all(piece.statement or piece.is_blank for piece in pieces):
        return pieces
    ordered = iter(sorted(filter(_get_id, pieces), key=_get_time))
    return [next(ordered) if one.statement else one for one in pieces]


def _get_id(piece: _Piece) -> str:
    return piece.statement


def _get_time(piece: _Piece) -> str:
    return piece.when


def _end_lines(lines: Sequence[str], like: str) -> str:
    """Return *lines* as a text that ends its lines as *like* does."""
    eol = eol_of(like)
    text = eol.join(lines)
    if text and like.endswith(("\n", "\r")):
        return text + eol
    return text


# -- frontmatter -----------------------------------------------------------------------------------


def put_first_created(text: str, sides: Sequence[str]) -> str:
    """Return *text* with the earliest of the days on which *sides* began the page."""
    days: list[str] = []
    for side in sides:
        days += _list_created(bare_lines(side))
    own = next(_list_created(bare_lines(text)), None)
    if own is None:
        return text
    lines = lines_of(text)
    place = bare_lines(text).index(own)
    lines[place] = lines[place].replace(own, min(days, default=own))
    return "".join(lines)


def _unite_created(lines: list[str]) -> list[str]:
    """Return *lines* with the earlier of the days on which two machines began the page."""
    days = list(_list_created(lines))
    if len(days) < 2:
        return lines
    rest = [line for line in lines if line not in days]
    rest.insert(lines.index(days[0]), min(days))
    return rest


def _list_created(lines: Sequence[str]) -> Iterator[str]:
    if not lines or lines[0] != "---":
        return
    for line in lines[1:]:
        if line == "---":
            return
        if _CREATED.fullmatch(line):
            yield line


def _breaks_front(text: str, *sides: str) -> bool:
    """Tell whether frontmatter that could be read on each of *sides* cannot be read in *text*."""
    if read_front(text).problem is None:
        return False
    return all(read_front(side).problem is None for side in sides)

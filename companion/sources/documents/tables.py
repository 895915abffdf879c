"""Tables as passages: some rows each, every row in its place, a very long table in samples."""

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from companion.sources.document import Passage

_ROWS = 40  # of one passage
_MOST = 4000  # rows that are read in full
_CELL = 2000  # characters; beyond it a cell is cut and that is said
_SAMPLE = 2  # rows of each piece of a table that is longer

Row = Sequence[str]
Place = Callable[[int, int], str]  # the first and the last row, from 1


class Table(NamedTuple):
    """A table as passages."""

    passages: tuple[Passage, ...]
    warnings: tuple[str, ...]


def say_rows(first: int, last: int) -> str:
    """Return the place of the rows *first* to *last*, counted from 1."""
    if first == last:
        return f"row {first}"
    return f"rows {first}-{last}"


def split_table(
    rows: Iterable[Row], count: int, place: Place = say_rows
) -> Table:
    """Return *rows*, *count* of them, as tables of some rows below the first row.

    The first row names the columns. Of a table with more than some thousand rows, each piece spans
    more rows and shows the first ones of them, so that every row has a piece that names it.
    """
    span, shown = _ROWS, _ROWS
    warnings: tuple[str, ...] = ()
    if count > _MOST:
        span, shown = -(-count * _SAMPLE // _MOST), _SAMPLE
        says = f"of every {span} rows the first {shown} are shown, for it has {count}"
        warnings = (says,)
    passages = []
    lines = iter(rows)
    header = next(lines, None)
    if header is None:
        return Table((), ())
    for start in range(2, max(count, 2) + 1, span):
        piece = list(islice(lines, span))
        last = max(start + len(piece) - 1, 1)
        where = place(min(start, last), last)
        passages.append(_make(header, piece[:shown], where))
    return Table(tuple(passages), warnings)


def _make(header: Row, rows: Sequence[Row], where: str) -> Passage:
    return Passage(format_table([header, *rows]), "table", 0, where)


def format_table(rows: Sequence[Row]) -> str:
    """Return *rows* as a Markdown table; the first names the columns."""
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    lines = [_format_row(rows[0], width), "|" + " --- |" * width]
    for row in rows[1:]:
        lines.append(_format_row(row, width))
    return "\n".join(lines)


def _format_row(row: Row, width: int) -> str:
    cells = [_format_cell(cell) for cell in row]
    cells += [""] * (width - len(cells))
    return "| " + " | ".join(cells) + " |"


def _format_cell(cell: str) -> str:
    text = " ".join(cell.split())
    if len(text) > _CELL:
        text = text[:_CELL] + " …"
    return text.replace("|", "\\|")

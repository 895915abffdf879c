"""The table of a series: dated values of one quantity, one row for each note.

    | When | Value | Note | Source |
    | --- | --- | --- | --- |
    | 2026-11-22 07:10 | 81.2 kg | "81.2 kg this morning" | ^a1b2c3d4e5f6 |

A row holds the words of its note byte for byte between the quotation marks; a note whose words a
row cannot hold stays a block (`fits_row`). A corrected value is struck through and links the row
that took its place. Rows stand in the order of (when, id), so that machines agree. Rows without an
id, columns that the header above does not name, and rows that somebody edited are the person's:
they stay as they are. A person may rename, move and align columns.

Pure; nothing here raises on any text. Lines end as `pages.ownership_merge` reads them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from companion.pages.lines import eol_of, lines_of

# the columns by language: when, value, note, source
HEADERS = {
    "en": ("When", "Value", "Note", "Source"),
    "de": ("Wann", "Wert", "Notiz", "Quelle"),
}

_COLUMNS = 4
_ID = re.compile(r"\^([0-9a-f]{12})")
_DELIMITER = re.compile(r"\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_PIPE = re.compile(r"(?<!\\)\|")
_CORRECTED = re.compile(
    r"~~(?P<value>.*)~~ \[\[#\^(?P<by>[0-9a-f]{12})\\\|(?P<new>.*)\]\]"
)
# what a cell cannot hold: the cell's own bar, line ends, and an id of its own
_UNFIT = re.compile(r"[|\x00-\x1f\x7f-\x9f\u2028\u2029]|\^[0-9a-f]{12}")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class Row(NamedTuple):
    """One value of a series."""

    id: str  # of its statement: 12 hex digits
    when: str  # "2026-11-22 07:10", or "2026-11-22" where only the day is known
    value: str  # as told: "81.2 kg"
    words: str  # the note, byte for byte
    corrected_by: str = ""  # id of the row that took its place
    corrected_to: str = ""  # the value there


class _Table(NamedTuple):
    """Where the table of a series stands in a text."""

    lines: list[str]  # of the whole text, without endings
    head: int  # number of the header's line
    stop: int  # behind the last row
    columns: tuple[int, ...]  # where when, value, note and source stand


def fits_row(words: str) -> bool:
    """Tell whether a row can hold *words* byte for byte; otherwise the note stays a block."""
    return bool(words.strip()) and _UNFIT.search(words) is None


def format_table(rows: Sequence[Row], language: str = "en") -> str:
    """Return the table of *rows*, with a header in *language*, or in English."""
    header = HEADERS.get(language, HEADERS["en"])
    lines = [_line(header), _line(["---"] * _COLUMNS)]
    for row in sorted(rows, key=_rank):
        lines.append(_line(_cells_of(row)))
    return "\n".join(lines) + "\n"


def has_table(text: str) -> bool:
    """Tell whether *text* has the table of a series."""
    return _find_table(text) is not None


def read_rows(text: str) -> list[Row]:
    """Return the rows of the series in *text* as they are now, in their order on the page.

    A row that a person edited reads as the person left it, as long as it keeps its id.
    """
    table = _find_table(text)
    if table is None:
        return []
    rows: list[Row] = []
    for line in table.lines[table.head + 2 : table.stop]:
        row = _read_row(line, table.columns)
        if row is not None:
            rows.append(row)
    return rows


def find_row(text: str, id: str) -> Row | None:
    """Return the row *id* of the series in *text*; None if it has none of that id."""
    for row in read_rows(text):
        if row.id == id:
            return row
    return None


def add_row(text: str, row: Row) -> str | None:
    """Return *text* with one more *row* in its place; None where it has no table for it.

    A row whose id is there already is not added again, whatever it says.
    """
    table = _find_table(text)
    if table is None:
        return None
    if find_row(text, row.id) is not None:
        return text
    line = _new_line(table, row)
    return _with_lines(text, table, _place_of(table, row), 0, [line])


def remove_row(text: str, row: Row) -> str | None:
    """Return *text* without *row*; None where it does not stand there as companion wrote it.

    An edited row, and one with words in a column of the person's, is theirs.
    """
    table = _find_table(text)
    if table is None:
        return None
    at = _line_of(table, row)
    if at is None or _own_cells(table, at):
        return None
    return _with_lines(text, table, at, 1, [])


def replace_row(text: str, old: Row, new: Row) -> str | None:
    """Return *text* with *new* in the place of *old*; None where that does not stand as written.

    Both have one id and one time. The cells of columns that are the person's stay.
    """
    table = _find_table(text)
    if table is None:
        return None
    at = _line_of(table, old)
    if at is None:
        return None
    cells = _split(table.lines[at])
    for column, cell in zip(table.columns, _cells_of(new), strict=True):
        cells[column] = cell
    return _with_lines(text, table, at, 1, [_line(cells)])


def mark_corrected(row: Row, by: Row) -> Row:
    """Return *row* as one whose value the row *by* corrects."""
    return row._replace(corrected_by=by.id, corrected_to=by.value)


def _rank(row: Row) -> tuple[str, str]:
    return row.when, row.id


# -- rows as lines --------------------------------------------------------------------------------


def _cells_of(row: Row) -> list[str]:
    value = row.value
    if row.corrected_by:
        value = f"~~{row.value}~~ [[#^{row.corrected_by}\\|{row.corrected_to}]]"
    return [row.when, value, f'"{row.words}"', f"^{row.id}"]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _split(line: str) -> list[str]:
    """Return the cells of a line of a table, without the space around them."""
    inner = line.strip(" \t")
    inner = inner.removeprefix("|")
    if inner.endswith("|") and not inner.endswith("\\|"):
        inner = inner[:-1]
    return [cell.strip(" \t") for cell in _PIPE.split(inner)]


def _read_row(line: str, columns: tuple[int, ...]) -> Row | None:
    """Return the row of a *line*; None where it has no id, or not all columns."""
    cells = _split(line)
    if len(cells) <= max(columns):
        return None
    when, value, words, source = (cells[column] for column in columns)
    mark = _ID.fullmatch(source)
    if mark is None:
        return None
    if len(words) > 1 and words.startswith('"') and words.endswith('"'):
        words = words[1:-1]
    corrected = _CORRECTED.fullmatch(value)
    if corrected is None:
        return Row(mark[1], when, value, words)
    return Row(
        mark[1],
        when,
        corrected["value"],
        words,
        corrected["by"],
        corrected["new"],
    )


def _new_line(table: _Table, row: Row) -> str:
    """Return the line of *row*, with empty cells in the columns of the person."""
    count = max(len(_split(table.lines[table.head])), max(table.columns) + 1)
    cells = [""] * count
    for column, cell in zip(table.columns, _cells_of(row), strict=True):
        cells[column] = cell
    return _line(cells)


def _own_cells(table: _Table, at: int) -> bool:
    """Tell whether a line says something in a column of the person's."""
    for column, cell in enumerate(_split(table.lines[at])):
        if cell and column not in table.columns:
            return True
    return False


# -- the table in its text ------------------------------------------------------------------------


def _find_table(text: str) -> _Table | None:
    """Return the first table in *text* that is a series; code blocks hold none."""
    lines = [line.rstrip("\r\n") for line in lines_of(text)]
    fence = ""
    for at, line in enumerate(lines[:-1]):
        mark = _FENCE.match(line)
        if fence:
            if mark is not None and line.strip() == fence:
                fence = ""
            continue
        if mark is not None:
            fence = mark[1]
            continue
        table = _table_at(lines, at)
        if table is not None:
            return table
    return None


def _table_at(lines: list[str], at: int) -> _Table | None:
    """Return the series whose header is line *at*; None where none begins there."""
    if "|" not in lines[at] or "|" not in lines[at + 1]:
        return None
    if _DELIMITER.fullmatch(lines[at + 1]) is None:
        return None
    stop = at + 2
    while stop < len(lines) and lines[stop].lstrip(" \t").startswith("|"):
        stop += 1
    columns = _columns_of(lines[at : at + 1] + lines[at + 2 : stop])
    if columns is None:
        return None
    return _Table(lines, at, stop, columns)


def _columns_of(lines: list[str]) -> tuple[int, ...] | None:
    """Return where the columns of a series stand, by the header, else by the ids of its rows."""
    names = _split(lines[0])
    for header in HEADERS.values():
        if set(header) <= set(names):
            return tuple(names.index(name) for name in header)
    # renamed: the first three columns, and the one with the ids
    for line in lines[1:]:
        cells = _split(line)
        for column in range(_COLUMNS - 1, len(cells)):
            if _ID.fullmatch(cells[column]):
                return 0, 1, 2, column
    return None


def _line_of(table: _Table, row: Row) -> int | None:
    """Return the line where *row* stands as companion wrote it."""
    for at in range(table.head + 2, table.stop):
        if _read_row(table.lines[at], table.columns) == row:
            return at
    return None


def _place_of(table: _Table, row: Row) -> int:
    """Return the line before which *row* goes: before the first later row, else behind the last.

    Lines of the person keep their neighbours.
    """
    behind = table.stop
    for at in range(table.head + 2, table.stop):
        other = _read_row(table.lines[at], table.columns)
        if other is None:
            continue
        if _rank(other) > _rank(row):
            return at
        behind = at + 1
    return behind


def _with_lines(
    text: str, table: _Table, at: int, count: int, new: list[str]
) -> str:
    """Return *text* with *new* lines in the place of *count* lines from *at* on."""
    eol = eol_of(text)
    ended = lines_of(text)
    if at == len(ended) and not ended[-1].endswith(("\n", "\r")):
        ended[-1] += eol
    ended[at : at + count] = [line + eol for line in new]
    return "".join(ended)

"""Draw the lines of a result for a terminal: wrapped at words, in colour, rows as tables.

Only loaded to print on a terminal; it is the one file that lays out text with rich.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.cli.lines import (
    Aside,
    Change,
    Field,
    Found,
    Passage,
    Remark,
    Row,
    Title,
    clean,
)
from companion.cli.screen.page import open_page

#: columns of indent that a wrapped line keeps at most, as a share of the width
DEEPEST_INDENT = 0.5
#: columns that the last cell of a table must have; narrower, each row becomes a paragraph
NARROWEST_CELL = 24
#: columns that the words of a result must have; narrower, its line is wrapped
NARROWEST_WORDS = 20

# Text of these scripts has no spaces: a line may break before each character.
_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60\U00020000-\U0003fffd"
_WORD = re.compile(rf"\s*(?:[{_WIDE}]|[^\s{_WIDE}]+)")
_INDENT = re.compile(r"\s*(?:(?:[-*+>]|\d+[.)])\s+)*")

_REMARKS = {"error": "bold red", "warning": "yellow", "hint": "cyan"}
_CHANGES = {"+": "green", "-": "red", "@": "cyan"}


def draw(lines: Iterable[str], *, width: int, colour: bool) -> str:
    """Return *lines* as they are written to a terminal of *width* columns.

    Without *colour* no escape sequence is written; lines are wrapped and rows aligned all the same.
    """
    page, console = open_page(width, colour=colour)
    for shape, group in groupby(lines, key=_shape):
        if shape is None:
            for line in group:
                _draw_line(console, line, width)
        else:
            rows = [line for line in group if isinstance(line, Row)]
            _draw_rows(console, rows, width)
    # A table fills its last column with spaces, which would be copied along.
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE)


def _shape(line: str) -> tuple[type[str], int, int] | None:
    """Return what the rows of one table have in common; None if *line* is no row."""
    if isinstance(line, Row):
        return type(line), len(line.cells), line.indent
    return None


def _draw_line(console: Console, line: str, width: int) -> None:
    if isinstance(line, Found):
        line = _fit_found(line, width)
    kind = line.partition(": ")[0] if isinstance(line, Remark) else ""
    hanging = len(kind) + 2 if kind else None
    for number, part in enumerate(wrap(clean(line), width, hanging=hanging)):
        text = Text(part, style=_style_of(line))
        if number == 0 and kind in _REMARKS:
            text.stylize(_REMARKS[kind], 0, len(kind) + 1)
        if isinstance(line, Passage):
            _highlight(text, line.words)
        if number == 0 and isinstance(line, Found):
            text.stylize("bold", 0, len(clean(line.parts[0])))
        console.print(text, soft_wrap=True)


def _style_of(line: str) -> str:
    if isinstance(line, Title):
        return "bold"
    if isinstance(line, Aside):
        return "dim"
    if isinstance(line, Change):
        return _CHANGES.get(line[:1], "")
    return ""


def _highlight(text: Text, words: Sequence[str]) -> None:
    for match in re.finditer(r"\w+", text.plain):
        if any(_begin_alike(match.group(), word) for word in words):
            text.stylize("bold yellow", *match.span())


def _fit_found(line: Found, width: int) -> Found:
    """Return *line* with as many of its words as there are columns for, those around the first
    one that was looked for; as it is where too few would be left.
    """
    title, text, place = map(clean, line.parts)
    room = width - cell_len(title) - cell_len(place) - len(":   · ")
    if cell_len(text) <= room or room < NARROWEST_WORDS:
        return line
    start = _find_start(text, line.words, room)
    head = "…" if start else ""
    kept = text[start:].lstrip()
    while cell_len(head + kept) >= room:
        kept = kept[:-1]
    return Found.make(title, f"{head}{kept.rstrip()}…", place, line.words)


def _find_start(text: str, words: Sequence[str], room: int) -> int:
    """Return where to begin *text* so that its first wanted word stands within *room*."""
    for match in re.finditer(r"\w+", text):
        if any(_begin_alike(match.group(), word) for word in words):
            before = match.start() - room // 3
            return text.find(" ", before) if match.end() > room - 2 else 0
    return 0


def _begin_alike(word: str, wanted: str) -> bool:
    """Tell whether a word is the wanted one, but for its ending: ``delivers`` for ``deliver``."""
    short, long = sorted((word.casefold(), wanted.casefold()), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short))


def _draw_rows(console: Console, rows: Sequence[Row], width: int) -> None:
    table = _table(rows, width)
    if table is not None:
        console.print(table)
        return
    for row in rows:
        _draw_paragraph(console, row, width)


def _table(rows: Sequence[Row], width: int) -> Table | None:
    """Return *rows* as a table; None where its last column would be too narrow for its words."""
    cells = [_clean_cells(row) for row in rows]
    *columns, last = zip(*cells, strict=True)
    taken = rows[0].indent + sum(_widest(column) + 2 for column in columns)
    room = width - taken
    words = " ".join(last).split()
    if room < max(NARROWEST_CELL, _widest(words)):
        return None
    return _grid(rows[0], cells, room)


def _clean_cells(row: Row) -> list[str]:
    return [clean(cell).expandtabs() for cell in row.cells]


def _grid(first: Row, cells: Sequence[Sequence[str]], room: int) -> Table:
    """Return a table of *cells*, all rows of the kind of *first*; *room* is for the last column."""
    table = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
    style = "cyan" if isinstance(first, Field) else "dim"
    table.add_column(no_wrap=True, style=style)
    for _ in first.cells[1:-1]:
        table.add_column(no_wrap=True)
    table.add_column(max_width=room)
    margin = " " * first.indent
    for label, *more in cells:
        table.add_row(*map(Text, [margin + label, *more]))
    return table


def _widest(words: Iterable[str]) -> int:
    return max(map(cell_len, words), default=0)


def _draw_paragraph(console: Console, row: Row, width: int) -> None:
    words = "  ".join(clean(cell) for cell in row.cells if cell)
    line = " " * row.indent + words
    for part in wrap(line, width, hanging=row.indent + 4):
        console.print(Text(part), soft_wrap=True)


def wrap(line: str, width: int, *, hanging: int | None = None) -> list[str]:
    """Return *line* in parts of at most *width* columns, broken between words.

    A longer word stays whole, so that a path can be copied. The parts after the first are indented
    by *hanging* columns; by default as deep as the text of the line, behind the mark of a list.
    """
    line = line.expandtabs()
    if cell_len(line) <= width:
        return [line]
    start = _INDENT.match(line)
    own = len(start.group()) if start else 0
    deepest = int(width * DEEPEST_INDENT)
    margin = " " * min(own if hanging is None else hanging, deepest)
    parts = []
    part = ""
    for word in _WORD.findall(line):
        if part.strip() and cell_len(part) + cell_len(word) > width:
            parts.append(part)
            part = margin + word.lstrip()
        else:
            part += word
    return [*parts, part]

"""Draw two texts beside each other on a terminal, or one under the other where it is narrow.

The words that only one of them has stand out. Only loaded to ask a question on a terminal.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.console import Console
from rich.table import Table
from rich.text import Text

from companion.cli.lines import clean
from companion.cli.screen.page import open_page

#: columns from which two texts stand beside each other
WIDE = 72
#: lines of a text that are shown; the whole is one key away
TALLEST = 14
_GAP = 3
_WORD = re.compile(r"\w+")


class Panel(NamedTuple):
    """One of the texts, and the line above it."""

    head: str
    text: str


def draw_panels(panels: Sequence[Panel], *, width: int, colour: bool) -> str:
    """Return *panels* as they are written to a terminal of *width* columns."""
    page, console = open_page(width, colour=colour)
    texts = _mark_differences([panel.text for panel in panels])
    is_wide = width >= WIDE and len(panels) == 2
    columns = (width - _GAP) // 2 if is_wide else width
    cells = [
        _draw_panel(console, panel.head, text, columns)
        for panel, text in zip(panels, texts, strict=True)
    ]
    if is_wide:
        table = Table.grid(padding=(0, _GAP, 0, 0), pad_edge=False)
        for _ in panels:
            table.add_column(width=columns)
        table.add_row(*cells)
        console.print(table)
    else:
        for cell in cells:
            console.print(cell)
            console.print()
    return re.sub(r" +$", "", page.getvalue(), flags=re.MULTILINE)


def _draw_panel(console: Console, head: str, text: Text, columns: int) -> Text:
    """Return the head and the first lines of a text, wrapped to *columns*."""
    lines = text.wrap(console, columns)
    shown = Text(clean(head), style="bold cyan")
    shown.stylize("default", len(shown.plain))
    body = Text("\n").join(list(lines)[:TALLEST])
    if len(lines) > TALLEST:
        body.append(f"\n… {len(lines) - TALLEST} more lines: press o", "dim")
    return Text("\n").join([shown, body])


def _mark_differences(texts: Sequence[str]) -> list[Text]:
    """Return *texts* with the words in bold that none of the others has."""
    cleaned = [
        "\n".join(clean(line) for line in text.strip().split("\n"))
        for text in texts
    ]
    words = [set(map(str.casefold, _WORD.findall(text))) for text in cleaned]
    marked = []
    for number, text in enumerate(cleaned):
        others = set().union(*words[:number], *words[number + 1 :])
        drawn = Text(text)
        for match in _WORD.finditer(text):
            if others and match.group().casefold() not in others:
                drawn.stylize("bold yellow", *match.span())
        marked.append(drawn)
    return marked

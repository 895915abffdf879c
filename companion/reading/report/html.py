"""The elements of a report: every text that comes from a wiki is escaped here, and nowhere else."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import NamedTuple

#: commands in sentences: `companion review`
_CODE = re.compile(r"`([^`<>]+)`")
_DAY = re.compile(r"\d{4}-\d\d-\d\d(?: \d\d:\d\d)?")


class Html(str):
    """Text that is HTML already; any other text is escaped."""

    __slots__ = ()


class Table(NamedTuple):
    """A table; numbers stand at the right."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: frozenset[int] = frozenset()  # columns


def safe(text: str) -> Html:
    """Return *text* as HTML: escaped, without characters that nobody sees."""
    if isinstance(text, Html):
        return text
    seen = "".join(
        char if char.isprintable() else " "
        for char in text.encode("utf-8", "replace").decode()
    )
    return Html(escape(" ".join(seen.split())))


def sentence(text: str) -> Html:
    """Return words of companion's own as HTML: what stands in backticks is a command."""
    return Html(_CODE.sub(r"<code>\1</code>", safe(text)))


def element(name: str, /, *content: str, **attributes: str) -> Html:
    """Return one element; `klass` is its class, `_` in a name a hyphen."""
    parts = [name]
    for key, value in attributes.items():
        key = "class" if key == "klass" else key.rstrip("_").replace("_", "-")
        parts.append(f'{key}="{safe(value)}"')
    inner = "".join(safe(each) for each in content)
    return Html(f"<{' '.join(parts)}>{inner}</{name}>")


def section(id: str, title: str, *content: str) -> Html:
    """Return a section with its heading, which screen readers name it by."""
    heading = element("h2", title, id=f"{id}-title")
    return element(
        "section", heading, *content, id=id, aria_labelledby=f"{id}-title"
    )


def paragraph(text: str, *, soft: bool = False) -> Html:
    """Return a paragraph; a *soft* one is an aside."""
    if soft:
        return element("p", sentence(text), klass="soft")
    return element("p", sentence(text))


def figure(svg: str, description: str, caption: str, table: Table) -> Html:
    """Return a figure with what it shows in words, and its numbers as a table."""
    drawn = svg.replace(
        "<svg ", f'<svg role="img" aria-label="{safe(description)}" ', 1
    )
    return element(
        "figure",
        Html(drawn),
        element("figcaption", caption),
        numbers(table),
    )


def numbers(table: Table) -> Html:
    """Return a table that opens on a click."""
    summary = element("summary", f"Numbers: {table.caption}")
    return element("details", summary, draw_table(table))


def draw_table(table: Table, *, stacks: bool = False) -> Html:
    """Return *table*; one that *stacks* becomes a list of cards on a phone."""
    heads = [
        element("th", head, scope="col", **_number(table, place))
        for place, head in enumerate(table.heads)
    ]
    rows = [_draw_row(table, row) for row in table.rows]
    drawn = element(
        "table",
        element("caption", table.caption, klass="soft"),
        element("thead", element("tr", *heads)),
        element("tbody", *rows),
        klass="stack" if stacks else "",
    )
    return element(
        "div",
        drawn,
        klass="wide",
        tabindex="0",
        role="region",
        aria_label=table.caption,
    )


def _draw_row(table: Table, row: Sequence[str]) -> Html:
    cells = []
    for place, (head, cell) in enumerate(zip(table.heads, row, strict=True)):
        if place == 0:
            cells.append(element("th", cell, scope="row"))
            continue
        more = _number(table, place)
        if _DAY.fullmatch(cell):
            more = {"klass": "day"}
        cells.append(element("td", cell, data_name=head, **more))
    return element("tr", *cells)


def _number(table: Table, place: int) -> dict[str, str]:
    return {"klass": "n"} if place in table.numbers else {}


def join(parts: Iterable[str]) -> Html:
    """Return *parts*, each safe, one after the other."""
    return Html("".join(safe(part) for part in parts))


def say_nothing(what: str) -> Html:
    """Return a sentence in the place of a figure or table."""
    return paragraph(f"There are no {what} yet.", soft=True)

"""The kinds of line of a result: a terminal draws each in its way, a pipe prints it plainly."""

from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Self

# Terminals obey C0 and C1 controls (ESC, CSI, OSC) and reorder text after bidi overrides: text that
# came from a note must do neither. A line stays one line.
BIDI = [*range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_UNSAFE: dict[int, str | None] = dict.fromkeys(
    (*range(32), *range(127, 160), *BIDI)
)
_UNSAFE |= dict.fromkeys((10, 13, 8232, 8233), " ")
del _UNSAFE[0x09]


class Title(str):
    """A line that stands out on a terminal."""

    __slots__ = ()


class Aside(str):
    """A line with ids and paths, which a terminal shows dimmed."""

    __slots__ = ()


class Change(str):
    """A line of a diff, which a terminal shows in green or red."""

    __slots__ = ()


class Remark(str):
    """A line that begins with its kind, as ``hint: ...``, which a terminal shows in colour."""

    __slots__ = ()


class Passage(str):
    """A passage of a note; a terminal highlights the *words* that were looked for."""

    words: Sequence[str]

    def __new__(cls, text: str, words: Sequence[str] = ()) -> "Self":
        """Store the words beside the text."""
        passage = super().__new__(cls, text)
        passage.words = words
        return passage


class Found(Passage):
    """A result on one line: a title, words of it, and where they stand.

    A terminal leaves out as many of the words as the line is too long for it.
    """

    parts: tuple[str, str, str]

    @classmethod
    def make(
        cls, title: str, text: str, place: str, words: Sequence[str] = ()
    ) -> "Found":
        """Return the line of these parts."""
        colon = f": {text}" if text else ""
        found = cls(f"{title}{colon}  · {place}", words)
        found.parts = (title, text, place)
        return found


class Row(str):
    """A line of a table; a terminal aligns its cells with those of the rows around it.

    In a pipe each cell but the last is as wide as *widths* says, in characters, and *gap* spaces
    stand between cells.
    """

    cells: tuple[str, ...]
    indent: int

    def __new__(
        cls,
        *cells: str,
        widths: Sequence[int] = (),
        indent: int = 0,
        gap: int = 2,
    ) -> "Row":
        """Store the cells beside the line that they make in a pipe."""
        padded = [
            cell.ljust(width)
            for cell, width in zip(cells, widths, strict=False)
        ]
        words = (" " * gap).join([*padded, *cells[len(padded) :]])
        row = super().__new__(cls, " " * indent + words.rstrip())
        row.cells = cells
        row.indent = indent
        return row


class Field(Row):
    """A label and its text; a terminal shows the text of neighbouring fields in one column."""

    def __new__(
        cls,
        label: str,
        text: str,
        *,
        width: int = 8,
        indent: int = 0,
        gap: int = 2,
    ) -> "Field":
        """Store label and text as the two cells of a row."""
        return super().__new__(  # type: ignore[return-value]
            cls, label, text, widths=(width,), indent=indent, gap=gap
        )


def clean(line: str) -> str:
    """Return *line* as one line without control characters, bidi overrides and lone surrogates."""
    return as_unicode(line).translate(_UNSAFE)


def as_unicode(text: str) -> str:
    """Return *text* with a replacement character for each lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(
            "\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text
        )
    return text

"""Find the quotations of the chapters, and hold them against the texts that they quote.

A paper is not ours to keep. `quotations.txt` has the quotations as they were when somebody with the
papers at hand last found every one of them there, and the check holds the chapters against that.
"""

import re
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

COPY = "quotations.txt"
# where words were left out, and between the columns of a table
LEFT_OUT = re.compile(r"\[?…\]?| · |\[[^\]]*\]|\((?:§|abstract)[^)]*\)")


class Quotation(NamedTuple):
    """A quoted passage: the chapter that quotes it, and its parts between what was left out."""

    chapter: str
    text: str

    @property
    def parts(self) -> list[str]:
        """Return the passages that must stand in the source word for word."""
        parts = [part.strip() for part in LEFT_OUT.split(self.text)]
        return [part for part in parts if letters(part)]


def quotations(folder: Path) -> list[Quotation]:
    """Return the quotations of all chapters of *folder*, in order."""
    found = []
    for path in sorted(folder.glob("[0-9][0-9]-*.md")):
        lines = _outside_fences(path.read_text(encoding="utf-8"))
        for quoted, group in groupby(lines, key=lambda line: line[:1] == ">"):
            if quoted:
                text = " ".join(line[1:].strip() for line in group)
                found.append(Quotation(path.name, text))
    return found


def _outside_fences(text: str) -> list[str]:
    lines = []
    inside = False
    for line in text.splitlines():
        if line.startswith("```"):
            inside = not inside
        lines.append("" if inside else line)
    return lines


def letters(text: str) -> str:
    """Return the letters and digits of *text*: line ends, marks and signs differ between editions."""
    return re.sub(r"[\W_\u02c6]", "", text).casefold()


def absent(quoted: Iterable[Quotation], sources: Iterable[str]) -> list[str]:
    """Return a line for each passage that none of *sources* has."""
    texts = [letters(source) for source in sources]
    lines = []
    for quotation in quoted:
        for part in quotation.parts:
            if not any(letters(part) in text for text in texts):
                lines.append(f"{quotation.chapter}: not in the text: {part}")
    return lines


def write_copy(folder: Path, quoted: Iterable[Quotation]) -> None:
    """Record *quoted* as found in the papers."""
    (folder / COPY).write_text(_copy(quoted), encoding="utf-8")


def is_recorded(folder: Path, quoted: Iterable[Quotation]) -> bool:
    """Tell whether the chapters quote what was last found in the papers."""
    path = folder / COPY
    recorded = path.read_text(encoding="utf-8") if path.exists() else ""
    return recorded == _copy(quoted)


def _copy(quoted: Iterable[Quotation]) -> str:
    return "".join(f"{each.chapter}: {each.text}\n" for each in quoted)

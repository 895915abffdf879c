"""Read the worlds of plain notes beside this file; README.md tells of them."""

from pathlib import Path
from typing import NamedTuple

from companion.comparison.candidate_pairs import split_passages
from companion.values.relations import Statement

FOLDER = Path(__file__).parent
NAMES = ("camper", "press")


class Note(NamedTuple):
    """One note of a world."""

    tag: str  # "a1"; empty for a note that contradicts nothing
    level: str  # easy, medium or hard for a dissent, else empty
    text: str

    @property
    def statement(self) -> Statement:
        """The note as a judge gets it: a sentence a line, and its title."""
        title = None
        if self.text.startswith("# "):
            title = self.text.splitlines()[0].removeprefix("# ")
        return Statement("\n".join(split_passages(self.text)), title)


def read_world(name: str) -> list[Note]:
    """Return the notes of one world, in the order in which they were told."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    return [_note(part) for part in text.split("\n@ ")[1:]]


def _note(part: str) -> Note:
    head, _, text = part.partition("\n")
    tag = ""
    for field in head.split("|"):
        key, _, value = field.strip().partition("=")
        if key == "tag":
            tag = value
    name, _, level = tag.partition(":")
    return Note(name, level, text.strip())

"""Read the worlds of plain notes beside this file; README.md tells of them."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from companion.comparison.candidate_pairs import split_passages
from companion.pages.links import title_key
from companion.values.relations import Statement

FOLDER = Path(__file__).parent
NAMES = ("camper", "press")
#: worlds that weights are fitted on and rules are tried on
DEVELOPED = (
    "allotment",
    "altbau",
    "apiary",
    "backstube",
    "brewery",
    "buecherei",
    "camper",
    "chor",
    "climbing",
    "demenz",
    "ferry",
    "forst",
    "harriers",
    "hebamme",
    "helpdesk",
    "kater",
    "kennel",
    "keramik",
    "luthier",
    "podcast",
    "press",
    "radladen",
    "reef",
    "schwimmbad",
    "sternwarte",
    "studio",
    "wardrobe",
    "weingut",
)
#: worlds that are shut until everything is fixed
SHUT = ("migraine", "stable", "ziegen")

_LINK = re.compile(r"\[\[([^\]]+)\]\]")


class Note(NamedTuple):
    """One note of a world."""

    tag: str  # "a1"; empty for a note that contradicts nothing
    level: str  # easy, medium or hard for a dissent, else empty
    text: str
    date: str = ""
    source: str = ""
    channel: str = "notes"

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


def list_linked_titles(notes: Iterable[Note]) -> set[str]:
    """Return the keys of the titles that notes link to."""
    titles: set[str] = set()
    for note in notes:
        titles.update(map(title_key, _LINK.findall(note.text)))
    return titles


def _note(part: str) -> Note:
    head, _, text = part.partition("\n")
    date, *rest = [field.strip() for field in head.split("|")]
    fields = dict(field.split("=", 1) for field in rest)
    name, _, level = fields.get("tag", "").partition(":")
    return Note(
        name,
        level,
        text.strip(),
        date,
        fields.get("src", ""),
        fields.get("ch", "notes"),
    )

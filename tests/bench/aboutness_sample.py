"""`python -m tests.bench.aboutness_sample`: the sample of plain notes that aboutness is measured on.

`aboutness.toml` holds small worlds of pages, and notes as people drop them
into a memory. The author of the notes labelled each with the page it is about,
or with none, before any program ran on it. The halves are split by world: rules
are worked on with "dev", and of "score" only totals are looked at.

This module reads the file, refuses what does not hold together, and counts.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent
#: the files of each sample; where there are two, each half has its own
SAMPLES = {
    1: (_FOLDER / "aboutness.toml",),
    2: (_FOLDER / "aboutness-2.toml", _FOLDER / "aboutness-2-score.toml"),
    3: (_FOLDER / "aboutness-3-score.toml",),
    4: (_FOLDER / "aboutness-4-score.toml",),
    5: (_FOLDER / "aboutness-5-score.toml",),
    6: (_FOLDER / "aboutness-6-score.toml",),
    7: (_FOLDER / "aboutness-7-score.toml",),
    8: (_FOLDER / "aboutness-8.toml", _FOLDER / "aboutness-8-score.toml"),
    9: (_FOLDER / "aboutness-9.toml", _FOLDER / "aboutness-9-score.toml"),
    10: (_FOLDER / "aboutness-10.toml", _FOLDER / "aboutness-10-score.toml"),
    11: (_FOLDER / "aboutness-11.toml", _FOLDER / "aboutness-11-score.toml"),
    12: (_FOLDER / "aboutness-12.toml", _FOLDER / "aboutness-12-score.toml"),
}
#: samples of one matter: smaller, with a share of their own of notes about nothing known
ONE_MATTER = (11, 12)
HALVES = ("dev", "score")
SIDES = ("life", "work")
LANGUAGES = ("en", "de")
MIXED = "mixed"
PAGE_KINDS = (
    "person",
    "animal",
    "place",
    "thing",
    "routine",
    "project",
    "organisation",
)
#: how a note refers to the page it is about
KNOWN_KINDS = (
    "named",
    "alias",
    "role",
    "implied",
    "compound",
    "inflected",
    "link",
    "dissent",
    "update",
    "measure",
    "plan",
    "question",
    "several",
    "pronoun",
)
#: what a note about no known page is
UNKNOWN_KINDS = (
    "unknown",
    "near-miss",
    "passing",
    "several",
    "reflection",
    "quote",
    "shopping",
)
#: a page's content is of so many sentences
SENTENCES = range(2, 7)

_WORLD_KEYS = frozenset(
    {"name", "half", "side", "domain", "lang", "pages", "notes"}
)
_PAGE_KEYS = frozenset({"title", "kind", "text"})
_PAGE_OPTIONS = frozenset({"aliases", "theirs"})
_NOTE_KEYS = frozenset({"about", "kind", "text"})
_NOTE_OPTIONS = frozenset({"also", "lang", "hard", "minutes"})
_LINK = re.compile(r"\[\[([^]|#]+)")

Row = Mapping[str, Any]


class SampleError(ValueError):
    """The sample does not hold together."""


@dataclass(frozen=True)
class Page:
    """A page that a world knows before its notes come."""

    title: str
    aliases: tuple[str, ...]
    kind: str
    theirs: bool
    text: str


@dataclass(frozen=True)
class Note:
    """A note and its label: the page it is about, or none."""

    text: str
    about: str  # a page's title, "" for nothing known
    also: tuple[str, ...]  # titles of other pages that it mentions
    kind: str
    lang: str
    hard: bool  # two honest readers may differ
    # minutes since the note above was told; None: they are of different days
    minutes: int | None = None


@dataclass(frozen=True)
class World:
    """The pages and notes of one person."""

    name: str
    half: str
    side: str
    domain: str
    lang: str
    pages: tuple[Page, ...]
    notes: tuple[Note, ...]

    @property
    def titles(self) -> tuple[str, ...]:
        """Return the titles of the pages, in the file's order."""
        return tuple(page.title for page in self.pages)


@dataclass(frozen=True)
class Counts:
    """How many notes of each sort some worlds have."""

    notes: int
    known: int
    hard: int
    half: Counter[str]
    side: Counter[str]
    domain: Counter[str]
    lang: Counter[str]
    kind: Counter[str]

    @property
    def unknown(self) -> int:
        """Return the number of notes about nothing known."""
        return self.notes - self.known


def worlds(half: str | None = None, number: int = 1) -> list[World]:
    """Return the worlds of one *half* of a sample, or all, validated."""
    every: list[World] = []
    for path in SAMPLES[number]:
        every += read_sample(path.read_text(encoding="utf-8"))
    return [world for world in every if half in (None, world.half)]


def read_sample(text: str) -> tuple[World, ...]:
    """Return the worlds that the TOML *text* holds.

    Raises SampleError where an entry has a key or a value that is not
    foreseen, a label names no page of its world, or a note stands twice.
    """
    rows = tomllib.loads(text)["world"]
    every = tuple(_read_world(row) for row in rows)
    _refuse_twice("world", (world.name for world in every))
    _refuse_twice(
        "note",
        (fold_text(note.text) for world in every for note in world.notes),
    )
    return every


def fold_text(text: str) -> str:
    """Return *text* without case, punctuation and breaks: the same note."""
    return " ".join(re.findall(r"\w+", text.casefold()))


def count(sample: Iterable[World]) -> Counts:
    """Count the notes of the worlds in *sample*."""
    pairs = [(world, note) for world in sample for note in world.notes]
    return Counts(
        notes=len(pairs),
        known=sum(1 for _, note in pairs if note.about),
        hard=sum(1 for _, note in pairs if note.hard),
        half=Counter(world.half for world, _ in pairs),
        side=Counter(world.side for world, _ in pairs),
        domain=Counter(world.domain for world, _ in pairs),
        lang=Counter(note.lang for _, note in pairs),
        kind=Counter(note.kind for _, note in pairs),
    )


def _read_world(row: Row) -> World:
    name = str(row.get("name", ""))
    _check_keys(name, row, _WORLD_KEYS, frozenset())
    _check_value(name, row["half"], HALVES)
    _check_value(name, row["side"], SIDES)
    _check_value(name, row["lang"], (*LANGUAGES, MIXED))
    pages = tuple(_read_page(name, each) for each in row["pages"])
    _refuse_twice(f"{name}: name", _names(pages))
    titles = tuple(page.title for page in pages)
    notes = tuple(
        _read_note(name, row["lang"], titles, each) for each in row["notes"]
    )
    return World(
        name=name,
        half=row["half"],
        side=row["side"],
        domain=row["domain"],
        lang=row["lang"],
        pages=pages,
        notes=notes,
    )


def _names(pages: Sequence[Page]) -> Iterable[str]:
    """Yield every title and alias: a world's names are unambiguous."""
    for page in pages:
        yield page.title.casefold()
        yield from (alias.casefold() for alias in page.aliases)


def _read_page(world: str, row: Row) -> Page:
    where = f"{world}: {row.get('title', '')}"
    _check_keys(where, row, _PAGE_KEYS, _PAGE_OPTIONS)
    _check_value(where, row["kind"], PAGE_KINDS)
    return Page(
        title=row["title"],
        aliases=tuple(row.get("aliases", ())),
        kind=row["kind"],
        theirs=row.get("theirs", False),
        text=row["text"],
    )


def _read_note(world: str, lang: str, titles: Sequence[str], row: Row) -> Note:
    where = f"{world}: {str(row.get('text', ''))[:40]}"
    _check_keys(where, row, _NOTE_KEYS, _NOTE_OPTIONS)
    note = Note(
        text=row["text"],
        about=row["about"],
        also=tuple(row.get("also", ())),
        kind=row["kind"],
        lang=row.get("lang", lang),
        hard=row.get("hard", False),
        minutes=row.get("minutes"),
    )
    _check_value(where, note.lang, LANGUAGES)
    _check_label(where, note, titles)
    return note


def _check_label(where: str, note: Note, titles: Sequence[str]) -> None:
    kinds = KNOWN_KINDS if note.about else UNKNOWN_KINDS
    _check_value(where, note.kind, kinds)
    _refuse_twice(where, (note.about, *note.also))
    if not note.text.strip():
        raise SampleError(f"{where}: the note has no words")
    for title in (*note.also, *_LINK.findall(note.text)):
        _check_value(where, title, titles)
    if note.about:
        _check_value(where, note.about, titles)


def _check_keys(
    where: str, row: Row, needed: frozenset[str], optional: frozenset[str]
) -> None:
    wrong = (needed - row.keys()) | (row.keys() - needed - optional)
    if wrong:
        raise SampleError(f"{where}: missing or unknown key {min(wrong)!r}")


def _check_value(where: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise SampleError(f"{where}: {value!r} is none of {list(allowed)}")


def _refuse_twice(what: str, values: Iterable[str]) -> None:
    times = Counter(values)
    twice = [value for value, n in times.items() if n > 1]
    if twice:
        raise SampleError(f"{what}: twice {twice[0]!r}")


def _print_counts(name: str, counts: Counts) -> None:
    print(
        f"{name}: {counts.notes} notes, {counts.known} about a page,"
        f" {counts.unknown} about nothing known, {counts.hard} hard"
    )
    for field in ("side", "domain", "lang", "kind"):
        tally: Counter[str] = getattr(counts, field)
        parts = [f"{key} {n}" for key, n in sorted(tally.items())]
        print(f"  {field}: {', '.join(parts)}")


def main() -> None:
    """Print how many notes of each sort the halves have."""
    for number in SAMPLES:
        print(f"sample {number}")
        for half in HALVES:
            _print_counts(half, count(worlds(half, number)))


if __name__ == "__main__":
    main()

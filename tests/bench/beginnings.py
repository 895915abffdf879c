"""`python -m tests.bench beginnings`: what pages notes begin in a wiki that knows none.

The lives of `beginnings.toml` are told three notes a day, with a night each. Their owner labelled each
note with what it is about, as they would call the page. Rules are worked on with the half "dev"; of
"score" only totals are printed.
"""

import tempfile
import tomllib
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from companion.lookup.index import current_index
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench.gathering import is_title_of
from tests.bench.life import Life

START = datetime(2026, 3, 2, 8, tzinfo=UTC)
PER_DAY = 3
ENOUGH = 3  # notes of a subject that ought to have a page

_FILE = Path(__file__).parent / "beginnings.toml"
_NOTHING = "-"


class Told(NamedTuple):
    """A note, its label, and where it stands in the end."""

    about: str  # "" for nothing that comes back
    text: str
    title: str = ""  # of its page; "" for a day


class Outcome(NamedTuple):
    """What a life's notes became."""

    name: str
    told: tuple[Told, ...]
    titles: tuple[str, ...]  # of the pages that began


def beginnings(half: str = "dev") -> None:
    """Tell the lives of *half*, and print what became of their subjects."""
    found = live_half(half)
    _print_totals(found)
    if half == "dev":
        for one in found:
            _print_life(one)


def live_half(half: str) -> list[Outcome]:
    """Return what became of the notes of each life of *half*."""
    return [
        _live(name, notes)
        for name, life_half, notes in read_lives()
        if life_half == half
    ]


def read_lives() -> list[tuple[str, str, list[Told]]]:
    """Return the name, the half and the notes of each life."""
    rows = tomllib.loads(_FILE.read_text("utf-8"))["life"]
    return [(row["name"], row["half"], _read_notes(row)) for row in rows]


def _read_notes(row: dict[str, str]) -> list[Told]:
    notes = []
    for line in row["notes"].strip().splitlines():
        about, _, text = line.partition(" | ")
        notes.append(Told("" if about == _NOTHING else about, text))
    return notes


def _live(name: str, notes: list[Told]) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="companion-begin-") as folder:
        life = Life(Path(folder) / "wiki", format_instant(START))
        ids: list[str | None] = []
        for first in range(0, len(notes), PER_DAY):
            morning = START + timedelta(days=first // PER_DAY)
            for place, note in enumerate(notes[first : first + PER_DAY]):
                life.at(format_instant(morning + timedelta(hours=3 * place)))
                ids += life.tell([Draft(note.text)])
            life.at(format_instant(morning + timedelta(hours=13)))
            life.night()
        return _read_outcome(life, name, notes, ids)


def _read_outcome(
    life: Life, name: str, notes: list[Told], ids: list[str | None]
) -> Outcome:
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    pages = {
        entry: "" if path.startswith("journal/") else title
        for entry, path, title in db.execute(
            "SELECT id, path, title FROM entries WHERE managed AND NOT tombstone"
        )
    }
    where = dict(db.execute("SELECT capture, entry FROM consumed"))
    told = [
        note._replace(title=pages.get(where.get(id, ""), ""))
        for note, id in zip(notes, ids, strict=True)
        if id is not None
    ]
    titles = sorted(filter(None, pages.values()))
    return Outcome(name, tuple(told), tuple(titles))


def _print_totals(found: list[Outcome]) -> None:
    for what, count, of in count_totals(found):
        print(f"{what}: {count} of {of}")


def count_totals(found: list[Outcome]) -> list[tuple[str, int, int]]:
    """Return what is counted of all lives: its name, how many, and of how many."""
    told = [note for one in found for note in one.told]
    due = [(one, subject) for one in found for subject in _list_due(one)]
    have = sum(_has_page(one, subject) for one, subject in due)
    known = [note for note in told if note.about]
    right = sum(_stands_right(note) for note in known)
    wrong = sum(bool(note.title) and not _stands_right(note) for note in known)
    loose = [note for note in told if not note.about]
    astray = sum(bool(note.title) for note in loose)
    pages = [(one, title) for one in found for title in one.titles]
    named = sum(_is_of_subject(one, title) for one, title in pages)
    return [
        (f"subjects of {ENOUGH} notes that have a page", have, len(due)),
        ("their notes that stand on it", right, len(known)),
        ("their notes that stand elsewhere", wrong, len(known)),
        ("notes about nothing that stand on a page", astray, len(loose)),
        ("pages that a subject names", named, len(pages)),
    ]


def _print_life(one: Outcome) -> None:
    print(f"\n{one.name}: {'; '.join(one.titles)}")
    for subject in _list_due(one):
        if not _has_page(one, subject):
            print(f"  no page: {subject}")
    for note in one.told:
        if note.title and not _stands_right(note):
            print(
                f"  on {note.title!r}, about {note.about or 'nothing'}: {note.text}"
            )
        elif not note.title and _has_page(one, note.about):
            print(f"  on a day, about {note.about}: {note.text}")


def _list_due(one: Outcome) -> list[str]:
    counted = Counter(note.about for note in one.told if note.about)
    return [subject for subject, n in counted.items() if n >= ENOUGH]


def _has_page(one: Outcome, subject: str) -> bool:
    return any(is_title_of(title, subject) for title in one.titles)


def _is_of_subject(one: Outcome, title: str) -> bool:
    return any(is_title_of(title, note.about) for note in one.told)


def _stands_right(note: Told) -> bool:
    return bool(note.title and note.about) and is_title_of(
        note.title, note.about
    )

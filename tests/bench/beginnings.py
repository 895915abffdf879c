"""`python -m tests.bench beginnings`: what pages notes begin in a wiki that knows none.

The lives of `beginnings.toml` are told three notes a day, with a night each; with `--sample 2`
those of `beginnings-2.toml`. Their owner labelled each note with what it is about, as they would
call the page. Rules are worked on with the half "dev"; of "score" only totals are printed.
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
_EITHER = " or "  # between two subjects, of which a note may be about either


class Told(NamedTuple):
    """A note, its label, and where it stands in the end."""

    about: tuple[str, ...]  # what would do; nothing for what never comes back
    text: str
    title: str = ""  # of its page; "" for a day


class Outcome(NamedTuple):
    """What a life's notes became."""

    name: str
    told: tuple[Told, ...]
    titles: tuple[str, ...]  # of the pages that began


def beginnings(half: str = "dev", sample: int = 1) -> None:
    """Tell the lives of *half*, and print what became of their subjects."""
    found = live_half(half, sample)
    _print_totals(found)
    if half == "dev":
        for one in found:
            _print_life(one)


def live_half(half: str, sample: int = 1) -> list[Outcome]:
    """Return what became of the notes of each life of *half* of *sample*."""
    return [
        _live(name, notes)
        for name, life_half, notes in read_lives(sample)
        if life_half == half
    ]


def read_lives(sample: int = 1) -> list[tuple[str, str, list[Told]]]:
    """Return the name, the half and the notes of each life of *sample*."""
    name = f"beginnings-{sample}.toml" if sample > 1 else _FILE.name
    rows = tomllib.loads(_FILE.with_name(name).read_text("utf-8"))["life"]
    return [(row["name"], row["half"], _read_notes(row)) for row in rows]


def _read_notes(row: dict[str, str]) -> list[Told]:
    notes = []
    for line in row["notes"].strip().splitlines():
        about, _, text = line.partition(" | ")
        known = () if about == _NOTHING else tuple(about.split(_EITHER))
        notes.append(Told(known, text))
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
            about = _EITHER.join(note.about) or "nothing"
            print(f"  on {note.title!r}, about {about}: {note.text}")
        elif not note.title and _has_any_page(one, note.about):
            print(f"  on a day, about {note.about[0]}: {note.text}")


def _list_due(one: Outcome) -> list[str]:
    counted = Counter(
        note.about[0] for note in one.told if len(note.about) == 1
    )
    return [subject for subject, n in counted.items() if n >= ENOUGH]


def _has_any_page(one: Outcome, subjects: tuple[str, ...]) -> bool:
    return any(_has_page(one, subject) for subject in subjects)


def _has_page(one: Outcome, subject: str) -> bool:
    return any(is_title_of(title, subject) for title in one.titles)


def _is_of_subject(one: Outcome, title: str) -> bool:
    return any(_is_about(note, title) for note in one.told)


def _stands_right(note: Told) -> bool:
    return bool(note.title) and _is_about(note, note.title)


def _is_about(note: Told, title: str) -> bool:
    return any(is_title_of(title, subject) for subject in note.about)

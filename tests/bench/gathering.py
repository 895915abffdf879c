"""A life of plain notes, told a few a day: what pages they become, and whether nights stay flat.

The notes are made here from a fixed seed, English and German: people, things, places, routines and
measurements that come back now and then, and one note in four about nothing that ever does. None
has a title. The nights are real runs in one process that does not wait for the disk.
"""

import json
import random
import re
import shutil
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from companion.language.names.name_forms import is_form_of
from companion.lookup.index import current_index
from companion.pages.links import choose, fold, key
from companion.values.captures import Draft
from companion.values.time import format_instant
from tests.bench import bare
from tests.bench.life import Life, open_life

START = datetime(2026, 1, 1, 8, tzinfo=UTC)
SEED = 20261123
# the heading of a note on its page
_DAY = re.compile(r"^## (\d{4}-\d\d-\d\d) ", re.MULTILINE)
ON_A_DAY = "on a day"
ON_ANOTHER = "on a page of another subject"
ON_ITS_OWN = "on the page of its subject"
PLACES = (ON_A_DAY, ON_ANOTHER, ON_ITS_OWN)

PEOPLE = (
    "Anna", "Paul Weber", "Dr. Klein", "Mrs Brandt", "Yusuf", "Ingrid", "Tomasz", "Frau Vogt",
    "Lea", "Oskar", "Prof. Adler", "Nadia", "Herr Petersen", "Mira", "Jonas",
)  # fmt: skip
THINGS = {
    "en": ("boiler", "dishwasher", "allotment", "bike", "choir", "garage", "tax return", "printer",
           "night shift", "newsletter"),
    "de": ("Heizung", "Waschmaschine", "Garten", "Fahrrad", "Chor", "Garage", "Steuererklärung",
           "Drucker", "Nachtdienst", "Vereinskasse"),
}  # fmt: skip
ABOUT_PEOPLE = {
    "en": ("{} called about the keys", "Saw {} at the market, we talked for an hour.",
           "{} is moving to {} in {}", "{} prefers tea now, no more coffee",
           "Lunch with {}. The new job starts in {}.", "{} sent photos from {}",
           "Remember: {} is away until {}", "{} thinks we should sell the car",
           "{}'s sister lives in {}"),
    "de": ("{} hat wegen der Schlüssel angerufen", "{} auf dem Markt getroffen.",
           "{} zieht im {} nach {}", "{} trinkt jetzt nur noch Tee",
           "Mittagessen mit {}. Die neue Stelle beginnt im {}.", "{} hat Fotos aus {} geschickt",
           "{} ist bis {} verreist", "{} meint, wir sollten das Auto verkaufen"),
}  # fmt: skip
ABOUT_THINGS = {
    "en": ("the {} makes noises again", "The {} was repaired today, {} euros",
           "need a new part for the {}, ask {}", "the {} is fine now",
           "appointment for the {} on {}", "the {} costs too much, look for another one"),
    "de": ("{} macht wieder Geräusche", "Heute {} repariert, {} Euro",
           "brauche ein Ersatzteil, {}, frag {}", "{} läuft wieder",
           "Termin wegen {} am {}", "{} kostet zu viel, etwas anderes suchen"),
}  # fmt: skip
LOOSE = {
    "en": ("slept badly, {} hours", "the film about {} was too long", "rain since {}",
           "read {} pages on the train", "why do {} never ask?", "bought {} and bread",
           "a good day, {} and sun", "dreamt of {} again"),
    "de": ("schlecht geschlafen, {} Stunden", "der Film über {} war zu lang", "Regen seit {}",
           "{} Seiten im Zug gelesen", "warum fragen {} nie?", "{} und Brot gekauft",
           "ein guter Tag, {} und Sonne", "wieder von {} geträumt"),
}  # fmt: skip
FILL = (
    "March", "Bergen", "Lyon", "Friday", "Monday", "forty", "whales", "glass", "neighbours",
    "lamps", "pears", "ferries", "Graz", "Lisbon", "autumn", "June", "eleven", "candles", "thunder",
    "maps",
)  # fmt: skip


class Told(NamedTuple):
    """A note of the made-up life, and what it was made to be about."""

    text: str
    about: str  # empty: about nothing that comes back


def make_note(chance: random.Random) -> Told:
    """Return one note."""
    language = chance.choice(("en", "de"))
    kind = chance.random()
    if kind < 0.45:
        subject = chance.choice(PEOPLE)
        form = chance.choice(ABOUT_PEOPLE[language])
    elif kind < 0.7:
        subject = chance.choice(THINGS[language])
        form = chance.choice(ABOUT_THINGS[language])
    elif kind < 0.75:
        return Told(f"weight {chance.randint(790, 840) / 10} kg", "weight")
    else:
        subject = ""
        form = chance.choice(LOOSE[language])
    fill = [chance.choice(FILL) for _ in range(3)]
    words = [subject, *fill] if subject else fill
    return Told(form.format(*words), subject)


#: nights that a young and an old copy of a wiki live with the same notes, in turns
_NIGHTS = 12
#: days after which a longer life says what its nights cost until then
_LOOKS = (60, 120, 180, 240, 330, 440, 540, 660, 780, 900, 1_095)


class _Past(NamedTuple):
    """What a life needs to go on from one of its mornings."""

    days: int
    dice: list[Any]
    costs: list[float]
    paces: list[float]
    abouts: dict[str, str]


class Became(NamedTuple):
    """What became of a life's notes."""

    notes: int
    pages: int
    days: int  # pages of days
    #: whether a note has a subject, and where it stands -> how many
    homes: Counter[tuple[bool, str]]
    links: int
    resolved: int  # of these, by file name alone

    def count(self, place: str, *, known: bool) -> str:
        """Return how many notes with a subject, or about nothing, stand at *place*."""
        all_of_them = sum(
            n for (has, _), n in self.homes.items() if has == known
        )
        return f"{self.homes[known, place]:,} of {all_of_them:,}"


def gathering(
    work: Path,
    days: int,
    keep: Path | None = None,
    per_day: int = 10,
    seed: int | None = None,
) -> Became:
    """Live *days* days of *per_day* notes, a night each; print and return what became of them.

    In the folder *keep* a life that was ended goes on where it was.
    """
    bare.forget_durability()
    folder = keep or work
    folder.mkdir(parents=True, exist_ok=True)
    root, record = folder / "life", folder / "life.json"
    chance = random.Random(SEED if seed is None else seed)
    past = _Past(0, list(chance.getstate()), [], [], {})
    if record.exists():
        past = _Past(*json.loads(record.read_text("utf-8")))
        life = open_life(root)
    else:
        life = Life(root, format_instant(START - timedelta(days=1)))
    version, numbers, gauss = past.dice
    chance.setstate((version, tuple(numbers), gauss))
    costs, paces, abouts = past.costs, past.paces, past.abouts
    for day in range(past.days, days):
        _tell_a_day(
            life, day, [make_note(chance) for _ in range(per_day)], abouts
        )
        cost, pace = _measure_night(life)
        costs.append(cost)
        paces.append(pace)
        if day + 1 == days // 4:
            shutil.copytree(root, folder / "young", symlinks=True)
        if day + 1 in _LOOKS and day + 1 < days:
            print(f"after {day + 1:,} days:", flush=True)
            _print_costs(costs, paces)
        now = _Past(day + 1, list(chance.getstate()), costs, paces, abouts)
        record.write_text(json.dumps(now), "utf-8")
    _print_costs(costs, paces)
    if days // 4:
        shutil.copytree(root, folder / "old", symlinks=True)
        compare_ages((folder / "young", days // 4), (folder / "old", days))
    became = _count_pages(life, abouts)
    _print_pages(life, abouts, became)
    _print_story(root)
    return became


def compare_ages(young: tuple[Path, int], old: tuple[Path, int]) -> None:
    """Print what nights of the same notes cost in a young and in an old wiki, lived in turns.

    Each is a folder and the days that it has lived. Whatever else the machine does, it does to
    both.
    """
    bare.forget_durability()
    chance = random.Random(SEED + 1)
    costs: tuple[list[float], list[float]] = ([], [])
    for night in range(_NIGHTS):
        notes = [make_note(chance) for _ in range(10)]
        for (root, days), spent in zip((young, old), costs, strict=True):
            spent.append(_live_a_day(open_life(root), days + night, notes))
    medians = [statistics.median(spent[1:]) for spent in costs]
    totals = [sum(spent[1:]) for spent in costs]
    print(
        f"nights of the same notes, after {young[1]:,} and {old[1]:,} days, in turns: median"
        f" {medians[0]:.3f} and {medians[1]:.3f} CPU s, {medians[1] / medians[0]:.2f} times;"
        f" all {totals[1] / totals[0]:.2f} times"
    )


def _live_a_day(life: Life, day: int, notes: Sequence[Told]) -> float:
    """Tell *notes* on a day, and return the CPU seconds of its night."""
    _tell_a_day(life, day, notes, {})
    return _measure_night(life)[0]


def _tell_a_day(
    life: Life, day: int, notes: Sequence[Told], abouts: dict[str, str]
) -> None:
    """Tell *notes* on a day, half an hour apart, and keep what each is about."""
    morning = START + timedelta(days=day)
    for n, note in enumerate(notes):
        life.at(format_instant(morning + timedelta(minutes=30 * n)))
        # every note about nothing is told in its own words
        text = f"{note.text} ({day}.{n})" if not note.about else note.text
        for id in life.tell([Draft(text)]):
            if id is not None:
                abouts[id] = note.about
    life.at(format_instant(morning + timedelta(hours=15)))


def _measure_night(life: Life) -> tuple[float, float]:
    """Return the CPU seconds of a night, and those of the fixed work beside it."""
    pace = measure_pace()
    before = time.process_time()
    life.night()
    cost = time.process_time() - before
    _let_a_day_pass(life)
    return cost, (pace + measure_pace()) / 2


def _let_a_day_pass(life: Life) -> None:
    """Drop the replaced files, which a night keeps for 24 hours of the real clock."""
    for kept in Path(life.place.beside, "kept").glob("*"):
        kept.unlink()


def measure_pace() -> float:
    """Return the CPU seconds of a piece of work that is always the same.

    On a machine that others use a CPU second does more at one hour than at another.
    """
    before = time.process_time()
    counted: Counter[str] = Counter()
    for number in range(60_000):
        counted[str(number * 7919 % 4_001)] += number
    json.loads(json.dumps(counted.most_common()))
    return time.process_time() - before


def _print_costs(costs: list[float], paces: list[float]) -> None:
    """Print the median night of each sixth of the life, and the last against the second: in CPU
    seconds, and in such pieces of work as were done right before and after each night.
    """
    _print_sixths("CPU s a night", costs)
    works = [cost / pace for cost, pace in zip(costs, paces, strict=True)]
    _print_sixths("pieces of fixed work a night", works)


def _print_sixths(label: str, values: list[float]) -> None:
    size = max(1, len(values) // 6)
    medians = [
        statistics.median(values[n : n + size])
        for n in range(0, size * 6, size)
        if values[n : n + size]
    ]
    told = " ".join(f"{m:.3f}" for m in medians)
    print(f"{label}, by sixths: {told}", flush=True)
    if len(medians) == 6:
        ratio = medians[5] / medians[1]
        print(f"last sixth / second sixth: {ratio:.2f}", flush=True)


def _count_pages(life: Life, abouts: dict[str, str]) -> Became:
    pages = _read_pages(life)
    where = _read_places(life)
    homes = [
        (abouts.get(id, ""), *pages.get(where[id], ("", ""))) for id in where
    ]
    days = sum(path.startswith("journal/") for path, _ in pages.values())
    return Became(
        len(where), len(pages), days, _count_homes(homes), *_count_links(life)
    )


def _read_pages(life: Life) -> dict[str, tuple[str, str]]:
    """Return the path and the title of each page of companion's, by its id."""
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    query = (
        "SELECT id, path, title FROM entries WHERE managed AND NOT tombstone"
    )
    return {id: (path, title) for id, path, title in db.execute(query)}


def _read_places(life: Life) -> dict[str, str]:
    """Return the page of each note."""
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    return dict(db.execute("SELECT capture, entry FROM consumed"))


def _print_pages(life: Life, abouts: dict[str, str], became: Became) -> None:
    pages = _read_pages(life)
    where = _read_places(life)
    notes = became.notes
    on_days = sum(
        n for (_, place), n in became.homes.items() if place == ON_A_DAY
    )
    print(
        f"{notes:,} notes, {became.pages:,} pages: {became.pages / notes:.3f} a note, without days"
        f" {(became.pages - became.days) / notes:.3f}; {on_days / notes:.1%} stand on a day"
    )
    titles: dict[str, Counter[str]] = {}
    for id in (id for id in where if abouts.get(id)):
        path, title = pages.get(where[id], ("", "?"))
        if path.startswith("journal/"):
            title = "(a day)"
        titles.setdefault(abouts[id], Counter())[title] += 1
    for about, counted in sorted(titles.items()):
        told = ", ".join(f"{t} {n}" for t, n in counted.most_common(4))
        print(f"  {about}: {told}")
    for known, label in ((True, "with a subject"), (False, "about nothing")):
        for place in PLACES:
            print(f"notes {label} {place}: {became.count(place, known=known)}")
    print(
        f"links with a page: {became.links:,}, by file name {became.resolved:,}"
    )
    others = {
        t for path, t in pages.values() if not path.startswith("journal/")
    }
    print("pages: " + "; ".join(sorted(others)[:120]))


def _count_homes(
    homes: list[tuple[str, str, str]],
) -> Counter[tuple[bool, str]]:
    """Count where notes stand, given what each is about and its page's path and title.

    A page is that of a subject if its name has all words of the page's title, in any form: "Paul"
    is the page of Paul Weber. A note about nothing that comes back stands right on its day only.
    """
    counted: Counter[tuple[bool, str]] = Counter()
    for about, path, title in homes:
        place = ON_ANOTHER
        if path.startswith("journal/"):
            place = ON_A_DAY
        elif about and is_title_of(title, about):
            place = ON_ITS_OWN
        counted[bool(about), place] += 1
    return counted


def is_title_of(title: str, subject: str) -> bool:
    """Tell whether the name *subject* has all words of *title*, in any form."""
    names = fold(subject).split()
    words = fold(title).split()
    return bool(words) and all(
        any(is_form_of(word, name) for name in names) for word in words
    )


def _count_links(life: Life) -> tuple[int, int]:
    """Return how many links of pages have a page, and how many of them resolve by file name alone,
    as Obsidian resolves them.
    """
    db = current_index(life.ws, life.ws.journal())
    assert db is not None
    paths: dict[str, list[str]] = {}
    for (path,) in db.execute("SELECT path FROM pages WHERE branch IS NULL"):
        paths.setdefault(key(path), []).append(path)
    rows = db.execute("SELECT page, target, to_path FROM links").fetchall()
    with_page = [row for row in rows if row[2] is not None]
    resolved = sum(
        choose(target, page, paths.get(key(target), ())) is not None
        for page, target, _ in with_page
    )
    return len(with_page), resolved


def _print_story(root: Path) -> None:
    """Print what `git log` says of the page of the person named most, and of those of all."""
    pages = {path.stem: path for path in root.glob("entries/**/*.md")}
    found = [pages[name] for name in PEOPLE if name in pages]
    stories = [_Story(_log(root, path), _count_days(path)) for path in found]
    for path, story in zip(found[:1], stories, strict=False):
        print(f"{path.relative_to(root)}: {story}")
        print("\n".join(f"  {line}" for line in story.commits[:5]))
    commits = sum(len(story.commits) for story in stories)
    days = sum(story.days for story in stories)
    print(
        f"pages of {len(found)} people: {commits:,} commits, notes of"
        f" {days:,} days, {commits / max(days, 1):.2f} a day"
    )


class _Story(NamedTuple):
    """What git says of a page, and on how many days its notes were told."""

    commits: Sequence[str]
    days: int

    def __str__(self) -> str:
        return f"{len(self.commits)} commits, notes of {self.days} days"


def _log(root: Path, path: Path) -> list[str]:
    """Return the names and subjects of the commits of the page at *path*."""
    log = ["git", "log", "--format=%h %s", "--", str(path.relative_to(root))]
    story = subprocess.run(
        log, cwd=root, capture_output=True, text=True, check=True
    )
    return story.stdout.splitlines()


def _count_days(path: Path) -> int:
    """Return on how many days the notes on the page at *path* were told."""
    return len(set(_DAY.findall(path.read_text("utf-8"))))

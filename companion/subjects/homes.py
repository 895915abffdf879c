"""Choose the page that each note stands on which asks for no title of its own.

A note joins the page that it is about. About nothing known, or about a page that is its owner's, it
stands on the page of its day: `journal/2026/2026-11-22.md`, or `2026-11-22 (notes).md` where its
owner has a note of that name. A private note is placed nowhere.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from companion.comparison.pending import (
    Home,
    PendingCapture,
    Placement,
    TitledPage,
    requested_title,
)
from companion.language.protocols import Embedder
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.read_notes import Readings
from companion.pages import ids, links
from companion.pages.frontmatter import read_front
from companion.runs.run import Run
from companion.storage.index.history import list_entry_events
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.names import has_file_name
from companion.storage.index.tables.pages.statements import find_belonging
from companion.subjects.aboutness import decide_aboutness
from companion.subjects.collect import collect_subjects
from companion.subjects.neighbours import follow_neighbours
from companion.subjects.values import About, Note
from companion.values.claims import Claim
from companion.values.time import local_day

FOLDER = "journal"
# days of one name that are tried where their owner deleted the first ones
_MOST_DAYS = 100
_SEVERAL = "it changes what several pages state, and names none of them"


def find_aboutness(
    run: Run,
    captures: Sequence[PendingCapture],
    readings: Readings,
    embedder: Embedder | None,
) -> dict[str, About]:
    """Return what each open, readable note is about that has no title of its own.

    One with frontmatter is a page already, and stays one.
    """
    contents = run.contents()
    notes = []
    for told in captures:
        if not asks_for_no_title(told):
            continue
        capture = told.capture
        text = contents[capture.id].decode("utf-8", "replace")
        if not read_front(text).meta:
            claims = readings.claims(capture.id)
            notes.append(
                Note(
                    capture.id,
                    text,
                    None,
                    capture.edges,
                    tuple(claim.subject for claim in claims),
                    find_belonging(run.db, capture.id),
                    *find_telling(told),
                )
            )
    if not notes:
        return {}
    wiki = collect_subjects(run, notes, embedder)
    run.progress.begin("finding the page of each note", len(notes))
    about: dict[str, About] = {}
    for note in notes:
        about |= decide_aboutness([note], wiki)
        run.progress(1)
    about = follow_neighbours(notes, about)
    for note in notes:
        guess = about[note.capture]
        claims = readings.claims(note.capture)
        if guess.rule == "vector" and _may_change_several(run, claims):
            about[note.capture] = About(None, "unknown", _SEVERAL)
    return about


def find_telling(told: PendingCapture) -> tuple[str | None, str]:
    """Return when a note was told first, and by whom."""
    if not told.sightings:
        return None, ""
    first = told.sightings[0]
    at = first.event_time if first.explicit else first.seen_at
    return at, first.agent or first.source or ""


def _may_change_several(run: Run, claims: Sequence[Claim]) -> bool:
    """Tell whether *claims* state a change of what several pages state.

    Then nearness must not choose the page: it would decide whose fact changes.
    """
    for claim in claims:
        if not claim.change:
            continue
        recorded = list_claims_on_matter(run.db, claim.key)
        if len({one.entry for one in recorded if one.entry}) > 1:
            return True
    return False


def asks_for_no_title(told: PendingCapture) -> bool:
    """Tell whether a note is readable by all and has no title of its own."""
    if told.private or told.lost or told.held:
        return False
    return requested_title(told) is None


def place_notes(
    run: Run,
    captures: Sequence[PendingCapture],
    about: Mapping[str, About],
) -> dict[str, Placement]:
    """Return where each of *captures* stands of which *about* knows what it is about."""
    chooser = _HomeChooser(run)
    placements = {}
    for told in captures:
        found = about.get(told.capture.id)
        if found is not None:
            placements[told.capture.id] = chooser.place(told, found)
    return placements


class _HomeChooser:
    """Chooses homes; pages and days are looked up once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._days: dict[str, Home] = {}

    def place(self, told: PendingCapture, about: About) -> Placement:
        """Return where one note stands."""
        entry = find_entry(self._run.db, about.entry)
        mentions = list(about.mentions)
        figures = f" ({about.figures})" if about.figures else ""
        if entry is not None and may_take_notes(entry):
            home = _home_of(entry)
            reason = f"Joins {entry.title}: {about.reason}.{figures}"
            return Placement(
                home, about.rule, reason, self._list_pages(mentions, home)
            )
        home = self._day_of(told)
        reason = f"Stands on its day, {home.title}: {about.reason}.{figures}"
        if entry is not None:
            mentions.insert(0, entry.id)
            reason = (
                f"Stands on its day, {home.title}: it is about {entry.title}, "
                f"a page that companion does not write ({about.reason})."
                f"{figures}"
            )
        return Placement(
            home, about.rule, reason, self._list_pages(mentions, home)
        )

    def _list_pages(
        self, entries: Sequence[str], home: Home
    ) -> tuple[TitledPage, ...]:
        pages = []
        for id in dict.fromkeys(entries):
            row = find_entry(self._run.db, id)
            if row is None or row.tombstone or row.id == home.entry:
                continue
            managed = may_take_notes(row)
            pages.append(
                TitledPage(row.id, row.path, row.blob, managed, row.title)
            )
        return tuple(pages)

    def _day_of(self, told: PendingCapture) -> Home:
        first = told.sightings[0]
        day = local_day(first.event_time, first.utc_offset)
        if day not in self._days:
            self._days[day] = self._find_day(day)
        return self._days[day]

    def _find_day(self, day: str) -> Home:
        """Return the page of a *day*: the first one that its owner left to companion."""
        for turn in range(1, _MOST_DAYS):
            key = day if turn == 1 else f"{day} ({turn})"
            entry = ids.subject_id("day", key)
            row = find_entry(self._run.db, entry)
            if may_begin(self._run.db, entry):
                return self._new_day(key, entry)
            assert row is not None  # what may not begin is there
            if may_take_notes(row):
                return Home(entry, row.path, row.title, row.blob, "day", key)
        raise AssertionError(f"{_MOST_DAYS} pages of {day} were deleted")

    def _new_day(self, key: str, entry: str) -> Home:
        name = key
        beside = ""
        if has_file_name(self._run.db, links.fold(name)):
            beside = name
            name = f"{key} (notes)"
        path = f"{FOLDER}/{key[:4]}/{name}.md"
        return Home(entry, path, name, None, "day", key, beside, key)


def may_begin(db: sqlite3.Connection, entry: str) -> bool:
    """Tell whether the page of *entry* may begin: it never was, or an undo took it away.

    One that its owner deleted is not made again.
    """
    row = find_entry(db, entry)
    if row is None:
        return True
    deleted = list_entry_events(db, entry, ["deleted"])
    return row.tombstone and bool(deleted) and deleted[-1].operation == "undo"


def may_take_notes(entry: EntryRow) -> bool:
    """Tell whether companion may write notes on the page of *entry*."""
    return (
        entry.managed
        and not entry.tombstone
        and not entry.quarantined
        and entry.state == "active"
    )


def _home_of(entry: EntryRow) -> Home:
    return Home(entry.id, entry.path, entry.title, entry.blob, "page")

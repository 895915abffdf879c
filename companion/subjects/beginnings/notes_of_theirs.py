"""Notes about a page that companion does not write: they gather on a page beside it."""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)

from companion.comparison.pending import (
    Home,
    Move,
    PendingCapture,
    Placement,
)
from companion.pages import ids, links
from companion.pages.names import file_name
from companion.runs.run import Run
from companion.storage.git.objects import EMPTY_BLOB
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.names import has_file_name, has_name
from companion.subjects.beginnings.third_note import (
    is_enough,
)
from companion.subjects.day_pages import DayPages
from companion.subjects.gathering import Block, Gathering, make_home
from companion.subjects.homes import may_take_notes
from companion.subjects.values import About
from companion.values.time import local_day


def _group_by_entry(
    captures: Iterable[PendingCapture], about: Mapping[str, About]
) -> dict[str, list[PendingCapture]]:
    """Return the captures that are about a page, by its entry."""
    by_entry: dict[str, list[PendingCapture]] = {}
    for told in captures:
        found = about.get(told.capture.id)
        if found is not None and found.entry is not None:
            by_entry.setdefault(found.entry, []).append(told)
    return by_entry


def place_beside_theirs(
    run: Run,
    captures: Iterable[PendingCapture],
    about: Mapping[str, About],
    days: DayPages,
    is_taken: Callable[[str], bool],
    moving: Iterable[Move],
) -> Gathering:
    """Return what stands on "<Title> (notes)": notes about pages that companion does not write.

    A block stands once: those *moving* to another page, or to one of these, move no more.
    """
    placements: dict[str, Placement] = {}
    moves: list[Move] = []
    left = _list_leaving(moving)
    for entry, notes in sorted(_group_by_entry(captures, about).items()):
        row = find_entry(run.db, entry)
        if row is None or row.managed or row.tombstone:
            continue
        home, blocks = _find_notes_page(run, row, notes, days, is_taken, left)
        if home is None:
            continue
        for told in notes:
            rule = about[told.capture.id].rule
            placements[told.capture.id] = Placement(home, rule, home.reason)
        moves += [days.make_move(block, home.entry) for block in blocks]
        left.update(block.placed.capture for block in blocks)
    return Gathering(placements, {}, tuple(moves))


def _list_leaving(moving: Iterable[Move]) -> set[str]:
    """Return the captures whose blocks leave their page."""
    return {move.capture for move in moving if not move.stays}


def _find_notes_page(
    run: Run,
    theirs: EntryRow,
    notes: Sequence[PendingCapture],
    days: DayPages,
    is_taken: Callable[[str], bool],
    left: Collection[str],
) -> tuple[Home | None, list[Block]]:
    """Return the page of notes beside *theirs*, and the blocks of days that move there, none of
    those that *left*.

    A file of zero bytes is filled itself; with one byte it is its owner's.
    """
    if theirs.blob == EMPTY_BLOB:
        earlier = _list_earlier(theirs, days)
        return _fill_empty(theirs, notes), _list_staying(earlier, left)
    title = f"{theirs.title} (notes)"
    key = links.title_key(title)
    row = find_entry(run.db, ids.subject_id("subject", key))
    if row is not None:
        if not may_take_notes(row):
            return None, []
        reason = f"Joins {row.title}: it is about {theirs.title}."
        home = Home(row.id, row.path, row.title, row.blob, "page", "")
        return home._replace(reason=reason), []
    blocks = _list_staying(days.list_mentioning(theirs.id), left)
    told_days = {block.day for block in blocks}
    for told in notes:
        first = told.sightings[0]
        told_days.add(local_day(first.event_time, first.utc_offset))
    if not is_enough(len(notes) + len(blocks), len(told_days)):
        return None, []
    name = links.key(file_name.make_file_name(title))
    if has_name(run.db, key) or has_file_name(run.db, name) or is_taken(name):
        return None, []
    beside = theirs.path.rpartition("/")[2].removesuffix(".md")
    reason = f"Page begun beside your {theirs.title}: third note about it."
    home = make_home(run, title, min(told_days), reason, beside)
    return home, blocks


def _list_staying(
    blocks: Iterable[Block], left: Collection[str]
) -> list[Block]:
    return [block for block in blocks if block.placed.capture not in left]


def _list_earlier(theirs: EntryRow, days: DayPages) -> list[Block]:
    """Return the blocks of days that belong on a page left empty: made by a click on a link, it is
    younger than the notes that name it.
    """
    key = links.title_key(theirs.title)
    naming = days.find(key) if key else []
    named = [
        block
        for block in naming
        if any(spot.key == key for spot in block.spots)
    ]
    blocks = [*days.list_mentioning(theirs.id), *named]
    return list({block.placed.capture: block for block in blocks}.values())


def _fill_empty(theirs: EntryRow, notes: Sequence[PendingCapture]) -> Home:
    """Return the page that a file without a byte becomes: it has no words of anyone."""
    first = notes[0].sightings[0]
    return Home(
        theirs.id,
        theirs.path,
        theirs.title,
        theirs.blob,
        "subject",
        links.title_key(theirs.title),
        created=local_day(first.event_time, first.utc_offset),
        reason="Fills your empty page: a note is about it.",
    )

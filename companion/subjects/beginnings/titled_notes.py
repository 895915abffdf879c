"""Find the notes of tonight that have a title of their own, and those that name them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.comparison.pending import (
    Move,
    PendingCapture,
    TitledPage,
    is_chat,
    page_title,
    requested_title,
)
from companion.pages import ids, links
from companion.runs.run import Run
from companion.storage.index.tables.pages.names import has_name
from companion.subjects.aboutness import decide_aboutness
from companion.subjects.day_pages import DayPages
from companion.subjects.gathering import Block
from companion.subjects.values import About, Name, Note, Subject, SubjectsView


class TitledNote(NamedTuple):
    """A titled note of tonight, which makes a page."""

    capture: str  # the first of its group
    entry: str
    title: str


class NamedTonight(NamedTuple):
    """The notes and blocks of days that name titled notes of tonight."""

    # capture -> the titled capture whose page it joins
    joins: dict[str, str]
    # capture -> the pages that it names in passing
    passing: Mapping[str, tuple[TitledPage, ...]]
    moves: Sequence[Move]


def text_of(run: Run, told: PendingCapture) -> str:
    """Return the text of a note."""
    content = told.capture.content or run.contents()[told.capture.id]
    return content.decode("utf-8", "replace")


def list_titled(
    run: Run, captures: Iterable[PendingCapture]
) -> list[TitledNote]:
    """Return the pages that titled notes of tonight make; a title of two pages is no name."""
    found: dict[str, TitledNote] = {}
    sources: dict[str, set[str]] = {}
    for told in captures:
        if requested_title(told) is None or is_chat(told):
            continue
        title = page_title(told, text_of(run, told))
        key = links.title_key(title)
        if has_name(run.db, key):
            continue
        entry = ids.entry_id(told.capture.id)
        found.setdefault(key, TitledNote(told.capture.id, entry, title))
        sources.setdefault(key, set()).add(_file_of(told))
    return [one for key, one in found.items() if len(sources[key]) == 1]


def name_titled(
    run: Run,
    unknown: Sequence[PendingCapture],
    titled: Sequence[TitledNote],
    days: DayPages,
) -> NamedTonight:
    """Return the notes of tonight that are about *titled* pages, those that name them in passing,
    and the blocks of days that do either.
    """
    if not titled:
        return NamedTonight({}, {}, ())
    notes = [
        Note(told.capture.id, text_of(run, told), None, told.capture.edges)
        for told in unknown
    ]
    capture_of = {page.entry: page.capture for page in titled}
    pages = {page.entry: _make_page(page) for page in titled}
    joins = {}
    passing = {}
    for capture, about in _decide(titled, notes).items():
        if about.entry is not None:
            joins[capture] = capture_of[about.entry]
        elif about.mentions:
            named = tuple(pages[entry] for entry in about.mentions)
            passing[capture] = named
    return NamedTonight(joins, passing, _move_earlier(titled, days))


def _file_of(told: PendingCapture) -> str:
    """Return the file that a note was taken from; "" for one that was told."""
    if told.capture.channel != "file":
        return ""
    return told.sightings[0].source or ""


def _make_page(page: TitledNote) -> TitledPage:
    return TitledPage(page.entry, "", "", True, page.title)


def _move_earlier(titled: Sequence[TitledNote], days: DayPages) -> list[Move]:
    """Return the moves of blocks of days that name *titled* pages; in passing, they stay."""
    blocks: dict[str, Block] = {}
    for page in titled:
        for block in days.find(links.title_key(page.title)):
            blocks[block.placed.capture] = block
    earlier = [Note(capture, block.words) for capture, block in blocks.items()]
    moves = []
    for capture, about in sorted(_decide(titled, earlier).items()):
        if about.entry is not None:
            moves.append(days.make_move(blocks[capture], about.entry))
        for entry in about.mentions:
            move = days.make_move(blocks[capture], entry)
            moves.append(move._replace(stays=True))
    return moves


def _decide(
    titled: Sequence[TitledNote], notes: Sequence[Note]
) -> dict[str, About]:
    """Return which of *titled* each of *notes* is about."""
    return decide_aboutness(notes, _view_of(titled, notes))


def _view_of(
    titled: Sequence[TitledNote], notes: Iterable[Note]
) -> SubjectsView:
    subjects = {
        page.entry: Subject(page.entry, page.title, managed=True)
        for page in titled
    }
    names = [Name(links.title_key(one.title), one.entry) for one in titled]
    meant: dict[str, tuple[str, ...]] = {}
    for note in notes:
        for target in note.links:
            key = links.title_key(target)
            meant[target] = tuple(
                name.entry for name in names if name.key == key
            )
    return SubjectsView(subjects, names, meant)

"""Gather what begins a page tonight: notes that name one thing, and blocks of days that move to it.

Cost grows with the notes of tonight: the things that they name are looked up in the full-text
index, at most `MOST` earlier notes each. A block that a person edited stays where it is, and the
new page links it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.comparison.cohesion import place_score
from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import (
    Home,
    Move,
    PendingCapture,
    Placement,
    TitledPage,
    is_chat,
    page_title,
    requested_title,
)
from companion.language.name_forms import is_form_of
from companion.language.naming import name_subject
from companion.language.sentences import blank_markup
from companion.pages import file_name, ids, links
from companion.pages.statements import (
    find_statement,
    read_statements,
    statement_id,
)
from companion.runs.run import Run
from companion.storage.git.objects import EMPTY_BLOB
from companion.storage.index.history import (
    list_entry_events,
    list_subject_events,
)
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.claims import list_claims_of_entry
from companion.storage.index.tables.entries import EntryRow, find_entry
from companion.storage.index.tables.pages import (
    has_file_name,
    has_name,
    list_day_pages_matching,
)
from companion.storage.index.tables.statements import (
    PlacedStatement,
    find_statement_of_capture,
    find_subject,
    list_captures_mentioning,
    list_statements_at,
)
from companion.subjects.aboutness import decide_aboutness
from companion.subjects.homes import may_begin, may_take_notes
from companion.subjects.third_note import (
    Beginning,
    NamingNote,
    Spot,
    choose_beginnings,
    find_link_subject,
    find_spots,
    is_enough,
    list_common_words,
    list_keys,
    title_of,
)
from companion.subjects.values import About, Name, Note, Subject, SubjectsView
from companion.values.time import local_day, local_moment

# earlier notes that are looked at for each thing
MOST = 50
# things of one note that are looked up
MOST_KEYS = 12


@dataclass(frozen=True)
class Gathering:
    """What moves together tonight."""

    # where notes of tonight stand that would stand on their day
    placements: Mapping[str, Placement] = field(default_factory=dict)
    # capture -> the titled capture of tonight whose page it joins
    joins: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()

    def join(self, other: "Gathering") -> "Gathering":
        """Return both; where both move a block, *other* does."""
        moved = {move.capture for move in other.moves}
        own = [move for move in self.moves if move.capture not in moved]
        return Gathering(
            {**self.placements, **other.placements},
            {**self.joins, **other.joins},
            (*own, *other.moves),
        )


class Block(NamedTuple):
    """A note that stands on a day page."""

    placed: PlacedStatement
    words: str
    day: str
    when: str  # to the minute, by the teller's clock
    spots: tuple[Spot, ...]


class _Titled(NamedTuple):
    """A page that a titled note of tonight makes."""

    capture: str  # the first of its group
    entry: str
    title: str


def gather_subjects(
    run: Run,
    captures: Sequence[PendingCapture],
    about: Mapping[str, About],
    placements: Mapping[str, Placement],
    subjects_of: Callable[[str], Sequence[str]],
    standings: Mapping[str, Standing],
    is_taken: Callable[[str], bool],
    days: "DayPages",
) -> Gathering:
    """Return what the notes of tonight begin, and which blocks move there.

    *subjects_of* gives the subjects of the claims of a note, *is_taken* tells whether a file name
    (`links.key`) is in use. Notes of low cohesion and private ones neither count nor move.
    """
    clear = [told for told in captures if _is_clear(told, standings)]
    titled = _list_titled(run, clear)
    unknown = [
        told
        for told in clear
        if told.capture.id in placements
        and about[told.capture.id].entry is None
    ]
    joins, passing, moves = _join_titled(run, unknown, titled, days)
    rest = [told for told in unknown if told.capture.id not in joins]
    chooser = _Begin(run, days, subjects_of, is_taken, titled, moves)
    begun = chooser.begin(rest)
    theirs = _notes_of_theirs(run, clear, about, days, is_taken)
    chosen = {**placements, **begun.placements, **theirs.placements}
    for capture, pages in passing.items():
        mentions = (*chosen[capture].mentions, *pages)
        chosen[capture] = chosen[capture]._replace(mentions=mentions)
    return Gathering(
        chosen,
        joins,
        (*moves, *begun.moves, *theirs.moves),
    )


def _is_clear(told: PendingCapture, standings: Mapping[str, Standing]) -> bool:
    if told.private or told.lost or told.held:
        return False
    standing = standings.get(told.capture.id, CLEAR)
    return place_score(standing.consistency).bucket != "low"


def _text_of(run: Run, told: PendingCapture) -> str:
    content = told.capture.content or run.contents()[told.capture.id]
    return content.decode("utf-8", "replace")


# -- pages of titled notes -------------------------------------------------------------------------


def _list_titled(run: Run, captures: Iterable[PendingCapture]) -> list[_Titled]:
    """Return the pages that titled notes of tonight make; a title of two pages is no name."""
    found: dict[str, _Titled] = {}
    sources: dict[str, set[str]] = {}
    for told in captures:
        if requested_title(told) is None or is_chat(told):
            continue
        title = page_title(told, _text_of(run, told))
        key = links.title_key(title)
        if has_name(run.db, key):
            continue
        entry = ids.entry_id(told.capture.id)
        found.setdefault(key, _Titled(told.capture.id, entry, title))
        source = (
            told.sightings[0].source if told.capture.channel == "file" else ""
        )
        sources.setdefault(key, set()).add(source or "")
    return [one for key, one in found.items() if len(sources[key]) == 1]


def _join_titled(
    run: Run,
    unknown: Sequence[PendingCapture],
    titled: Sequence[_Titled],
    days: "DayPages",
) -> tuple[dict[str, str], dict[str, tuple[TitledPage, ...]], list[Move]]:
    """Return the notes of tonight that are about *titled* pages, those that name them in passing,
    and the blocks of days that do either.
    """
    if not titled:
        return {}, {}, []
    notes = [
        Note(told.capture.id, _text_of(run, told), None, told.capture.edges)
        for told in unknown
    ]
    found = decide_aboutness(notes, _view_of(titled, notes))
    capture_of = {page.entry: page.capture for page in titled}
    pages = {
        page.entry: TitledPage(page.entry, "", "", True, page.title)
        for page in titled
    }
    joins = {}
    passing = {}
    for capture, about in found.items():
        if about.entry is not None:
            joins[capture] = capture_of[about.entry]
        elif about.mentions:
            named = tuple(pages[entry] for entry in about.mentions)
            passing[capture] = named
    blocks: dict[str, Block] = {}
    for page in titled:
        for block in days.find(links.title_key(page.title)):
            blocks[block.placed.capture] = block
    earlier = [Note(capture, block.words) for capture, block in blocks.items()]
    found = decide_aboutness(earlier, _view_of(titled, earlier))
    moves = []
    for capture, about in sorted(found.items()):
        if about.entry is not None:
            moves.append(days.make_move(blocks[capture], about.entry))
        for entry in about.mentions:
            move = days.make_move(blocks[capture], entry)
            moves.append(move._replace(stays=True))
    return joins, passing, moves


def _view_of(titled: Sequence[_Titled], notes: Iterable[Note]) -> SubjectsView:
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


# -- the third note --------------------------------------------------------------------------------


class _Begin:
    """Begins pages of things that enough notes name."""

    def __init__(
        self,
        run: Run,
        days: "DayPages",
        subjects_of: Callable[[str], Sequence[str]],
        is_taken: Callable[[str], bool],
        titled: Iterable[_Titled],
        moves: Iterable[Move],
    ) -> None:
        self._run = run
        self._days = days
        self._subjects_of = subjects_of
        self._is_taken = is_taken
        self._titles = {links.title_key(page.title) for page in titled}
        self._moved = {move.capture for move in moves if not move.stays}
        self._texts: dict[str, str] = {}  # of notes that name things

    def begin(self, captures: Sequence[PendingCapture]) -> Gathering:
        """Return the pages that *captures*, about nothing known, begin."""
        told = {one.capture.id: one for one in captures}
        placements: dict[str, Placement] = {}
        moves: list[Move] = []
        linked = self._begin_linked(captures)
        placements.update(linked)
        notes = self._list_new(
            [one for one in captures if one.capture.id not in linked]
        )
        blocks = self._find_blocks(notes)
        earlier = [_naming_note(block) for block in blocks.values()]
        for beginning in choose_beginnings([*notes, *earlier], self._name):
            home = self._home_of(beginning)
            for note in beginning.notes:
                if note.new:
                    placements[note.capture] = _place(home)
                else:
                    block = blocks[note.capture]
                    moves.append(self._days.make_move(block, home.entry))
            page = TitledPage(home.entry, home.path, "", True, home.title)
            for note in beginning.others:
                if note.capture in placements:
                    placement = placements[note.capture]
                    placements[note.capture] = placement._replace(
                        mentions=(*placement.mentions, page)
                    )
        assert told.keys() >= placements.keys()
        return Gathering(placements, {}, tuple(moves))

    def _begin_linked(
        self, captures: Iterable[PendingCapture]
    ) -> dict[str, Placement]:
        """Return the notes that are about what they link, where no page has that name."""
        homes: dict[str, Home] = {}
        placements: dict[str, Placement] = {}
        for told in captures:
            text = _text_of(self._run, told)
            subjects = self._subjects_of(told.capture.id)
            target = find_link_subject(text, told.capture.edges, subjects)
            if target is None:
                continue
            key = links.title_key(target)
            if key not in homes:
                title = self._name([], target)
                if title is None:
                    continue
                first = told.sightings[0]
                day = local_day(first.event_time, first.utc_offset)
                reason = "Page begun: a note about it links it."
                homes[key] = self._make_home(title, day, reason)
            placements[told.capture.id] = _place(homes[key])
        return placements

    def _list_new(self, captures: Iterable[PendingCapture]) -> list[NamingNote]:
        notes = []
        for told in captures:
            text = _text_of(self._run, told)
            self._texts[told.capture.id] = text
            first = told.sightings[0]
            spots = find_spots(text, self._subjects_of(told.capture.id))
            notes.append(
                NamingNote(
                    told.capture.id,
                    local_day(first.event_time, first.utc_offset),
                    first.event_time,
                    spots,
                    list_common_words(text),
                    new=True,
                )
            )
        return notes

    def _find_blocks(self, notes: Iterable[NamingNote]) -> dict[str, Block]:
        """Return the blocks of days that name what *notes* name, by capture."""
        keys: dict[str, None] = {}
        for note in notes:
            keys.update(dict.fromkeys(list_keys(note.spots)[:MOST_KEYS]))
        blocks: dict[str, Block] = {}
        for key in keys:
            for block in self._days.find(key):
                if block.placed.capture not in self._moved:
                    blocks[block.placed.capture] = block
                    self._texts[block.placed.capture] = block.words
        ordered = sorted(
            blocks.items(), key=lambda item: (item[1].placed.told_at, item[0])
        )
        return dict(ordered)

    def _name(self, notes: Sequence[NamingNote], form: str) -> str | None:
        """Return the title of a page for what notes call *form*; None where the name is taken."""
        title = title_of(form)
        if notes:
            texts = [self._texts[note.capture] for note in notes]
            name = name_subject(texts, [form])
            if name is None or not is_form_of(
                links.fold(name), links.fold(form)
            ):
                return None
            title = name
        key = links.title_key(title)
        if key in self._titles or has_name(self._run.db, key):
            return None
        file = links.key(file_name.make_file_name(title))
        if has_file_name(self._run.db, file) or self._is_taken(file):
            return None
        # one that its owner deleted is not made again
        entry = ids.subject_id("subject", key)
        if not may_begin(self._run.db, entry):
            return None
        self._titles.add(key)
        return title

    def _home_of(self, beginning: Beginning) -> Home:
        first = min(note.day for note in beginning.notes)
        count = len(beginning.notes) + len(beginning.others)
        days = len({note.day for note in beginning.notes})
        ordinal = "third note on two days names it"
        reason = f"Page begun: {ordinal}. ({count} notes name it, days: {days})"
        return self._make_home(beginning.name, first, reason)

    def _make_home(self, title: str, day: str, reason: str) -> Home:
        return _new_home(self._run, title, day, reason)


def _new_home(
    run: Run, title: str, day: str, reason: str, beside: str = ""
) -> Home:
    key = links.title_key(title)
    name = file_name.make_file_name(title)
    path = f"{run.config.entries}/{day[:4]}/{day[5:7]}/{name}.md"
    entry = ids.subject_id("subject", key)
    return Home(entry, path, title, None, "subject", key, beside, day, reason)


def _place(home: Home) -> Placement:
    return Placement(home, "third-note", home.reason)


def _naming_note(block: Block) -> NamingNote:
    return NamingNote(
        block.placed.capture,
        block.day,
        block.placed.told_at,
        block.spots,
        list_common_words(block.words),
        new=False,
    )


# -- pages of their owner's ------------------------------------------------------------------------


def _notes_of_theirs(
    run: Run,
    captures: Iterable[PendingCapture],
    about: Mapping[str, About],
    days: "DayPages",
    is_taken: Callable[[str], bool],
) -> Gathering:
    """Return what stands on "<Title> (notes)": notes about pages that companion does not write."""
    by_entry: dict[str, list[PendingCapture]] = {}
    for told in captures:
        found = about.get(told.capture.id)
        if found is not None and found.entry is not None:
            by_entry.setdefault(found.entry, []).append(told)
    placements: dict[str, Placement] = {}
    moves: list[Move] = []
    for entry, notes in sorted(by_entry.items()):
        row = find_entry(run.db, entry)
        if row is None or row.managed or row.tombstone:
            continue
        home, blocks = _find_notes_page(run, row, notes, days, is_taken)
        if home is None:
            continue
        for told in notes:
            rule = about[told.capture.id].rule
            placements[told.capture.id] = Placement(home, rule, home.reason)
        moves += [days.make_move(block, home.entry) for block in blocks]
    return Gathering(placements, {}, tuple(moves))


def _find_notes_page(
    run: Run,
    theirs: EntryRow,
    notes: Sequence[PendingCapture],
    days: "DayPages",
    is_taken: Callable[[str], bool],
) -> tuple[Home | None, list[Block]]:
    """Return the page of notes beside *theirs*, and the blocks of days that move there.

    A file of zero bytes is filled itself; with one byte it is its owner's.
    """
    if theirs.blob == EMPTY_BLOB:
        return _fill_empty(theirs, notes), days.list_mentioning(theirs.id)
    title = f"{theirs.title} (notes)"
    key = links.title_key(title)
    row = find_entry(run.db, ids.subject_id("subject", key))
    if row is not None:
        if not may_take_notes(row):
            return None, []
        reason = f"Joins {row.title}: it is about {theirs.title}."
        home = Home(row.id, row.path, row.title, row.blob, "page", "")
        return home._replace(reason=reason), []
    blocks = days.list_mentioning(theirs.id)
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
    home = _new_home(run, title, min(told_days), reason, beside)
    return home, blocks


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


# -- blocks of days --------------------------------------------------------------------------------


class DayPages:
    """The blocks of day pages, each page read once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._pages: dict[str, list[Block]] = {}
        self._written: dict[str, Mapping[str, str]] = {}

    def find(self, key: str) -> list[Block]:
        """Return the newest blocks that name *key*, at most `MOST`."""
        found: list[Block] = []
        pages = list_day_pages_matching(self._run.db, _phrase(key), MOST)
        for entry, path, blob in pages:
            for block in self._read(entry, path, blob):
                named = any(spot.key == key for spot in block.spots)
                if named or _has_words(block.words, key):
                    found.append(block)
        found.sort(key=lambda one: (one.placed.told_at, one.placed.capture))
        return found[-MOST:]

    def list_matching(self, phrase: str) -> list[Block]:
        """Return the blocks of the newest days that have *phrase* (full-text syntax)."""
        found: list[Block] = []
        pages = list_day_pages_matching(self._run.db, phrase, MOST)
        for entry, path, blob in pages:
            found += self._read(entry, path, blob)
        return found

    def list_mentioning(self, entry: str) -> list[Block]:
        """Return the newest blocks of days that concern *entry*, at most `MOST`."""
        found = []
        captures = list_captures_mentioning(self._run.db, entry)
        for capture in captures:
            placed = find_statement_of_capture(self._run.db, capture)
            if placed is None:
                continue
            subject = find_subject(self._run.db, placed.entry)
            if subject is None or subject.kind != "day":
                continue
            for block in self._read(placed.entry, placed.path, placed.blob):
                if block.placed.capture == capture:
                    found.append(block)
        found.sort(key=lambda one: (one.placed.told_at, one.placed.capture))
        return found[-MOST:]

    def make_move(self, block: Block, entry: str) -> Move:
        """Return how *block* gets to the page of *entry*."""
        placed = block.placed
        source = TitledPage(
            placed.entry, placed.path, placed.blob, True, placed.title
        )
        edited = self._find_written(placed.capture) != block.words
        return Move(
            placed.capture,
            block.words,
            block.when,
            placed.told_at,
            source,
            entry,
            edited,
        )

    def _read(self, entry: str, path: str, blob: str) -> list[Block]:
        if path in self._pages:
            return self._pages[path]
        text = self._run.repo.text(blob, exact=True)
        words = {one.id: one.words for one in read_statements(text)}
        subjects: dict[str, list[str]] = {}
        for claim in list_claims_of_entry(self._run.db, entry):
            subjects.setdefault(claim.capture, []).append(claim.subject)
        blocks = []
        for placed in list_statements_at(self._run.db, path):
            holds = placed.outcome == "consolidated" and not placed.earlier
            if not holds or placed.state != "active" or placed.id not in words:
                continue
            own = subjects.get(placed.capture, ())
            blocks.append(self._make_block(placed, words[placed.id], own))
        self._pages[path] = blocks
        return blocks

    def _make_block(
        self, placed: PlacedStatement, words: str, subjects: Iterable[str]
    ) -> Block:
        tellings = list_tellings(self._run.db, placed.capture)
        offset = tellings[0].get("utc_offset") if tellings else None
        spots = find_spots(words, subjects)
        day = local_day(placed.told_at, offset)
        when = local_moment(placed.told_at, offset)
        return Block(placed, words, day, when, spots)

    def _find_written(self, capture: str) -> str | None:
        """Return the words of *capture* as companion wrote them; None where that is not known."""
        db = self._run.db
        placed = list_subject_events(db, capture, "consumed")
        # gathered: it stood on a page of its own
        placed += list_subject_events(db, capture, "moved")
        if not placed:
            return None
        first = placed[-1]
        entry = first.entry or ""
        for event in list_entry_events(db, entry, ["created", "grown"]):
            blob = event.data["blob"]
            if event.run == first.run and self._run.repo.has(blob):
                text = self._run.repo.text(blob, exact=True)
                found = find_statement(text, statement_id(capture))
                return None if found is None else found.words
        return None


def _phrase(key: str) -> str:
    """Return full-text syntax for pages that have every word of *key*, with any ending."""
    words = [word.replace('"', "") for word in key.split()]
    return " ".join(f'"{word}"*' for word in words)


def _has_words(text: str, key: str) -> bool:
    folded = links.fold(blank_markup(text))
    return all(word in folded for word in key.split())

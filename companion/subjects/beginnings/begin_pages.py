"""Gather what begins a page tonight: notes that name one thing, and blocks of days that move to it.

Cost grows with the notes of tonight: the things that they name are looked up in the full-text
index, at most `MOST` earlier notes each. A block that a person edited stays where it is, and the
new page links it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from companion.comparison.cohesion import place_score
from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import (
    Home,
    Move,
    PendingCapture,
    Placement,
    TitledPage,
)
from companion.language.names.forms_of_address import add_form_of_address
from companion.language.names.name_forms import is_form_of
from companion.language.names.naming import name_subject
from companion.pages import ids, links
from companion.pages.names import file_name
from companion.runs.run import Run
from companion.storage.index.tables.captures import list_tellings
from companion.storage.index.tables.pages.names import has_file_name, has_name
from companion.subjects.beginnings.full_names import find_full_name
from companion.subjects.beginnings.link_earlier import (
    link_earlier,
    link_leaving,
    names_page,
)
from companion.subjects.beginnings.notes_of_theirs import place_beside_theirs
from companion.subjects.beginnings.spots import Spot, find_spots
from companion.subjects.beginnings.thing_words import SURE, list_common_words
from companion.subjects.beginnings.third_note import (
    Beginning,
    NamingNote,
    choose_beginnings,
    find_link_subject,
    list_keys,
    title_of,
)
from companion.subjects.beginnings.titled_notes import (
    TitledNote,
    list_titled,
    name_titled,
    text_of,
)
from companion.subjects.day_pages import LOOKED, DayPages
from companion.subjects.gathering import Block, Gathering, make_home
from companion.subjects.homes import find_telling, may_begin
from companion.subjects.mentions.namesakes import find_which
from companion.subjects.neighbours import Followed, find_followers
from companion.subjects.values import About, Note
from companion.values.time import local_day

# things of one note that are looked up
MOST_KEYS = 12


def gather_subjects(
    run: Run,
    captures: Sequence[PendingCapture],
    about: Mapping[str, About],
    placements: Mapping[str, Placement],
    subjects_of: Callable[[str], Sequence[str]],
    standings: Mapping[str, Standing],
    is_taken: Callable[[str], bool],
    days: DayPages,
) -> Gathering:
    """Return what the notes of tonight begin, and which blocks move there.

    *subjects_of* gives the subjects of the claims of a note, *is_taken* tells whether a file name
    (`links.key`) is in use. Notes of low cohesion and private ones neither count nor move.
    """
    clear = [told for told in captures if _is_clear(told, standings)]
    titled = list_titled(run, clear)
    unknown = _list_unknown(clear, about, placements)
    named = name_titled(run, unknown, titled, days)
    rest = [told for told in unknown if told.capture.id not in named.joins]
    chooser = _Begin(run, days, subjects_of, is_taken, titled, named.moves)
    begun = chooser.begin(rest)
    moving = (*named.moves, *begun.moves)
    theirs = place_beside_theirs(run, clear, about, days, is_taken, moving)
    chosen = {**placements, **begun.placements, **theirs.placements}
    moves = (*moving, *theirs.moves)
    pages_of = {page.capture: page.capture for page in titled} | named.joins
    placed = begun.placements.keys() | named.passing.keys()
    free = _list_free(rest, chosen, placed)
    known = begun.placements.keys() | pages_of.keys()
    followed = _find_followers(run, clear, known, free)
    following = _place_followers(followed, pages_of, chosen)
    chosen.update(following.placements)
    _add_passing(chosen, named.passing)
    joining = [told for told in clear if told.capture.id in placements]
    _add_passing(chosen, _list_naming(run, joining, chooser.begun, chosen))
    joins = {**named.joins, **following.joins}
    return Gathering(chosen, joins, moves)


def _list_unknown(
    captures: Iterable[PendingCapture],
    about: Mapping[str, About],
    placements: Mapping[str, Placement],
) -> list[PendingCapture]:
    """Return those of *captures* that are placed, and about nothing known."""
    return [
        told
        for told in captures
        if told.capture.id in placements
        and about[told.capture.id].entry is None
    ]


def _list_free(
    captures: Iterable[PendingCapture],
    chosen: Mapping[str, Placement],
    placed: Collection[str],
) -> set[str]:
    """Return those of *captures* that name no page and are not *placed*: they may go on with
    another.
    """
    free: set[str] = set()
    for told in captures:
        capture = told.capture.id
        if capture not in placed and not chosen[capture].mentions:
            free.add(capture)
    return free


def _place_followers(
    followed: Mapping[str, Followed],
    pages_of: Mapping[str, str],
    chosen: Mapping[str, Placement],
) -> Gathering:
    """Return where notes stand that go on with one that begins a page tonight.

    *pages_of* has the titled note of tonight whose page a note is on, *chosen* where others stand.
    """
    joins: dict[str, str] = {}
    placements: dict[str, Placement] = {}
    for capture, one in followed.items():
        page = joins.get(one.before, pages_of.get(one.before))
        if page is not None:
            joins[capture] = page
            continue
        before = placements.get(one.before, chosen[one.before])
        reason = f"Its page begins tonight: {one.reason}."
        placements[capture] = Placement(before.home, "follows", reason)
    return Gathering(placements, joins)


def _add_passing(
    chosen: dict[str, Placement], passing: Mapping[str, Sequence[TitledPage]]
) -> None:
    """Add to the notes that name titled pages of tonight *passing* that they mention them."""
    for capture, pages in passing.items():
        mentions = (*chosen[capture].mentions, *pages)
        chosen[capture] = chosen[capture]._replace(mentions=mentions)


def _list_naming(
    run: Run,
    captures: Iterable[PendingCapture],
    begun: Sequence[Home],
    chosen: Mapping[str, Placement],
) -> dict[str, list[TitledPage]]:
    """Return the pages *begun* tonight that notes on other pages name."""
    passing: dict[str, list[TitledPage]] = {}
    for told in captures if begun else ():
        placement = chosen[told.capture.id]
        known = {placement.home.entry, *(one.id for one in placement.mentions)}
        text = text_of(run, told)
        for home in begun:
            is_new = home.entry not in known
            if is_new and names_page(text, home.entry, home.title):
                passing.setdefault(told.capture.id, []).append(_page_of(home))
    return passing


def _find_followers(
    run: Run,
    captures: Sequence[PendingCapture],
    known: Collection[str],
    free: Collection[str],
) -> dict[str, Followed]:
    """Return which of the notes *free* go on with a note that begins a page tonight."""
    if not free or not known:
        return {}
    notes = []
    for told in captures:
        at, teller = find_telling(told)
        text = text_of(run, told)
        notes.append(Note(told.capture.id, text, told_at=at, teller=teller))
    return find_followers(notes, known, free)


def _is_clear(told: PendingCapture, standings: Mapping[str, Standing]) -> bool:
    if told.private or told.lost or told.held:
        return False
    standing = standings.get(told.capture.id, CLEAR)
    return place_score(standing.consistency).bucket != "low"


# -- the third note --------------------------------------------------------------------------------


class _Begin:
    """Begins pages of things that enough notes name."""

    def __init__(
        self,
        run: Run,
        days: DayPages,
        subjects_of: Callable[[str], Sequence[str]],
        is_taken: Callable[[str], bool],
        titled: Iterable[TitledNote],
        moves: Iterable[Move],
    ) -> None:
        self._run = run
        self._days = days
        self._subjects_of = subjects_of
        self._is_taken = is_taken
        self._titles = {links.title_key(page.title) for page in titled}
        self._moved = {move.capture for move in moves if not move.stays}
        self._texts: dict[str, str] = {}  # of notes that name things
        self.begun: tuple[Home, ...] = ()  # the pages of things that begin

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
        homes: dict[str, Home] = {}
        goes_to: dict[str, Home] = {}
        leaving: list[Move] = []
        for beginning in choose_beginnings([*notes, *earlier], self._name):
            home = self._home_of(beginning)
            homes[home.entry] = home
            for note in beginning.notes:
                if note.new:
                    placements[note.capture] = _place(home)
                else:
                    block = blocks[note.capture]
                    moves.append(self._days.make_move(block, home.entry))
                    goes_to[note.capture] = home
            moves += self._move_older(beginning, home, blocks)
            leaving += link_leaving(beginning, home, blocks, goes_to)
            _mention(_page_of(home), beginning.others, placements)
        assert told.keys() >= placements.keys()
        moves += self._follow_moved(moves)
        moved = self._moved | {move.capture for move in moves}
        leaving += link_earlier(self._run, homes.values(), moved)
        self.begun = tuple(homes.values())
        return Gathering(placements, {}, (*moves, *leaving))

    def _move_older(
        self, beginning: Beginning, home: Home, looked: Collection[str]
    ) -> list[Move]:
        """Return the moves of the blocks that name a thing, behind those that decided."""
        if len(beginning.notes) + len(beginning.others) < LOOKED:
            return []
        moves = []
        for block in self._days.find(beginning.key):
            capture = block.placed.capture
            is_free = capture not in looked and capture not in self._moved
            if is_free and any(one.key == beginning.key for one in block.spots):
                moves.append(self._days.make_move(block, home.entry))
                self._moved.add(capture)
        return moves

    def _follow_moved(self, moves: Sequence[Move]) -> list[Move]:
        """Return the moves of blocks that go on with one of *moves*, as "she has called" does."""
        entry_of = {move.capture: move.entry for move in moves}
        following: list[Move] = []
        for source in dict.fromkeys(move.source for move in moves):
            blocks = self._days.list_of_page(source)
            # what names somebody may be about them
            free = {
                capture
                for capture, block in blocks.items()
                if capture not in entry_of
                and capture not in self._moved
                and not any(map(_is_sure_name, block.spots))
            }
            notes = [self._read_block(block) for block in blocks.values()]
            known = entry_of.keys() & blocks.keys()
            for capture, one in find_followers(notes, known, free).items():
                entry_of[capture] = entry_of[one.before]
                entry = entry_of[capture]
                move = self._days.make_move(blocks[capture], entry)
                following.append(move)
        return following

    def _read_block(self, block: Block) -> Note:
        tellings = list_tellings(self._run.db, block.placed.capture)
        teller = ""
        if tellings:
            first = tellings[0]
            teller = first.get("agent") or first.get("source") or ""
        placed = block.placed
        return Note(
            placed.capture, block.words, told_at=placed.told_at, teller=teller
        )

    def _begin_linked(
        self, captures: Iterable[PendingCapture]
    ) -> dict[str, Placement]:
        """Return the notes that are about what they link, where no page has that name."""
        homes: dict[str, Home] = {}
        placements: dict[str, Placement] = {}
        for told in captures:
            text = text_of(self._run, told)
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
            text = text_of(self._run, told)
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
                    which=find_which(text),
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
            for block in self._days.find(key, LOOKED):
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
            title = add_form_of_address(find_full_name(name, texts), texts)
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
        return make_home(self._run, title, day, reason)


def _place(home: Home) -> Placement:
    return Placement(home, "third-note", home.reason)


def _page_of(home: Home) -> TitledPage:
    """Return the page that begins at *home*: it has no text yet."""
    return TitledPage(home.entry, home.path, "", True, home.title)


def _mention(
    page: TitledPage,
    notes: Iterable[NamingNote],
    placements: dict[str, Placement],
) -> None:
    """Let those of *notes* that *placements* place mention *page*."""
    for note in notes:
        placement = placements.get(note.capture)
        if placement is not None:
            placements[note.capture] = placement._replace(
                mentions=(*placement.mentions, page)
            )


def _is_sure_name(spot: Spot) -> bool:
    return spot.use == "name" and spot.weight == SURE


def _naming_note(block: Block) -> NamingNote:
    return NamingNote(
        block.placed.capture,
        block.day,
        block.placed.told_at,
        block.spots,
        list_common_words(block.words),
        new=False,
        which=find_which(block.words),
    )

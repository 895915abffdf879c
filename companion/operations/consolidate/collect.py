"""Collect what a night starts from: pending captures, and what it may know of the wiki."""

from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, replace
from functools import partial

from companion.adoption import work_tree
from companion.adoption.edit_events import make_edit_events, make_move_events
from companion.comparison.pending import (
    Opening,
    PageWithText,
    PendingCapture,
    Placement,
    TitledPage,
    WikiContext,
    requested_title,
)
from companion.ledger.read_notes import Readings, Sighted, read_notes
from companion.lifecycle.hold_back import list_unsettled
from companion.lifecycle.leave_buffer import list_rejected
from companion.operations.consolidate.follow_notes import list_linking_entries
from companion.operations.consolidate.source_pages import (
    find_sources,
    hold_without_reading,
)
from companion.pages import ids, links
from companion.pages.body import without_facts
from companion.runs import lost_runs
from companion.runs.run import Run
from companion.storage import files_in_git
from companion.storage.index.history import (
    list_entry_events,
)
from companion.storage.index.tables.captures import (
    find_outcome,
    list_captures_of_entry,
    list_recorded_tellings,
    list_tellings,
    list_waiting_reasons,
)
from companion.storage.index.tables.pages.entries import (
    find_entry,
    find_page,
    find_title,
)
from companion.storage.index.tables.pages.names import (
    has_name,
    list_pages_named,
)
from companion.storage.index.tables.pages.statements import (
    find_subject,
    list_statements_at,
)
from companion.storage.index.tables.sources import Source
from companion.storage.journal.queries import Pending
from companion.subjects.gathering import Gathering
from companion.usage.record_in_run import UseRecords, gather_uses
from companion.values.captures import Sighting, as_told
from companion.values.events import LedgerLine


@dataclass(frozen=True)
class NightInput:
    """Everything that a night of CONSOLIDATE starts from, before any judge is asked."""

    captures: list[PendingCapture]
    # consumed captures with tellings that no run has recorded
    sighted_again: list[Sighted]
    # capture -> the run that consumed it and left the branch
    held: Mapping[str, lost_runs.LostRun]
    wiki: WikiContext
    excluded: dict[str, str]  # path -> why this night must not touch it
    adopted: list[LedgerLine]  # lines for a person's changes
    rejected: list[LedgerLine]  # lines for notes that were taken back
    readings: Readings
    uses: UseRecords
    moment: str  # RFC 3339 UTC
    # the sources of the captures that stand on the page of their source
    sources: Mapping[str, Source]
    later: int = 0  # captures that this slice of a night leaves to the next

    def list_notes(self) -> list[PendingCapture]:
        """Return the captures that stand on no page of a source."""
        return [
            told
            for told in self.captures
            if told.capture.id not in self.sources
        ]

    def new_sightings(self) -> dict[str, tuple[Sighting, ...]]:
        """Return the tellings of this night by capture."""
        sightings = {told.capture.id: told.sightings for told in self.captures}
        sightings |= {capture: new for capture, _, new in self.sighted_again}
        return sightings


def collect_pending(
    run: Run, *, release: bool, most: int | None = None
) -> NightInput:
    """Return the input of a night; captures of runs that left the branch wait, unless *release*.

    With *most*, only that many captures that no night has looked at yet, the oldest ones: a slice.
    Raises BadLedger, DamagedRef, GitFailed or NewerLedger.
    """
    run.progress.begin("collecting notes")
    adopted = [*make_edit_events(run), *make_move_events(run)]
    lost = run.lost()
    held: Mapping[str, lost_runs.LostRun] = {}
    if not release:
        held = lost_runs.find_held_captures(run.repo, run.db, run.journal)
    unsettled = list_unsettled(run, lost)
    chosen = _cut_slice(run, unsettled, most)
    captures = hold_without_reading(
        run, [_pending_capture(run, item, lost, held) for item in chosen]
    )
    wiki, excluded = _wiki_context(run, captures)
    sighted_again = _sighted_again(run)
    moment = run.moment()
    return NightInput(
        captures=captures,
        sighted_again=sighted_again,
        held=held,
        wiki=wiki,
        excluded=excluded,
        adopted=adopted,
        rejected=list_rejected(run),
        readings=read_notes(run, captures, sighted_again),
        uses=gather_uses(run),
        moment=moment,
        sources=find_sources(run, captures),
        later=len(unsettled) - len(chosen),
    )


def _cut_slice(
    run: Run, unsettled: list[Pending], most: int | None
) -> list[Pending]:
    """Return what a slice looks at: the captures that wait anyway, and the oldest *most* others."""
    if most is None:
        return unsettled
    waiting = list_waiting_reasons(run.db)
    chosen = []
    for item in unsettled:
        if item.capture.id in waiting:
            chosen.append(item)
        elif most > 0:
            most -= 1
            chosen.append(item)
    return chosen


def _pending_capture(
    run: Run,
    item: Pending,
    lost: Collection[str],
    held: Mapping[str, lost_runs.LostRun],
) -> PendingCapture:
    id = item.capture.id
    shared = tuple(
        sighting for sighting in item.sightings if sighting.scope != "private"
    )
    waits_for = None
    if id in held:
        waits_for = lost_runs.explain_hold(held[id])
    if id in lost or not shared or shared[0] is item.sightings[0]:
        sightings = shared or item.sightings
        return PendingCapture(
            item.capture,
            sightings,
            private=not shared,
            lost=id in lost,
            held=waits_for,
        )
    # Its first telling was private: the capture is described by the first shared one.
    whole = item.capture._replace(content=run.contents()[id])
    described = as_told(whole, shared[0])._replace(content=b"")
    return PendingCapture(described, shared, held=waits_for)


def _sighted_again(run: Run) -> list[Sighted]:
    """Return the tellings of consumed captures that no run has recorded yet (TRI-8).

    What the ledger has recorded is noted in the journal, so that it is not looked up again.
    """
    found: list[Sighted] = []
    recorded_tellings: list[tuple[str, str]] = []
    for capture in run.journal.retold():
        outcome = find_outcome(run.db, capture)
        if outcome is None:
            continue
        heard = list_recorded_tellings(run.db, capture)
        # made it a capture here
        heard.add(run.journal.capture(capture)[0].ingested_at)
        new = tuple(
            sighting
            for sighting in run.journal.sightings(capture)
            if sighting.seen_at not in heard and sighting.scope != "private"
        )
        recorded_tellings += [(capture, seen_at) for seen_at in heard]
        if new:
            found.append((capture, outcome.entry, new))
    run.journal.hear(recorded_tellings)
    return found


def _wiki_context(
    run: Run, captures: Sequence[PendingCapture]
) -> tuple[WikiContext, dict[str, str]]:
    """Return what CONSOLIDATE may know of the wiki for *captures*, and the pages it must leave."""
    requested = [requested_title(capture) for capture in captures]
    keys = {links.title_key(title) for title in requested if title}
    titles = {key: _titled_pages(run, key) for key in sorted(keys)}
    managed = _managed_blobs(titles.values())
    excluded = {
        **work_tree.find_unadopted_pages(run),
        **run.excluded_paths(sorted(managed)),
    }
    free = {
        path: blob for path, blob in managed.items() if path not in excluded
    }
    names = _names_in_use(run, captures, excluded)
    wiki = WikiContext(
        titles,
        names.__contains__,
        PageTexts(run, free),
        excluded,
        _link_resolver(run, names),
        list_waiting_reasons(run.db),
        run.config.entries,
        _list_deleted_chats(run, keys),
        told_at=telling_times(run),
        captures_at=partial(_list_captures_at, run),
        page_of=partial(_find_page_with_text, run),
        linking=partial(list_linking_entries, run.db),
        opening=partial(find_opening, run),
        title_of=partial(find_title, run.db),
    )
    return wiki, excluded


def add_homes(
    run: Run,
    wiki: WikiContext,
    placements: Mapping[str, Placement],
    gathering: Gathering,
    rewritten: Collection[str],
) -> tuple[WikiContext, dict[str, str]]:
    """Return *wiki* with the homes of tonight's notes and with what moves, and the pages that must
    not be touched.

    Branches rewrite the pages *rewritten* tonight.
    """
    placements = {**placements, **gathering.placements}
    for capture in gathering.joins:
        placements.pop(capture, None)
    blobs = _map_touched(placements, gathering)
    blocked = run.excluded_paths(sorted(blobs.keys() - wiki.blocked.keys()))
    for path in blobs.keys() & set(rewritten):
        blocked[path] = "changes tonight because a branch won"
    for path in _list_occupied(run, placements):
        blocked[path] = "is in the way: a file that the wiki does not know"
    texts = PageTexts(run, {**_list_blobs(wiki), **blobs})
    return (
        replace(
            wiki,
            texts=texts,
            blocked={**wiki.blocked, **blocked},
            placements=placements,
            joins=gathering.joins,
            moves=gathering.moves,
        ),
        blocked,
    )


def _map_touched(
    placements: Mapping[str, Placement], gathering: Gathering
) -> dict[str, str]:
    """Return the pages that notes leave, go to or name, by their paths, as blobs."""
    blobs: dict[str, str] = {}
    for move in gathering.moves:
        if move.source.blob:
            blobs[move.source.path] = move.source.blob
    for placement in placements.values():
        home = placement.home
        if home.blob is not None:
            blobs[home.path] = home.blob
        for page in placement.mentions:
            if page.managed and page.blob:
                blobs[page.path] = page.blob
    return blobs


def _list_blobs(wiki: WikiContext) -> Mapping[str, str]:
    """Return the blobs of the pages whose texts *wiki* may read."""
    assert isinstance(wiki.texts, PageTexts)
    return wiki.texts.blobs


def _list_occupied(run: Run, placements: Mapping[str, Placement]) -> set[str]:
    """Return the paths of new homes where a file lies that the branch does not have."""
    paths = {
        placement.home.path
        for placement in placements.values()
        if placement.home.blob is None
    }
    prefix = run.ws.place.prefix
    return {
        path for path in paths if files_in_git.is_there(run.repo, prefix + path)
    }


def telling_times(run: Run) -> Callable[[str], Mapping[str, str]]:
    """Return what finds when each statement of a page was told."""

    def find_telling_times(path: str) -> Mapping[str, str]:
        """Return when each statement of the page at *path* was told, by its id."""
        statements = list_statements_at(run.db, path)
        return {one.id: one.told_at for one in statements if one.told_at}

    return find_telling_times


def _list_captures_at(run: Run, path: str) -> dict[str, str]:
    """Return the captures whose statements stand on the page at *path*, by the statements' ids."""
    return {one.id: one.capture for one in list_statements_at(run.db, path)}


def _find_page_with_text(run: Run, entry: str) -> PageWithText | None:
    row = find_page(run.db, entry)
    if row is None or not row.managed or run.excluded_paths([row.path]):
        return None
    page = TitledPage(row.id, row.path, row.blob, True, row.title)
    return PageWithText(page, run.repo.text(row.blob, exact=True))


def find_opening(run: Run, entry: str) -> Opening | None:
    """Return the one note that the page of *entry* was made of.

    None if there are several, or if somebody changed its words since.
    """
    subject = find_subject(run.db, entry)
    if subject is not None and subject.kind in ("chat", "source"):
        return None
    captures = list_captures_of_entry(run.db, entry)
    events = list_entry_events(run.db, entry, ["created"])
    row = find_page(run.db, entry)
    if len(captures) != 1 or not events or row is None:
        return None
    created = events[-1].data["blob"]
    if not run.repo.has(created):
        return None
    before = without_facts(run.repo.text(created, exact=True))
    now = without_facts(run.repo.text(row.blob, exact=True))
    # facts stand behind an empty line
    if before.rstrip("\n") != now.rstrip("\n"):
        return None
    first = list_tellings(run.db, captures[0])[0]
    told_at: str = first.get("event_time") or first["seen_at"]
    return Opening(captures[0], told_at, first.get("utc_offset"))


def _titled_pages(run: Run, key: str) -> list[TitledPage]:
    """Return the pages named *key*, and the page of the conversation of that key."""
    pages = [TitledPage(*page) for page in list_pages_named(run.db, key)]
    chat = find_page(run.db, ids.subject_id("chat", key))
    if chat is not None:
        pages.append(TitledPage(chat.id, chat.path, chat.blob, chat.managed))
    return pages


def _list_deleted_chats(run: Run, keys: Iterable[str]) -> set[str]:
    deleted = set()
    for key in keys:
        chat = find_entry(run.db, ids.subject_id("chat", key))
        if chat is not None and chat.tombstone:
            deleted.add(key)
    return deleted


def _managed_blobs(
    pages_by_title: Collection[Sequence[TitledPage]],
) -> dict[str, str]:
    blobs: dict[str, str] = {}
    for pages in pages_by_title:
        blobs.update((page.path, page.blob) for page in pages if page.managed)
    return blobs


def _names_in_use(
    run: Run, captures: Sequence[PendingCapture], excluded: Collection[str]
) -> work_tree.Basenames:
    times = [capture.sightings[0].event_time for capture in captures]
    on_disk = work_tree.list_names_on_disk(
        run, work_tree.list_entry_folders(run, times)
    )
    return work_tree.Basenames(
        run, on_disk | {links.key(path) for path in excluded}
    )


class PageTexts(dict[str, str]):
    """The text of pages that may grow, read when it is asked for."""

    def __init__(self, run: Run, blobs: dict[str, str]) -> None:
        super().__init__()
        self._run = run
        self.blobs = blobs

    def __missing__(self, path: str) -> str:
        return self._run.repo.text(self.blobs[path], exact=True)


def _link_resolver(
    run: Run, names: work_tree.Basenames
) -> Callable[[str], bool]:
    def resolves(target: str) -> bool:
        """Tell whether a link to *target* finds a page."""
        return links.key(target) in names or has_name(
            run.db, links.title_key(target)
        )

    return resolves

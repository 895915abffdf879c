"""Make the pages of sources, of what CONTEXTUALIZE handed over (MaM §5.4).

A source has one page. It shows the reading of the source that is the last one; when that is a new
one, the page is brought up to date by ownership: lines of a person, statements, facts and derived
lines on it stay. What the source says counts as its word, like anybody's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from companion.comparison.cohesion import Cohesion, place_score
from companion.comparison.consistency import CLEAR, Standing
from companion.comparison.pending import (
    ConsolidationPlan,
    PendingCapture,
    PlacedNote,
    PlannedPage,
    WaitingCapture,
    WikiContext,
)
from companion.operations.consolidate.drafts.pages import (
    describe_doubt,
    without_bytes,
)
from companion.operations.consolidate.drafts.sources import (
    SourceText,
    SpokenTurn,
    compose_source,
)
from companion.pages import links
from companion.pages.names import file_name
from companion.pages.ownership_merge import merge
from companion.runs.run import Run
from companion.storage.index.tables.captures import find_outcome
from companion.storage.index.tables.pages.entries import find_entry, find_page
from companion.storage.index.tables.sources import (
    Source,
    find_source_of_capture,
    is_taken_back,
    list_handed,
    list_readings,
    read_line,
)
from companion.values.captures import MODEL, SOURCE, SPEECH, TURN
from companion.values.wording import many

VERSION = "sources-1"

#: channels of texts that stand on the page of their source
_CHANNELS = (SOURCE, TURN, SPEECH, MODEL)
_TAKEN_BACK = "the reading of its source was undone"
_ELSEWHERE = (
    "another machine read its source: its page comes with that machine's branch"
)


@dataclass(frozen=True)
class SourceNotes:
    """The notes of tonight that sources handed over, and the pages that they become."""

    pages: tuple[PlannedPage, ...] = ()
    waits: tuple[WaitingCapture, ...] = ()
    captures: frozenset[str] = frozenset()
    # turns that contradict what the wiki knows: their claims wait for an answer
    doubted: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()  # of new files, as links have them
    excluded: Mapping[str, str] = field(default_factory=dict)

    def reserve_names(self, wiki: WikiContext) -> WikiContext:
        """Return *wiki* with the names of new pages taken, and the pages of sources left alone."""
        if not self.pages:
            return wiki
        taken = wiki.taken
        changed = {
            page.path: "changes tonight for the source that it is of"
            for page in self.pages
        }
        return replace(
            wiki,
            taken=lambda key: key in self.names or taken(key),
            blocked={**wiki.blocked, **changed},
        )

    def join(self, plan: ConsolidationPlan) -> ConsolidationPlan:
        """Return *plan* with the pages of sources."""
        return replace(
            plan,
            pages=(*plan.pages, *self.pages),
            waits=(*plan.waits, *self.waits),
        )


class _Group(NamedTuple):
    """The notes of tonight that one source handed over."""

    source: Source  # its last reading
    notes: list[PendingCapture]


def find_sources(
    run: Run, captures: Sequence[PendingCapture]
) -> dict[str, Source]:
    """Return the source of each capture that stands on the page of its source.

    What a person told as well is the person's note. A memory of another program is a note, too.
    """
    sources = {}
    for told in captures:
        if told.private or told.lost or told.held or not _is_handed(told):
            continue
        source = find_source_of_capture(run.db, told.capture.id)
        if source is not None and source.kind in ("document", "chat"):
            sources[told.capture.id] = source
    return sources


def hold_without_reading(
    run: Run, captures: Sequence[PendingCapture]
) -> list[PendingCapture]:
    """Return *captures*, those held that were handed over by no reading which counts here.

    It was undone, or it is known to another machine alone so far.
    """
    held = []
    for told in captures:
        if told.held is None and _is_handed(told):
            reading = find_source_of_capture(run.db, told.capture.id)
            if reading is None:
                known = is_taken_back(run.db, told.capture.id)
                reason = _TAKEN_BACK if known else _ELSEWHERE
                told = told._replace(held=reason)
        held.append(told)
    return held


def _is_handed(told: PendingCapture) -> bool:
    return all(one.channel in _CHANNELS for one in told.sightings)


def plan_source_pages(
    run: Run,
    captures: Sequence[PendingCapture],
    sources: Mapping[str, Source],
    wiki: WikiContext,
    standings: Mapping[str, Standing],
    unjudged: Mapping[str, str],
    handled: frozenset[str],
) -> SourceNotes:
    """Return the pages of the sources that handed *captures* over.

    Those *handled* stand in a branch already; the page of their source shows them all the same.
    """
    groups = _group(run, captures, sources)
    if not groups:
        return SourceNotes()
    pages: list[PlannedPage] = []
    waits: list[WaitingCapture] = []
    doubted: set[str] = set()
    names: set[str] = set()
    writer = _Writer(run, wiki, names)
    excluded: dict[str, str] = {}
    for group in groups:
        reason = writer.find_missing(group.source) or _find_wait(
            run, group, unjudged, wiki.blocked, excluded
        )
        if reason is not None:
            waits += _wait(group, reason, wiki)
            continue
        notes = [told for told in group.notes if told.capture.id not in handled]
        placed = _place_notes(group.source, notes, standings)
        pages.append(writer.write(group.source, placed))
        if group.source.kind == "chat":
            doubted.update(
                note.told.capture.id
                for note in placed
                if note.cohesion.bucket == "low"
            )
    return SourceNotes(
        tuple(pages),
        tuple(waits),
        frozenset(sources),
        frozenset(doubted),
        frozenset(names),
        excluded,
    )


def _group(
    run: Run,
    captures: Sequence[PendingCapture],
    sources: Mapping[str, Source],
) -> list[_Group]:
    groups: dict[str, _Group] = {}
    for told in captures:
        source = sources.get(told.capture.id)
        if source is None:
            continue
        if source.entry not in groups:
            last = list_readings(run.db, source.key)[0]
            groups[source.entry] = _Group(last, [])
        groups[source.entry].notes.append(told)
    return list(groups.values())


def _find_wait(
    run: Run,
    group: _Group,
    unjudged: Mapping[str, str],
    blocked: Mapping[str, str],
    excluded: dict[str, str],
) -> str | None:
    """Return why the notes of a source have to wait; None if they do not."""
    for told in group.notes:
        if told.capture.id in unjudged:
            return unjudged[told.capture.id]
    entry = find_entry(run.db, group.source.entry)
    if entry is None:
        return None
    if entry.tombstone:
        return "its owner deleted the page of this source"
    page = find_page(run.db, group.source.entry)
    if page is None or not page.managed:
        return "its owner writes the page of this source"
    why = blocked.get(page.path)
    if why is None:
        why = run.excluded_paths([page.path]).get(page.path)
    if why is None:
        return None
    excluded[page.path] = why
    return f"{page.path} {why}"


def _wait(
    group: _Group, reason: str, wiki: WikiContext
) -> Iterator[WaitingCapture]:
    for told in group.notes:
        is_new = wiki.waiting.get(told.capture.id) != reason
        yield WaitingCapture(without_bytes(told), reason, is_new)


def _place_notes(
    source: Source,
    notes: Sequence[PendingCapture],
    standings: Mapping[str, Standing],
) -> list[PlacedNote]:
    placed = []
    for told in notes:
        standing = standings.get(told.capture.id, CLEAR)
        cohesion = place_score(standing.consistency)
        doubt = describe_doubt(standing, cohesion)
        figures = f"cohesion {cohesion.score:.2f} ({cohesion.bucket})"
        reason = f"From “{source.title}”. {doubt}({figures})"
        note = PlacedNote(
            without_bytes(told), cohesion, reason, standing.against
        )
        placed.append(note)
    return placed


def _find_cohesion(source: Source, notes: Sequence[PlacedNote]) -> Cohesion:
    """Return the cohesion of a page: of its worst note; of a conversation, of its best one.

    One sentence of a conversation that contradicts the wiki does not set the others aside: its
    claims wait, and `companion review` asks about it.
    """
    scores = [note.cohesion.score for note in notes] or [1.0]
    chosen = max(scores) if source.kind == "chat" else min(scores)
    return place_score(chosen)


class _Writer:
    """Writes the pages of sources."""

    def __init__(self, run: Run, wiki: WikiContext, names: set[str]) -> None:
        self._run = run
        self._wiki = wiki
        self._names = names
        self._contents = run.contents()

    def write(self, source: Source, notes: Sequence[PlacedNote]) -> PlannedPage:
        """Return the page of *source* with the notes of tonight."""
        cohesion = _find_cohesion(source, notes)
        kind = "chat" if source.kind == "chat" else "source"
        there = find_page(self._run.db, source.entry)
        if there is None:
            path, content = self._create(source, notes)
            reason = f"New page of a source: {source.depth}."
            blob = None
        else:
            path, blob = there.path, there.blob
            content, reason = self._update(source, path, blob)
        return PlannedPage(
            entry=source.entry,
            path=path,
            title=source.title,
            content=content.encode("utf-8", "surrogateescape"),
            base_blob=blob,
            notes=tuple(notes),
            cohesion=cohesion,
            reason=f"{reason} ({many(len(notes), 'text')})",
            subject=(kind, source.key),
        )

    def find_missing(self, source: Source) -> str | None:
        """Return why the page of *source* cannot be written here; None if it can."""
        for one in list_handed(self._run.db, source):
            if self._find_blob(one.capture) is None and (
                one.capture not in self._contents
            ):
                return "its bytes are missing: `companion doctor` says more"
        return None

    def _create(
        self, source: Source, notes: Sequence[PlacedNote]
    ) -> tuple[str, str]:
        created = self._find_day(source)
        name = file_name.find_free(
            file_name.make_file_name(source.title),
            lambda key: key in self._names or self._wiki.taken(key),
        )
        folder = f"{self._wiki.folder}/{created[:4]}/{created[5:7]}"
        path = f"{folder}/{name}.md"
        self._names.add(links.key(path))
        return path, self._compose(source)

    def _update(self, source: Source, path: str, blob: str) -> tuple[str, str]:
        """Return the page with the last reading in the place of the one that it shows."""
        now = self._run.repo.text(blob, exact=True)
        shown = self._find_shown(source)
        ours = self._compose(source)
        if shown is None or ours == self._compose(shown):
            return now, f"Added to the page of its source: {source.depth}."
        merged = merge(self._compose(shown), ours, now)
        if merged is None:
            reason = "A person rewrote lines that would change: the page stays."
            return now, f"Read again: {source.depth}. {reason}"
        return merged, f"Read again: {source.depth}."

    def _find_shown(self, source: Source) -> Source | None:
        """Return the reading that the page shows: the last before tonight's that came into it."""
        readings = list_readings(self._run.db, source.key)
        for reading in readings:
            handed = list_handed(self._run.db, reading)
            for one in handed[:1]:
                outcome = find_outcome(self._run.db, one.capture)
                if outcome is not None and outcome.entry == source.entry:
                    return reading
        return readings[1] if len(readings) > 1 else None

    def _compose(self, source: Source) -> str:
        handed = list_handed(self._run.db, source)
        turns = [
            SpokenTurn(one, self._read_words(one.capture)) for one in handed[1:]
        ]
        text = SourceText(
            source,
            read_line(self._run.db, source),
            self._read_words(handed[0].capture),
            turns,
        )
        return compose_source(text, self._find_day(source))

    def _find_day(self, source: Source) -> str:
        """Return the day on which the source came in first."""
        first = list_readings(self._run.db, source.key)[-1]
        received = read_line(self._run.db, first).get("received")
        return str(received or first.at)[:10]

    def _read_words(self, capture: str) -> str:
        """Return the words of a capture, whether it is open or not."""
        blob = self._find_blob(capture)
        if blob is not None:
            return self._run.repo.blob(blob).decode("utf-8", "replace")
        return self._contents[capture].decode("utf-8", "replace")

    def _find_blob(self, capture: str) -> str | None:
        blob = self._run.journal.blob(capture)
        if blob is None or not self._run.repo.has(blob):
            return None
        return blob

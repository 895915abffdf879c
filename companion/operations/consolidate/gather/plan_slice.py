"""Plan one slice of gathering: the notes of old pages go where a night would place them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from companion.comparison.cohesion import place_score
from companion.comparison.pending import (
    ConsolidationPlan,
    PlannedPage,
    WikiContext,
)
from companion.language.protocols import Embedder
from companion.operations.consolidate.collect import (
    PageTexts,
    add_homes,
    find_opening,
    telling_times,
)
from companion.operations.consolidate.events import (
    make_moved_lines,
    make_page_line,
)
from companion.operations.consolidate.gather.follow_links import (
    Target,
    follow,
)
from companion.operations.consolidate.gather.read_pages import (
    OldPage,
    read_pages,
)
from companion.operations.consolidate.plan import plan_consolidation
from companion.pages import links
from companion.pages.statements import statement_id
from companion.runs.run import Run
from companion.storage.git import objects
from companion.storage.index.tables.pages.entries import (
    find_entry_at,
    find_title,
)
from companion.storage.index.tables.pages.gathering import (
    PageOfOneNote,
    list_kept_entries,
)
from companion.storage.index.tables.pages.names import has_file_name
from companion.storage.index.tables.pages.statements import find_belonging
from companion.subjects.aboutness import decide_aboutness
from companion.subjects.beginnings.begin_pages import gather_subjects
from companion.subjects.collect import collect_subjects
from companion.subjects.day_pages import DayPages
from companion.subjects.gather_series import gather_series
from companion.subjects.homes import find_telling, place_notes
from companion.subjects.values import Note
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.values.wording import many


@dataclass(frozen=True)
class GatheredNote:
    """An old page, and where its note goes."""

    page: PageOfOneNote
    path: str  # of the page on which it stands then
    entry: str
    title: str
    kind: str  # "day", or "page"
    reason: str


@dataclass(frozen=True)
class Slice:
    """The changes that one run of gathering writes."""

    notes: tuple[GatheredNote, ...]
    # notes of earlier slices that go on to the page of a subject: capture, and where to
    moved_on: tuple[tuple[str, PlannedPage], ...]
    begun: tuple[PlannedPage, ...]
    left_out: Mapping[str, str]  # path -> why it stays
    lines: tuple[LedgerLine, ...]
    writes: tuple[Write, ...]


def plan_slice(
    run: Run,
    rows: Sequence[PageOfOneNote],
    waiting: Collection[str],
    embedder: Embedder | None,
    resting: Mapping[str, str],
) -> Slice:
    """Return where the notes of the old pages *rows* go.

    The pages of the entries *waiting* are not gathered yet and gather nothing. Pages in *resting*
    must not be touched.
    """
    pages, left_out = read_pages(run, rows, resting)
    plan = _place(run, pages, waiting, embedder, resting)
    for wait in plan.waits:
        path = _path_of(pages, wait.told.capture.id)
        left_out[path] = wait.reason
    by_capture = {page.told.capture.id: page for page in pages}
    planned = _follow_links(run, plan.pages, by_capture)
    lines: list[LedgerLine] = []
    for page in planned:
        lines += _make_lines(page, by_capture)
    notes = _list_notes(planned, by_capture)
    moved_on = []
    for page in planned:
        moved_on += [(move.capture, page) for move in page.moves]
    writes = [Write(page.path, page.content) for page in planned]
    writes += [Write(note.page.path, None) for note in notes]
    return Slice(
        tuple(notes),
        tuple(moved_on),
        tuple(page for page in planned if page.base_blob is None),
        left_out,
        tuple(lines),
        tuple(writes),
    )


def _place(
    run: Run,
    pages: Sequence[OldPage],
    waiting: Collection[str],
    embedder: Embedder | None,
    resting: Mapping[str, str],
) -> ConsolidationPlan:
    """Return the pages that the notes of *pages* grow or begin."""
    captures = [page.told for page in pages]
    subjects = {page.told.capture.id: page.subjects for page in pages}
    notes = []
    for page in pages:
        capture = page.told.capture
        text = capture.content.decode("utf-8", "replace")
        belongs = find_belonging(run.db, capture.id)
        notes.append(
            Note(
                capture.id,
                text,
                None,
                capture.edges,
                page.subjects,
                belongs,
                *find_telling(page.told),
            )
        )
    view = collect_subjects(run, notes, embedder, without=waiting)
    view = view.without(list_kept_entries(run.db, view.subjects))
    about = decide_aboutness(notes, view)
    placements = place_notes(run, captures, about)
    taken = {links.key(path) for path in resting}

    def is_taken(key: str) -> bool:
        """Tell whether a page, or a file that the wiki does not know, has this file name."""
        return key in taken or has_file_name(run.db, key)

    days = DayPages(run)
    series = gather_series(run, captures, placements, {}, days, is_taken)
    others = [
        one for one in captures if one.capture.id not in series.placements
    ]
    gathering = gather_subjects(
        run,
        others,
        about,
        placements,
        subjects.__getitem__,
        {},
        is_taken,
        days,
    ).join(series)
    wiki = WikiContext(
        titles={},
        taken=is_taken,
        texts=PageTexts(run, {}),
        blocked=resting,
        resolves=is_taken,
        waiting={},
        folder=run.config.entries,
        told_at=telling_times(run),
        opening=partial(find_opening, run),
        title_of=partial(find_title, run.db),
    )
    wiki, _ = add_homes(run, wiki, placements, gathering, ())
    return plan_consolidation(captures, wiki)


def _path_of(pages: Sequence[OldPage], capture: str) -> str:
    for page in pages:
        if page.told.capture.id == capture:
            return page.row.path
    raise KeyError(capture)


# -- links -----------------------------------------------------------------------------------------


def _follow_links(
    run: Run,
    planned: Sequence[PlannedPage],
    pages: Mapping[str, OldPage],
) -> list[PlannedPage]:
    """Return *planned* and the pages whose links lead to where the notes of *pages* stand now."""
    targets: dict[str, Target] = {}
    linking: dict[str, None] = {}
    gone = set()
    for page in planned:
        name = page.path.rpartition("/")[2].removesuffix(".md")
        for note in page.notes:
            capture = note.told.capture.id
            old = pages[capture]
            gone.add(old.row.path)
            target = Target(name, statement_id(capture))
            targets[links.key(old.row.path)] = target
            linking.update(dict.fromkeys(old.linking))
    by_path = {page.path: page for page in planned}
    for path in sorted(linking):
        if path not in by_path and path not in gone:
            by_path[path] = _read_linking(run, path)
    result = []
    for path, page in by_path.items():
        if path in linking:
            page = _with_links(page, targets)
        result.append(page)
    return result


def _read_linking(run: Run, path: str) -> PlannedPage:
    row = find_entry_at(run.db, path)
    assert row is not None  # a page that links is in the index
    return PlannedPage(
        entry=row.id,
        path=path,
        title=row.title,
        content=run.repo.blob(row.blob),
        base_blob=row.blob,
        notes=(),
        cohesion=place_score(1.0),
        reason="Its links follow notes that were gathered.",
    )


def _with_links(
    page: PlannedPage, targets: Mapping[str, Target]
) -> PlannedPage:
    text = page.content.decode("utf-8", "surrogateescape")
    content = follow(text, targets).encode("utf-8", "surrogateescape")
    return replace(page, content=content)


# -- lines -----------------------------------------------------------------------------------------


def _make_lines(
    page: PlannedPage, pages: Mapping[str, OldPage]
) -> list[LedgerLine]:
    """Return the ledger's lines for a page that takes in notes of old pages."""
    lines = [make_page_line(page, objects.hash_blob(page.content))]
    for note in page.notes:
        capture = note.told.capture.id
        old = pages[capture].row
        line: LedgerLine = {
            "e": "moved",
            "capture": capture,
            "entry": page.entry,
            "from": old.entry,
            "rule": note.rule,
            "reason": note.reason,
        }
        if note.mentions:
            line["mentions"] = list(note.mentions)
        merged = {
            "e": "merged",
            "entry": old.entry,
            "into": page.entry,
            "path": old.path,
            "title": old.title,
            "reason": f"Its note stands on {page.path}.",
        }
        lines += [line, merged]
    return [*lines, *make_moved_lines(page)]


def _list_notes(
    planned: Sequence[PlannedPage], pages: Mapping[str, OldPage]
) -> list[GatheredNote]:
    notes = []
    for page in planned:
        for note in page.notes:
            row = pages[note.told.capture.id].row
            kind = "day" if note.rule == "unknown" else "page"
            notes.append(
                GatheredNote(
                    row, page.path, page.entry, page.title, kind, note.reason
                )
            )
    return notes


def describe_slice(planned: Slice) -> str:
    """Return the subject of a slice's commit."""
    count = many(len(planned.notes), "page")
    pages = {note.path for note in planned.notes}
    return f"gather: {count} into {many(len(pages), 'page')}"

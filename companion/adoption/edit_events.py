"""Make the events for what a person committed by themselves."""

from companion.adoption.merges.left_marks import is_left_by_git
from companion.adoption.plan import Difference, Held, Known, compare, settle
from companion.pages.frontmatter import read_front
from companion.pages.page import parse
from companion.runs.run import Run
from companion.storage.index.tables.pages.entries import (
    DifferentEntry,
    find_entry_at,
    find_known,
    list_different,
)
from companion.storage.index.tables.pages.merged_pages import (
    list_second_pages,
)
from companion.storage.index.tables.pages.statements import list_moved_by_hand
from companion.values.events import LedgerLine


def make_edit_events(run: Run) -> list[LedgerLine]:
    """Return the events for what the person committed since the last run.

    These are pages that are new, edited, moved or deleted. Marks of git are nobody's edit: the run
    notes where they stand.
    """
    held = []
    known = []
    for entry in _list_different(run):
        if entry.tombstone and _is_there_as_another(run, entry):
            continue
        if not entry.tombstone:
            page = Held(entry.id, entry.path, entry.blob, entry.registered)
            held.append(page)
        path, blob = entry.known_path, entry.known_blob
        if path is not None and blob is not None:
            known.append(Known(entry.id, path, blob, entry.known_deleted))
    difference = compare(held, known)
    texts = {}
    if difference.doubtful:
        texts = _read_texts(run, difference)
    events = settle(difference, texts)
    return [_add_title(run, one) for one in events if not _is_gits(run, one)]


def _is_there_as_another(run: Run, gone: DifferentEntry) -> bool:
    """Tell whether the page of *gone* stands where it was, as that of the entry whose id it bore.

    It was the second page of an id, and nobody deleted it: the first is gone, or was moved here.
    """
    path, blob = gone.known_path, gone.known_blob
    if path is None or blob is None or not run.repo.has(blob):
        return False
    here = find_entry_at(run.db, path)
    if here is None:
        return False
    return read_front(run.repo.text(blob)).meta.get("id") == here.id


def _is_gits(run: Run, event: LedgerLine) -> bool:
    """Tell whether only git's marks make *event*; then a note says where they stand."""
    if event["e"] not in ("edited", "deleted"):
        return False
    is_gits = is_left_by_git(run, event)
    note = (
        f"{event['path']}: git's marks stand there; bring it together by hand"
    )
    if is_gits and note not in run.notes:
        run.notes.append(note)
    return is_gits


def make_move_events(run: Run) -> list[LedgerLine]:
    """Return the events for the statements that stand on another page since the last run.

    A person who splits a page in two, or brings two together, moves blocks with their ids.
    """
    entries = [one.id for one in _list_different(run) if not one.tombstone]
    lines: dict[str, LedgerLine] = {}
    for capture, entry, before in list_moved_by_hand(run.db, sorted(entries)):
        # a block that stands on two pages is where the first one is
        lines.setdefault(
            capture,
            {
                "e": "moved",
                "capture": capture,
                "entry": entry,
                "from": before,
                "reason": "Stands on another page since.",
            },
        )
    return list(lines.values())


def _list_different(run: Run) -> list[DifferentEntry]:
    """Return the entries of which the tree says something else than the ledger, but for second
    pages of an id: a run made them on another machine, and no person did.
    """
    different = list_different(run.db)
    if all(entry.registered for entry in different):
        return different
    second = {page.entry for page in list_second_pages(run.db)}
    return [
        entry
        for entry in different
        if entry.registered or entry.id not in second
    ]


def _read_texts(run: Run, difference: Difference) -> dict[str, bytes]:
    """Return the contents of the pages that may be renamed ones, by blob."""
    blobs = {page.blob for page in difference.arrived}
    blobs.update(entry.blob for entry in difference.missing)
    return {
        blob: run.repo.blob(blob)
        for blob in sorted(blobs)
        if run.repo.has(blob)
    }


def _add_title(run: Run, event: LedgerLine) -> LedgerLine:
    """Return *event*; that of a deleted page gets its last title, for later searches."""
    if event["e"] != "deleted":
        return event
    known = find_known(run.db, event["entry"])
    assert known is not None  # only an entry of the record can be deleted
    text = ""
    if run.repo.has(known.blob):
        text = run.repo.text(known.blob)
    return {**event, "title": parse(text, event["path"]).title}

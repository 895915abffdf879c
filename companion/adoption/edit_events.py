"""Make the events for what a person committed by themselves."""

from companion.adoption.plan import Difference, Held, Known, compare, settle
from companion.pages.page import parse
from companion.runs.run import Run
from companion.storage.index.tables.pages.entries import (
    find_known,
    list_different,
)
from companion.storage.index.tables.pages.statements import list_moved_by_hand
from companion.values.events import LedgerLine


def make_edit_events(run: Run) -> list[LedgerLine]:
    """Return the events for what the person committed since the last run.

    These are pages that are new, edited, moved or deleted.
    """
    held = []
    known = []
    for entry in list_different(run.db):
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
    return [_add_title(run, event) for event in settle(difference, texts)]


def make_move_events(run: Run) -> list[LedgerLine]:
    """Return the events for the statements that stand on another page since the last run.

    A person who splits a page in two, or brings two together, moves blocks with their ids.
    """
    entries = [one.id for one in list_different(run.db) if not one.tombstone]
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

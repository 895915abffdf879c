"""`show`: one entry or one capture, whole."""

import sqlite3
from typing import TYPE_CHECKING

from companion.gravity.measure import describe_gravity
from companion.language.headline import headline
from companion.ledger.explain import replace_ids
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index, stale_warning
from companion.lookup.read_page import read_page_bytes
from companion.lookup.shifts import describe_other_side
from companion.lookup.statements import describe_statement
from companion.operations.decay.show import decay_document, links_to_archived
from companion.reading.captures import read_capture
from companion.reading.entry import statements
from companion.reading.sources import describe_source_of_page
from companion.storage.index.history import list_subject_events
from companion.storage.index.tables import audits
from companion.storage.index.tables.captures import (
    find_outcome,
    list_captures_of_entry,
)
from companion.storage.index.tables.minority import find_branch_of_capture
from companion.storage.index.tables.pages.edges import list_neighbours
from companion.storage.index.tables.pages.entries import find_entry, find_title
from companion.storage.index.tables.pages.links import list_unresolved_targets
from companion.storage.index.tables.questions import list_fallen_support
from companion.storage.journal.journal import Journal
from companion.usage.show import describe_use
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        FallenSupport,
        Neighbour,
        ShownCapture,
        ShownEntry,
    )


def show_target(
    ws: Workspace, target: str, *, most_links: int | None = None
) -> "ShownEntry | ShownCapture":
    """Return the entry or capture that *target* names, whole, with at most *most_links* of its
    links each way. Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    kind, id = find_target(ws, db, journal, target, words=True)
    shown: ShownEntry | ShownCapture
    if kind == "entry" and db is not None:
        shown = show_entry(ws, db, id, most_links=most_links)
    else:
        shown = show_capture(ws, db, journal, id)
    warning = stale_warning(ws, db)
    if warning is not None:
        shown["warning"] = warning
    return shown


def show_entry(
    ws: Workspace,
    db: sqlite3.Connection,
    id: str,
    *,
    most_links: int | None = None,
) -> "ShownEntry":
    """Return one entry with its text, its flags and at most *most_links* neighbours each way.

    Raises NothingFound.
    """
    entry = find_entry(db, id)
    if entry is None:
        raise NothingFound(f"there is no entry {id}")
    faded = decay_document(db, id, ws.now())
    targets = list_unresolved_targets(db, entry.path)
    archived = links_to_archived(db, entry.path, targets)
    archived_targets = {link["target"] for link in archived}
    text = read_page_bytes(ws, entry.path, entry.blob).decode(
        "utf-8", "replace"
    )
    return {
        "kind": "entry",
        "id": entry.id,
        "path": entry.path,
        "title": entry.title,
        "state": entry.state,
        "commit_hash": entry.commit_hash,
        "blob": entry.blob,
        "vitality": faded["vitality"],
        "gravity": entry.gravity,
        "gravity_protected": entry.gravity_protected,
        "quarantined": entry.quarantined,
        "last_accessed": entry.last_accessed,
        "cohesion_bucket": entry.cohesion_bucket,
        "tombstone": entry.tombstone,
        "managed": entry.managed,
        "since": entry.since,
        "superseded_by": entry.superseded_by,
        "terms": faded["terms"],
        "pinned": faded["pinned"],
        "full_text": faded["full_text"],
        "successor": find_title(db, entry.superseded_by),
        "shift": describe_other_side(ws, db, id),
        "weight": describe_gravity(db, id, ws.now()),
        "usage": describe_use(db, id),
        "rests_on": _list_fallen_support(ws, db, id),
        "audits": audits.describe_audits(
            db, id, lambda capture: describe_statement(ws, db, capture)
        ),
        "captures": list_captures_of_entry(db, id),
        "subject": statements.describe_subject(db, id),
        "source": describe_source_of_page(db, id),
        "statements": statements.list_statements(db, entry, text),
        "mentions": statements.list_mentions(ws, db, entry, text),
        "links": {
            "out": _list_neighbours_of(db, id, out=True, most=most_links),
            "in": _list_neighbours_of(db, id, out=False, most=most_links),
        },
        "unresolved": [
            target for target in targets if target not in archived_targets
        ],
        "archived_links": archived,
        "text": text,
    }


def show_capture(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, id: str
) -> "ShownCapture":
    """Return one capture as it was given, with every telling and where it went."""
    capture, tellings = read_capture(ws, journal, id)
    text = capture.content.decode("utf-8", "replace")
    shown: ShownCapture = {
        "kind": "capture",
        "id": id,
        "title": capture.title or headline(text),
        "path": None,
        "state": "pending",
        "blob": capture.blob,
        "ingested_at": capture.ingested_at,
        "channel": capture.channel,
        "priority": capture.priority,
        "edges": list(capture.edges),
        "branch": None,
        "entry": None,
        "place": None,
        "sightings": [telling._asdict() for telling in tellings],
        "text": text,
    }
    if db is not None:
        shown["branch"] = find_branch_of_capture(db, id)
        outcome = find_outcome(db, id)
        if outcome is not None:
            shown["state"] = outcome.outcome
            shown["entry"] = outcome.entry
        shown["place"] = statements.describe_place(db, id)
    if journal.is_withdrawn(id):
        at = journal.all_sightings(id)[-1].seen_at
        shown["state"] = _name_end(db, id, at)
    return shown


def _name_end(db: sqlite3.Connection | None, id: str, at: str) -> str:
    """Return how a capture left the buffer whose tellings were taken back at the time *at*."""
    told = [] if db is None else list_subject_events(db, id, "expired")
    expired = any(one.data["seen_at"] == at for one in told)
    return "expired" if expired else "dropped"


def _list_fallen_support(
    ws: Workspace, db: sqlite3.Connection, entry: str
) -> "list[FallenSupport]":
    """Return what *entry* rests on that fell, unless somebody answered the question."""
    flags: list[FallenSupport] = []
    for each in list_fallen_support(db, entry):
        statement = None
        if each.statement:
            statement = describe_statement(ws, db, each.statement)
        flags.append(
            {
                "flag": each.flag,
                "reason": replace_ids(db, each.reason),
                "path": each.path,
                "statement": statement,
            }
        )
    return flags


def _list_neighbours_of(
    db: sqlite3.Connection, id: str, *, out: bool, most: int | None
) -> "list[Neighbour]":
    neighbours: list[Neighbour] = []
    for each in list_neighbours(db, id, out=out, most=most):
        neighbours.append(
            {
                "id": each.id,
                "title": each.title,
                "path": each.path,
                "type": each.type,
                "weight": each.weight,
            }
        )
    return neighbours

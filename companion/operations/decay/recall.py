"""`recall`: bring a faded page or a lost statement back, by its owner's word.

Each that changes something is a run in the person's name.
"""

import os
import posixpath
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from companion.adoption.work_tree import list_names_on_disk
from companion.errors import CompanionError
from companion.lifecycle.transitions import Changes, restore_entry
from companion.lookup.find import find_target
from companion.lookup.index import current_index
from companion.lookup.read_page import read_page_bytes
from companion.operations.decay.owners_marks import NotAPage, publish_own
from companion.operations.decay.recall_statement import (
    LostWords,
    find_lost_words,
    restore_statement,
)
from companion.pages import ids, links
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.pages.names.file_name import find_free
from companion.pages.statement_edits import unmark_lost_page
from companion.runs.retry import run_with_retries
from companion.runs.run import Run
from companion.storage.cold import cold_memory
from companion.storage.git import objects
from companion.storage.git.repo import Repo, TryLater
from companion.storage.index.tables.decay import (
    find_living_entry,
    find_original,
)
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.names import has_file_name
from companion.values.decisions import Write
from companion.values.events import LedgerLine
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.decay.results import (
        RecalledEntry,
        RecallResult,
        Restoration,
        RestoredEntry,
    )


class NotFaded(CompanionError):
    """The entry is neither compressed nor archived: there is nothing to bring back."""

    exit_code = 1
    hint = "`companion show` shows its whole text."


class _Restoration(NamedTuple):
    """The ledger lines and writes that bring a page back, and the entry that has it then."""

    lines: list[LedgerLine]
    writes: list[Write]
    entry: str


def recall_faded(
    ws: Workspace, target: str, *, restore: bool = False, dry_run: bool = False
) -> "RecallResult":
    """Return the full text of a compressed or archived entry; with *restore*, make it a page again.

    A compressed page becomes whole, with what was added to it since. An archived entry stays
    archived, and a new one takes its place. A statement that lost is named by its id; restored, it
    stands on its page again. Restoring is a run. Raises NotFaded, NothingFound,
    Ambiguous, NotAPage or ColdLost.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    kind, id = find_target(ws, db, journal, target)
    if kind == "capture" and db is not None:
        lost = find_lost_words(db, id)
        if lost is not None:
            return _recall_statement(ws, lost, restore=restore, dry_run=dry_run)
    if kind != "entry" or db is None:
        raise NotAPage(f"{target} is not a page")
    document = _describe_faded(ws, db, id, restore=restore)
    if restore:
        result = run_with_retries(
            ws, "recall", lambda run: _restore(run, id, dry_run=dry_run), None
        )
        return {**document, **result}
    return {**document, **_describe_no_restoration(dry_run=dry_run)}


def _describe_faded(
    ws: Workspace, db: sqlite3.Connection, id: str, *, restore: bool
) -> "RecalledEntry":
    """Return an entry with its whole text. Raises NotFaded where the page still has it.

    A decaying page has its whole text, too, but can be restored.
    """
    entry = _entry_state(db, id)
    original = find_original(db, id)
    is_decaying = entry.state == "decaying" and restore
    if original is None and not entry.tombstone and not is_decaying:
        raise NotFaded(f"{entry.title} has its whole text")
    if original is not None:
        content = cold_memory.read_content(
            Repo(ws.place), original.id, original.blob
        )
    else:
        # its owner deleted it, and git keeps it; or it never was compressed
        content = read_page_bytes(ws, entry.path, entry.blob)
    return {
        "entry": id,
        "title": entry.title,
        "path": entry.path,
        "state": entry.state,
        "cold": None if original is None else original.id,
        "text": content.decode("utf-8", "replace"),
    }


def _recall_statement(
    ws: Workspace, lost: LostWords, *, restore: bool, dry_run: bool
) -> "RecallResult":
    document = lost.describe(Repo(ws.place))
    if restore:
        result = run_with_retries(
            ws,
            "recall",
            lambda run: restore_statement(run, lost.capture, dry_run=dry_run),
            None,
        )
        return {**document, **result}
    return {**document, **_describe_no_restoration(dry_run=dry_run)}


def _describe_no_restoration(*, dry_run: bool) -> "Restoration":
    """Return the part of the document that says that nothing was restored."""
    return {
        "restored": None,
        "run": None,
        "commit": None,
        "notes": [],
        "dry_run": dry_run,
    }


def _entry_state(db: sqlite3.Connection, entry: str) -> EntryRow:
    row = find_entry(db, entry)
    assert row is not None  # it was found by its name
    return row


# -- recall ----------------------------------------------------------------------------------------


def _restore(run: Run, id: str, *, dry_run: bool) -> "Restoration":
    entry = _entry_state(run.db, id)
    found = (
        _new_entry(run, id, entry) if entry.tombstone else _whole_page(run, id)
    )
    document: RestoredEntry = {
        "restored": found.entry,
        "notes": list(run.notes),
        "dry_run": dry_run,
    }
    if dry_run:
        return {**document, "run": None, "commit": None}
    done = publish_own(
        run, "recall", found.lines, found.writes, f"{entry.title} restored"
    )
    return {**document, **done}


def _whole_page(run: Run, id: str) -> _Restoration:
    """Return what makes a decaying or compressed entry active and whole."""
    entry = find_living_entry(run.db, id)
    if entry is None:
        raise NotFaded(
            "it is archived, but its page is in its place and has its whole text",
            hint="`companion why` names the run; `companion undo` takes it back.",
        )
    changes = Changes()
    restore_entry(run, entry, "recalled by hand", changes)
    if changes.left_out:
        raise TryLater(
            f"{entry.path}: {changes.left_out[entry.path]}",
            hint="Run `companion adopt` first.",
        )
    return _Restoration(changes.lines, changes.writes, id)


def _new_entry(run: Run, old: str, entry: EntryRow) -> _Restoration:
    """Return what makes a new entry of an archived one: archived entries stay so (MaM §4)."""
    original = find_original(run.db, old)
    if original is None:
        raise NotFaded(
            f"its owner deleted {entry.path}",
            hint=f"`git log -- {entry.path}` finds it; `companion recall` shows it.",
        )
    successor = entry.superseded_by
    if (
        successor is not None
        and find_living_entry(run.db, successor) is not None
    ):
        raise NotFaded(
            f"another page took the place of {entry.title}",
            hint=f"`companion show {successor}`",
        )
    full = cold_memory.read_content(run.repo, original.id, original.blob)
    text = unmark_lost_page(full.decode("utf-8", "surrogateescape"))
    id = ids.restored_id(old, original.id)
    marked = set_frontmatter_keys(text, {"id": id, "restored_from": old})
    content = (marked or text).encode("utf-8", "surrogateescape")
    path = _free_path(run, entry.path)
    line = {
        "e": "created",
        "entry": id,
        "path": path,
        "blob": objects.hash_blob(content),
        "bucket": entry.cohesion_bucket or "mid",
        "quarantined": 0,
        "restored_from": old,
        "reason": f"Recalled by hand. (from cold object {original.id})",
    }
    return _Restoration([line], [Write(path, content)], id)


def _free_path(run: Run, path: str) -> str:
    """Return *path*, or the next name beside it that no page has."""
    if _is_free(run, path):
        return path
    folder, name = posixpath.split(path.removesuffix(".md"))
    used = list_names_on_disk(run, [folder])

    def is_taken(key: str) -> bool:
        return key in used or has_file_name(run.db, key)

    return posixpath.join(folder, find_free(name, is_taken) + ".md")


def _is_free(run: Run, path: str) -> bool:
    if run.repo.subtree(run.tree, path) is not None:
        return False
    if os.path.lexists(os.path.join(run.ws.place.root, path)):
        return False
    return not has_file_name(run.db, links.key(path))

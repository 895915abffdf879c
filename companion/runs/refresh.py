"""Bring the index and the journal to the tip of the branch, before a run plans and after it."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from companion.config import Config
from companion.runs import lost_runs
from companion.storage.git import layout, setup
from companion.storage.git.command import run_git
from companion.storage.git.repo import Repo
from companion.storage.index import schema
from companion.storage.index.folding import fold
from companion.storage.index.tables.use import list_use_marks
from companion.storage.journal import reads
from companion.storage.journal.journal import TRUSTED, Journal
from companion.values.progress import Progress
from companion.workspace import Workspace


class Snapshot(NamedTuple):
    """The state of the wiki's branch that a run was planned from."""

    commit: str | None
    tree: str | None  # the wiki's own
    config: Config


def open_index(ws: Workspace) -> sqlite3.Connection:
    """Open the index for writing; replace one that SQLite cannot read.

    The index holds nothing of its own. Raises IndexDamaged or NotAnIndex.
    """
    try:
        return schema.open_for_writing(ws.place.index_db)
    except schema.IndexDamaged:
        schema.remove_database(ws.place.index_db)
        return schema.open_for_writing(ws.place.index_db)


def fold_tip(
    ws: Workspace,
    repo: Repo,
    db: sqlite3.Connection,
    journal: Journal,
    progress: Progress,
) -> tuple[Snapshot, list[str]]:
    """Fold the tip of the branch, and let the journal remember what that settles.

    Returns the snapshot at the tip, and notes for the person. Raises BadLedger, NewerLedger,
    BadConfig or MissingObject with the index as it was.
    """
    notes = []
    # Opened before the fold, settled after it: a crash may show a capture twice, never not at all.
    lost = fold.list_lost_runs(db, repo)
    if lost or schema.read_meta(db, "tree") is None:
        journal.unhear()
    if lost:
        notes += _keep_lost(ws, repo, journal, schema.read_meta(db, "commit"))
    _reopen(repo, journal, fold.list_consumed_by(db, lost))
    folded = fold.refresh(db, repo, progress=progress)
    tree = repo.wiki_tree(folded.commit)
    snapshot = Snapshot(folded.commit, tree, fold.read_settings(repo, tree))
    if folded.rebuilt:
        notes += _reopen_forgotten(ws, repo, db, journal)
    journal.settle(fold.select_consumed(db, journal.open_ids()))
    reads.note_folded(journal, lambda: list_use_marks(db))
    record_newest_time(db, journal)
    return snapshot, notes


def _reopen_forgotten(
    ws: Workspace, repo: Repo, db: sqlite3.Connection, journal: Journal
) -> list[str]:
    """Open the captures that a rebuilt index does not hold consumed; return notes.

    No old index could say which runs have left the branch, so git's history is asked.
    """
    notes = []
    settled = [id for id, _ in journal.settled()]
    open_again = sorted(set(settled) - fold.select_consumed(db, settled))
    if open_again:
        for commit in lost_runs.list_removals(repo):
            notes += _keep_lost(ws, repo, journal, commit)
    _reopen(repo, journal, open_again)
    return notes


def _keep_lost(
    ws: Workspace, repo: Repo, journal: Journal, tip: str | None
) -> list[str]:
    """Keep the commit whose runs a reset or a revert took away under a ref; return notes.

    By that ref `git merge` brings them back.
    """
    kept = layout.read_refs(ws.place, lost_runs.LOST.rstrip("/")).values()
    if tip is None or tip in kept or not repo.has(tip):
        return []
    stamp = ws.now()[:19].replace(":", "")
    ref = f"{lost_runs.LOST}{stamp}-{tip[:8]}"
    run_git(ws.place, "update-ref", ref, tip)
    # Once the index has folded the new tree, nothing else knows which runs were lost.
    setup.sync_refs(ws.place, [ref])
    journal.forget_tellings()
    return [
        f"runs have left the branch; git keeps their pages and records under {ref}"
    ]


def _reopen(repo: Repo, journal: Journal, captures: Sequence[str]) -> None:
    contents: list[tuple[str, bytes | None]] = []
    for capture in captures:
        blob = journal.blob(capture)
        if blob is None:
            continue
        content = None
        if repo.has(blob):
            content = repo.blob(blob)
        contents.append((capture, content))
    if contents:
        journal.unsettle(contents)


def record_newest_time(db: sqlite3.Connection, journal: Journal) -> None:
    """Tell the journal the newest run's time, by which TRIAGE judges the clock."""
    newest = schema.find_newest_time(db)
    if newest is not None and newest != journal.get(TRUSTED):
        journal.put(TRUSTED, newest)

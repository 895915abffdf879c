"""Bring the index up to the tip of the branch, for a read that finds it behind."""

import os
import sqlite3
from contextlib import closing

from companion import config
from companion.config_checks import BadConfig
from companion.runs import locked_wiki
from companion.runs.refresh import fold_tip, open_index
from companion.storage import ledger_file
from companion.storage.files import durable, lock
from companion.storage.git import minority_refs
from companion.storage.git.command import run_git
from companion.storage.git.repo import MissingObject, Repo
from companion.storage.index.folding import fold
from companion.storage.ledger_file import BadLedger, NewerLedger
from companion.values.progress import SILENT
from companion.workspace import Workspace

#: errors that stop a fold at a commit; the index of an earlier commit stays as it was
UNREADABLE = (BadLedger, NewerLedger, BadConfig, MissingObject)
_BACK = 100  # commits that are tried where there is no index yet


def catch_up(ws: Workspace) -> bool:
    """Fold what the branch gained since the last fold.

    Return False where that would mean waiting, or where this machine may not write.
    """
    try:
        with locked_wiki.hold_lock(ws, "catching up"):
            _fold(ws)
        return True
    except lock.Busy:
        return False
    except (
        PermissionError,
        durable.StorageError,
        sqlite3.OperationalError,
    ) as error:
        if _is_read_only(ws, error):
            return False
        raise


def _fold(ws: Workspace) -> None:
    wiki = locked_wiki.recover_and_open(ws, quiet=False)
    with closing(wiki.db) as db:
        fold_tip(ws, wiki.repo, db, wiki.journal, SILENT)
        minority_refs.move_refs(wiki.repo, db)


def fold_newest_readable(ws: Workspace) -> bool:
    """Build an index, where there is none, at the newest commit that can be folded.

    Return False where none of the last hundred can be. Raises BadConfig, BadLedger, GitFailed,
    IndexDamaged, NewerLedger or NotAnIndex.
    """
    repo = Repo(ws.place)
    os.makedirs(ws.place.state, mode=0o700, exist_ok=True)
    with (
        lock.lock_file(
            os.path.join(ws.place.state, "sleep.lock"), "catching up"
        ),
        closing(open_index(ws)) as db,
    ):
        for touched in _commits_of_the_record(ws, repo):
            parent = repo.parent_of(touched)
            if parent is not None and _can_fold(repo, db, parent):
                return True
        return False


def _commits_of_the_record(ws: Workspace, repo: Repo) -> list[str]:
    """Return the newest commits that touched the ledger or the settings, the newest first."""
    folder = ledger_file.FOLDER.rstrip("/")
    paths = [
        f":(top,literal){ws.place.prefix}{path}"
        for path in (folder, config.PATH)
    ]
    listing = run_git(
        ws.place,
        "rev-list",
        "--first-parent",
        f"-n{_BACK}",
        repo.branch,
        "--",
        *paths,
    )
    return listing.decode().split()


def _can_fold(repo: Repo, db: sqlite3.Connection, commit: str) -> bool:
    """Fold the wiki as it was at *commit*; return False where it cannot be read."""
    try:
        with fold.transaction(db):
            fold.fold_to(db, repo, commit, repo.wiki_tree(commit))
    except UNREADABLE:
        return False  # the caller names what is wrong at the tip
    return True


def _is_read_only(ws: Workspace, error: Exception) -> bool:
    return isinstance(error, PermissionError) or not os.access(
        ws.place.common_dir, os.W_OK
    )

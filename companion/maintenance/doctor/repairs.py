"""Mend for `doctor --repair` what can be derived again; what a repair replaces is kept aside.

Every repair is called under sleep.lock, and only where its finding was made. It returns a sentence
on what it did. None touches a person's page, a capture's bytes, or anything in git that is there.
"""

import os
import shutil
from collections.abc import Callable, Mapping
from datetime import datetime

from companion.maintenance.doctor.examine_cold_memory import mend_cold_memory
from companion.maintenance.doctor.examine_files import (
    list_changed_ledger_files,
    list_leftovers,
)
from companion.maintenance.doctor.examine_originals import mend_originals
from companion.maintenance.take_in import AHEAD
from companion.runs.run import prepare_run
from companion.storage import checkup, publish
from companion.storage.boundary.tellings import is_usable_time
from companion.storage.files import durable
from companion.storage.git import capture_buffer
from companion.storage.git.repo import Repo
from companion.storage.index import private_index, schema
from companion.storage.journal.journal import Journal
from companion.values.time import format_instant
from companion.workspace import Workspace, real_now


def rebuild_index(ws: Workspace) -> str:
    """Build the index from the tree."""
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(ws.place.index_db + suffix):
            _set_aside(ws, ws.place.index_db + suffix)
    schema.remove_database(ws.place.index_db)
    catch_up(ws)
    return "the index was built anew from the tree"


def drop_private_index(ws: Workspace) -> str:
    """Drop what was read out of private tellings."""
    path = private_index.find_path(ws.place)
    _set_aside(ws, path)
    schema.remove_database(path)
    return "what was told in private is read again when its owner asks"


def catch_up(ws: Workspace) -> str:
    """Fold what the branch has gained."""
    prepare_run(ws, quiet=False).db.close()
    return "the index was brought to where the branch is"


def recover_run(ws: Workspace) -> str:
    """Finish or undo what a killed run left, its locks included.

    Raises DamagedRef, GitBusy, GitFailed, JournalError, Raced or UnsafePath.
    """
    return (
        publish.recover(Repo(ws.place), ws.journal())
        or "nothing was left of a killed run"
    )


def set_leftovers_aside(ws: Workspace) -> str:
    """Set aside temporary files that are older than an hour."""
    paths = list_leftovers(ws)
    for path in paths:
        _set_aside(ws, path)
        os.unlink(path)
    return f"{len(paths)} leftovers were set aside"


def restore_ledger_files(ws: Workspace) -> str:
    """Put ledger files back as the branch has them. Raises GitFailed or StorageError."""
    repo = Repo(ws.place)
    tree = repo.wiki_tree(repo.tip())
    paths = list_changed_ledger_files(repo)
    for path in paths:
        full = os.path.join(ws.place.root, path)
        data = repo.blob(str(repo.subtree(tree, path)))
        if os.path.lexists(full):
            _set_aside(ws, full)
        durable.make_dirs(os.path.dirname(full))
        durable.replace(full, data)
    return f"{len(paths)} ledger files are again as the branch has them"


def record_prefix(ws: Workspace) -> str:
    """Record again where in its repository the wiki lies. Raises StorageError."""
    path = os.path.join(ws.place.beside, "prefix")
    if os.path.exists(path):
        _set_aside(ws, path)
    if ws.place.prefix:
        durable.replace(path, ws.place.prefix.encode())
    else:
        os.unlink(path)
    return "where the wiki lies was recorded again"


def restore_journal_structure(ws: Workspace) -> str:
    """Create the journal's triggers and indexes anew."""
    _copy_journal(ws)
    checkup.mend_structure(Journal.open(ws.place.journal_db).connection)
    return "the journal's triggers and indexes were made again"


def reindex_journal(ws: Workspace) -> str:
    """Build the journal's own indexes anew from its tables."""
    _copy_journal(ws)
    Journal.open(ws.place.journal_db).connection.execute("REINDEX")
    return "the journal's indexes were built anew from its tables"


def take_in_from_git(ws: Workspace) -> str:
    """Take back into the journal what git holds. Raises GitFailed."""
    in_git = capture_buffer.read(Repo(ws.place))
    journal = Journal.open(ws.place.journal_db)
    captures, tellings = journal.take_in(in_git, (), {})
    return f"{captures} captures and {tellings} tellings came back from git"


def set_time_back(ws: Workspace) -> str:
    """Let the newest time be that of the newest telling that can be: nothing can follow 9999."""
    _copy_journal(ws)
    journal = Journal.open(ws.place.journal_db)
    latest = format_instant(datetime.fromisoformat(ws.now()) + AHEAD)
    times = filter(is_usable_time, journal.list_times(latest))
    newest = next(times, None)
    journal.begin()
    journal.put("last_time", newest)
    journal.commit()
    return f"the newest time is {newest or 'none'} again"


def rebuild_journal(ws: Workspace) -> str:
    """Make a new journal from the captures that git holds, and mark those that runs consumed."""
    held = len(list(ws.journal().ids()))
    catch_up(ws)
    return f"a new journal was made of the {held} captures that git holds"


def anchor_again(ws: Workspace) -> str:
    """Put the captures that git's buffers lack back into them, where their bytes still exist.

    Raises GitFailed, TreeConflict or UnsafePath.
    """
    journal = ws.journal()
    repo = Repo(ws.place)
    in_git = capture_buffer.list_captures_in_git(repo)
    lacking = 0
    found = []
    for id, blob, anchored in journal.ids():
        if not anchored or id in in_git:
            continue
        lacking += 1
        content = journal.capture(id)[0].content
        if content or repo.has(blob):
            found.append((id, content or repo.blob(blob)))
    journal.loosen(found)
    capture_buffer.anchor(journal, repo)
    return f"{len(found)} of {lacking} captures were anchored again"


def _copy_journal(ws: Workspace) -> None:
    for suffix in ("", "-wal"):
        if os.path.exists(ws.place.journal_db + suffix):
            _set_aside(ws, ws.place.journal_db + suffix)


def _set_aside(ws: Workspace, path: str) -> None:
    """Keep a copy of *path* in the state folder: a repair must be able to be taken back by hand."""
    folder = os.path.join(ws.place.state, "aside")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    stamp = real_now().strftime("%Y%m%dT%H%M%S.%f")
    copy = os.path.join(folder, f"{stamp}-{os.path.basename(path)}")
    shutil.copy2(path, copy, follow_symlinks=False)
    durable.sync_tree([copy])


#: in the order in which they are tried: the index last, for it is derived from the rest
REPAIRS: Mapping[str, Callable[[Workspace], str]] = {
    "prefix-wrong": record_prefix,
    "journal-missing": rebuild_journal,
    "journal-structure": restore_journal_structure,
    "journal-indexes": reindex_journal,
    "journal-forgot": take_in_from_git,
    "tellings-missing": take_in_from_git,
    "capture-forgotten": rebuild_index,
    "time-impossible": set_time_back,
    "journal-ahead": set_time_back,
    "buffer-lacks": anchor_again,
    "run-interrupted": recover_run,
    "lock-held": recover_run,
    "ledger-changed": restore_ledger_files,
    "leftovers": set_leftovers_aside,
    "index-damaged": rebuild_index,
    "index-differs": rebuild_index,
    "index-missing": catch_up,
    "index-behind": catch_up,
    "private-damaged": drop_private_index,
    "cold-lacks": mend_cold_memory,
    "original-not-cold": mend_originals,
}

"""What `doctor --repair` does: what can be derived is derived again, and what it replaces is kept
aside.

Every cure is called under sleep.lock, and only where its finding was made. None touches a person's
page, a capture's bytes, or anything in git that is there.
"""

import os
import shutil
from collections.abc import Callable, Mapping

from companion.maintenance.doctor import checks, cold_memory
from companion.runs.run import prepare_run
from companion.storage import publish
from companion.storage.files import durable
from companion.storage.git import capture_buffer
from companion.storage.git.repo import Repo
from companion.storage.index import checkup, private_index
from companion.storage.index import schema as index
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace, real_now


def index_anew(ws: Workspace) -> str:
    """Build the index from the tree."""
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(ws.place.index_db + suffix):
            _set_aside(ws, ws.place.index_db + suffix)
    index.remove_database(ws.place.index_db)
    catch_up(ws)
    return "the index was built anew from the tree"


def private_anew(ws: Workspace) -> str:
    """Drop what was read out of private tellings."""
    path = private_index.find_path(ws.place)
    _set_aside(ws, path)
    index.remove_database(path)
    return "what was told in private is read again when its owner asks"


def catch_up(ws: Workspace) -> str:
    """Fold what the branch has gained."""
    prepare_run(ws, quiet=False).db.close()
    return "the index was brought to where the branch is"


def recover(ws: Workspace) -> str:
    """Finish or undo what a killed run left, its locks included."""
    return (
        publish.recover(Repo(ws.place), ws.journal())
        or "nothing was left of a killed run"
    )


def sweep(ws: Workspace) -> str:
    """Set aside temporary files that are older than an hour."""
    paths = checks.leftovers(ws)
    for path in paths:
        _set_aside(ws, path)
        os.unlink(path)
    return f"{len(paths)} leftovers were set aside"


def ledger(ws: Workspace) -> str:
    """Put ledger files back as the branch has them."""
    repo = Repo(ws.place)
    tree, paths = repo.wiki_tree(repo.tip()), checks.changed_ledger(repo)
    for path in paths:
        full, data = (
            os.path.join(ws.place.root, path),
            repo.blob(str(repo.subtree(tree, path))),
        )
        if os.path.lexists(full):
            _set_aside(ws, full)
        durable.make_dirs(os.path.dirname(full))
        durable.replace(full, data)
    return f"{len(paths)} ledger files are again as the branch has them"


def prefix(ws: Workspace) -> str:
    """Record again where in its repository the wiki lies."""
    path = os.path.join(ws.place.beside, "prefix")
    if os.path.exists(path):
        _set_aside(ws, path)
    if ws.place.prefix:
        durable.replace(path, ws.place.prefix.encode())
    else:
        os.unlink(path)
    return "where the wiki lies was recorded again"


def structure(ws: Workspace) -> str:
    """Create the journal's triggers and indexes anew."""
    _copy_journal(ws)
    checkup.mend_structure(Journal.open(ws.place.journal_db).connection)
    return "the journal's triggers and indexes were made again"


def indexes(ws: Workspace) -> str:
    """Build the journal's own indexes anew from its tables."""
    _copy_journal(ws)
    Journal.open(ws.place.journal_db).connection.execute("REINDEX")
    return "the journal's indexes were built anew from its tables"


def remember(ws: Workspace) -> str:
    """Take back into the journal what git holds."""
    captures, tellings = Journal.open(ws.place.journal_db).take_in(
        capture_buffer.read(Repo(ws.place)), (), {}
    )
    return f"{captures} captures and {tellings} tellings came back from git"


def journal_anew(ws: Workspace) -> str:
    """Make a journal of what git holds of one that is gone, and tell it what runs have consumed."""
    held = len(list(ws.journal().ids()))
    catch_up(ws)
    return f"a new journal was made of the {held} captures that git holds"


def anchor_again(ws: Workspace) -> str:
    """Put into git's buffers what they lack and is still to be had."""
    journal, repo = ws.journal(), Repo(ws.place)
    there = capture_buffer.list_captures_in_git(repo)
    lost = [
        (id, blob)
        for id, blob, anchored in journal.ids()
        if anchored and id not in there
    ]
    found = [
        (id, journal.capture(id)[0].content or repo.blob(blob))
        for id, blob in lost
        if _to_be_had(repo, journal, id)
    ]
    journal.loosen(found)
    capture_buffer.anchor(journal, repo)
    return f"{len(found)} of {len(lost)} captures were anchored again"


def _to_be_had(repo: Repo, journal: Journal, id: str) -> bool:
    held = journal.capture(id)[0]
    return bool(held.content) or repo.has(held.blob)


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
CURES: Mapping[str, Callable[[Workspace], str]] = {
    "prefix-wrong": prefix,
    "journal-missing": journal_anew,
    "journal-structure": structure,
    "journal-indexes": indexes,
    "journal-forgot": remember,
    "buffer-lacks": anchor_again,
    "run-interrupted": recover,
    "lock-held": recover,
    "ledger-changed": ledger,
    "leftovers": sweep,
    "index-damaged": index_anew,
    "index-differs": index_anew,
    "index-missing": catch_up,
    "index-behind": catch_up,
    "private-damaged": private_anew,
    "cold-lacks": cold_memory.mend,
}

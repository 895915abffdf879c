"""Examine companion's own files in the work tree and in the state folder."""

import os
import re
from collections.abc import Iterator

from companion import config
from companion.errors import CompanionError
from companion.maintenance.doctor.findings import (
    REPAIR,
    RESTORE,
    damage,
    note,
    warning,
)
from companion.maintenance.results import Finding
from companion.reading.status_notes import note_unrecorded_reads
from companion.routing import watch_signals
from companion.storage import ledger_file, publish
from companion.storage.files import durable
from companion.storage.git import git_locks, objects
from companion.storage.git.repo import Repo
from companion.workspace import Workspace, real_now

_OLD = 3600.0  # seconds: a temporary file of this age is nobody's
_TEMP = re.compile(re.escape(durable.TEMP) + r"\d+-\d+")


def examine_folders(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what is wrong with the ledger, the settings and the record of the wiki's place.

    Raises GitFailed.
    """
    folder = os.path.join(ws.place.root, ".companion")
    if os.path.isdir(folder):
        yield from _ledger(repo)
    else:
        hint = "`git checkout -- .companion`"
        yield warning("folder-missing", f"{folder} is gone", hint)
    yield from _settings(ws, repo)
    yield from _prefix(ws)


def list_changed_ledger_files(repo: Repo) -> list[str]:
    """Return the ledger files of the tip that the work tree has otherwise, or not at all.

    Raises GitFailed.
    """
    tree = repo.wiki_tree(repo.tip())
    ledger = repo.subtree(tree, ledger_file.FOLDER.rstrip("/"))
    changed = []
    for path, _, blob in repo.walk(ledger, ledger_file.FOLDER):
        on_disk = repo.place.prefix + path
        if publish.hash_on_disk(repo, on_disk) == blob:
            continue
        if publish.hash_as_git_would(repo, on_disk) != blob:
            changed.append(path)
    return changed


def examine_warnings(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what keeps use from being recorded, and bad lines in the owner's file of external
    signals (MaM §5.0, row 3): such a line warns of nothing.
    """
    for problem in note_unrecorded_reads(ws):
        hint = "Nothing else is wrong with it: reads answer as ever."
        yield warning("use-unrecorded", problem, hint)
    for problem in watch_signals.list_file_problems(ws):
        hint = (
            f"Mend {watch_signals.PATH} and commit it; the rest of it counts."
        )
        yield warning("signals-unread", problem, hint)


def list_git_locks(repo: Repo) -> list[str]:
    """Return the paths of the locks by which git is kept from writing."""
    return [
        git_locks.index_path(repo) + ".lock",
        git_locks.ref_path(repo, repo.branch) + ".lock",
    ]


def examine_locks_and_leftovers(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield locks that keep git from writing, and temporary files of processes that were killed."""
    for path in filter(os.path.exists, list_git_locks(repo)):
        hint = "If no git is running, remove it."
        yield warning("lock-held", f"{path} exists", hint)
    paths = list_leftovers(ws)
    if paths:
        what = f"{len(paths)} files that a killed process left, like {paths[0]}"
        yield note("leftovers", what, REPAIR)


def list_leftovers(ws: Workspace) -> list[str]:
    """Return companion's temporary files, in the wiki and the state folder, that are too old to be
    in use.
    """
    newest = real_now().timestamp() - _OLD
    paths = []
    for top in (ws.place.state, ws.place.root):
        for folder, folders, names in os.walk(top):
            for skipped in {".git", "aside"}.intersection(folders):
                folders.remove(skipped)
            for name in names:
                path = os.path.join(folder, name)
                if _TEMP.fullmatch(name) and os.lstat(path).st_mtime <= newest:
                    paths.append(path)
    return sorted(paths)


def _ledger(repo: Repo) -> Iterator[Finding]:
    tree = repo.wiki_tree(repo.tip())
    for path in list_changed_ledger_files(repo):
        hint = RESTORE
        if repo.has(str(repo.subtree(tree, path))):
            hint = REPAIR
        what = f"{path} is not what its run wrote"
        yield damage("ledger-changed", what, hint)


def _settings(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Examine a companion.yaml that differs from the branch's: a committed one that cannot be read
    stops the fold, which says so itself.
    """
    data = durable.read_if_there(os.path.join(ws.place.root, config.PATH))
    committed = repo.subtree(repo.wiki_tree(repo.tip()), config.PATH)
    if data is None or objects.hash_blob(data) == committed:
        return
    try:
        config.parse(data[: config.MAX_BYTES + 1])
    except CompanionError as error:
        hint = f"Mend {config.PATH}, or `git checkout -- {config.PATH}`"
        yield damage("config-unreadable", str(error), hint)


def _prefix(ws: Workspace) -> Iterator[Finding]:
    path = os.path.join(ws.place.beside, "prefix")
    wanted = ws.place.prefix.encode()
    if durable.read_if_there(path) != (wanted or None):
        what = f"{path} does not say where in the repository the wiki lies"
        yield damage("prefix-wrong", what, REPAIR)

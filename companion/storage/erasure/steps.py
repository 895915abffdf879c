"""The steps of an erasure, each repeatable: refs, files, git's index, the journal.

The intent in the journal names everything by hashes of what is clean already, and knows nothing of
the words; so the next holder of sleep.lock can finish what a killed erasure began. Before the refs
have moved, it is dropped instead.
"""

import json
import os
import stat
from collections.abc import Sequence
from typing import Any

from companion.storage import publish
from companion.storage.erasure import scrub
from companion.storage.files import durable, exchange, swap
from companion.storage.files.swap import Changed
from companion.storage.git import git_locks, layout
from companion.storage.git.git_locks import Raced
from companion.storage.git.repo import Repo, run_git
from companion.storage.journal.journal import Journal
from companion.workspace import real_now

INTENT = "erasing"
# the words are out of every ref and file; git's object store may still hold them
UNFINISHED = "erase_unfinished"


def begin(repo: Repo, journal: Journal, intent: dict[str, Any]) -> list[str]:
    """Write the intent down and carry it out; return the files that changed meanwhile and were left
    alone.

    Raises Raced or GitBusy with nothing changed.
    """
    durable.fault("erase.intent")
    journal.put(INTENT, json.dumps(intent))
    durable.fault("erase.intent", "after")
    try:
        git_locks.take_index(repo, intent["index"])
        _move_refs(repo, intent["refs"])
    except BaseException:
        if not _moved(repo, intent["refs"]):
            git_locks.release(repo, repo.branch)
            journal.put(INTENT, None)
        raise
    return _finish(repo, journal, intent)


def resume(repo: Repo, journal: Journal) -> str | None:
    """Finish, or drop, what a killed erasure left; return words about it, None when there was
    nothing.
    """
    text = journal.get(INTENT)
    if text is None:
        return None
    intent = json.loads(text)
    git_locks.release(repo, repo.branch)
    if not _moved(repo, intent["refs"]):
        journal.put(INTENT, None)
        return "an erasure was interrupted before it changed anything"
    git_locks.take_index(repo, intent["index"])
    _move_refs(
        repo, [item for item in intent["refs"] if layout.read_ref(repo.place, item[0]) == item[1]]
    )
    _finish(repo, journal, intent)
    return "an interrupted erasure was carried on; run `companion erase` with the same words to finish it"


def _finish(repo: Repo, journal: Journal, intent: dict[str, Any]) -> list[str]:
    durable.fault("erase.files")
    stuck = _write(repo, intent["files"])
    git_locks.put_index(repo)
    git_locks.release(repo, repo.branch)
    durable.fault("erase.files", "after")
    scrub.apply(journal.connection, intent["rows"], repo.blob, {INTENT: None, UNFINISHED: "1"})
    return stuck


def _moved(repo: Repo, refs: Sequence[Sequence[Any]]) -> bool:
    """Tell whether any ref is where the erasure put it, or the branch has gone on from there."""
    return any(_is_there(repo, ref, to, new) for ref, old, to, new in refs if new != old)


def _is_there(repo: Repo, ref: str, to: str | None, new: str) -> bool:
    now = layout.read_ref(repo.place, to or ref)
    return now == new or (ref == repo.branch and now is not None and repo.is_ancestor(new, now))


def _move_refs(repo: Repo, refs: Sequence[Sequence[Any]]) -> None:
    """Move all refs in one transaction of git's, each only from where it was."""
    commands = []
    for ref, old, to, new in refs:
        if to == ref:
            commands.append(f"update {ref} {new} {old}\n")
        else:
            commands += [f"delete {ref} {old}\n", *([f"create {to} {new}\n"] if to else [])]
    durable.fault("erase.refs")
    if commands:
        try:
            run_git(
                repo.place,
                "update-ref",
                "--stdin",
                stdin="".join(commands).encode("utf-8", "surrogateescape"),
            )
        except Exception as error:
            raise Raced("a branch moved while words were being erased") from error
    durable.fault("erase.refs", "after")


def _write(repo: Repo, files: Sequence[Sequence[Any]]) -> list[str]:
    """Put every file in place that still is what it was, or is not there yet; return the others."""
    root, kept = repo.place.worktree, publish.kept_folder(repo)
    mode, stuck = exchange.probe(root, kept), []
    for path, old, to, blob in files:
        found = publish.disk_hash(repo, path)
        if old is not None and found == old:
            perm = stat.S_IMODE(os.lstat(os.path.join(root, path)).st_mode)
            parts = (
                [(path, repo.blob(blob), old)]
                if to == path
                else [(to, repo.blob(blob), None), (path, None, old)]
            )
        elif old is None and found is None:
            perm, parts = 0o666, [(to, repo.blob(blob), None)]
        else:
            stuck += [path] if publish.disk_hash(repo, to) != blob else []
            continue
        for at, data, expected in parts:
            done = swap.put(root, at, data, expected, kept, now=real_now(), mode=mode, perm=perm)
            stuck += (
                [at] if isinstance(done, Changed) and publish.disk_hash(repo, at) != blob else []
            )
        if to != path:
            _drop_empty(root, path)
    return stuck


def _drop_empty(root: str, path: str) -> None:
    """Remove the folders that a rename left empty: their names may hold the words."""
    folder = os.path.dirname(path)
    while folder and not os.listdir(os.path.join(root, folder)):
        os.rmdir(os.path.join(root, folder))
        folder = os.path.dirname(folder)

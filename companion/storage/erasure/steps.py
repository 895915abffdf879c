"""The steps of an erasure, each repeatable: refs, files, git's index, the journal.

The intent in the journal names clean content by its hashes and does not know the words; so the next
holder of sleep.lock can finish an erasure that was killed. If the refs have not moved yet, it drops
the erasure instead.
"""

import json
import os
import stat
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from companion.storage import publish
from companion.storage.erasure import scrub
from companion.storage.files import durable, exchange, swap
from companion.storage.files.exchange import Mode
from companion.storage.files.swap import Changed
from companion.storage.git import git_locks, layout
from companion.storage.git.command import run_git
from companion.storage.git.git_locks import IndexEntry, Raced
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.values.events import JsonDocument

INTENT = "erasing"
# the words are out of every ref and file; git's object store may still hold them
UNFINISHED = "erase_unfinished"

# refs, files, index, rows: lists of the fields of RefMove, FileMove, IndexEntry and scrub.Row
Intent = JsonDocument


class RefMove(NamedTuple):
    """A ref before and after the erasure."""

    ref: str
    old: str
    to: str | None  # its new name; None: it goes
    new: str


class FileMove(NamedTuple):
    """A file of the work tree before and after the erasure."""

    path: str
    old: str | None  # blob hash of its raw bytes; None: there was no file
    to: str  # its new path
    blob: str


def begin_erasure(
    repo: Repo, journal: Journal, intent: Intent, now: datetime
) -> list[str]:
    """Write the intent down and carry it out; return the files left alone: they changed meanwhile.

    *now* is the real clock's, in UTC. Raises Raced or GitBusy with nothing changed.
    """
    durable.fault("erase.intent")
    journal.put(INTENT, json.dumps(intent))
    durable.fault("erase.intent", "after")
    moves = _ref_moves(intent)
    try:
        git_locks.take_index(repo, _list_entries(intent))
        _move_refs(repo, moves)
    except BaseException:
        if not _has_moved(repo, moves):
            git_locks.release(repo, repo.branch)
            journal.put(INTENT, None)
        raise
    return _finish(repo, journal, intent, now)


def resume_erasure(repo: Repo, journal: Journal, now: datetime) -> str | None:
    """Finish or drop a killed erasure; return a sentence about it, None when there was none.

    *now* is the real clock's, in UTC. Raises DamagedRef, GitBusy, GitFailed, Raced, StorageError or
    UnsafePath.
    """
    text = journal.get(INTENT)
    if text is None:
        return None
    intent = json.loads(text)
    moves = _ref_moves(intent)
    git_locks.release(repo, repo.branch)
    if not _has_moved(repo, moves):
        journal.put(INTENT, None)
        return "an erasure was interrupted before it changed anything"
    git_locks.take_index(repo, _list_entries(intent))
    unmoved = [
        move
        for move in moves
        if layout.read_ref(repo.place, move.ref) == move.old
    ]
    _move_refs(repo, unmoved)
    _finish(repo, journal, intent, now)
    return (
        "an interrupted erasure was continued; "
        "run `companion erase` with the same words to finish it"
    )


def _ref_moves(intent: Intent) -> list[RefMove]:
    return [RefMove(*item) for item in intent["refs"]]


def _list_entries(intent: Intent) -> list[IndexEntry]:
    return [IndexEntry(*item) for item in intent["index"]]


def _finish(
    repo: Repo, journal: Journal, intent: Intent, now: datetime
) -> list[str]:
    durable.fault("erase.files")
    moves = [FileMove(*item) for item in intent["files"]]
    stuck = _write_files(repo, moves, now)
    git_locks.put_index(repo)
    git_locks.release(repo, repo.branch)
    durable.fault("erase.files", "after")
    rows = [scrub.Row(*row) for row in intent["rows"]]
    meta = {INTENT: None, UNFINISHED: "1"}
    scrub.apply_changes(journal.connection, rows, repo.blob, meta)
    return stuck


def _has_moved(repo: Repo, moves: Sequence[RefMove]) -> bool:
    """Return whether any ref is where the erasure put it, or the branch has gone on from there."""
    return any(_is_there(repo, move) for move in moves if move.new != move.old)


def _is_there(repo: Repo, move: RefMove) -> bool:
    now = layout.read_ref(repo.place, move.to or move.ref)
    if now == move.new:
        return True
    return (
        move.ref == repo.branch
        and now is not None
        and repo.is_ancestor(move.new, now)
    )


def _move_refs(repo: Repo, moves: Sequence[RefMove]) -> None:
    """Move all refs in one transaction of git's, each only from where it was. Raises Raced."""
    commands = []
    for ref, old, to, new in moves:
        if to == ref:
            commands.append(f"update {ref} {new} {old}\n")
            continue
        commands.append(f"delete {ref} {old}\n")
        if to:
            commands.append(f"create {to} {new}\n")
    durable.fault("erase.refs")
    if commands:
        stdin = "".join(commands).encode("utf-8", "surrogateescape")
        try:
            run_git(repo.place, "update-ref", "--stdin", stdin=stdin)
        except Exception as error:
            raise Raced(
                "a branch moved while words were being erased"
            ) from error
    durable.fault("erase.refs", "after")


class _Put(NamedTuple):
    """A file to put in place."""

    path: str
    data: bytes | None  # None: removed
    expected: str | None  # blob hash of what stands there; None: nothing


def _write_files(
    repo: Repo, moves: Sequence[FileMove], now: datetime
) -> list[str]:
    """Put every file in place that still is what it was, or is not there yet; return the others."""
    kept = publish.make_kept_folder(repo)
    mode = exchange.probe(repo.place.worktree, kept)
    stuck = []
    for move in moves:
        if publish.hash_on_disk(repo, move.path) == move.old:
            stuck += _write_file(repo, move, kept, now, mode)
        elif publish.hash_on_disk(repo, move.to) != move.blob:
            stuck.append(move.path)
    return stuck


def _write_file(
    repo: Repo, move: FileMove, kept: str, now: datetime, mode: Mode
) -> list[str]:
    """Put one file in place; return its paths that changed meanwhile."""
    root = repo.place.worktree
    perm = 0o666
    if move.old is not None:
        perm = stat.S_IMODE(os.lstat(os.path.join(root, move.path)).st_mode)
    stuck = []
    for path, data, expected in _list_puts(repo, move):
        staged = swap.stage_put(
            root,
            path,
            data,
            expected,
            kept,
            now=now,
            mode=mode,
            perm=perm,
            sync=True,
        )
        if isinstance(staged, Changed):
            changed: Changed | None = staged
        else:
            changed = swap.place(staged)
        if changed and publish.hash_on_disk(repo, path) != move.blob:
            stuck.append(path)
    if move.to != move.path:
        _drop_empty_folders(root, move.path)
    return stuck


def _list_puts(repo: Repo, move: FileMove) -> list[_Put]:
    data = repo.blob(move.blob)
    if move.old is None:
        return [_Put(move.to, data, None)]
    if move.to == move.path:
        return [_Put(move.path, data, move.old)]
    return [_Put(move.to, data, None), _Put(move.path, None, move.old)]


def _drop_empty_folders(root: str, path: str) -> None:
    """Remove the folders that a rename left empty: their names may hold the words."""
    folder = os.path.dirname(path)
    while folder and not os.listdir(os.path.join(root, folder)):
        os.rmdir(os.path.join(root, folder))
        folder = os.path.dirname(folder)

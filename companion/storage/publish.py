"""Publish a run without losing anyone's text: files, then git's index, then the branch last.

Moving the branch, by compare-and-swap, is the commit point. The other order would let a person's
`git commit -a` delete our files. From before the first file until the branch has moved we hold
git's own `index.lock` and the branch's `.lock` (`git_locks`), so that no git command of theirs can
see half a run. The journal keeps what a run intends first; the next holder of sleep.lock rolls it
back, or, if the branch had moved, forward.
"""

import json
import os
import stat
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from companion.storage import files_in_git
from companion.storage.files import durable, exchange, swap
from companion.storage.files.swap import Changed, Swap
from companion.storage.git import git_locks, layout
from companion.storage.git.command import (
    MERGE_ATTRIBUTE,
    has_own_attributes,
    run_git,
)
from companion.storage.git.git_locks import IndexEntry, Raced
from companion.storage.git.objects import EMPTY_BLOB, hash_blob
from companion.storage.git.repo import Repo
from companion.storage.journal.errors import JournalError
from companion.storage.journal.journal import Journal

INTENT = "intent"
_ZERO = "0" * 40
# what `git add -N` puts into the index


class File(NamedTuple):
    """A work tree file that the run writes. Paths are relative to the repository's work tree."""

    path: str
    content: bytes | None  # None: removed
    # hash of the raw bytes that the plan saw on disk; None: no file
    expected: str | None


class Publication(NamedTuple):
    """Everything a run wants to make true. The commit's objects are in git already, durably."""

    run: str
    base: str | None
    commit: str
    files: Sequence[File]
    entries: Sequence[IndexEntry]
    subject: str
    when: datetime  # the real clock, UTC


class Intent(NamedTuple):
    """A run that has begun to publish. The journal keeps it, as a JSON object, until it ends."""

    run: str
    ref: str
    base: str | None
    commit: str
    swaps: Sequence[Swap]
    entries: Sequence[IndexEntry]


def publish(repo: Repo, journal: Journal, publication: Publication) -> None:
    """Make the run true, or raise with nothing changed.

    Raises Raced, GitBusy, TryLater or StorageError.
    """
    if not repo.has(publication.commit):
        raise Raced(f"the commit {publication.commit} cannot be read back")
    kept = make_kept_folder(repo)
    with durable.guarded(repo.place.worktree):
        swaps = _stage(repo, publication, kept)
        intent = Intent(
            publication.run,
            repo.branch,
            publication.base,
            publication.commit,
            swaps,
            publication.entries,
        )
        durable.fault("publish.intent")
        journal.put(INTENT, _encode_intent(intent))
        durable.fault("publish.intent", "after")
        try:
            _write(repo, intent)
        except BaseException:
            recover(repo, journal)
            raise
        durable.fault("publish.reflog")
        _log_ref(repo, publication)
        durable.fault("publish.reflog", "after")
        durable.fault("publish.done")
        git_locks.release(repo, intent.ref)
        journal.put(INTENT, None)
        durable.fault("publish.done", "after")


def recover(repo: Repo, journal: Journal) -> str | None:
    """Finish or undo a killed run; return a sentence about it, None when there was none.

    Only the holder of sleep.lock may call this. It may itself be killed, and repeated. Raises
    DamagedRef, GitBusy, GitFailed, JournalError, Raced or UnsafePath.
    """
    text = journal.get(INTENT)
    with durable.guarded(repo.place.worktree):
        if text is None:
            git_locks.release(repo, repo.branch)
            return None
        durable.fault("recover.begin")
        words = _recover(repo, _parse_intent(text))
        durable.fault("recover.done")
        journal.put(INTENT, None)
        durable.fault("recover.done", "after")
    return words


def _encode_intent(intent: Intent) -> str:
    fields = intent._asdict()
    fields["index"] = fields.pop("entries")
    return json.dumps(fields)


def _parse_intent(text: str) -> Intent:
    """Read an intent back. Raises JournalError where it is damaged."""
    try:
        fields = json.loads(text)
        return Intent(
            fields["run"],
            fields["ref"],
            fields["base"],
            fields["commit"],
            [Swap(*item) for item in fields["swaps"]],
            [IndexEntry(*item) for item in fields["index"]],
        )
    except (ValueError, TypeError, KeyError) as error:
        hint = (
            "Keep a copy of .git/companion: `companion doctor` says more, "
            "and git has every page as it was committed."
        )
        raise JournalError(
            "journal.db: the record of an interrupted run is damaged", hint=hint
        ) from error


def _recover(repo: Repo, intent: Intent) -> str:
    tip = layout.read_ref(repo.place, intent.ref)
    if tip is not None and repo.is_ancestor(intent.commit, tip):
        git_locks.release(repo, intent.ref)
        return f"run {intent.run} had been published; nothing was lost"
    # The folder may have been moved since; the paths inside it are the same.
    root = repo.place.worktree
    kept = make_kept_folder(repo)
    swaps = [item._replace(root=root, kept_dir=kept) for item in intent.swaps]
    stuck = _roll_back(repo, intent._replace(swaps=swaps), repo.tree_of(tip))
    words = f"run {intent.run} was interrupted and rolled back"
    if stuck:
        words += f"; {len(stuck)} files that changed meanwhile were left alone"
    return words


def make_kept_folder(repo: Repo) -> str:
    """Return the folder for replaced files, made when missing.

    It lies in .git, wherever the state is: that is the work tree's file system.
    """
    folder = os.path.join(repo.place.beside, "kept")
    durable.make_dirs(folder, mode=0o700)
    return folder


def hash_on_disk(repo: Repo, path: str) -> str | None:
    """Return the blob hash of the raw bytes of a work tree file.

    None when there is none, '' for what is no regular file.
    """
    content = _read_regular(repo, path)
    if isinstance(content, bytes):
        return hash_blob(content)
    return content


def hash_as_git_would(repo: Repo, path: str) -> str | None:
    """Return the blob that git makes of a work tree file by its built-in conversions.

    None when there is no file; '' for what is no regular file, or for a path with an external
    filter, which only the person runs. Raises GitFailed.
    """
    content = _read_regular(repo, path)
    if not isinstance(content, bytes):
        return content
    if not has_conversions(repo):
        return hash_blob(content)
    if find_external_filters(repo, [path]):
        return ""
    # The bytes that were read, and not the path: an editor may have moved the file aside by now.
    hashed = run_git(
        repo.place,
        "hash-object",
        "--stdin",
        f"--path={path}",
        stdin=content,
        settings=repo.filters_off(),
    )
    return hashed.decode().strip()


def _read_regular(repo: Repo, path: str) -> bytes | str | None:
    """Return the bytes of a regular file; '' for anything else there, None for nothing."""
    full = os.path.join(repo.place.worktree, path)
    files_in_git.bring_out(repo, [path])
    try:
        if not stat.S_ISREG(os.lstat(full).st_mode):
            return ""
        with open(full, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def has_conversions(repo: Repo) -> bool:
    """Tell whether anything in this repository may change a file's bytes on their way into git.

    Each run asks git once. Raises GitFailed.
    """
    if repo.conversions is None:
        repo.conversions = _converts(repo)
    return repo.conversions


def _converts(repo: Repo) -> bool:
    if repo.config("core.autocrlf") not in (None, "false"):
        return True
    if repo.config("core.attributesfile") is not None:
        return True
    if _has_attributes(repo) or has_own_attributes():
        return True
    listing = run_git(
        repo.place,
        "ls-files",
        "-z",
        "-co",
        "--",
        ":(top,glob)**/.gitattributes",
    )
    return bool(listing)


def _has_attributes(repo: Repo) -> bool:
    """Tell whether this repository has attributes beside companion's own, which convert nothing."""
    path = os.path.join(repo.place.common_dir, "info", "attributes")
    content = durable.read_if_there(path) or b""
    lines = content.splitlines()
    return any(not line.endswith(MERGE_ATTRIBUTE) for line in lines)


def find_external_filters(repo: Repo, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that git would pass through a filter program; we never run one.

    Raises GitFailed.
    """
    names = "".join(path + "\0" for path in paths)
    listing = run_git(
        repo.place,
        "check-attr",
        "-z",
        "--stdin",
        "filter",
        stdin=names.encode("utf-8", "surrogateescape"),
    )
    # path, "filter", value, path, ...
    fields = listing.decode("utf-8", "surrogateescape").split("\0")
    filtered = set()
    for path, value in zip(fields[0::3], fields[2::3], strict=False):
        if value not in ("unspecified", "unset"):
            filtered.add(path)
    return filtered


def quote_path(path: str) -> bytes:
    """Return *path* as git reads it from a list with one path a line."""
    data = path.encode("utf-8", "surrogateescape")
    if data[:1] != b'"' and b"\n" not in data:
        return data
    escaped = bytearray()
    for byte in data:
        if byte < 32 or byte in b'"\\':
            escaped += b"\\%03o" % byte
        else:
            escaped.append(byte)
    return b'"' + bytes(escaped) + b'"'


# -- the steps -------------------------------------------------------------------------------------


def _stage(repo: Repo, publication: Publication, kept: str) -> list[Swap]:
    """Write the run's files into the kept folder. Raises Raced with none of them left there."""
    mode = exchange.probe(repo.place.worktree, kept)
    swaps: list[Swap] = []
    try:
        for file in publication.files:
            staged = swap.stage_put(
                repo.place.worktree,
                file.path,
                file.content,
                file.expected,
                kept,
                now=publication.when,
                mode=mode,
            )
            if isinstance(staged, Changed):
                raise Raced(
                    f"{file.path} changed while the run was being planned"
                )
            swaps.append(staged)
        durable.sync_tree(_list_staged_files(swaps))
    except BaseException:
        for path in _list_staged_files(swaps):
            os.unlink(path)
        raise
    return swaps


def _list_staged_files(swaps: Sequence[Swap]) -> list[str]:
    paths = map(swap.find_staged_file, swaps)
    return [path for path in paths if path is not None]


def _write(repo: Repo, intent: Intent) -> None:
    durable.fault("publish.locks")
    git_locks.take_index(repo, intent.entries)
    durable.fault("publish.locks", "index")
    git_locks.take_branch(repo, intent.ref, intent.base, intent.commit)
    _require_unstaged(repo, intent.entries)
    durable.fault("publish.locks", "after")
    for item in intent.swaps:
        if swap.place(item, sync=False) is not None:
            raise Raced(
                f"{item.path} changed while the run was being published"
            )
    durable.fault("publish.files")
    folders = {make_kept_folder(repo)}
    for item in intent.swaps:
        folders.add(os.path.dirname(os.path.join(item.root, item.path)))
    durable.sync_tree(folders)
    durable.fault("publish.files", "after")
    # A `git checkout` writes its index before it moves HEAD, so it may have begun before we had the
    # locks.
    repo.require_quiet()
    durable.fault("publish.index")
    git_locks.put_index(repo)
    durable.fault("publish.index", "after")
    durable.fault("publish.ref")
    git_locks.put_branch(repo, intent.ref)
    durable.fault("publish.ref", "after")


def _require_unstaged(repo: Repo, entries: Sequence[IndexEntry]) -> None:
    """Raise Raced where the person has staged one of the run's paths since it was planned."""
    staged = list_staged(repo, [entry.path for entry in entries])
    for entry in entries:
        blob = staged.get(entry.path)
        if blob in (entry.old, entry.new):
            continue
        if entry.old is not None or blob != EMPTY_BLOB:
            raise Raced(
                f"{entry.path} was staged while the run was being published"
            )


def _roll_back(repo: Repo, intent: Intent, tree: str | None) -> list[str]:
    """Put back every file that still is ours, and its entry in git's index; return the paths left
    alone.

    What the person has committed meanwhile (*tree* is their newest) is theirs, and stays.
    """
    stuck = []
    for item in reversed(intent.swaps):
        is_committed = (
            item.new is not None and repo.subtree(tree, item.path) == item.new
        )
        if not is_committed and swap.undo_put(item) is not None:
            stuck.append(item.path)
    durable.fault("recover.begin", "after")
    git_locks.release(repo, intent.ref)
    entries = _list_entries_back(repo, intent, tree)
    if entries:
        git_locks.take_index(repo, entries)
        git_locks.put_index(repo)
        git_locks.release(repo, intent.ref)
    return stuck


def _list_entries_back(
    repo: Repo, intent: Intent, tree: str | None
) -> list[IndexEntry]:
    """Return what git's index is to have for the paths that still have the run's content there."""
    staged = list_staged(repo, [entry.path for entry in intent.entries])
    entries = []
    for path, old, new, _ in intent.entries:
        blob = repo.subtree(tree, path)
        is_ours = new != old and staged.get(path) == new
        if is_ours and blob != new:
            mode = repo.mode(tree, path) or 0
            entries.append(IndexEntry(path, new, blob, mode))
    return entries


def list_staged(repo: Repo, paths: Sequence[str]) -> dict[str, str]:
    """Return the blob that git's index has for each of *paths*. Raises GitFailed."""
    # Compared as bytes: a large wiki's whole index is listed, and hardly any of it is asked for.
    wanted = {path.encode("utf-8", "surrogateescape") for path in paths}
    listing = run_git(repo.place, "ls-files", "-s", "-z", "--full-name")
    blobs = {}
    for line in listing.split(b"\0"):
        info, _, path = line.partition(b"\t")
        if path in wanted:
            name = path.decode("utf-8", "surrogateescape")
            blobs[name] = info.split(b" ")[1].decode()
    return blobs


def _log_ref(repo: Repo, publication: Publication) -> None:
    """Append to the reflogs that git keeps; they are a convenience, not the record."""
    if repo.config("core.logallrefupdates") == "false":
        return
    name, email = repo.author()
    ids = f"{publication.base or _ZERO} {publication.commit}"
    seconds = int(publication.when.timestamp())
    line = f"{ids} {name} <{email}> {seconds} +0000\t{publication.subject}\n"
    for folder, ref in (
        (repo.place.git_dir, "HEAD"),
        (repo.place.common_dir, repo.branch),
    ):
        path = os.path.join(folder, "logs", ref)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab") as file:
            file.write(line.encode("utf-8", "surrogateescape"))

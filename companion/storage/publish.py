"""Publishing without eating anyone's text: files, then git's index, then the branch last, by
compare-and-swap.

Moving the branch is the commit point. The other order would let a person's `git commit -a` delete
our files. From before the first file until the branch has moved we hold git's own `index.lock` and
the branch's `.lock` (`locks`), so that no git command of theirs can look at half a run. What was
begun is written to the journal first; the next holder of sleep.lock rolls it back, or, if the
branch had moved, forward.
"""

import json
import os
import stat
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from companion.storage.files import durable, exchange, swap
from companion.storage.files.swap import Changed, Swap
from companion.storage.git import git_locks, layout
from companion.storage.git.command import has_own_attributes, run_git
from companion.storage.git.git_locks import Raced
from companion.storage.git.objects import hash_blob
from companion.storage.git.repo import Repo
from companion.storage.journal.journal import Journal
from companion.storage.journal.queries import JournalError

INTENT = "intent"
_ZERO = "0" * 40
# what `git add -N` puts into the index
_EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"


class File(NamedTuple):
    """A work tree file that the run writes. Paths are relative to the repository's work tree."""

    path: str
    content: bytes | None  # None: removed
    # hash of the raw bytes that the plan saw on disk; None: no file
    expected: str | None


class IndexEntry(NamedTuple):
    """A path of git's index before and after the run; None: not in it."""

    path: str
    old: str | None
    new: str | None
    mode: int = 0o100644


class Publication(NamedTuple):
    """Everything a run wants to make true. The commit's objects are in git already, durably."""

    run: str
    base: str | None
    commit: str
    files: Sequence[File]
    entries: Sequence[IndexEntry]
    subject: str
    when: datetime  # the real clock, UTC


def publish(repo: Repo, journal: Journal, publication: Publication) -> None:
    """Make the run true, or raise with nothing changed. Raises Raced, GitBusy, TryLater,
    StorageError.
    """
    if not repo.has(publication.commit):
        raise Raced(f"the commit {publication.commit} cannot be read back")
    kept = make_kept_folder(repo)
    with durable.guarded(repo.place.worktree):
        swaps = _stage(repo, publication, kept)
        intent = _intent(repo, publication, swaps)
        durable.fault("publish.intent")
        journal.put(INTENT, json.dumps(intent))
        durable.fault("publish.intent", "after")
        try:
            _write(repo, intent, swaps)
        except BaseException:
            recover(repo, journal)
            raise
        durable.fault("publish.reflog")
        _log_ref(repo, publication)
        durable.fault("publish.reflog", "after")
        durable.fault("publish.done")
        git_locks.release(repo, intent["ref"])
        journal.put(INTENT, None)
        durable.fault("publish.done", "after")


def recover(repo: Repo, journal: Journal) -> str | None:
    """Finish or undo what a killed run left; return words about it, None when there was nothing.

    Only the holder of sleep.lock may call this. It may itself be killed, and repeated.
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


def _parse_intent(text: str) -> dict[str, Any]:
    try:
        return dict(json.loads(text))
    except (ValueError, TypeError) as error:
        hint = (
            "Keep a copy of .git/companion: `companion doctor` says more, "
            "and git has every page as it was committed."
        )
        raise JournalError(
            "journal.db: the record of an interrupted run is damaged", hint=hint
        ) from error


def _recover(repo: Repo, intent: dict[str, Any]) -> str:
    tip = layout.read_ref(repo.place, intent["ref"])
    # The folder may have been moved since; the paths inside it are the same.
    root, kept = repo.place.worktree, make_kept_folder(repo)
    swaps = [
        Swap(*fields)._replace(root=root, kept_dir=kept)
        for fields in intent["swaps"]
    ]
    if tip is not None and repo.is_ancestor(intent["commit"], tip):
        git_locks.release(repo, intent["ref"])
        return f"run {intent['run']} had been published; nothing was lost"
    stuck = _roll_back(repo, intent, swaps, repo.tree_of(tip))
    left = (
        f"; {len(stuck)} files that changed meanwhile were left alone"
        if stuck
        else ""
    )
    return f"run {intent['run']} was interrupted and rolled back{left}"


def make_kept_folder(repo: Repo) -> str:
    """Return the folder for replaced files, made when missing. It lies in .git, wherever the state
    is: the work tree's file system.
    """
    folder = os.path.join(repo.place.beside, "kept")
    durable.make_dirs(folder, mode=0o700)
    return folder


def hash_on_disk(repo: Repo, path: str) -> str | None:
    """Return the blob hash of the raw bytes of a work tree file; None when there is none, '' for no
    regular file.
    """
    content = _read_regular(repo, path)
    return hash_blob(content) if isinstance(content, bytes) else content


def hash_as_git_would(repo: Repo, path: str) -> str | None:
    """Return the blob that git would make of a work tree file, through its built-in conversions
    only.

    '' for what is no regular file, or for a path with an external filter: that one is the person's
    alone.
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
    """Return the bytes of a regular file of the work tree; '' for anything else there, None for
    nothing.
    """
    full = os.path.join(repo.place.worktree, path)
    try:
        if not stat.S_ISREG(os.lstat(full).st_mode):
            return ""
        with open(full, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def has_conversions(repo: Repo) -> bool:
    """Return whether anything in this repository may change a file's bytes on their way into git;
    asked once a run.
    """
    if repo.conversions is None:
        repo.conversions = _converts(repo)
    return repo.conversions


def _converts(repo: Repo) -> bool:
    if repo.config("core.autocrlf") not in (None, "false"):
        return True
    if repo.config("core.attributesfile") is not None:
        return True
    attributes = os.path.join(repo.place.common_dir, "info", "attributes")
    if os.path.exists(attributes) or has_own_attributes():
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


def find_external_filters(repo: Repo, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that git would pass through a filter program; we never run one."""
    names = b"".join(
        path.encode("utf-8", "surrogateescape") + b"\0" for path in paths
    )
    fields = run_git(
        repo.place, "check-attr", "-z", "--stdin", "filter", stdin=names
    ).split(b"\0")
    rows = zip(fields[0::3], fields[2::3], strict=False)
    return {
        name.decode("utf-8", "surrogateescape")
        for name, value in rows
        if value not in (b"unspecified", b"unset")
    }


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
    mode = exchange.probe(repo.place.worktree, kept)
    swaps: list[Swap] = []
    try:
        for path, content, expected in publication.files:
            list_staged = swap.stage_put(
                repo.place.worktree,
                path,
                content,
                expected,
                kept,
                now=publication.when,
                mode=mode,
            )
            if isinstance(list_staged, Changed):
                raise Raced(f"{path} changed while the run was being planned")
            swaps.append(list_staged)
        durable.sync_tree(
            [
                path
                for path in map(swap.find_staged_file, swaps)
                if path is not None
            ]
        )
    except BaseException:
        for path in filter(None, map(swap.find_staged_file, swaps)):
            os.unlink(path)
        raise
    return swaps


def _intent(
    repo: Repo, publication: Publication, swaps: Sequence[Swap]
) -> dict[str, Any]:
    return {
        "run": publication.run,
        "ref": repo.branch,
        "base": publication.base,
        "commit": publication.commit,
        "swaps": swaps,
        "index": publication.entries,
    }


def _write(repo: Repo, intent: dict[str, Any], swaps: Sequence[Swap]) -> None:
    durable.fault("publish.locks")
    git_locks.take_index(repo, intent["index"])
    durable.fault("publish.locks", "index")
    git_locks.take_branch(repo, intent["ref"], intent["base"], intent["commit"])
    _require_unstaged(repo, intent["index"])
    durable.fault("publish.locks", "after")
    for item in swaps:
        if swap.place(item, sync=False) is not None:
            raise Raced(
                f"{item.path} changed while the run was being published"
            )
    durable.fault("publish.files")
    folders = {
        os.path.dirname(os.path.join(item.root, item.path)) for item in swaps
    }
    durable.sync_tree(folders | {make_kept_folder(repo)})
    durable.fault("publish.files", "after")
    # A `git checkout` writes its index before it moves HEAD, so it may have begun before we had the
    # locks.
    repo.require_quiet()
    durable.fault("publish.index")
    git_locks.put_index(repo)
    durable.fault("publish.index", "after")
    durable.fault("publish.ref")
    git_locks.put_branch(repo, intent["ref"])
    durable.fault("publish.ref", "after")


def _require_unstaged(repo: Repo, entries: Sequence[Sequence[Any]]) -> None:
    """Raise Raced where the person has staged one of the run's paths since it was planned."""
    now = list_staged(repo, [path for path, *_ in entries])
    for path, old, new, _ in entries:
        found = now.get(path)
        if found not in (old, new) and not (
            old is None and found == _EMPTY_BLOB
        ):
            raise Raced(f"{path} was staged while the run was being published")


def _roll_back(
    repo: Repo, intent: dict[str, Any], swaps: Sequence[Swap], tree: str | None
) -> list[str]:
    """Put back every file that still is ours, and what git's index says of them; return the paths
    left alone.

    What the person has committed meanwhile (*tree* is their newest) is theirs, and stays.
    """
    stuck = []
    for item in reversed(swaps):
        theirs = (
            item.new is not None and repo.subtree(tree, item.path) == item.new
        )
        if not theirs and swap.undo_put(item) is not None:
            stuck.append(item.path)
    durable.fault("recover.begin", "after")
    git_locks.release(repo, intent["ref"])
    now = list_staged(repo, [path for path, *_ in intent["index"]])
    ours = [
        (path, new, *_committed(repo, tree, path))
        for path, old, new, _ in intent["index"]
        if new != old
        and now.get(path) == new
        and repo.subtree(tree, path) != new
    ]
    if ours:
        git_locks.take_index(repo, ours)
        git_locks.put_index(repo)
        git_locks.release(repo, intent["ref"])
    return stuck


def _committed(
    repo: Repo, tree: str | None, path: str
) -> tuple[str | None, int]:
    """Return the blob and the mode of *path* in *tree*."""
    folder, _, name = path.rpartition("/")
    inside = repo.subtree(tree, folder)
    found = (
        {entry: (id, mode) for entry, mode, id in repo.entries(inside)}
        if inside
        else {}
    )
    return found.get(name, (None, 0))


def list_staged(repo: Repo, paths: Sequence[str]) -> dict[str, str]:
    """Return the blob that git's index has for each of *paths*."""
    # Compared as bytes: a large wiki's whole index is listed, and hardly any of it is asked for.
    wanted = {path.encode("utf-8", "surrogateescape") for path in paths}
    listing = run_git(repo.place, "ls-files", "-s", "-z", "--full-name").split(
        b"\0"
    )
    blobs = {}
    for line in listing:
        info, _, path = line.partition(b"\t")
        if path in wanted:
            blobs[path.decode("utf-8", "surrogateescape")] = info.split(b" ")[
                1
            ].decode()
    return blobs


def _log_ref(repo: Repo, publication: Publication) -> None:
    """Append to the reflogs that git keeps; they are a convenience, not the record."""
    if repo.config("core.logallrefupdates") == "false":
        return
    name, email = repo.author()
    line = f"{publication.base or _ZERO} {publication.commit} {name} <{email}> "
    line += (
        f"{int(publication.when.timestamp())} +0000\t{publication.subject}\n"
    )
    for folder, ref in (
        (repo.place.git_dir, "HEAD"),
        (repo.place.common_dir, repo.branch),
    ):
        path = os.path.join(folder, "logs", ref)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab") as file:
            file.write(line.encode("utf-8", "surrogateescape"))

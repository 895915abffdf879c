"""Publishing without eating anyone's text: files, then git's index, then the branch last, by compare-and-swap.

Moving the branch is the commit point. The other order would let a person's `git commit -a` delete our files. From
before the first file until the branch has moved we hold git's own `index.lock` and the branch's `.lock`, so that no git
command of theirs can look at half a run. What was begun is written to the journal first; the next holder of sleep.lock
rolls it back, or, if the branch had moved, forward.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from companion.store import durable, place, swap
from companion.store.journal import Journal
from companion.store.repo import Repo, TryLater, run_git
from companion.store.swap import Changed, Swap

INTENT = "intent"
_ZERO = "0" * 40

durable.POINTS.update(
    {
        "publish.intent": durable.STEP,
        "publish.locks": durable.STEP,
        "publish.files": durable.STEP,
        "publish.index": durable.STEP,
        "publish.ref": durable.STEP,
        "publish.done": durable.STEP,
    }
)


class Raced(TryLater):
    """Somebody changed the wiki while this run was being published."""

    hint = "Nothing was changed; run it again."


class GitBusy(TryLater):
    """Another git command is at work in this repository."""

    hint = "Nothing was changed. If no git is running, remove the lock file it names and run this again."


class File(NamedTuple):
    """A work tree file that the run writes. Paths are relative to the repository's work tree."""

    path: str
    content: bytes | None  # None: removed
    expected: str | None  # hash of the raw bytes that the plan saw on disk; None: no file


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
    """Make the run true, or raise with nothing changed. Raises Raced, GitBusy, StorageError."""
    if not repo.has(publication.commit):
        raise Raced(f"the commit {publication.commit} cannot be read back")
    kept = kept_folder(repo)
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
    _log_ref(repo, publication)
    durable.fault("publish.done")
    _clean(repo)
    journal.put(INTENT, None)
    durable.fault("publish.done", "after")


def recover(repo: Repo, journal: Journal) -> str | None:
    """Finish or undo what a killed run left; return words about it, None when there was nothing.

    Only the holder of sleep.lock may call this.
    """
    text = journal.get(INTENT)
    if text is None:
        return None
    intent = json.loads(text)
    tip = place.read_ref(repo.place, intent["ref"])
    forward = tip is not None and repo.is_ancestor(intent["commit"], tip)
    stuck = [] if forward else _roll_back(repo, intent)
    _clean(repo)
    journal.put(INTENT, None)
    if forward:
        return f"run {intent['run']} had been published; nothing was lost"
    left = f"; {len(stuck)} files that changed meanwhile were left alone" if stuck else ""
    return f"run {intent['run']} was interrupted and rolled back{left}"


def kept_folder(repo: Repo) -> str:
    """Return the folder for replaced files, made when missing. It lies in .git: the work tree's file system."""
    folder = os.path.join(repo.place.state, "kept")
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def disk_hash(repo: Repo, path: str) -> str | None:
    """Return the blob hash of the raw bytes of a work tree file; None when there is none, '' for no regular file."""
    full = os.path.join(repo.place.worktree, path)
    try:
        found = os.lstat(full)
        if not stat.S_ISREG(found.st_mode):
            return ""
        with open(full, "rb") as file:
            data = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def work_tree_blob(repo: Repo, path: str) -> str | None:
    """Return the blob that git would make of a work tree file, through its built-in conversions only.

    '' for what is no regular file, or for a path with an external filter: that one is the person's alone.
    """
    raw = disk_hash(repo, path)
    if not raw or not converts(repo):
        return raw
    if external_filters(repo, [path]):
        return ""
    found = run_git(repo.place, "hash-object", "--stdin-paths", stdin=quoted(path) + b"\n")
    return found.decode().strip()


def converts(repo: Repo) -> bool:
    """Tell whether anything in this repository may change a file's bytes on their way into git."""
    if repo.config("core.autocrlf") not in (None, "false") or repo.config("core.attributesfile") is not None:
        return True
    if os.path.exists(os.path.join(repo.place.common_dir, "info", "attributes")):
        return True
    listing = run_git(repo.place, "ls-files", "-z", "-co", "--", ":(top,glob)**/.gitattributes")
    return bool(listing)


def external_filters(repo: Repo, paths: Sequence[str]) -> set[str]:
    """Return those of *paths* that git would pass through a filter program; we never run one."""
    names = b"".join(path.encode("utf-8", "surrogateescape") + b"\0" for path in paths)
    fields = run_git(repo.place, "check-attr", "-z", "--stdin", "filter", stdin=names).split(b"\0")
    rows = zip(fields[0::3], fields[2::3], strict=False)
    return {name.decode("utf-8", "surrogateescape") for name, value in rows if value not in (b"unspecified", b"unset")}


def quoted(path: str) -> bytes:
    """Return *path* as git reads it from a list with one path a line."""
    data = path.encode("utf-8", "surrogateescape")
    if data[:1] != b'"' and b"\n" not in data:
        return data
    return b'"' + b"".join(b"\\%03o" % byte if byte < 32 or byte in b'"\\' else bytes([byte]) for byte in data) + b'"'


# -- the steps -----------------------------------------------------------------------------------------------------


def _stage(repo: Repo, publication: Publication, kept: str) -> list[Swap]:
    mode = swap.probe(repo.place.worktree, kept)
    swaps = []
    for path, content, expected in publication.files:
        staged = swap.stage_put(repo.place.worktree, path, content, expected, kept, now=publication.when, mode=mode)
        if isinstance(staged, Changed):
            raise Raced(f"{path} changed while the run was being planned")
        swaps.append(staged)
    durable.sync_tree([path for path in map(swap.staged_file, swaps) if path is not None])
    return swaps


def _intent(repo: Repo, publication: Publication, swaps: Sequence[Swap]) -> dict[str, Any]:
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
    _lock_index(repo, intent["index"])
    _lock_branch(repo, intent)
    durable.fault("publish.locks", "after")
    for item in swaps:
        if swap.place(item, sync=False) is not None:
            raise Raced(f"{item.path} changed while the run was being published")
    durable.fault("publish.files")
    durable.sync_tree({os.path.dirname(os.path.join(item.root, item.path)) for item in swaps} | {kept_folder(repo)})
    durable.fault("publish.files", "after")
    durable.fault("publish.index")
    os.rename(_index(repo) + ".lock", _index(repo))
    durable.sync_dir(repo.place.git_dir)
    durable.fault("publish.index", "after")
    durable.fault("publish.ref")
    ref = _ref_path(repo, intent["ref"])
    os.rename(ref + ".lock", ref)
    durable.sync_dir(os.path.dirname(ref))
    durable.fault("publish.ref", "after")


def _lock_index(repo: Repo, entries: Iterable[Sequence[Any]]) -> None:
    """Build the complete new index on a copy and take index.lock with it in one step (a hard link)."""
    index, copy = _index(repo), _state(repo, "run.index")
    _unlink(copy)
    before = _read(index)
    if before is not None:
        durable.write_new(copy, before, sync=False)
    lines = b"".join(_index_line(path, new, mode) for path, _, new, mode in entries)
    run_git(repo.place, "update-index", "-z", "--index-info", stdin=lines, index=copy)
    durable.sync_tree([copy])
    try:
        os.link(copy, index + ".lock")
    except FileExistsError as error:
        raise GitBusy(f"git's index is locked: {index}.lock") from error
    if _read(index) != before:
        raise Raced("git's index changed while the run was being published")


def _lock_branch(repo: Repo, intent: dict[str, Any]) -> None:
    ref, copy = _ref_path(repo, intent["ref"]), _state(repo, "run.ref")
    _unlink(copy)
    os.makedirs(os.path.dirname(ref), exist_ok=True)
    durable.write_new(copy, intent["commit"].encode() + b"\n")
    try:
        os.link(copy, ref + ".lock")
    except FileExistsError as error:
        raise GitBusy(f"the branch is locked: {ref}.lock") from error
    if place.read_ref(repo.place, intent["ref"]) != intent["base"]:
        raise Raced("the branch moved while the run was being published")


def _roll_back(repo: Repo, intent: dict[str, Any]) -> list[str]:
    """Put back every file that still is ours, and what git's index says of them; return the paths left alone."""
    stuck = []
    for fields in reversed(intent["swaps"]):
        item = Swap(*fields)
        if swap.undo_put(item) is not None:
            stuck.append(item.path)
    _release(repo, intent)
    now = staged(repo, [entry[0] for entry in intent["index"]])
    ours = [(path, new, old, mode) for path, old, new, mode in intent["index"] if new and now.get(path) == new]
    if ours:
        _lock_index(repo, ours)
        os.rename(_index(repo) + ".lock", _index(repo))
    return stuck


def _release(repo: Repo, intent: dict[str, Any]) -> None:
    """Remove the locks that are ours: hard links to our own copies, nobody else's."""
    pairs = ((_index(repo), "run.index"), (_ref_path(repo, intent["ref"]), "run.ref"))
    for locked, copy in pairs:
        if _same_file(locked + ".lock", _state(repo, copy)):
            os.unlink(locked + ".lock")


def staged(repo: Repo, paths: Sequence[str]) -> dict[str, str]:
    """Return the blob that git's index has for each of *paths*."""
    listing = run_git(repo.place, "ls-files", "-s", "-z", "--full-name").decode("utf-8", "surrogateescape")
    rows = (line.split("\t", 1) for line in listing.split("\0") if line)
    wanted = set(paths)
    return {path: info.split(" ")[1] for info, path in rows if path in wanted}


def _log_ref(repo: Repo, publication: Publication) -> None:
    """Append to the reflogs that git keeps; they are a convenience, not the record."""
    name, email = repo.author()
    line = f"{publication.base or _ZERO} {publication.commit} {name} <{email}> "
    line += f"{int(publication.when.timestamp())} +0000\t{publication.subject}\n"
    for folder, ref in ((repo.place.git_dir, "HEAD"), (repo.place.common_dir, repo.branch)):
        path = os.path.join(folder, "logs", ref)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "ab") as file:
            file.write(line.encode("utf-8", "surrogateescape"))


def _clean(repo: Repo) -> None:
    for name in ("run.index", "run.ref"):
        _unlink(_state(repo, name))


# -- small things --------------------------------------------------------------------------------------------------


def _index_line(path: str, blob: str | None, mode: int) -> bytes:
    return f"{mode if blob else 0:o} {blob or _ZERO}\t{path}\0".encode("utf-8", "surrogateescape")


def _index(repo: Repo) -> str:
    return os.path.join(repo.place.git_dir, "index")


def _ref_path(repo: Repo, ref: str) -> str:
    return os.path.join(repo.place.common_dir, ref)


def _state(repo: Repo, name: str) -> str:
    return os.path.join(repo.place.state, name)


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except FileNotFoundError:
        return False

"""Take git's own locks as git takes them, and know ours again after a crash.

Each lock is a hard link to a complete file of ours in .git/companion: it appears in one step, holds
what it is to become, and a lock that is the same file as one of our copies can only be what a
killed run of ours left. On a file system without hard links it is created in place instead, and
known again by its content.
"""

import os
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from companion.storage.files import durable
from companion.storage.files.vanished import try_again
from companion.storage.git import layout
from companion.storage.git.command import run_git
from companion.storage.git.repo import Repo, TryLater

_COPY = "run-"  # our copies begin with this
_ZERO = "0" * 40
_serial = count(1)


class Raced(TryLater):
    """Somebody changed the wiki while this run was being published."""

    hint = "Nothing was changed; run it again."


class GitBusy(TryLater):
    """Another git command is at work in this repository."""

    hint = (
        "Nothing was changed. If no git is running, remove the lock file it names "
        "and run this again."
    )


class IndexEntry(NamedTuple):
    """A path of git's index before and after the run; None: not in it."""

    path: str
    old: str | None
    new: str | None
    mode: int = 0o100644


def take_index(repo: Repo, entries: Iterable[IndexEntry]) -> None:
    """Lock git's index with a complete new one that has *entries*.

    Raises GitBusy where another git holds it, Raced where it changed meanwhile.
    """
    index = index_path(repo)
    copy = _new_copy(repo, "index")
    time = _read_time(index)
    before = durable.read_if_there(index)
    if before is not None:
        durable.write_new(copy, before, sync=False)
        # An entry as young as the index is compared by content: a younger copy would hide a save of
        # the same length.
        os.utime(copy, ns=(time, time))
    lines = b"".join([_index_line(entry) for entry in entries])
    run_git(
        repo.place,
        "update-index",
        "-z",
        "--index-info",
        stdin=lines,
        index=copy,
    )
    durable.sync_tree([copy])
    _take(copy, index + ".lock", "git's index is locked")
    if durable.read_if_there(index) != before:
        raise Raced("git's index changed while the run was being published")


def take_branch(repo: Repo, ref: str, base: str | None, commit: str) -> None:
    """Lock the branch *ref* with the *commit* it is to name.

    Raises GitBusy where another git holds it, Raced where the branch is not at *base*.
    """
    path = ref_path(repo, ref)
    copy = _new_copy(repo, "ref")
    durable.write_new(copy, commit.encode() + b"\n")
    try_again(lambda: _take_ref(copy, path))
    if layout.read_ref(repo.place, ref) != base:
        raise Raced("the branch moved while the run was being published")


def _take_ref(copy: str, path: str) -> None:
    """Lock the ref at *path*; its folder may be missing, and git removes one that is empty."""
    durable.make_dirs(os.path.dirname(path))
    _take(copy, path + ".lock", "the branch is locked")


def put_index(repo: Repo) -> None:
    """Let the index that `take_index` made be git's, durably."""
    os.rename(index_path(repo) + ".lock", index_path(repo))
    durable.sync_dir(repo.place.git_dir)


def put_branch(repo: Repo, ref: str) -> None:
    """Move the branch to where `take_branch` said, durably."""
    path = ref_path(repo, ref)
    os.rename(path + ".lock", path)
    durable.sync_dir(os.path.dirname(path))


def release(repo: Repo, ref: str) -> None:
    """Remove our own locks and copies. Only the holder of sleep.lock calls this."""
    copies = _list_copies(repo)
    if not copies:
        return
    for lock in (index_path(repo) + ".lock", ref_path(repo, ref) + ".lock"):
        if any(_is_ours(lock, copy) for copy in copies):
            os.unlink(lock)
            # Make this durable before the copy goes by which we know the lock: a power cut could
            # bring the lock back.
            durable.sync_dir(os.path.dirname(lock))
    for copy in copies:
        os.unlink(copy)


def index_path(repo: Repo) -> str:
    """Return the path of git's index."""
    return os.path.join(repo.place.git_dir, "index")


def ref_path(repo: Repo, ref: str) -> str:
    """Return the path of the loose ref *ref*."""
    return os.path.join(repo.place.common_dir, ref)


def _new_copy(repo: Repo, what: str) -> str:
    # A new name each time: a git child that outlived its killed parent may still be writing to the
    # old one.
    os.makedirs(repo.place.beside, mode=0o700, exist_ok=True)
    name = f"{_copy_prefix(repo)}{os.getpid()}-{next(_serial)}.{what}"
    return os.path.join(repo.place.beside, name)


def _copy_prefix(repo: Repo) -> str:
    if not repo.place.moved:
        return _COPY
    # Where the state was moved, another machine may be publishing into this very folder: its locks
    # are its own.
    return f"{_COPY}{layout.read_owner(repo.place)[1]}-"


def _list_copies(repo: Repo) -> list[str]:
    folder = repo.place.beside
    if not os.path.isdir(folder):
        return []
    prefix = _copy_prefix(repo)
    names = sorted(os.listdir(folder))
    return [
        os.path.join(folder, name) for name in names if name.startswith(prefix)
    ]


def _take(copy: str, lock: str, busy: str) -> None:
    try:
        os.link(copy, lock)
    except FileExistsError as error:
        raise GitBusy(f"{busy}: {lock}") from error
    except OSError as error:
        if not durable.lacks_links(error):
            raise
        _create(lock, durable.read_if_there(copy) or b"", busy)


def _create(lock: str, data: bytes, busy: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    try:
        fd = os.open(lock, flags, 0o644)
    except FileExistsError as error:
        raise GitBusy(f"{busy}: {lock}") from error
    try:
        durable.write_all(fd, data)
        durable.fsync(fd)
    except BaseException:
        os.unlink(lock)
        raise
    finally:
        os.close(fd)


def _is_ours(lock: str, copy: str) -> bool:
    """Tell whether *lock* is the same file as our *copy*, or has its content without links."""
    try:
        one = os.stat(lock, follow_symlinks=False)
        other = os.stat(copy)
    except FileNotFoundError:
        return False
    if (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino):
        return True
    if not one.st_nlink == other.st_nlink == 1:
        return False  # where there are links, ours would be one
    if not one.st_size == other.st_size > 0:
        return False
    return durable.read_if_there(lock) == durable.read_if_there(copy)


def _index_line(entry: IndexEntry) -> bytes:
    """Return the line by which `git update-index` sets an entry; mode 0 removes it."""
    line = f"0 {_ZERO}\t{entry.path}\0"
    if entry.new:
        line = f"{entry.mode:o} {entry.new}\t{entry.path}\0"
    return line.encode("utf-8", "surrogateescape")


def _read_time(path: str) -> int:
    """Return when the file was written, in nanoseconds since 1970; 0 where there is none."""
    try:
        return os.stat(path).st_mtime_ns
    except FileNotFoundError:
        return 0

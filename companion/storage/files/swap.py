"""Putting a file into the person's work tree without eating their text.

The file that a new one replaces is never overwritten: its inode moves into a kept folder on the
same file system, is compared with what the plan was made from, and goes back if they differ. An
editor that held it open may still write into it; `kept.check_kept` finds those words.

Two modes, found by `atomic.probe`. ``exchange``: one renameat2(2), the path never vanishes.
``rename``: the old file is moved aside first and the new one linked in, so that the path is missing
for an instant (and after a crash there, until `undo_put`). It eats nothing either: a file made in
that instant stays, and the old one is handed over as late words. Linking the old one first and
renaming over it would keep the path, and lose what an editor saves by a rename of its own between
the last look and ours.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from companion.storage.files import durable
from companion.storage.files import exchange as atomic
from companion.storage.files.exchange import Mode
from companion.storage.files.replaced import hash_at, lstat_at, make_kept_name
from companion.storage.git.objects import hash_blob
from companion.storage.git.trees import UnsafePath, check_path


class Swap(NamedTuple):
    """One change of one file: staged, placed, or undone. All that `undo_put` needs, also after a
    crash.
    """

    root: str
    path: str  # relative to root
    kept_dir: str
    kept: str  # the name, in kept_dir, of the file that was replaced
    # the name, in kept_dir, of the new content until it is placed; "" for a removal
    temp: str
    # git blob hash of the file's raw bytes before; None: there was no file
    old: str | None
    new: str | None  # … and after; None: the file is removed
    exchange: bool


class Changed(NamedTuple):
    """The file is not what the plan was made from, and was left as it is."""

    path: str
    # blob hash of what is there; None: nothing, or no regular file
    found: str | None


# -- paths ---------------------------------------------------------------------


def open_parent(root: str, relpath: str) -> str:
    """Return the folder that holds *relpath*; UnsafePath when it is outside, in .git or through a
    link.

    The folder need not exist. For writing, `put` walks again with descriptors, so that nothing can
    change between the check and the use.
    """
    folder = root
    for part in check_path(relpath)[:-1]:
        folder = os.path.join(folder, part)
        with durable.guarded(folder):
            if os.path.lexists(folder) and not stat.S_ISDIR(
                os.lstat(folder).st_mode
            ):
                raise UnsafePath(f"{relpath}: {part} is a link or no folder")
    if os.path.islink(os.path.join(root, relpath)):
        raise UnsafePath(f"{relpath}: it is a symbolic link")
    return folder


@contextmanager
def _folder_of(
    root: str, relpath: str, *, create: bool
) -> Iterator[tuple[int | None, str]]:
    """Yield the folder of *relpath*, opened through no link below the root (None: missing), and the
    name.
    """
    *folders, name = check_path(relpath)
    with durable.guarded(os.path.join(root, relpath)):
        fd: int | None = os.open(
            root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        )
        try:
            for part in folders:
                if fd is not None:
                    outer, fd = fd, None
                    try:
                        fd = _open_inner(outer, part, relpath, create)
                    finally:
                        os.close(outer)
            yield fd, name
        finally:
            if fd is not None:
                os.close(fd)


def _open_inner(fd: int, part: str, relpath: str, create: bool) -> int | None:
    if create:
        try:
            os.mkdir(part, dir_fd=fd)
            durable.sync_folder_fd(fd)
        except FileExistsError:
            pass  # the open below finds out whether it is a real folder
    try:
        return os.open(
            part,
            os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC,
            dir_fd=fd,
        )
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UnsafePath(
                f"{relpath}: {part} is a link or no folder"
            ) from error
        raise


# -- putting -------------------------------------------------------------------


def put(
    root: str,
    path: str,
    new: bytes | None,
    expected: str | None,
    kept_dir: str,
    *,
    now: datetime,
    mode: Mode,
    perm: int = 0o666,
) -> Swap | Changed:
    """Make *path* hold *new* (None: remove it) if it still is what the plan saw, durably.

    *expected* is the git blob hash of the raw bytes on disk; None: nothing may stand there. *now*
    is the real clock's, in UTC. For many files at once: `stage_put` each, `durable.sync_tree` of
    their `find_staged_file`, `place` each with ``sync=False``, and `durable.sync_tree` of the paths and
    *kept_dir*.
    """
    swap = stage_put(
        root,
        path,
        new,
        expected,
        kept_dir,
        now=now,
        mode=mode,
        perm=perm,
        sync=True,
    )
    return swap if isinstance(swap, Changed) else place(swap) or swap


def stage_put(
    root: str,
    path: str,
    new: bytes | None,
    expected: str | None,
    kept_dir: str,
    *,
    now: datetime,
    mode: Mode,
    perm: int = 0o666,
    sync: bool = False,
) -> Swap | Changed:
    """Write *new* into the kept folder, ready for `place`; the work tree is not touched.

    The replaced file's permissions carry over; *perm*, under the umask, is for a new file.
    """
    if new is None and expected is None:
        raise ValueError(f"{path}: neither an old nor a new file")
    with _folder_of(root, path, create=False) as (folder, name):
        state = None if folder is None else lstat_at(name, folder)
    if (state is None) != (expected is None) or (
        state and not stat.S_ISREG(state.st_mode)
    ):
        return Changed(path, None)
    temp = ""
    if new is not None:
        with durable.guarded(kept_dir):
            durable.fault("swap.stage")
            temp = durable.stage(
                os.path.join(kept_dir, "new"),
                new,
                mode=stat.S_IMODE(state.st_mode) if state else perm,
                exact=state is not None,
                sync=sync,
                point="swap.stage",
            )
    after = None if new is None else hash_blob(new)
    kept = make_kept_name(kept_dir, int(now.timestamp()), path, expected, after)
    return Swap(
        root,
        path,
        kept_dir,
        kept,
        os.path.basename(temp),
        expected,
        after,
        mode.exchange,
    )


def find_staged_file(swap: Swap) -> str | None:
    """Return the file that must be durable before `place`, or None for a removal."""
    return os.path.join(swap.kept_dir, swap.temp) if swap.temp else None


def place(swap: Swap, *, sync: bool = True) -> Changed | None:
    """Let the staged file take its place; Changed, with nothing changed, if the old one is another
    by now.
    """
    with _folder_of(swap.root, swap.path, create=swap.old is None) as (
        folder,
        name,
    ):
        durable.fault("swap.place")
        changed = (
            Changed(swap.path, None)
            if folder is None
            else _place(swap, folder, name)
        )
        if changed:
            _drop_temp(swap)
        if sync and folder is not None:
            durable.sync_folder_fd(folder)
            durable.sync_dir(swap.kept_dir)
        durable.fault("swap.place", "after")
        return changed


def _place(swap: Swap, folder: int, name: str) -> Changed | None:
    if swap.old is None:
        return _create(swap, folder, name)
    found = hash_at(name, folder)
    if found != swap.old:
        return Changed(swap.path, found)
    if swap.exchange and swap.new is not None:
        return _exchange_in(swap, folder, name)
    found = _take(folder, name, _kept_path(swap), swap.old)
    if found != swap.old:
        return Changed(swap.path, found)
    durable.fault("swap.place", "placed")
    changed = None if swap.new is None else _create(swap, folder, name)
    if changed:
        _hand_over(swap)
    return changed


def _create(swap: Swap, folder: int, name: str) -> Changed | None:
    try:
        durable.place_new(
            os.path.join(swap.kept_dir, swap.temp),
            name,
            point="swap.place",
            folder_fd=folder,
        )
    except FileExistsError:
        return Changed(swap.path, hash_at(name, folder))
    return None


def _exchange_in(swap: Swap, folder: int, name: str) -> Changed | None:
    kept = _kept_path(swap)
    # Under its kept name before the exchange: from then on it is their file, and no sweep may take
    # it.
    os.rename(os.path.join(swap.kept_dir, swap.temp), kept)
    try:
        atomic.exchange(kept, name, b_folder=folder)
    except FileNotFoundError:
        os.unlink(kept)
        return Changed(swap.path, None)
    durable.fault("swap.place", "placed")
    found = hash_at(kept)
    if found == swap.old:
        return None
    _exchange_back(kept, folder, name, swap.new)
    return Changed(swap.path, found)


def _exchange_back(kept: str, folder: int, name: str, ours: str | None) -> None:
    """Return their file from *kept* to *name*, where *ours* stood for an instant."""
    try:
        atomic.exchange(kept, name, b_folder=folder)
    except FileNotFoundError:
        _give_back(kept, folder, name)
        return
    # Ours stays kept like any other: an editor may have opened it in the instant in which it stood
    # there.
    # they saved once more in that instant: the newest stays, the one before is kept
    if hash_at(kept) != ours:
        atomic.exchange(kept, name, b_folder=folder)


def _take(
    folder: int, name: str, kept: str, expected: str | None
) -> str | None:
    """Move a file aside and return its hash; what is not *expected* goes straight back."""
    try:
        os.rename(name, kept, src_dir_fd=folder)
    except FileNotFoundError:
        return None
    found = hash_at(kept)
    if found != expected:
        _give_back(kept, folder, name)
    return found


def _give_back(kept: str, folder: int, name: str) -> bool:
    """Return their file to *name*; False, and it stays kept, when a newer one stands there."""
    try:
        os.link(kept, name, dst_dir_fd=folder, follow_symlinks=False)
        os.unlink(kept)
    except FileExistsError:
        return False
    except OSError as error:
        if not durable.lacks_links(error):
            raise
        if lstat_at(name, folder) is not None:
            return False
        os.rename(kept, name, dst_dir_fd=folder)
    return True


def _hand_over(swap: Swap) -> None:
    """Let `kept.check_kept` yield the old file: in ``rename`` mode's instant somebody made a new
    one there.

    An appending program does that, and its file then holds one line: what stood there must not go
    unseen.
    """
    stamp = int(swap.kept.split(".", 1)[0])
    os.rename(
        _kept_path(swap),
        os.path.join(
            swap.kept_dir,
            make_kept_name(swap.kept_dir, stamp, swap.path, None, None),
        ),
    )


def _kept_path(swap: Swap) -> str:
    return os.path.join(swap.kept_dir, swap.kept)


def _undone_path(swap: Swap) -> str:
    """Where undoing leaves the file that we had put: kept as well, and after a crash the sign of
    it.
    """
    stamp, serial, old, new, quoted = swap.kept.split(".", 4)
    return os.path.join(
        swap.kept_dir, ".".join((stamp, serial + "-undone", new, old, quoted))
    )


# -- undoing -------------------------------------------------------------------


def undo_put(swap: Swap, *, sync: bool = True) -> Changed | None:
    """Bring the file back as it was before *swap*, wherever that was interrupted; may be repeated.

    Changed, with nothing changed, when they edited or removed it since.
    """
    with _folder_of(swap.root, swap.path, create=swap.old is not None) as (
        folder,
        name,
    ):
        durable.fault("swap.undo")
        changed = None if folder is None else _undo(swap, folder, name)
        _drop_temp(swap)
        if sync and folder is not None:
            durable.sync_folder_fd(folder)
            durable.sync_dir(swap.kept_dir)
        durable.fault("swap.undo", "after")
        return changed


def _undo(swap: Swap, folder: int, name: str) -> Changed | None:
    found, kept = hash_at(name, folder), _kept_path(swap)
    missing = found is None and lstat_at(name, folder) is None
    if missing if swap.old is None else found == swap.old:
        return None
    if missing and _interrupted(swap):
        return _restore(swap, folder, name)
    if found is None or found != swap.new:
        return Changed(swap.path, found)
    if swap.old is not None and not os.path.lexists(kept):
        # somebody cleared the kept folder: git still has what stood here
        return Changed(swap.path, found)
    if swap.old is not None and swap.exchange:
        return _exchange_out(swap, folder, name)
    return _move_out(swap, folder, name)


def _interrupted(swap: Swap) -> bool:
    """Whether it is us who left the path empty: by a removal, or by a crash in ``rename`` mode."""
    waiting = find_staged_file(swap)
    return os.path.lexists(_kept_path(swap)) and (
        waiting is None
        or os.path.exists(waiting)
        or os.path.lexists(_undone_path(swap))
    )


def _exchange_out(swap: Swap, folder: int, name: str) -> Changed | None:
    kept = _kept_path(swap)
    atomic.exchange(kept, name, b_folder=folder)
    durable.fault("swap.undo", "placed")
    found = hash_at(kept)
    if found == swap.new:
        return None
    atomic.exchange(kept, name, b_folder=folder)
    return Changed(swap.path, found)


def _move_out(swap: Swap, folder: int, name: str) -> Changed | None:
    found = _take(folder, name, _undone_path(swap), swap.new)
    if found != swap.new:
        return Changed(swap.path, found)
    if swap.old is not None:
        return _restore(swap, folder, name)
    durable.fault("swap.undo", "placed")
    return None


def _restore(swap: Swap, folder: int, name: str) -> Changed | None:
    durable.fault("swap.undo", "placed")
    if _give_back(_kept_path(swap), folder, name):
        return None
    _hand_over(swap)
    return Changed(swap.path, hash_at(name, folder))


def _drop_temp(swap: Swap) -> None:
    if swap.temp:
        try:
            os.unlink(os.path.join(swap.kept_dir, swap.temp))
        except FileNotFoundError:
            pass  # placed, or dropped before

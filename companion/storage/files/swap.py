"""Put a file into the person's work tree without losing their text.

The file that a new one replaces is never overwritten: its inode moves into a kept folder on the
same file system, is compared with what the plan was made from, and goes back if they differ. An
editor that held it open may still write into it; `replaced.check_kept` finds those words.

`exchange.probe` finds which of two modes a file system has. ``exchange``: one renameat2(2), the
path never vanishes. ``rename``: the old file is moved aside first and the new one linked in, so
that the path is missing for an instant (and after a crash there, until `undo_put`). This mode loses
nothing either: a file made in that instant stays, and the old one is handed over as late words.
Linking the old one first and renaming over it would keep the path, and lose what an editor saves by
a rename of its own between the last look and ours.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from companion.storage.files import durable, exchange
from companion.storage.files.exchange import Mode
from companion.storage.files.replaced import hash_at, lstat_at, make_kept_name
from companion.storage.git.objects import hash_blob
from companion.storage.git.trees import UnsafePath, check_path


class Swap(NamedTuple):
    """One change of one file: staged, placed, or undone.

    It has all that `undo_put` needs, also after a crash.
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
    current: str | None


# -- paths ---------------------------------------------------------------------


def open_parent(root: str, relpath: str) -> str:
    """Return the folder that holds *relpath*; it need not exist.

    Raises UnsafePath when it is outside, in .git or through a link. For writing, `place` walks
    again with descriptors, so that nothing can change between the check and the use.
    """
    folder = root
    for part in check_path(relpath)[:-1]:
        folder = os.path.join(folder, part)
        with durable.guarded(folder):
            if os.path.lexists(folder) and not _is_real_folder(folder):
                raise UnsafePath(f"{relpath}: {part} is a link or no folder")
    if os.path.islink(os.path.join(root, relpath)):
        raise UnsafePath(f"{relpath}: it is a symbolic link")
    return folder


def _is_real_folder(path: str) -> bool:
    return stat.S_ISDIR(os.lstat(path).st_mode)


@contextmanager
def _open_folder(
    root: str, relpath: str, *, create: bool
) -> Iterator[tuple[int | None, str]]:
    """Yield the folder of *relpath*, opened through no link below the root, and the name.

    The folder is None where it is missing.
    """
    *folders, name = check_path(relpath)
    with durable.guarded(os.path.join(root, relpath)):
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        fd: int | None = os.open(root, flags)
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
        _make_inner(fd, part)
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        return os.open(part, flags, dir_fd=fd)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise UnsafePath(
                f"{relpath}: {part} is a link or no folder"
            ) from error
        raise


def _make_inner(fd: int, part: str) -> None:
    try:
        os.mkdir(part, dir_fd=fd)
    except FileExistsError:
        return  # opening it finds out whether it is a real folder
    durable.sync_folder_fd(fd)


# -- putting -------------------------------------------------------------------


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
    """Write *new* (None: remove) into the kept folder, ready for `place`; not yet in the work tree.

    *expected* is the git blob hash of the raw bytes on disk; None: nothing may stand there. *now*
    is the real clock's, in UTC. The replaced file's permissions carry over; *perm*, under the
    umask, is for a new file. For many files at once: `stage_put` each, `durable.sync_tree` of their
    `find_staged_file`, `place` each with ``sync=False``, and `durable.sync_tree` of the paths and
    *kept_dir*. For one file, *sync* makes the staged one durable here.

    Raises UnsafePath.
    """
    if new is None and expected is None:
        raise ValueError(f"{path}: neither an old nor a new file")
    state = _stat(root, path)
    if (state is None) != (expected is None):
        return Changed(path, None)
    if state is not None and not stat.S_ISREG(state.st_mode):
        return Changed(path, None)
    temp = ""
    after = None
    if new is not None:
        temp = _stage_content(kept_dir, new, state, perm, sync=sync)
        after = hash_blob(new)
    kept = make_kept_name(kept_dir, int(now.timestamp()), path, expected, after)
    return Swap(
        root, path, kept_dir, kept, temp, expected, after, mode.exchange
    )


def _stat(root: str, path: str) -> os.stat_result | None:
    """Return the state of the file at *path*; None when there is none."""
    with _open_folder(root, path, create=False) as (folder, name):
        if folder is None:
            return None
        return lstat_at(name, folder)


def _stage_content(
    kept_dir: str,
    content: bytes,
    replaced: os.stat_result | None,
    perm: int,
    *,
    sync: bool,
) -> str:
    """Write *content* into the kept folder; return the file's name there."""
    if replaced is not None:
        perm = stat.S_IMODE(replaced.st_mode)
    with durable.guarded(kept_dir):
        durable.fault("swap.stage")
        temp = durable.stage(
            os.path.join(kept_dir, "new"),
            content,
            mode=perm,
            exact=replaced is not None,
            sync=sync,
            point="swap.stage",
        )
    return os.path.basename(temp)


def find_staged_file(swap: Swap) -> str | None:
    """Return the file that must be durable before `place`, or None for a removal."""
    if not swap.temp:
        return None
    return os.path.join(swap.kept_dir, swap.temp)


@contextmanager
def _durable_step(
    swap: Swap, point: str, *, create: bool, sync: bool
) -> Iterator[tuple[int | None, str]]:
    """Yield the file's folder, None where it is missing, and the name; sync both folders after."""
    with _open_folder(swap.root, swap.path, create=create) as (folder, name):
        durable.fault(point)
        yield folder, name
        if sync and folder is not None:
            durable.sync_folder_fd(folder)
            durable.sync_dir(swap.kept_dir)
        durable.fault(point, "after")


def place(swap: Swap, *, sync: bool = True) -> Changed | None:
    """Let the staged file take its place.

    Returns Changed, with nothing changed, if the old file is another by now. Raises UnsafePath.
    """
    with _durable_step(
        swap, "swap.place", create=swap.old is None, sync=sync
    ) as (folder, name):
        changed: Changed | None = Changed(swap.path, None)
        if folder is not None:
            changed = _place(swap, folder, name)
        if changed:
            _drop_temp(swap)
    return changed


def _place(swap: Swap, folder: int, name: str) -> Changed | None:
    if swap.old is None:
        return _create(swap, folder, name)
    current = hash_at(name, folder)
    if current != swap.old:
        return Changed(swap.path, current)
    if swap.exchange and swap.new is not None:
        return _exchange_in(swap, folder, name)
    current = _take(folder, name, _kept_path(swap), swap.old)
    if current != swap.old:
        return Changed(swap.path, current)
    durable.fault("swap.place", "placed")
    if swap.new is None:
        return None
    changed = _create(swap, folder, name)
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
        exchange.exchange(kept, name, b_folder=folder)
    except FileNotFoundError:
        os.unlink(kept)
        return Changed(swap.path, None)
    durable.fault("swap.place", "placed")
    current = hash_at(kept)
    if current == swap.old:
        return None
    _exchange_back(kept, folder, name, swap.new)
    return Changed(swap.path, current)


def _exchange_back(kept: str, folder: int, name: str, ours: str | None) -> None:
    """Return their file from *kept* to *name*, where *ours* stood for an instant."""
    try:
        exchange.exchange(kept, name, b_folder=folder)
    except FileNotFoundError:
        _give_back(kept, folder, name)
        return
    # Ours stays kept like any other: an editor may have opened it in that instant. If the person
    # saved once more in that instant, the newest stays and the one before is kept.
    if hash_at(kept) != ours:
        exchange.exchange(kept, name, b_folder=folder)


def _take(
    folder: int, name: str, kept: str, expected: str | None
) -> str | None:
    """Move a file aside and return its hash; what is not *expected* goes straight back."""
    try:
        os.rename(name, kept, src_dir_fd=folder)
    except FileNotFoundError:
        return None
    current = hash_at(kept)
    if current != expected:
        _give_back(kept, folder, name)
    return current


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
    """Let `replaced.check_kept` yield the old file: somebody made a new one while it was away.

    An appending program does that in ``rename`` mode's instant. Its file then holds one line, and
    companion must not lose what stood there before.
    """
    stamp = int(swap.kept.split(".", 1)[0])
    name = make_kept_name(swap.kept_dir, stamp, swap.path, None, None)
    os.rename(_kept_path(swap), os.path.join(swap.kept_dir, name))


def _kept_path(swap: Swap) -> str:
    return os.path.join(swap.kept_dir, swap.kept)


def _undone_path(swap: Swap) -> str:
    """Return where undoing leaves the file that we had put; after a crash it shows that we did."""
    stamp, serial, old, new, quoted = swap.kept.split(".", 4)
    name = ".".join((stamp, serial + "-undone", new, old, quoted))
    return os.path.join(swap.kept_dir, name)


# -- undoing -------------------------------------------------------------------


def undo_put(swap: Swap, *, sync: bool = True) -> Changed | None:
    """Bring the file back as it was before *swap*, wherever that was interrupted; may be repeated.

    Returns Changed, with nothing changed, when the person edited or removed it since. Raises
    UnsafePath.
    """
    changed = None
    with _durable_step(
        swap, "swap.undo", create=swap.old is not None, sync=sync
    ) as (folder, name):
        if folder is not None:
            changed = _undo(swap, folder, name)
        _drop_temp(swap)
    return changed


def _undo(swap: Swap, folder: int, name: str) -> Changed | None:
    current = hash_at(name, folder)
    missing = current is None and lstat_at(name, folder) is None
    if _is_back(swap, current, missing=missing):
        return None
    if missing and _left_empty(swap):
        return _restore(swap, folder, name)
    if current is None or current != swap.new:
        return Changed(swap.path, current)
    if swap.old is None:
        return _move_out(swap, folder, name)
    if not os.path.lexists(_kept_path(swap)):
        # somebody cleared the kept folder: git still has what stood here
        return Changed(swap.path, current)
    if swap.exchange:
        return _exchange_out(swap, folder, name)
    return _move_out(swap, folder, name)


def _is_back(swap: Swap, current: str | None, *, missing: bool) -> bool:
    """Tell whether the file is as it was before the swap."""
    if swap.old is None:
        return missing
    return current == swap.old


def _left_empty(swap: Swap) -> bool:
    """Tell whether companion emptied the path: by a removal, or by a crash in ``rename`` mode."""
    if not os.path.lexists(_kept_path(swap)):
        return False
    waiting = find_staged_file(swap)
    if waiting is None or os.path.exists(waiting):
        return True
    return os.path.lexists(_undone_path(swap))


def _exchange_out(swap: Swap, folder: int, name: str) -> Changed | None:
    kept = _kept_path(swap)
    exchange.exchange(kept, name, b_folder=folder)
    durable.fault("swap.undo", "placed")
    current = hash_at(kept)
    if current == swap.new:
        return None
    exchange.exchange(kept, name, b_folder=folder)
    return Changed(swap.path, current)


def _move_out(swap: Swap, folder: int, name: str) -> Changed | None:
    current = _take(folder, name, _undone_path(swap), swap.new)
    if current != swap.new:
        return Changed(swap.path, current)
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
    if not swap.temp:
        return
    try:
        os.unlink(os.path.join(swap.kept_dir, swap.temp))
    except FileNotFoundError:
        return  # placed, or dropped before

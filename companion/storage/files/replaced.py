"""Keep the files that `swap` replaced for a day: an editor may still write into an open one."""

import hashlib
import os
import stat
from collections.abc import Iterator
from datetime import datetime
from itertools import count
from typing import BinaryIO, NamedTuple

from companion.storage.files import durable
from companion.storage.git.objects import hash_blob

_NONE = "-"  # in a kept file's name: there was, or will be, no file
_ROOM = 150  # bytes of path that fit into a kept file's name
_serial = count(1)


class Late(NamedTuple):
    """A kept file into which somebody wrote after it was replaced."""

    path: str  # where the file stood, relative to the root
    data: bytes
    blob: str  # hash of data
    kept: str  # its name in the kept folder, for `accept_kept`
    old: str | None  # blob hash of what stood there when it was replaced


def check_kept(
    kept_dir: str, *, now: datetime, keep_hours: float = 24
) -> Iterator[Late]:
    """Yield every kept file whose bytes changed after it was replaced; drop the others after
    *keep_hours*.

    *now* is the real clock's, in UTC. A late one stays, and is yielded again, until `accept_kept`.
    """
    horizon = now.timestamp() - keep_hours * 3600
    with durable.guarded(kept_dir):
        names = sorted(os.listdir(kept_dir))
    for name in names:
        kept = _read_name(kept_dir, name)
        if kept is None:
            continue
        late = _check_one(kept_dir, kept, horizon)
        if late is not None:
            yield late


def accept_kept(kept_dir: str, late: Late) -> None:
    """Record that *late*'s bytes are safe elsewhere; the file stays, for what may yet be written.

    Raises ValueError where it is no kept file.
    """
    kept = _read_name(kept_dir, late.kept)
    if kept is None:
        raise ValueError(f"no kept file: {late.kept}")
    name = make_kept_name(kept_dir, kept.stamp, kept.path, late.blob, kept.new)
    old_path = os.path.join(kept_dir, late.kept)
    with durable.guarded(kept_dir):
        os.rename(old_path, os.path.join(kept_dir, name))
        durable.sync_dir(kept_dir)


class _Kept(NamedTuple):
    name: str
    stamp: int  # seconds since 1970, when it was replaced
    old: str | None
    new: str | None
    path: str


def _check_one(kept_dir: str, kept: _Kept, horizon: float) -> Late | None:
    """Return the kept file if its bytes changed; drop it if they did not and it is old enough."""
    path = os.path.join(kept_dir, kept.name)
    with durable.guarded(path):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            # a crash in the middle of an exchange that was to be taken back: undo_put's to mend
            return None
        with open(path, "rb") as file:
            data = file.read()
            if hash_blob(data) in (kept.old, kept.new):
                if kept.stamp > horizon:
                    return None
                last = _drop(path, file, data)
                if last is None:
                    return None
                data = last
    return Late(kept.path, data, hash_blob(data), kept.name, kept.old)


def _drop(path: str, file: BinaryIO, data: bytes) -> bytes | None:
    """Remove the kept file, open as *file*; what somebody wrote in that very instant is kept and
    returned.
    """
    os.unlink(path)
    file.seek(0)
    last = file.read()
    if last == data:
        return None
    durable.write_new(path, last)
    return last


def make_kept_name(
    kept_dir: str, stamp: int, path: str, old: str | None, new: str | None
) -> str:
    """Return a free name that says when, what and where: time.serial.old.new.path."""
    quoted = path.replace("%", "%25").replace("/", "%2F").replace("@", "%40")
    if len(os.fsencode(quoted)) > _ROOM:
        quoted = _write_long_path(kept_dir, path)
    while True:
        serial = f"{os.getpid()}-{next(_serial)}"
        name = f"{stamp}.{serial}.{old or _NONE}.{new or _NONE}.{quoted}"
        if not os.path.lexists(os.path.join(kept_dir, name)):
            return name


def _write_long_path(kept_dir: str, path: str) -> str:
    """Write *path* into a file named by its content; return the name, which begins with @."""
    data = os.fsencode(path)
    name = "@" + hash_blob(data)
    try:
        durable.write_new(os.path.join(kept_dir, name), data)
    except FileExistsError:
        return name  # it is named by its content, so it says the same
    return name


def _read_name(kept_dir: str, name: str) -> _Kept | None:
    """Return what a kept file's name says; None for a temporary file or a long path's text."""
    parts = name.split(".", 4)
    if len(parts) != 5 or not parts[0].isdecimal():
        return None
    stamp, _, old, new, quoted = parts
    path = _read_path(kept_dir, quoted)
    return _Kept(name, int(stamp), _read_hash(old), _read_hash(new), path)


def _read_path(kept_dir: str, quoted: str) -> str:
    if not quoted.startswith("@"):
        plain = quoted.replace("%40", "@").replace("%2F", "/")
        return plain.replace("%25", "%")
    with (
        durable.guarded(kept_dir),
        open(os.path.join(kept_dir, quoted), "rb") as file,
    ):
        return os.fsdecode(file.read())


def _read_hash(part: str) -> str | None:
    if part == _NONE:
        return None
    return part


# -- the state of a path -------------------------------------------------------


def lstat_at(name: str, folder: int) -> os.stat_result | None:
    """Return the state of *name* itself in the open *folder*; None when there is none."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None


def hash_at(name: str, folder: int | None = None) -> str | None:
    """Return the blob hash of the regular file *name*; None when there is none."""
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        state = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if not stat.S_ISREG(state.st_mode):
            return None
        fd = os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        return None
    try:
        size = os.fstat(fd).st_size
        digest = hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
        while chunk := os.read(fd, 1 << 20):
            digest.update(chunk)
        return digest.hexdigest()
    finally:
        os.close(fd)

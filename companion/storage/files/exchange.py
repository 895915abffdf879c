"""Exchange two files in one step, and find out what a file system can do."""

import ctypes
import errno
import os
import sys
from typing import NamedTuple

from companion.storage.files import durable
from companion.storage.files.durable import StorageError

# RENAME_EXCHANGE of Linux and RENAME_SWAP of macOS share the number
_EXCHANGE = 2
_HERE = {"linux": -100, "darwin": -2}  # AT_FDCWD
_SYSCALLS = {
    "x86_64": 316,
    "aarch64": 276,
    "riscv64": 276,
    "armv7l": 382,
    "ppc64le": 357,
    "s390x": 347,
}
_NO_EXCHANGE = (
    errno.EINVAL,
    errno.ENOSYS,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.EPERM,
)


class Mode(NamedTuple):
    """The calls that a file system has."""

    exchange: bool
    links: bool

    @property
    def name(self) -> str:
        """``exchange``, or ``rename`` where a path vanishes for an instant while its file is
        replaced.
        """
        if self.exchange:
            return "exchange"
        return "rename"


def exchange(a: str, b: str, *, b_folder: int | None = None) -> None:
    """Exchange the files at *a* and *b* (relative to the folder open as *b_folder*), atomically.

    Symlinks are exchanged, not followed. Raises OSError; EINVAL or ENOSYS where that is not
    possible.
    """
    here = _HERE.get(sys.platform, -100)
    if b_folder is None:
        b_folder = here
    call = _exchange_call()
    if call(here, os.fsencode(a), b_folder, os.fsencode(b)) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), a, None, b)


class _Call:
    """The system's own exchange, whatever it is called here."""

    def __init__(self) -> None:
        self._libc = ctypes.CDLL(None, use_errno=True)
        name = "renameat2"
        if sys.platform == "darwin":
            name = "renameatx_np"
        self._named = getattr(self._libc, name, None)
        self._number = None
        if sys.platform.startswith("linux"):
            self._number = _SYSCALLS.get(os.uname().machine)

    def __call__(self, a_folder: int, a: bytes, b_folder: int, b: bytes) -> int:
        flag = ctypes.c_uint(_EXCHANGE)
        if self._named is not None:
            return int(self._named(a_folder, a, b_folder, b, flag))
        # glibc before 2.28 and some musl have the call but no name for it
        if self._number is not None:
            number = ctypes.c_long(self._number)
            return int(
                self._libc.syscall(number, a_folder, a, b_folder, b, flag)
            )
        ctypes.set_errno(errno.ENOSYS)
        return -1


_calls: list[_Call] = []


def _exchange_call() -> _Call:
    if not _calls:
        _calls.append(_Call())
    return _calls[0]


def probe(folder: str, kept_dir: str) -> Mode:
    """Try, with two files of our own, what can be done between *folder* and *kept_dir*.

    Both are made in *kept_dir*: a kill here must not leave anything in the person's folder.

    Raises StorageError when they are not on one file system: a replaced file could not be kept.
    """
    with durable.guarded(folder):
        if os.stat(folder).st_dev != os.stat(kept_dir).st_dev:
            raise StorageError(
                f"{kept_dir} is not on the file system of {folder}",
                hint=(
                    "Companion keeps replaced files for a day on the wiki's file system: "
                    "move its state there."
                ),
            )
        a, a_fd = durable.open_temp(kept_dir)
        b, b_fd = durable.open_temp(kept_dir)
        try:
            os.close(a_fd)
            os.close(b_fd)
            return Mode(_can_exchange(a, b), _can_link(b, a + "-link"))
        finally:
            os.unlink(a)
            os.unlink(b)


def _can_exchange(a: str, b: str) -> bool:
    try:
        exchange(a, b)
    except OSError as error:
        if error.errno not in _NO_EXCHANGE:
            raise
        return False
    return True


def _can_link(source: str, target: str) -> bool:
    try:
        os.link(source, target)
    except OSError as error:
        if not durable.lacks_links(error):
            raise
        return False
    os.unlink(target)
    return True

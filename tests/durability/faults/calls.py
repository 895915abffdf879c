"""Every call by which the program changes the disk, as the child makes it: counted, refused, cut
short, recorded.

Python's own calls, the exchange and syncfs are each one call. A `git` that writes is one call, and
so is every transaction of SQLite: what happens inside them is theirs to guarantee, and `disk` knows
what they do guarantee.
"""

import builtins
import errno
import os
import pickle
import signal
import stat
import sys
from collections.abc import Callable
from typing import Any

from companion.storage.files import durable
from companion.storage.files import exchange as atomic
from tests.durability.faults.child import Stream

Op = tuple[Any, ...]  # what `disk` replays
HOWS = ("before", "torn", "after", "eio", "enospc", "unsynced")

_real: dict[str, Any] = {
    name: getattr(os, name)
    for name in ("open", "write", "fsync", "link", "stat", "readlink")
}


# what git and SQLite do is told by `others`
OTHERS: list[Callable[["Tap"], None]] = []


class Tap:
    """Stands between one child and the disk.

    *at* is the number of the call that *how* befalls: the process is killed ``before`` it, with
    half of it done (``torn``), or ``after`` it; or the call fails with ``eio``, ``enospc``, or, an
    fsync, ``unsynced``: it fails, and what it was to save will never be saved. With *record* every
    call's effect is kept for `disk`, and *elsewhere* is a folder on another machine.
    """

    def __init__(
        self,
        base: str,
        *,
        at: int = 0,
        how: str = "",
        record: str = "",
        elsewhere: str = "",
    ) -> None:
        self.base, self.at, self.how, self.record, self.elsewhere = (
            base,
            at,
            how,
            record,
            elsewhere,
        )
        self.names: list[str] = []
        self.log: list[Op] = []
        # inode → file; an inode may be used again, a file's number never is
        self.ids: dict[tuple[int, int], int] = {}
        self.files = 0
        # SQLite's files: number and content, as last seen
        self.databases: dict[str, tuple[int, bytes]] = {}

    def install(self) -> None:
        """Take the place of the calls, in this process."""
        for path, found in sorted(self.scan().items()):
            self.first(path, found)
        _replace_calls(self)
        for others in OTHERS:
            others(self)
        if self.record:
            assert isinstance(sys.stdout, Stream)
            sys.stdout.told = lambda piece: self.log.append(("said", piece))
            _at_exit(self)

    def step(
        self,
        what: str,
        do: Callable[[], Any],
        *,
        half: Callable[[], Any] | None = None,
        refuse: Callable[[int], Any] | None = None,
    ) -> Any:
        """Make one call, or let befall it what was planned."""
        self.names.append(what)
        if len(self.names) != self.at:
            return do()
        if self.how in ("eio", "enospc", "unsynced"):
            return (refuse or _refuse)(
                errno.ENOSPC if self.how == "enospc" else errno.EIO
            )
        if self.how == "torn" and half is not None:
            half()
        if self.how == "after":
            do()
        os.kill(os.getpid(), signal.SIGKILL)
        return None

    def strikes(self) -> bool:
        """Whether the call being made is the one."""
        return len(self.names) == self.at

    # -- what is where -----------------------------------------------------------------------------

    def where(self, path: Any, folder: int | None = None) -> str | None:
        """Return *path* relative to the base, or None outside of it."""
        text = os.fsdecode(path)
        if not os.path.isabs(text):
            text = os.path.join(
                os.getcwd()
                if folder is None
                else _real["readlink"](f"/proc/self/fd/{folder}"),
                text,
            )
        text = os.path.normpath(text)
        return (
            text[len(self.base) + 1 :]
            if text.startswith(self.base + "/")
            else None
        )

    def file_at(self, path: str) -> int:
        return self.number(os.lstat(os.path.join(self.base, path)))

    def behind(self, fd: int) -> tuple[int | None, str | None]:
        """Return the file open as *fd* if it is one of ours, or the folder's path."""
        found, path = os.fstat(fd), _real["readlink"](f"/proc/self/fd/{fd}")
        if stat.S_ISDIR(found.st_mode):
            return None, "" if path == self.base else self.where(path)
        ours = stat.S_ISREG(found.st_mode) and self.where(path) is not None
        return (self.number(found) if ours else None), None

    def number(self, found: os.stat_result) -> int:
        """Return the file's number; what a git made has one only when its effects are recorded."""
        return (
            self.ids[_inode(found)]
            if self.record
            else self.ids.get(_inode(found), 0)
        )

    def born(self, found: os.stat_result) -> int:
        """Give a new inode a file's number of its own."""
        self.files += 1
        self.ids[_inode(found)] = self.files
        self.log.append(("born", self.files, stat.S_IMODE(found.st_mode)))
        return self.files

    def scan(self) -> dict[str, os.stat_result]:
        """Return everything below the base."""
        found = {}
        for folder, folders, names in os.walk(self.base):
            for name in (*folders, *names):
                path = os.path.join(folder, name)
                found[path[len(self.base) + 1 :]] = os.lstat(path)
        return found

    def scan_git(self) -> dict[str, os.stat_result]:
        """Return everything that a git may change: SQLite's files are followed by themselves."""
        return {
            path: found
            for path, found in self.scan().items()
            if not path.endswith((".db", "-wal", "-shm"))
        }

    def first(self, path: str, found: os.stat_result) -> None:
        """Record what was there from the beginning."""
        if stat.S_ISDIR(found.st_mode):
            self.log.append(("given", path, "dir", b""))
            return
        file = self.ids.get(_inode(found)) or self.born(found)
        self.log.append(
            ("given", path, file, self.read(path) if self.record else b"")
        )
        if path.endswith((".db", ".db-wal")):
            self.databases[path] = (file, self.read(path))

    def read(self, path: str) -> bytes:
        with _open(os.path.join(self.base, path), "rb") as file:
            return bytes(file.read())

    # -- what has changed --------------------------------------------------------------------------

    def named(self, *entries: tuple[str, int | str | None]) -> None:
        self.log.append(("names", list(entries)))
        for path, _ in entries:
            if self.elsewhere and path.startswith(self.elsewhere):
                self.log.append(("sync folder", os.path.dirname(path)))

    def content(self, file: int, data: bytes) -> None:
        self.log.append(("bytes", file, data))

    def database(self, path: str, level: int) -> None:
        """Record what a statement did to the database at *path*; *level* is its PRAGMA synchronous.

        FULL syncs the log at each commit, NORMAL only before a checkpoint, OFF never. A new log's
        folder is synced with it (sqlite.org: pragma synchronous; Write-Ahead Logging; os_unix.c,
        UNIXFILE_DIRSYNC).
        """
        for name, synced in ((path, level >= 1), (path + "-wal", level >= 2)):
            full = os.path.join(self.base, name)
            if not os.path.exists(full):
                if self.databases.pop(name, None) is not None:
                    self.named((name, None))
                continue
            self._changed(path, name, synced=synced)

    def _changed(self, path: str, name: str, *, synced: bool) -> None:
        data, before = self.read(name), self.databases.get(name)
        if before is not None and before[1] == data:
            return
        log = self.databases.get(path + "-wal")
        if name == path and synced and log is not None:
            self.log.append(("sync", log[0]))  # a checkpoint: the log first
        file = (
            self.born(os.lstat(os.path.join(self.base, name)))
            if before is None
            else before[0]
        )
        self.databases[name] = (file, data)
        if before is None:
            self.named((name, file))
        self.content(file, data)
        if synced:
            self.log.append(("sync", file))
            if before is None:
                self.log.append(("sync folder", os.path.dirname(name)))


def _inode(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino


def _refuse(number: int) -> None:
    raise OSError(number, os.strerror(number))


_open = builtins.open


def _at_exit(tap: Tap) -> None:
    leave = os._exit

    def leave_told(code: int) -> None:
        with _open(tap.record, "wb") as file:
            pickle.dump((tap.names, tap.log), file)
        leave(code)

    os._exit = leave_told  # type: ignore[assignment]


# --- the calls
# ----------------------------------------------------------------------------------------------------


def _replace_calls(tap: Tap) -> None:
    for made in (_opening, _writing, _syncing, _naming, _exchanging):
        made(tap)


def _opening(tap: Tap) -> None:
    def open_(
        path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int:
        def do() -> int:
            return int(_real["open"](path, flags, mode, dir_fd=dir_fd))

        where = tap.where(path, dir_fd) if flags & os.O_CREAT else None
        if where is None or os.path.lexists(os.path.join(tap.base, where)):
            return do()
        fd = int(tap.step(f"create {where}", do))
        found = os.fstat(fd)
        tap.named((where, tap.born(found)))
        return fd

    class Appending:
        """What `open(path, "ab")` gives: one write when it is closed."""

        def __init__(self, path: Any) -> None:
            self._fd, self._data = (
                os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666),
                b"",
            )

        def __enter__(self) -> "Appending":
            return self

        def write(self, data: bytes) -> None:
            self._data += data

        def __exit__(self, *_: object) -> None:
            try:
                os.write(self._fd, self._data)
            finally:
                os.close(self._fd)

    def plain_open(file: Any, mode: str = "r", *args: Any, **more: Any) -> Any:
        if (
            isinstance(file, int)
            or not set(mode) & set("wax+")
            or tap.where(file) is None
        ):
            return _open(file, mode, *args, **more)
        assert mode == "ab", f"teach the harness open(…, {mode!r})"
        return Appending(file)

    os.open = open_  # type: ignore[assignment]
    builtins.open = plain_open  # type: ignore[assignment]


def _writing(tap: Tap) -> None:
    def writing(name: str, at: int) -> None:
        real = getattr(os, name)

        def call(fd: int, *args: Any) -> Any:
            file = tap.behind(fd)[0]
            if file is None:
                return real(fd, *args)
            half = (
                (
                    lambda: real(
                        fd, bytes(args[0])[: len(args[0]) // 2], *args[1:]
                    )
                )
                if at
                else None
            )
            done = tap.step(
                f"{name} #{file}", lambda: real(fd, *args), half=half
            )
            with _open(f"/proc/self/fd/{fd}", "rb") as now:
                tap.content(file, now.read())
            return done

        setattr(os, name, call)

    for name, at in (("write", 1), ("pwrite", 1), ("ftruncate", 0)):
        writing(name, at)


def _syncing(tap: Tap) -> None:
    def fsync(fd: int) -> None:
        file, folder = tap.behind(fd)
        if file is None and folder is None:
            return _real["fsync"](fd)

        def refuse(number: int) -> None:
            if tap.how == "unsynced":
                tap.log.append(("lost", file))
            _refuse(number)

        tap.step(
            f"fsync {folder or '.' if file is None else f'#{file}'}",
            lambda: _real["fsync"](fd),
            refuse=refuse,
        )
        tap.log.append(
            ("sync folder", folder) if file is None else ("sync", file)
        )
        return None

    everything = durable._sync_file_systems

    def syncfs(folders: list[str]) -> bool:
        done = bool(tap.step("syncfs", lambda: everything(folders)))
        tap.log.append(("sync all",))
        return done

    os.fsync = fsync
    durable._sync_file_systems = syncfs


def _naming(tap: Tap) -> None:
    rename, link, unlink, mkdir, rmdir = (
        os.rename,
        os.link,
        os.unlink,
        os.mkdir,
        os.rmdir,
    )

    def rename_(
        src: Any,
        dst: Any,
        *,
        src_dir_fd: int | None = None,
        dst_dir_fd: int | None = None,
    ) -> None:
        a, b = tap.where(src, src_dir_fd), tap.where(dst, dst_dir_fd)
        file = (
            tap.file_at(a)
            if a and os.path.isfile(os.path.join(tap.base, a))
            else 0
        )
        if a is None or b is None:
            return rename(
                src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd
            )
        folder = os.path.isdir(src)
        tap.step(
            f"rename {a} {b}",
            lambda: rename(
                src, dst, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd
            ),
        )
        if folder:
            tap.log.append(("moved", a, b))
        else:
            tap.named((a, None), (b, file))
        return None

    def link_(
        src: Any, dst: Any, *, dst_dir_fd: int | None = None, **more: Any
    ) -> None:
        a, b = (
            tap.where(src, more.get("src_dir_fd")),
            tap.where(dst, dst_dir_fd),
        )
        if a is None or b is None:
            return link(src, dst, dst_dir_fd=dst_dir_fd, **more)
        tap.step(
            f"link {a} {b}",
            lambda: link(src, dst, dst_dir_fd=dst_dir_fd, **more),
        )
        tap.named((b, tap.file_at(a)))
        return None

    def gone(real: Callable[..., None]) -> Callable[..., None]:
        def call(path: Any, *, dir_fd: int | None = None) -> None:
            where = tap.where(path, dir_fd)
            if where is None or not os.path.lexists(
                os.path.join(tap.base, where)
            ):
                return real(path, dir_fd=dir_fd)
            tap.step(f"remove {where}", lambda: real(path, dir_fd=dir_fd))
            tap.named((where, None))
            return None

        return call

    def mkdir_(
        path: Any, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> None:
        where = tap.where(path, dir_fd)
        if where is None or os.path.lexists(os.path.join(tap.base, where)):
            return mkdir(path, mode, dir_fd=dir_fd)
        tap.step(f"mkdir {where}", lambda: mkdir(path, mode, dir_fd=dir_fd))
        tap.named((where, "dir"))
        return None

    os.rename = os.replace = rename_
    os.link, os.mkdir = link_, mkdir_
    os.unlink = os.remove = gone(unlink)
    os.rmdir = gone(rmdir)


def _exchanging(tap: Tap) -> None:
    real = atomic.exchange

    def exchange(a: str, b: str, *, b_folder: int | None = None) -> None:
        one, other = tap.where(a), tap.where(b, b_folder)
        tap.step(
            f"exchange {one} {other}", lambda: real(a, b, b_folder=b_folder)
        )
        assert one and other
        tap.named((one, tap.file_at(one)), (other, tap.file_at(other)))

    atomic.exchange = exchange

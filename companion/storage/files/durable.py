"""The one way bytes reach the disk outside SQLite, with named fault points that crash tests
enumerate.

A durable step passes through stages, in this order: ``before`` (nothing done), ``torn`` (half of
the bytes written), ``staged`` (a complete temporary file), ``placed`` (under its name, the folder
not yet synced), ``after``. `POINTS` says which stages each named point has. Imported on a capture's
hot path: no imports beyond os and fcntl at module level.
"""

import errno
import fcntl
import os
import sys
from collections.abc import Callable, Iterable
from itertools import count
from types import TracebackType

from companion.errors import CompanionError

TEMP = ".companion-"  # leftovers of a killed process begin with this
MANY = 64  # above this many files one syncfs(2) is cheaper than an fsync each

STEP = ("before", "after")
WRITE = ("before", "torn", "staged", "placed", "after")

POINTS: dict[str, tuple[str, ...]] = {
    "write.new": WRITE,
    "write.replace": WRITE,
    "sync.tree": STEP,
    "object.loose": WRITE,
    "pack.close": WRITE,
    "pack.index": WRITE,
    "swap.stage": ("before", "torn", "staged"),
    "swap.place": ("before", "placed", "after"),
    "swap.undo": ("before", "placed", "after"),
    # Named here, not where they are used: `arm` must know them before the module is imported.
    "publish.intent": STEP,
    "publish.locks": ("before", "index", "after"),
    "publish.files": STEP,
    "publish.index": STEP,
    "publish.ref": STEP,
    "publish.reflog": STEP,
    "publish.done": STEP,
    "recover.begin": STEP,
    "recover.done": STEP,
    "journal.commit": STEP,
    "buffer.refs": ("before", "placed", "after"),
    "fold.commit": STEP,
    "minority.refs": STEP,
    "erase.intent": STEP,
    "erase.refs": STEP,
    "erase.files": STEP,
    "erase.journal": STEP,
    "erase.purge": ("before", "packed", "after"),
    "erase.compact": STEP,
}

# tests put theirs here; empty in an ordinary run
hooks: list[Callable[[str, str], None]] = []

_NO_LINKS = (
    errno.EPERM,
    errno.ENOTSUP,
    errno.EOPNOTSUPP,
    errno.ENOSYS,
    errno.EMLINK,
)
_HINTS = {
    errno.ENOSPC: "The disk is full: free some space and run the same command again.",
    errno.EDQUOT: "Your disk quota is used up: free some space and run the same command again.",
    errno.EXDEV: "That folder lies on another disk than the wiki: keep both on one file system.",
    errno.EROFS: "The disk is mounted read-only: mount it for writing, or move the wiki.",
    errno.EACCES: "You have no permission to write there: check who owns the folder.",
    errno.EPERM: "The system does not permit writing there: check the folder's owner and flags.",
    errno.EIO: "The disk reported an error: check it before you write to it again.",
    errno.ENAMETOOLONG: "The name is too long for this file system: use a shorter title or path.",
}
_serial = count(1)


class StorageError(CompanionError):
    """The disk did not take this."""

    exit_code = 74
    hint = "Check the disk and the folder's permissions, then run the same command again."


# -- fault points --------------------------------------------------------------


def fault(name: str, stage: str = "before") -> None:
    """Announce that the durable step *name* is at *stage*. Does nothing unless a hook is
    installed.

    Raises LookupError.
    """
    if not hooks:
        return
    if stage not in POINTS[name]:
        raise LookupError(f"{name} has no stage {stage}: add it to POINTS")
    for hook in list(hooks):
        hook(name, stage)


# -- errors --------------------------------------------------------------------


class guarded:
    """A block in which an OSError, but none of *let*, becomes a StorageError that names *path*."""

    __slots__ = ("let", "path")

    def __init__(self, path: str, *let: type[OSError]) -> None:
        self.path = path
        self.let = let

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, OSError) and not isinstance(error, self.let):
            reason = error.strerror or str(error)
            raise StorageError(
                f"{self.path}: {reason}",
                hint=_HINTS.get(error.errno or 0, StorageError.hint),
            ) from error


def lacks_links(error: OSError) -> bool:
    """Tell whether *error* from link(2) says that this file system has no hard links."""
    return error.errno in _NO_LINKS


# -- files ---------------------------------------------------------------------


def make_private(path: str) -> None:
    """Create the database *path* for its owner alone where there is none; else keep others out.

    SQLite gives its logs the mode of their database. A database in memory (``:memory:``) has no
    file. Raises StorageError.
    """
    if path == ":memory:":
        return
    with guarded(path):
        try:
            # one that exists is not opened: closing it would end SQLite's locks in this process
            if os.stat(path).st_mode & 0o077:
                os.chmod(path, 0o600)
        except FileNotFoundError:
            flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
            os.close(os.open(path, flags, 0o600))


def read_if_there(path: str) -> bytes | None:
    """Return the bytes of the file *path*, None where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


def write_new(
    path: str,
    data: bytes,
    *,
    mode: int = 0o644,
    sync: bool = True,
    sync_name: bool = True,
    point: str = "write.new",
    prefix: str = TEMP,
) -> None:
    """Create *path* holding *data*: whole or not at all.

    Raises FileExistsError when it is there already, and StorageError. Without hard links the file
    is created in place instead, still never over another; a crash can then leave it cut short. With
    ``sync=False`` the caller makes it durable later (`sync_tree`). With ``sync_name=False`` a power
    cut may take the file away again, but never leave it cut short.
    """
    with guarded(path, FileExistsError):
        fault(point)
        place_new(
            stage(path, data, mode=mode, sync=sync, point=point, prefix=prefix),
            path,
            point=point,
        )
        if sync and sync_name:
            _sync_folder(os.path.dirname(path))
        fault(point, "after")


def write_new_stream(
    path: str, chunks: Iterable[bytes], *, sync: bool = True
) -> None:
    """Create *path* holding all of *chunks*, whole or not at all, also where *chunks* raises.

    *path* is absolute. Raises FileExistsError when it is there already, and StorageError.
    """
    folder = os.path.dirname(path)
    with guarded(path, FileExistsError):
        fault("write.new")
        temp, fd = open_temp(folder, mode=0o644)
        try:
            with open(fd, "wb", buffering=0):
                for chunk in chunks:
                    write_all(fd, chunk)
                if sync:
                    fsync(fd)
            fault("write.new", "staged")
        except BaseException:
            os.unlink(temp)
            raise
        place_new(temp, path, point="write.new")
        if sync:
            _sync_folder(folder)
        fault("write.new", "after")


def replace(
    path: str,
    data: bytes,
    *,
    mode: int = 0o644,
    sync: bool = True,
    point: str = "write.replace",
) -> None:
    """Make *path* hold *data*, old or new and never between. Raises StorageError.

    Only for files of our own: the old content is not kept.
    """
    with guarded(path):
        fault(point)
        temp = stage(path, data, mode=mode, sync=sync, point=point)
        try:
            os.rename(temp, path)
        except OSError:
            os.unlink(temp)
            raise
        fault(point, "placed")
        if sync:
            _sync_folder(os.path.dirname(path))
        fault(point, "after")


def stage(
    beside: str,
    data: bytes,
    *,
    mode: int = 0o644,
    exact: bool = False,
    sync: bool = True,
    point: str,
    prefix: str = TEMP,
) -> str:
    """Write *data* to a temporary file in the folder of *beside* and return its path.

    *mode* is subject to the umask unless *exact*.
    """
    temp, fd = open_temp(os.path.dirname(beside), mode=mode, prefix=prefix)
    try:
        try:
            if exact:
                os.fchmod(fd, mode)
            _pump(fd, data, point)
            if sync:
                fsync(fd)
        finally:
            os.close(fd)
        fault(point, "staged")
    except BaseException:
        os.unlink(temp)
        raise
    return temp


def open_temp(
    folder: str, *, mode: int = 0o600, prefix: str = TEMP
) -> tuple[str, int]:
    """Create a temporary file in *folder*; return its path and a descriptor to read and write."""
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    while True:
        # The pid keeps processes apart, O_EXCL those of other machines and leftovers of a reused
        # pid.
        temp = os.path.join(folder, f"{prefix}{os.getpid()}-{next(_serial)}")
        try:
            return temp, os.open(temp, flags, mode)
        except FileExistsError:
            continue


def place_new(
    temp: str, path: str, *, point: str, folder_fd: int | None = None
) -> None:
    """Move *temp* to *path*, relative to *folder_fd*; *temp* goes in any case.

    Raises FileExistsError if *path* exists.
    """
    try:
        try:
            os.link(temp, path, dst_dir_fd=folder_fd)
        except OSError as error:
            if not lacks_links(error):
                raise
            _copy_new(temp, path, folder_fd)
        fault(point, "placed")
    finally:
        os.unlink(temp)


def _copy_new(temp: str, path: str, folder_fd: int | None) -> None:
    with open(temp, "rb") as source:
        data, mode = source.read(), os.fstat(source.fileno()).st_mode & 0o777
    fd = os.open(
        path,
        os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC,
        mode,
        dir_fd=folder_fd,
    )
    try:
        try:
            write_all(fd, data)
            fsync(fd)
        finally:
            os.close(fd)
    except BaseException:
        os.unlink(path, dir_fd=folder_fd)
        raise


def write_all(fd: int, data: bytes | memoryview) -> None:
    """Write all of *data* to *fd*, however many calls the system makes of it."""
    view = memoryview(data)
    while len(view):
        view = view[os.write(fd, view) :]


def _pump(fd: int, data: bytes, point: str) -> None:
    if not hooks:
        return write_all(fd, data)
    view = memoryview(data)
    write_all(fd, view[: len(view) // 2])
    fault(point, "torn")
    return write_all(fd, view[len(view) // 2 :])


# -- making durable ------------------------------------------------------------


def fsync(fd: int) -> None:
    """Make the file behind *fd* survive a power cut (macOS needs F_FULLFSYNC for that)."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is None:
        os.fsync(fd)
    else:
        fcntl.fcntl(fd, full)


def sync_dir(path: str) -> None:
    """Make the names in the folder *path* durable: a power cut can undo a rename without it."""
    with guarded(path):
        _sync_folder(path)


def sync_tree(paths: Iterable[str], *, point: str = "sync.tree") -> None:
    """Make files or folders that were written without sync durable, and the folders around them."""
    files = list(paths)
    if not files:
        return
    folders = sorted({os.path.dirname(path) or "." for path in files})
    with guarded(folders[0]):
        fault(point)
        if len(files) <= MANY or not _sync_file_systems(folders):
            for path in files:
                _sync_path(path)
            for folder in folders:
                _sync_folder(folder)
        fault(point, "after")


def make_dirs(path: str, *, mode: int = 0o755) -> None:
    """Create the folder *path* and the parents it lacks, each durable in its own parent."""
    with guarded(path):
        missing = []
        while path and not os.path.isdir(path):
            missing.append(path)
            path = os.path.dirname(path.rstrip("/"))
        for folder in reversed(missing):
            try:
                os.mkdir(folder, mode)
            except FileExistsError:
                if not os.path.isdir(folder):
                    raise
            _sync_folder(os.path.dirname(folder.rstrip("/")))


def sync_folder_fd(fd: int) -> None:
    """Make the names in the folder open as *fd* durable, where the file system has such a thing."""
    try:
        os.fsync(fd)
    except OSError as error:
        # Some network file systems cannot sync a folder and say so; they have no stronger promise
        # to give.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise


def _sync_folder(path: str) -> None:
    fd = os.open(path or ".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync_folder_fd(fd)
    finally:
        os.close(fd)


def _sync_path(path: str) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        if os.path.isdir(path):
            sync_folder_fd(fd)
        else:
            fsync(fd)
    finally:
        os.close(fd)


def _sync_file_systems(folders: list[str]) -> bool:
    """Sync every file system that *folders* lie on; False where there is no syncfs(2)."""
    if not sys.platform.startswith("linux"):
        return False
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "syncfs"):
        return False
    file_systems = {os.stat(folder).st_dev: folder for folder in folders}
    for folder in file_systems.values():
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            if libc.syncfs(fd) != 0:
                number = ctypes.get_errno()
                raise OSError(number, os.strerror(number), folder)
        finally:
            os.close(fd)
    return True

"""The lock that lets one run at a time work, and who holds it."""

import fcntl
import os
from types import TracebackType

from companion.errors import CompanionError
from companion.storage.files.durable import guarded


class Busy(CompanionError):
    """Another companion is at work here."""

    exit_code = 75
    hint = "Try again when it has finished."


class lock_file:
    """Hold the lock at *path* for the block; *what* says what the holder does.

    Raises Busy at once where another process holds it, naming that process. The file is its owner's
    alone, as other files of state. It is never removed: deleting a lock is how two holders come
    about. The system releases the lock of a killed holder.
    """

    def __init__(self, path: str, what: str = "") -> None:
        self.path = path
        self.what = what
        self._fd = -1

    def __enter__(self) -> "lock_file":
        with guarded(self.path):
            fd = os.open(
                self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600
            )
            try:
                _keep_private(fd)
                _claim(fd, f"{os.getpid()} {self.what}\n".encode())
            except BaseException:
                os.close(fd)
                raise
            self._fd = fd
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        fd, self._fd = self._fd, -1
        with guarded(self.path):
            try:
                os.ftruncate(fd, 0)
            finally:
                os.close(fd)


def is_held(path: str) -> bool:
    """Tell whether another process holds the lock at *path*; False where there is none."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False


def _keep_private(fd: int) -> None:
    """Close a lock that an earlier version left open to others; another person's stays as it is."""
    found = os.fstat(fd)
    if found.st_mode & 0o077 and found.st_uid == os.geteuid():
        os.fchmod(fd, 0o600)


def _claim(fd: int, record: bytes) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise Busy(_describe_holder(fd)) from error
    os.ftruncate(fd, 0)
    os.pwrite(fd, record, 0)


def _describe_holder(fd: int) -> str:
    """Return who holds the lock and what they do; nothing where the file does not say."""
    text = os.pread(fd, 200, 0).decode("utf-8", "replace")
    pid, _, what = text.strip().partition(" ")
    if not pid.isdecimal():
        return ""
    return f"another companion is at work here: {what or 'it'} (process {pid})"

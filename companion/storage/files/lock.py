"""One at a time: the lock under which a night works, and who holds it."""

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
    """Hold the lock at *path* for the block, or raise Busy at once, naming who holds it and *what*
    it does.

    The file itself is never removed: deleting a lock is how two holders come about. A killed
    holder's lock is released by the system.
    """

    def __init__(self, path: str, what: str = "") -> None:
        self.path, self.what, self._fd = path, what, -1

    def __enter__(self) -> "lock_file":
        with guarded(self.path):
            fd = os.open(
                self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644
            )
            try:
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


def _claim(fd: int, record: bytes) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        pid, _, what = (
            os.pread(fd, 200, 0)
            .decode("utf-8", "replace")
            .strip()
            .partition(" ")
        )
        who = f"{what or 'it'} (process {pid})" if pid.isdecimal() else ""
        raise Busy(
            f"another companion is at work here: {who}" if who else ""
        ) from error
    os.ftruncate(fd, 0)
    os.pwrite(fd, record, 0)

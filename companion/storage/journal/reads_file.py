"""Record what was read, until a night folds it: one line a read, appended to ``uses.jsonl`` in the
state folder.

It waits for nobody: not for a capture that writes to the journal, nor for a night. It is not
synced: a power cut may cost the last lines, and nothing else. `store.taken` takes the lines into
the journal. On the hot path of every read: stdlib only.
"""

import errno
import fcntl
import os

from companion import json_text
from companion.storage.git.layout import Place

NAME = "uses.jsonl"
# bytes of lines that no night took in; from here on reads are not recorded
FULL = 16 << 20
_TRIES = 3

# id of the use, at, agent, verb, words, shown
Line = tuple[str, str, str, str, str, tuple[str, ...]]


def append(place: Place, line: Line) -> str | None:
    """Record *line* without waiting; return why that was not possible, None when it was."""
    # The first line feed parts it from one that a full disk cut short.
    data = b"\n" + json_text.dumps(line, separators=(",", ":")).encode() + b"\n"
    try:
        for _ in range(_TRIES):
            if _append(os.path.join(place.state, NAME), data):
                return None
    except OSError as error:
        return os.strerror(error.errno or errno.EIO)
    return (
        "no night took in what was read for long: `companion consolidate` does"
    )


def _append(path: str, data: bytes) -> bool:
    """Append *data*; False where the file was taken away meanwhile, or is full."""
    file = os.open(
        path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600
    )
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        found = os.fstat(file)
        if found.st_nlink == 0 or found.st_size > FULL:
            return False
        if os.write(file, data) < len(data):
            raise OSError(errno.ENOSPC, "")
    except BlockingIOError:
        return False
    finally:
        os.close(file)
    return True


def measure_size(place: Place) -> int:
    """Return the bytes of what no night took in."""
    try:
        return os.stat(os.path.join(place.state, NAME)).st_size
    except OSError:  # there is none yet; `append` says what else is wrong
        return 0


def find_trouble(place: Place) -> str | None:
    """Return what keeps reads from being recorded now; None: nothing."""
    if not os.access(place.state, os.W_OK):
        return "the folder of its state cannot be written"
    if os.statvfs(place.state).f_bavail == 0:
        return "the disk is full"
    path = os.path.join(place.state, NAME)
    if os.path.exists(path) and (
        not os.access(path, os.W_OK) or os.path.getsize(path) > FULL
    ):
        return (
            f"{NAME} is full or cannot be written; the next night takes it in"
        )
    return None

"""Run a command on a terminal of a chosen width and return all that it wrote there."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
from collections.abc import Sequence


def on_a_terminal(
    command: Sequence[str], *, columns: int = 80, **environment: str
) -> str:
    """Return what *command* writes to a terminal that is *columns* wide, errors included."""
    master, slave = pty.openpty()
    size = struct.pack("HHHH", 24, columns, 0, 0)
    fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
    base = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "TERM", "COLUMNS", "FORCE_COLOR")
    }
    program = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=slave,
        stderr=slave,
        env=base | {"TERM": "xterm"} | environment,
    )
    os.close(slave)
    written = _read_all(master)
    program.wait()
    os.close(master)
    return written.decode()


def _read_all(master: int) -> bytes:
    parts = []
    while part := _read(master):
        parts.append(part)
    return b"".join(parts)


def _read(master: int) -> bytes:
    try:
        return os.read(master, 65536)
    except OSError:
        # Linux reports the end of a terminal's output as an error.
        return b""

"""A person at a terminal: presses keys when the program has asked, and sees what it wrote."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Sequence

#: seconds after which a program that has not asked is taken for stuck
PATIENCE = 30


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Typist:
    """A program on a terminal of its own, both for what it writes and what it reads."""

    def __init__(
        self, command: Sequence[str], *, columns: int = 100, **environment: str
    ) -> None:
        self.master, slave = pty.openpty()
        size = struct.pack("HHHH", 40, columns, 0, 0)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, size)
        base = {
            name: value
            for name, value in os.environ.items()
            if name
            not in ("TERM", "COLUMNS", "FORCE_COLOR", "EDITOR", "VISUAL")
        }
        self.program = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=base | {"TERM": "xterm", "NO_COLOR": "1"} | environment,
            start_new_session=True,
            # a check in the background ignores Ctrl-C, and would hand that on
            preexec_fn=_hear_ctrl_c,
        )
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.seen = ""

    def wait_for(self, words: str) -> str:
        """Read until *words* were written; return what came since the last call, with them."""
        start = len(self.seen)
        until = time.monotonic() + PATIENCE
        while words not in self.seen[start:]:
            assert time.monotonic() < until, self.seen
            self._read()
        return self.seen[start:]

    def press(self, key: str) -> None:
        """Press one key."""
        os.write(self.master, key.encode())

    def leave(self) -> int:
        """Wait for the end of the program; return its exit code."""
        until = time.monotonic() + PATIENCE
        while self.program.poll() is None:
            assert time.monotonic() < until, self.seen
            self._read()
        while self._read():
            pass
        self.after = termios.tcgetattr(self.slave)
        os.close(self.slave)
        os.close(self.master)
        return self.program.returncode

    def _read(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], 0.1)
        if not ready:
            return False
        part = os.read(self.master, 65536)
        self.seen += part.decode().replace("\r", "")
        return bool(part)

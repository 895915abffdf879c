"""Read single keys from a terminal, without waiting for Enter."""

import os
import select
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

#: what is read when no key will come any more: Ctrl-D, or a terminal that was closed
END = ""
_CTRL_D = b"\x04"
#: seconds within which a terminal sends the rest of an arrow
_AT_ONCE = 0.05


def can_ask() -> bool:
    """Tell whether a person sits at both ends: keys come in, and what is asked is seen."""
    streams = (sys.stdin, sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


@contextmanager
def single_keys() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Let the terminal send keys at once and not show them; restore it afterwards.

    The value gives the terminal back for a while, to an editor.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)

    @contextmanager
    def lend() -> Iterator[None]:
        """Restore the terminal as it was before, for another program."""
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
        try:
            yield
        finally:
            tty.setcbreak(descriptor, termios.TCSADRAIN)

    try:
        # what was typed ahead is an answer, too: nothing is flushed
        tty.setcbreak(descriptor, termios.TCSADRAIN)
        yield lend
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def read_key() -> str:
    """Return the next key as one small letter or digit; `END` when no more will come.

    Arrows and other keys that send several bytes are passed over.
    """
    descriptor = sys.stdin.fileno()
    while True:
        sent = _read(descriptor)
        if sent in (b"", _CTRL_D):
            return END
        if sent.isalnum():
            return sent.decode("ascii").lower()
        if sent == b"\x1b":
            _pass_over_sequence(descriptor)


def _pass_over_sequence(descriptor: int) -> None:
    """Read the rest of what an arrow sends, `[A`; nothing where Escape itself was pressed."""
    if not select.select([descriptor], [], [], _AT_ONCE)[0]:
        return
    byte = _read(descriptor)
    while byte and not b"@" <= byte <= b"Z" and not b"a" <= byte <= b"~":
        byte = _read(descriptor)
    if byte == b"O":
        _read(descriptor)


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1)
    # Linux reports a closed terminal as an error.
    except OSError:
        return b""

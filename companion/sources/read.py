"""Read originals in a process of their own, within limits of time and memory.

Readers parse what anybody may have sent, with libraries in C and Rust. What loops, eats memory or
crashes there costs one item: it gets a named error, and the next item a new process. No lock of the
wiki is held meanwhile (GEN-1).
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from types import TracebackType
from typing import IO, NamedTuple

from companion.errors import MALFORMED
from companion.sources import child, wire
from companion.sources.document import Document, Unreadable
from companion.sources.reader import LIMITS, Limits
from companion.storage.cold.originals import Original

_REGISTRY = "companion.sources.registry"
_MOST_ITEMS = 200  # of one process: what libraries leak ends with it
_COMPLAINT = 4096  # bytes of the end of standard error
# what allocators of Rust, C++ and Python say before they give up
_NO_MEMORY = (b"memory allocation of", b"bad_alloc", b"MemoryError")


class Reading(NamedTuple):
    """A document, and how it was read."""

    document: Document
    reader: str  # its name and versions, e.g. "pdf 1, xberg 1.3.9"
    cpu_seconds: float


class Process(NamedTuple):
    """A running child and the way to it."""

    popen: subprocess.Popen[bytes]
    line: socket.socket
    complaints: IO[bytes]  # its standard error


class Readers:
    """Reads originals, many with one process; a crash costs the item and the process.

    Use it as a context manager. *registry* names a module with READERS.
    """

    def __init__(
        self, limits: Limits = LIMITS, *, registry: str = _REGISTRY
    ) -> None:
        self._limits = limits
        self._registry = registry
        self._process: Process | None = None
        self._served = 0  # items, by the present process

    def __enter__(self) -> "Readers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self, *, kill: bool = False) -> None:
        """End the process, if there is one."""
        if self._process is not None:
            _end(self._process, kill=kill)
            self._process = None

    def read(self, content: bytes, item: Original) -> Reading:
        """Return what *content*, the bytes of *item*, says. Raises Unreadable."""
        _check_size(content, self._limits)
        process = self._open_process()
        try:
            answer, document = _exchange(process, content, item, self._limits)
        except (OSError, EOFError) as error:
            raise self._explain(error) from error
        except BaseException:
            # an interrupted exchange would answer the next question
            self.close(kill=True)
            raise
        if answer.unreadable:
            raise self._translate(answer)
        return Reading(
            wire.decode_document(document), answer.reader, answer.cpu_seconds
        )

    def _open_process(self) -> Process:
        """Return the process; a new one where there is none, or it has served long."""
        if self._served >= _MOST_ITEMS:
            self.close()
        if self._process is None:
            self._process = _start(self._registry, self._limits.memory)
            self._served = 0
        self._served += 1
        return self._process

    def _explain(self, error: Exception) -> Unreadable:
        """Say why the process did not answer, and end it."""
        assert self._process is not None
        process, self._process = self._process, None
        slow = isinstance(error, TimeoutError)
        status, complaint = _end(process, kill=slow)
        if slow:
            return _make_too_slow(f"{self._limits.wall_seconds:g} seconds")
        if status == -signal.SIGXCPU:
            return _make_too_slow(f"{self._limits.cpu_seconds} CPU seconds")
        if status == child.OUT_OF_MEMORY or _tells_of_memory(complaint):
            return _make_out_of_memory(self._limits)
        return _make_crashed(status)

    def _translate(self, answer: child.Answer) -> Unreadable:
        kind, reason, hint = answer.unreadable
        if kind == "out-of-memory":
            # what is left of its memory is in pieces
            self.close()
            return _make_out_of_memory(self._limits)
        return Unreadable(kind, reason, hint=hint)


def read_document(
    content: bytes, item: Original, *, limits: Limits = LIMITS
) -> Document:
    """Return what *content*, the bytes of *item*, says. Raises Unreadable.

    Each call starts a process; `Readers` reads many with one.
    """
    with Readers(limits) as readers:
        return readers.read(content, item).document


def _check_size(content: bytes, limits: Limits) -> None:
    if not content:
        raise Unreadable("empty", "the file is empty")
    if len(content) > limits.content:
        size = limits.content // 2**20
        raise Unreadable("too-large", f"it is larger than {size} MiB")


def _start(registry: str, memory: int) -> Process:
    ours, theirs = socket.socketpair()
    complaints = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
    # -P: a folder of the person's is no place to import from
    command = [sys.executable, "-P", "-m", child.__name__, registry]
    try:
        popen = subprocess.Popen(
            [*command, str(memory)],
            stdin=theirs.fileno(),
            stdout=complaints,
            stderr=complaints,
            start_new_session=True,
        )
    except BaseException:
        ours.close()
        complaints.close()
        raise
    finally:
        theirs.close()
    return Process(popen, ours, complaints)


def _end(process: Process, *, kill: bool = False) -> tuple[int, bytes]:
    """Close the way to the child; return how it ended and its last words."""
    process.line.close()
    if kill:
        _kill(process)
    try:
        status = process.popen.wait(timeout=1)
    except subprocess.TimeoutExpired:
        _kill(process)
        status = process.popen.wait()
    with process.complaints as complaints:
        size = complaints.seek(0, os.SEEK_END)
        complaints.seek(max(0, size - _COMPLAINT))
        return status, complaints.read()


def _kill(process: Process) -> None:
    try:
        os.killpg(process.popen.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # it has ended by itself


def _exchange(
    process: Process, content: bytes, item: Original, limits: Limits
) -> tuple[child.Answer, bytes]:
    """Return the answer and the document. Raises TimeoutError, EOFError, OSError."""
    end = time.monotonic() + limits.wall_seconds
    request = child.Request(
        item.name, item.media_type, len(content), limits.cpu_seconds
    )
    header = json.dumps(request).encode()
    process.line.settimeout(limits.wall_seconds)
    process.line.sendall(child.LENGTH.pack(len(header)) + header)
    process.line.sendall(content)
    answer = decode_answer(_receive(process, end, limits))
    return answer, _receive(process, end, limits)


def decode_answer(data: bytes) -> child.Answer:
    """Return the answer that *data* is. Raises Malformed: a file may have taken the child over."""
    try:
        reader, cpu_seconds, unreadable = json.loads(data)
        problem = [str(part) for part in unreadable]
        if len(problem) not in (0, 3):
            raise wire.Malformed()
        return child.Answer(str(reader), float(cpu_seconds), problem)
    except MALFORMED as error:
        raise wire.Malformed() from error


def _receive(process: Process, end: float, limits: Limits) -> bytes:
    """Return the next part of the answer, which comes before the time *end*."""
    (length,) = child.LENGTH.unpack(_receive_bytes(process, 8, end))
    if length > limits.answer:
        raise Unreadable(
            "too-large",
            f"its text is longer than {limits.answer // 2**20} MiB",
        )
    return _receive_bytes(process, length, end)


def _receive_bytes(process: Process, size: int, end: float) -> bytes:
    content = bytearray()
    while len(content) < size:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        process.line.settimeout(left)
        part = process.line.recv(min(size - len(content), 2**20))
        if not part:
            raise EOFError
        content += part
    return bytes(content)


def _tells_of_memory(complaint: bytes) -> bool:
    return any(words in complaint for words in _NO_MEMORY)


def _make_too_slow(limit: str) -> Unreadable:
    return Unreadable("too-slow", f"reading it took more than {limit}")


def _make_out_of_memory(limits: Limits) -> Unreadable:
    size = limits.memory // 2**20
    return Unreadable("out-of-memory", f"reading it needs more than {size} MiB")


def _make_crashed(status: int) -> Unreadable:
    if status >= 0:
        return Unreadable("crashed", f"the reader ended with status {status}")
    name = signal.Signals(-status).name
    return Unreadable("crashed", f"the reader was ended by {name}")

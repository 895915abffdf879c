"""The process in which readers run: it reads one original after another, within limits.

`companion.sources.read` starts it as ``python -m companion.sources.child REGISTRY MEMORY`` with a
socket as standard input. Nothing here is trusted by the other side but bytes of a known length.
"""

import importlib
import json
import os
import resource
import socket
import struct
import sys
import threading
from typing import NamedTuple

from companion.sources import registry, wire
from companion.sources.document import Unreadable
from companion.sources.reader import HEAD, Reader

OUT_OF_MEMORY = 86  # exit status of the watch on platforms without a limit
_FILE_SIZE = 2**20  # bytes: a reader has nothing to write but complaints
_WATCH_SECONDS = 0.05

LENGTH = struct.Struct(">Q")


class Request(NamedTuple):
    """A request to read; the bytes follow it."""

    name: str
    media_type: str
    size: int  # bytes
    cpu_seconds: int


class Answer(NamedTuple):
    """The outcome of a request; the document follows it."""

    reader: str  # its name and versions; "" where none was found
    cpu_seconds: float
    unreadable: list[str]  # kind, reason, hint; empty where it was read


def main(arguments: list[str]) -> None:
    """Answer requests until the other side closes."""
    module, memory = arguments
    _limit_process(int(memory))
    readers = importlib.import_module(module).READERS
    with socket.socket(fileno=os.dup(0)) as line:
        while True:
            header = receive(line, LENGTH.size)
            if not header:
                return
            _serve(line, LENGTH.unpack(header)[0], readers)


def _serve(
    line: socket.socket, length: int, readers: tuple[registry.Entry, ...]
) -> None:
    request = Request(*json.loads(receive(line, length)))
    content = receive(line, request.size)
    _limit_cpu(request.cpu_seconds)
    before = _use_of_cpu()
    reader, document, problem = _read(request, content, readers)
    answer = Answer(reader, round(_use_of_cpu() - before, 4), problem)
    head = json.dumps(answer).encode()
    for part in (head, document):
        line.sendall(LENGTH.pack(len(part)))
        line.sendall(part)


def _read(
    request: Request, content: bytes, readers: tuple[registry.Entry, ...]
) -> tuple[str, bytes, list[str]]:
    """Return the reader's name, the document as bytes, and why there is none."""
    chosen = ""
    try:
        reader = registry.choose_reader(
            content[:HEAD], request.name, request.media_type, readers
        )
        if reader is None:
            raise Unreadable("unknown", "no reader knows this kind of file")
        chosen = _name(reader)
        document = wire.tidy_document(reader.read(content, request.name))
        if not (document.passages or document.turns or document.memories):
            raise Unreadable("empty", "there are no words in it")
        return chosen, wire.encode_document(document), []
    except Unreadable as error:
        return chosen, b"", [error.code, str(error), error.hint]
    except MemoryError:
        return chosen, b"", ["out-of-memory", "", ""]
    except RecursionError:
        return chosen, b"", ["too-deep", "it is nested too deeply", ""]
    except Exception as error:  # noqa: BLE001 any reader, any bytes: it is reported, not hidden
        return chosen, b"", ["crashed", _describe(error), ""]


def _name(reader: Reader) -> str:
    """Return what tells whether another reading gives the same text, e.g. "pdf 1, xberg 1.3.9"."""
    name = f"{reader.name} {reader.version}"
    if not reader.package:
        return name
    from importlib import metadata

    try:
        return f"{name}, {reader.package} {metadata.version(reader.package)}"
    except metadata.PackageNotFoundError:
        return name  # the reader itself says that the package is missing


def _describe(error: Exception) -> str:
    """Say which error happened in which line of ours; its message may quote the original."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if "companion" in path:
            place = f" at {os.path.basename(path)}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"the reader failed: {type(error).__name__}{place}"


def receive(line: socket.socket, size: int) -> bytes:
    """Return *size* bytes, or none where the other side closed."""
    content = bytearray(size)
    view = memoryview(content)
    filled = 0
    while filled < size:
        count = line.recv_into(view[filled:])
        if not count:
            return b""
        filled += count
    return bytes(content)


def _use_of_cpu() -> float:
    use = resource.getrusage(resource.RUSAGE_SELF)
    return use.ru_utime + use.ru_stime


def _limit_process(memory: int) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_SIZE, _FILE_SIZE))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    else:
        # macOS takes the limit and does not keep it
        watch_memory(memory)


def watch_memory(limit: int) -> None:
    """End this process soon after it has used more than *limit* bytes."""
    unit = 1 if sys.platform == "darwin" else 1024
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_WATCH_SECONDS):
            use = resource.getrusage(resource.RUSAGE_SELF)
            if use.ru_maxrss * unit > limit:
                os._exit(OUT_OF_MEMORY)

    threading.Thread(target=watch, daemon=True).start()


def _limit_cpu(seconds: int) -> None:
    """Let the system end this process after *seconds* more of CPU time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(_use_of_cpu()) + 1 + seconds
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    main(sys.argv[1:])

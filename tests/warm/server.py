"""`python -m tests.warm.server SOCKET`: run the program for callers, as forks that have imported it.

The process at SOCKET has imported what the program needs of others. On request it forks a server of
the program, which imports the program itself. There is one for the program as it is, and one for
each set of changes that a conformance twin makes to its modules while they are loaded.
"""

import array
import atexit
import gc
import importlib
import os
import runpy
import selectors
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, NoReturn, TextIO

import pygit2
from pygit2.enums import ConfigLevel

from tests.warm import INSTALLED, tokenizer

OTHERS = (
    "asyncio",
    "email.message",
    "numpy",
    "sqlite3",
    "Stemmer",
    "tomllib",
    "rich.console",
    "rich.table",
    "typer.rich_utils",
    "xml.etree.ElementTree",
    "yaml",
)
# Short commands of the check do without them.
LEFT_OUT = ("companion.assistants", "companion.web")
LENGTH = 8  # bytes that say how long a request is
IDLE = (
    120.0  # seconds without a command, after which a server of the program ends
)


class Request(NamedTuple):
    """A command line, and the surroundings in which a person typed it."""

    folder: bytes
    umask: int
    words: list[str]
    environment: dict[bytes, bytes]
    streams: list[int]


class Server:
    """The commands that run, and who waits for them."""

    def __init__(self, address: str, life: int) -> None:
        """Listen at *address* until *life*, the end of a pipe, says that the other end is closed."""
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(address)
        self._listener.listen(64)
        self._ended, self._child_ends = os.pipe()
        os.set_blocking(self._child_ends, False)
        os.set_blocking(self._ended, False)
        self._running = 0
        self._waiting: dict[int, socket.socket] = {}
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(self._ended, selectors.EVENT_READ)
        self._life = life
        self._selector.register(life, selectors.EVENT_READ)

    def serve(self) -> NoReturn:
        """Answer until the process is ended."""
        signal.set_wakeup_fd(self._child_ends, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        while True:
            keys = self._selector.select(IDLE)
            if not keys and not self._running:
                os._exit(0)
            for key, _ in keys:
                if key.fileobj == self._life:
                    os._exit(0)
                if key.fileobj is self._listener:
                    self._begin()
                elif key.fileobj == self._ended:
                    self._finish()
                else:
                    self._give_up(key.data)

    def _begin(self) -> None:
        connection, _ = self._listener.accept()
        try:
            request = _received(connection)
        except ConnectionError:
            connection.close()
            return
        pid = os.fork()
        if pid == 0:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self._close_all(connection)
            _become(request)
        for stream in request.streams:
            os.close(stream)
        self._running += 1
        self._waiting[pid] = connection
        self._selector.register(connection, selectors.EVENT_READ, pid)

    def _close_all(self, connection: socket.socket) -> None:
        self._selector.close()
        for held in (self._listener, connection, *self._waiting.values()):
            held.close()
        os.close(self._life)
        os.close(self._ended)
        os.close(self._child_ends)

    def _finish(self) -> None:
        """Tell the callers of the commands that have ended with which exit code."""
        os.read(self._ended, 4096)
        while self._running:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                return
            self._running -= 1
            if pid not in self._waiting:
                continue  # its caller has left
            code = os.waitstatus_to_exitcode(status)
            try:
                self._waiting[pid].sendall(code.to_bytes(4, "big", signed=True))
            except ConnectionError:
                pass  # nobody waits for it any more
            self._let_go(pid)

    def _let_go(self, pid: int) -> None:
        connection = self._waiting.pop(pid)
        self._selector.unregister(connection)
        connection.close()

    def _give_up(self, pid: int) -> None:
        """End a command whose caller is gone, with all that it has started."""
        self._let_go(pid)
        try:
            os.killpg(pid, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(pid, signal.SIGKILL)  # it has no group of its own yet


def _received(connection: socket.socket) -> Request:
    streams = array.array("i")
    _, ancillary, _, _ = connection.recvmsg(
        1, socket.CMSG_LEN(3 * streams.itemsize)
    )
    for _level, _type, data in ancillary:
        streams.frombytes(data)
    length = int.from_bytes(_exactly(connection, LENGTH), "big")
    fields = _exactly(connection, length).split(b"\0")
    folder, umask, count = fields[0], int(fields[1]), int(fields[2])
    words, settings = fields[3 : 3 + count], fields[3 + count :]
    pairs = [setting.partition(b"=") for setting in settings]
    environment = {name: value for name, _, value in pairs}
    return Request(
        folder,
        umask,
        [os.fsdecode(word) for word in words],
        environment,
        list(streams),
    )


def _exactly(connection: socket.socket, length: int) -> bytes:
    received = b""
    while len(received) < length:
        part = connection.recv(length - len(received))
        if not part:
            raise ConnectionError("the caller left in the middle")
        received += part
    return received


def _become(request: Request) -> NoReturn:
    """Be the program with this command line, and leave the process as it would."""
    from companion.__main__ import main as program

    code = 1
    try:
        _take_surroundings(request)
        code = _exit_code(program)
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - the caller must see it
        traceback.print_exc()
        sys.stderr.flush()
    os._exit(code)


def _exit_code(program: Callable[[], int]) -> int:
    try:
        return program()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1


def _take_surroundings(request: Request) -> None:
    os.setsid()
    os.chdir(request.folder)
    os.umask(request.umask)
    os.environb.clear()
    os.environb.update(request.environment)
    time.tzset()
    tempfile.tempdir = None
    for number, stream in enumerate(request.streams):
        os.dup2(stream, number)
        os.close(stream)
    # as Python opens them where the locale is C.UTF-8
    sys.stdin = _opened(0, "r", "surrogateescape")
    sys.stdout = _opened(1, "w", "surrogateescape")
    sys.stderr = _opened(2, "w", "backslashreplace", buffering=1)
    sys.argv = [str(INSTALLED), *request.words]
    _look_for_git_settings_at_home()


def _opened(number: int, mode: str, errors: str, buffering: int = -1) -> TextIO:
    return open(
        number,
        mode,
        buffering,
        encoding="utf-8",
        errors=errors,
        closefd=False,
    )


def _look_for_git_settings_at_home() -> None:
    """libgit2 read HOME when it was loaded."""
    home = os.environ["HOME"]
    settings = os.environ.get("XDG_CONFIG_HOME") or f"{home}/.config"
    pygit2.settings.homedir = home
    pygit2.settings.search_path[ConfigLevel.GLOBAL] = home
    pygit2.settings.search_path[ConfigLevel.XDG] = f"{settings}/git"


def main(address: str) -> NoReturn:
    """Import what the program needs of others; fork servers of it until the process is ended."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # a fork has no threads
    for name in OTHERS:
        importlib.import_module(name)
    tokenizer.keep_that_of_the_core_install()
    os.fsync = os.fstat  # type: ignore[assignment] # no power fails below a caller
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(address)
    listener.listen(64)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for servers
    life, held = os.pipe()
    print("listening", flush=True)
    while True:
        caller, _ = listener.accept()
        request = _read_all(caller)
        if os.fork() == 0:
            listener.close()
            os.close(held)
            _serve_program(request, caller, life)
        caller.close()


def _read_all(caller: socket.socket) -> list[str]:
    length = int.from_bytes(_exactly(caller, LENGTH), "big")
    return _exactly(caller, length).decode().split("\0")


def _serve_program(
    request: list[str], caller: socket.socket, life: int
) -> NoReturn:
    """Be the server of the program at an address, with changes if a folder and changes are named.

    The caller reads one byte when it may connect, and nothing where the import failed.
    """
    address, folder, changes = request
    if Path(address).exists():
        Path(address).unlink()  # of one that has been idle
    if changes:
        os.environ["CONFORMANCE_WITHIN"] = changes
        runpy.run_path(str(Path(folder) / "sitecustomize.py"))
    modules = importlib.import_module("tests.modules")
    for name in modules.list_modules():
        if not name.startswith(LEFT_OUT):
            importlib.import_module(name)
    tokenizer.use(
        importlib.import_module("companion.language.vectors.static_vectors")
    )
    config = importlib.import_module("companion.config")
    # nearly every command reads these settings first
    config.parse(config.DEFAULT_TEXT.format(adopt="commit").encode())
    gc.collect()
    gc.freeze()
    server = Server(address, life)
    caller.sendall(b"!")
    caller.close()
    server.serve()


if __name__ == "__main__":
    main(sys.argv[1])

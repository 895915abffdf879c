"""The program as a forked child: a process of its own that can really be killed, without paying for
its imports.
"""

import importlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pygit2

import companion.__main__ as program
from tests.living import Living
from tests.modules import list_modules

Before = Callable[[], None]  # called in the child, before the program

for name in list_modules():
    importlib.import_module(name)


def run(
    argv: Sequence[str],
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: bytes = b"",
    before: Before | None = None,
    meanwhile: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run one command line of the program in a child.

    *before* arms, in the child, what is to befall it; *meanwhile* is called here when it has
    stopped itself.
    """
    with (
        tempfile.TemporaryFile() as source,
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
    ):
        source.write(stdin)
        source.seek(0)
        pid = os.fork()
        if pid == 0:
            _become(
                argv,
                cwd,
                env,
                [source.fileno(), out.fileno(), err.fileno()],
                before,
            )
        _, status = os.waitpid(pid, os.WUNTRACED)
        while os.WIFSTOPPED(status):
            try:
                assert meanwhile is not None
                meanwhile()
            finally:
                os.kill(pid, signal.SIGCONT)
            _, status = os.waitpid(pid, os.WUNTRACED)
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(
            argv, os.waitstatus_to_exitcode(status), out.read(), err.read()
        )


def _become(
    argv: Sequence[str],
    cwd: Path,
    env: Mapping[str, str],
    files: list[int],
    before: Before | None,
) -> None:
    code = 70
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for number, fd in enumerate(files):
            os.dup2(fd, number)
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        pygit2.settings.search_path[pygit2.enums.ConfigLevel.GLOBAL] = env[
            "HOME"
        ]
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout, sys.stderr = Stream(1), Stream(2)
        if before is not None:
            before()
        code = program.main(list(argv))
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - a child must never come back into the harness
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(code)


class Stream(io.TextIOWrapper):
    """Standard output or error; *told* hears every piece when it has really left the process."""

    told: Callable[[bytes], None] | None = None

    def __init__(self, fd: int) -> None:
        super().__init__(io.BufferedWriter(_Out(fd, self)), encoding="utf-8")


class _Out(io.RawIOBase):
    def __init__(self, fd: int, stream: Stream) -> None:
        self._fd, self._stream = fd, stream

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        piece = bytes(data)
        os.write(self._fd, piece)
        if self._stream.told is not None:
            self._stream.told(piece)
        return len(piece)


class Forked(Living):
    """A living wiki whose commands are forked children."""

    def run(
        self,
        *argv: str,
        stdin: bytes = b"",
        fault: str | None = None,
        **more: Any,
    ) -> Any:
        env = {**self.env, **({"COMPANION_FAULT": fault} if fault else {})}
        return run(argv, cwd=self.root, env=env, stdin=stdin, **more)

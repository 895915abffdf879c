"""The program with its imports already done, for the many short commands of the check.

Half of what a command costs is importing. `serving()` starts a server that has imported the program
once. Each command is then a fork of it, in the caller's folder, with the caller's environment and
streams, and runs the `main()` that the installed program runs.

A command has a process started for it where the caller will stop or kill it (OWN_PROCESS), or sets
what only a starting Python reads. Figures of speed never come from here, and `python -m tests full`
starts every command anew.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
INSTALLED = Path(sys.executable).parent / "companion"
# names the socket of a server that runs already
SERVER = "TESTS_WARM_SERVER"
OWN_PROCESS = "CONFORMANCE_OWN_PROCESS"


def command() -> list[str]:
    """Return the command that stands for `companion`: the installed one where no server runs."""
    socket = os.environ.get(SERVER)
    return call(socket) if socket else [str(INSTALLED)]


def call(socket: str) -> list[str]:
    """Return the command that asks the server at *socket*."""
    return [sys.executable, "-I", "-S", str(HERE / "client.py"), socket]


@contextmanager
def serving(
    program: Sequence[str] = ("-m", "tests.warm.server"),
) -> Iterator[str]:
    """Yield the socket of a server; set as SERVER, it is what `command()` uses.

    *program* is how Python starts it, before its socket.
    """
    with tempfile.TemporaryDirectory(prefix="warm-") as folder:
        socket = str(Path(folder) / "socket")
        environment = {
            **os.environ,
            "LC_ALL": "C.UTF-8",
            "PYTHONHASHSEED": "0",
        }
        server = subprocess.Popen(
            [sys.executable, *program, socket],
            cwd=HERE.parents[1],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        with server:
            assert server.stdout is not None
            server.stdout.readline()  # it listens
            try:
                yield socket
            finally:
                server.terminate()

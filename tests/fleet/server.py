"""A real PostgreSQL of the test's own: started in a temporary folder, stopped and removed behind it."""

import contextlib
import os
import pwd
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Server(NamedTuple):
    """A server that listens at a socket in *folder*."""

    folder: Path
    bin: Path

    @property
    def database(self) -> str:
        return f"host={self.folder} dbname=postgres user=postgres"

    def run(self, program: str, *args: str) -> None:
        """Run one of PostgreSQL's programs, as a user that it accepts."""
        user = _find_user()
        done = subprocess.run(
            [str(self.bin / program), *args],
            capture_output=True,
            text=True,
            cwd=self.folder,
            user=user,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def start(self) -> None:
        options = f"-k {self.folder} -c listen_addresses='' -c fsync=off"
        data, log = str(self.folder / "data"), str(self.folder / "log")
        self.run("pg_ctl", "-D", data, "-l", log, "-o", options, "-w", "start")

    def stop(self) -> None:
        self.run(
            "pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop"
        )

    @contextmanager
    def limit_files(self, size: int) -> Iterator[None]:
        """Let no file of the server grow beyond *size* bytes: as on a full disk."""
        self.stop()
        kind = resource.RLIMIT_FSIZE
        before = resource.getrlimit(kind)
        resource.setrlimit(kind, (size, before[1]))
        try:
            self.start()
        finally:
            resource.setrlimit(kind, before)
        try:
            yield
        finally:
            self.stop()
            self.start()


def _find_user() -> int | None:
    """Return who the server runs as: it refuses to be root's."""
    if os.geteuid() != 0:
        return None
    return pwd.getpwnam("postgres").pw_uid


def _find_bin() -> Path:
    """Return the folder of the server's programs: Debian keeps it off the PATH."""
    named = shutil.which("initdb")
    if named:
        return Path(named).resolve().parent
    places = Path("/usr/lib/postgresql").glob("*/bin")
    return max(places, key=lambda place: int(place.parent.name))


@contextmanager
def serve() -> Iterator[Server]:
    """Give a server that runs until the block ends."""
    # a socket's name is short
    with tempfile.TemporaryDirectory(prefix="pg-", dir="/tmp") as folder:
        server = Server(Path(folder), _find_bin())
        user = _find_user()
        if user is not None:
            os.chown(folder, user, -1)
        data = str(server.folder / "data")
        server.run(
            "initdb",
            "-D",
            data,
            "-U",
            "postgres",
            "-A",
            "trust",
            "-N",
            "--wal-segsize=1",
        )
        server.start()
        try:
            yield server
        finally:
            with contextlib.suppress(AssertionError):
                server.stop()

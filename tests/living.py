"""A wiki in the wild: the installed program as a child process, faults, and what must hold whatever
happened.
"""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tests import warm

PROGRAM = [sys.executable, "-m", "companion"]
IDENTITY = {
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
}
KILLED = -signal.SIGKILL


class Living:
    """One wiki folder and the ways to work in it."""

    program = PROGRAM

    def __init__(self, root: Path, **more: str) -> None:
        self.root = root
        kept = {
            k: v
            for k, v in os.environ.items()
            if not k.startswith(("COMPANION_", "GIT_", "PYTHONDONTWRITE"))
        }
        self.env = {
            **kept,
            **IDENTITY,
            "HOME": str(root.parent),
            "LC_ALL": "C.UTF-8",
            **more,
        }

    def copy(self, to: Path) -> "Living":
        """Return a wiki of its own, the same to the byte."""
        shutil.copytree(self.root, to, symlinks=True)
        return Living(to)

    # -- the program -------------------------------------------------------------------------------

    def start(
        self, *argv: str, fault: str | None = None, **more: Any
    ) -> subprocess.Popen[bytes]:
        """Start the program in a process that may be stopped or killed."""
        return self._start(self.program, argv, fault, **more)

    def _start(
        self,
        program: list[str],
        argv: tuple[str, ...],
        fault: str | None,
        **more: Any,
    ) -> subprocess.Popen[bytes]:
        env = {
            **self.env,
            **({"COMPANION_FAULT": fault} if fault else {}),
            **more.pop("env", {}),
        }
        pipes = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
        }
        return subprocess.Popen(
            [*program, *argv],
            cwd=more.pop("cwd", self.root),
            env=env,
            **pipes,
            **more,
        )

    def run(
        self,
        *argv: str,
        stdin: bytes = b"",
        fault: str | None = None,
        timeout: float = 120,
        **more: Any,
    ) -> subprocess.CompletedProcess[bytes]:
        program = warm.command() if self.program == PROGRAM else self.program
        child = self._start(program, argv, fault, **more)
        out, err = child.communicate(stdin, timeout=timeout)
        return subprocess.CompletedProcess(argv, child.returncode, out, err)

    def doc(self, *argv: str, code: int | None = 0, **more: Any) -> Any:
        """Return the one JSON document of a call that must end with *code*."""
        done = self.run("--json", *argv, **more)
        assert code in (None, done.returncode), (
            argv,
            done.returncode,
            done.stdout[-2000:],
            done.stderr[-2000:],
        )
        return json.loads(done.stdout)

    def ingest(self, *texts: str, title: str | None = None) -> list[str]:
        """Capture *texts* and return the ids that were acknowledged."""
        data = "".join(
            json.dumps({"text": text, "title": title}) + "\n" for text in texts
        ).encode()
        return [
            c["id"]
            for c in self.doc("ingest", "--jsonl", "-", stdin=data)["captures"]
        ]

    # -- the person --------------------------------------------------------------------------------

    def git(self, *args: str, code: int | None = 0) -> str:
        done = subprocess.run(
            ["git", *args], cwd=self.root, env=self.env, capture_output=True
        )
        assert code is None or done.returncode == code, (
            args,
            done.returncode,
            done.stderr,
        )
        return done.stdout.decode("utf-8", "surrogateescape").strip()

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def append(self, path: str, line: str) -> None:
        with (self.root / path).open("a") as file:
            file.write(line + "\n")

    # -- what is there -----------------------------------------------------------------------------

    @property
    def state(self) -> Path:
        return self.root / ".git" / "companion"

    def commits(self) -> int:
        done = subprocess.run(
            ["git", "rev-list", "--count", "HEAD"],
            cwd=self.root,
            env=self.env,
            capture_output=True,
        )
        return int(done.stdout) if done.returncode == 0 else 0

    def files(self) -> dict[str, bytes]:
        """Return every file of the work tree outside .git."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name != ".git"]
            for name in names:
                path = Path(folder, name)
                if path.is_file() and not path.is_symlink():
                    found[str(path.relative_to(self.root))] = path.read_bytes()
        return found

    def text(self) -> str:
        """Return every page's text, as it lies in the work tree."""
        return "\n".join(
            data.decode("utf-8", "replace")
            for path, data in self.files().items()
            if path.endswith(".md")
        )

    def ledger(self) -> Iterator[dict[str, Any]]:
        """Yield every ledger line of the branch."""
        names = self.git(
            "ls-tree", "-r", "--name-only", "HEAD", ".companion/ledger"
        ).splitlines()
        if names:
            yield from map(
                json.loads,
                self.git(
                    "show", *(f"HEAD:{name}" for name in names)
                ).splitlines(),
            )

    def journal(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        # A look must not tidy up: the last connection that may write folds SQLite's log into the
        # file as it closes.
        uri = f"{(self.state / 'journal.db').as_uri()}?mode={'ro' if query.startswith('SELECT') else 'rw'}"
        with closing(sqlite3.connect(uri, uri=True)) as db, db:
            return db.execute(query, values).fetchall()

    def captures(self) -> dict[str, bool]:
        """Return every capture the journal knows, and whether it is settled."""
        if not (self.state / "journal.db").exists():
            return {}
        return {
            id: bool(settled)
            for id, settled in self.journal("SELECT id, settled FROM captures")
        }


def stopped(child: subprocess.Popen[bytes]) -> bool:
    """Wait until *child* stopped itself at its fault point; False when it ended instead."""
    _, status = os.waitpid(child.pid, os.WUNTRACED)
    if os.WIFSTOPPED(status):
        return True
    child.returncode = os.waitstatus_to_exitcode(status)
    return False


def proceed(
    child: subprocess.Popen[bytes], timeout: float = 60
) -> tuple[int, bytes, bytes]:
    """Let a stopped child go on; return how it ended and what it said."""
    child.send_signal(signal.SIGCONT)
    out, err = child.communicate(timeout=timeout)
    return child.returncode, out, err


def leftovers(wiki: Living) -> list[str]:
    """Return locks and temporary files that nobody holds any more."""
    git = wiki.root / ".git"
    locks = [
        str(p.relative_to(wiki.root))
        for p in git.rglob("*.lock")
        if p.name != "sleep.lock"
    ]
    copies = (
        [p.name for p in wiki.state.glob("run*")] if wiki.state.exists() else []
    )
    return (
        locks
        + copies
        + [
            path
            for path in wiki.files()
            if Path(path).name.startswith(".companion-")
        ]
    )


def sound(
    wiki: Living, acknowledged: Mapping[str, str] | list[str] = ()
) -> None:  # type: ignore[assignment]
    """Assert what holds at any quiet moment, whatever was killed before."""
    wiki.git("fsck", "--full", "--strict", "--no-dangling")
    assert leftovers(wiki) == []
    assert wiki.journal("SELECT value FROM meta WHERE key = 'intent'") == []
    held = wiki.captures()
    consumed = Counter(
        line["capture"] for line in wiki.ledger() if line["e"] == "consumed"
    )
    assert [id for id in acknowledged if id not in held] == [], (
        "an acknowledged capture is gone"
    )
    assert {id for id, settled in held.items() if settled} == set(
        consumed
    ) & set(held)
    assert [id for id, times in consumed.items() if times != 1] == [], (
        "consumed more than once"
    )
    doctor = wiki.doc("doctor")
    # A person's link may wait for its page, or lose it to a rename of theirs: that is no damage.
    found = [
        each for each in doctor["findings"] if each["kind"] != "links-open"
    ]
    assert {**doctor, "findings": found} == {
        "ok": True,
        "findings": [],
        "repaired": [],
    }, doctor

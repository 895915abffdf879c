"""Run a case in surroundings of its own: an empty home, a fixed environment, and one command named
`companion`.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from conformance import kit, transcript
from conformance.chapter import Case, Twin

Key = tuple[str, ...]

HERE = Path(__file__).resolve().parent
PATIENCE = 90.0  # seconds for one command or block
# A child process inherits the files that other threads have open for writing, until it starts its
# own program. A command that is open for writing anywhere cannot be started (ETXTBSY). So no command
# is written while a child is being started.
BIRTH = threading.Lock()
GITCONFIG = """\
[user]
\tname = Ada Notes
\temail = ada@example.org
[init]
\tdefaultBranch = main
[gc]
\tauto = 0
"""


class Outcome(NamedTuple):
    """How a case ended: *passed*, *failed* (its own assertion), *skipped* (something that it needs
    is not here) or *broken* (anything else).
    """

    kind: str
    text: str = ""
    seconds: float = 0.0
    answers: tuple[transcript.Answer, ...] = ()


class FreshWikis:
    """Fresh wikis of the program under test: `companion init` makes each once, then it is copied.

    A twin, too, starts in a wiki that the real program made. If a file of the wiki contains the
    wiki's path, nothing is copied, and each case calls `companion init`.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(
            prefix="conformance-wiki-", ignore_cleanup_errors=True
        )
        self._lock = threading.Lock()
        self._made: dict[Key, Path | None] = {}

    def copy_to(self, home: Path, program: list[str], now: str | None) -> bool:
        """Copy a fresh wiki to *home*; return False if `companion init` must be called instead."""
        with self._lock:
            key = (*program, f"now={now}")
            if key not in self._made:
                self._made[key] = self._make(program, now)
            made = self._made[key]
        if made is not None:
            shutil.copytree(made, home, symlinks=True, dirs_exist_ok=True)
        return made is not None

    def _make(self, program: list[str], now: str | None) -> Path | None:
        root = Path(self._folder.name).resolve() / str(len(self._made))
        root.mkdir()
        env = _build(root, program, None, now)
        home = Path(env["HOME"])
        answer = _call(["companion", "init", "wiki"], home, env)
        if (
            answer.exit
            or not (home / "wiki").is_dir()
            or _names(home, str(root))
        ):
            return None
        # half of all its files
        for sample in home.glob("wiki/.git/hooks/*.sample"):
            sample.unlink()
        return home

    def close(self) -> None:
        """Remove the wikis that were made."""
        self._folder.cleanup()


def _names(folder: Path, path: str) -> bool:
    """Tell whether a file below *folder* contains *path*."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return any(path.encode() in file.read_bytes() for file in files)


def run(
    case: Case,
    program: list[str],
    twin: Twin | None = None,
    wikis: FreshWikis | None = None,
) -> Outcome:
    """Run *case* with *program*, or with a *twin* of it, in a temporary folder of its own.

    The case starts with a copy of one of *wikis* if they are given.
    """
    began = monotonic()
    with tempfile.TemporaryDirectory(
        prefix="conformance-", ignore_cleanup_errors=True
    ) as root:
        outcome = _live(case, Path(root).resolve(), program, twin, wikis)
    return outcome._replace(seconds=round(monotonic() - began, 3))


def _live(
    case: Case,
    root: Path,
    program: list[str],
    twin: Twin | None,
    wikis: FreshWikis | None,
) -> Outcome:
    env = _build(root, program, twin, case.now)
    home = Path(env["HOME"])
    if case.wiki and not (wikis and wikis.copy_to(home, program, case.now)):
        made = _call(["companion", "init", "wiki"], home, env)
        if made.exit or not (home / "wiki").is_dir():
            return Outcome(
                "broken",
                f"`companion init wiki` [exit {made.exit}]\n{made.out}{made.err}",
            )
    cwd = home / "wiki" if case.wiki else home
    if case.language == "console":
        return _console(case, cwd, env)
    return _python(case, root, cwd, env)


def _build(
    root: Path, program: list[str], twin: Twin | None, now: str | None
) -> dict[str, str]:
    """Make the home and the commands; return the whole environment of the case."""
    home = root / "home"
    bin_ = root / "bin"
    real = root / "real"
    for folder in (home, bin_, real, root / "tmp"):
        folder.mkdir()
    (home / ".gitconfig").write_text(GITCONFIG, encoding="utf-8")
    _command(bin_ / "pick", [sys.executable, "-I", str(HERE / "pick.py")])
    _command(real / "companion", program)
    tested = (
        [sys.executable, str(twin.path)] if twin else [str(real / "companion")]
    )
    _command(bin_ / "companion", tested)
    env = {
        "HOME": str(home),
        "PATH": os.pathsep.join(
            [str(bin_), os.environ.get("PATH", os.defpath)]
        ),
        "TMPDIR": str(root / "tmp"),
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "TZ": "UTC",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    if now:
        env["COMPANION_NOW"] = now
    if twin:
        env["CONFORMANCE_PROGRAM"] = str(real / "companion")
    return env


def _command(path: Path, words: list[str]) -> None:
    with BIRTH:
        path.write_text(
            f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n', encoding="utf-8"
        )
        path.chmod(0o755)


def _console(case: Case, cwd: Path, env: dict[str, str]) -> Outcome:
    complaints = []
    answers = []
    for step in transcript.steps(case.body):
        answer = _call(["bash", "-o", "pipefail", "-c", step.command], cwd, env)
        answers.append(answer)
        if not transcript.matches(step, answer):
            complaints.append(transcript.complaint(step, answer))
    kind = "failed" if complaints else "passed"
    return Outcome(kind, "\n".join(complaints), answers=tuple(answers))


def _python(case: Case, root: Path, cwd: Path, env: dict[str, str]) -> Outcome:
    block = root / "block.py"
    block.write_text(case.body, encoding="utf-8")
    command = [
        sys.executable,
        "-I",
        str(HERE / "kit.py"),
        str(block),
        case.chapter,
        str(case.line),
    ]
    answer = _call(command, cwd, env)
    if answer.exit == 0:
        return Outcome("passed")
    kinds = {kit.FALSE: "failed", kit.LACKS: "skipped"}
    kind = kinds.get(answer.exit, "broken")
    return Outcome(kind, f"{answer.out}{answer.err}".rstrip())


def _call(
    command: list[str], cwd: Path, env: dict[str, str]
) -> transcript.Answer:
    """Run *command*. After PATIENCE its process group is killed and the exit code is 124."""
    executable = shutil.which(command[0], path=env["PATH"]) or command[0]
    with BIRTH:
        child = subprocess.Popen(
            [executable, *command[1:]],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,
        )
    try:
        out, err = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        out, err = child.communicate()
        return transcript.Answer(
            out, f"{err}\nno end after {PATIENCE:.0f} s", 124
        )
    return transcript.Answer(out, err, child.returncode)

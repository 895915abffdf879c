"""`python -m tests`: the one check that everything must pass. It stops at the first step that fails.

    python -m tests              needs Python and git, and names the tests that need more
    python -m tests quick        under a minute: style, types, pure tests, tests of touched rooms
    python -m tests full         everything; fails where a package or program is missing
    python -m tests STEP ...     only these steps; `slow`, `faults` and `weekly` run only so

Words after `--` go to pytest. Temporary folders lie in memory where there is room, unless TMPDIR
names another place; `full` uses the disk.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import quick, warm

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
CODE = ("companion", "tests", "conformance")
PYTEST = [PYTHON, "-m", "pytest", "-n", "2"]
# the slowest are named, so that whoever adds one sees it
PYTEST += ["--durations=40", "--durations-min=3"]
# new examples for the property tests; everywhere else they are the same each time
EXPLORE = ["--hypothesis-profile=explore"]
# for the tests of `quick`; what is not begun by then is left out, and counted
QUICK_SECONDS = 40

MEMORY = Path("/dev/shm")
ROOM = 4 << 30  # bytes that must be free there

STEPS: dict[str, list[str]] = {
    "lint": [PYTHON, "-m", "ruff", "check", *CODE],
    "format": [PYTHON, "-m", "ruff", "format", "--check", *CODE],
    "types": [PYTHON, "-m", "mypy"],
    # import-linter has no module to run; its function says the exit code.
    "layers": [
        PYTHON,
        "-c",
        "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports())",
    ],
    "reference": [PYTHON, "-m", "companion.cli.reference", "--check"],
    "docs": [PYTHON, "-m", "mkdocs", "build", "--strict", "--quiet"],
    "pytest": [*PYTEST, "-m", "not slow", "--needs=none"],
    "conformance": [PYTHON, "-m", "conformance", "--sample"],
    "slow": [*PYTEST, *EXPLORE, "-m", "slow"],
    "faults": [PYTHON, "-m", "tests.durability.faults"],
    "weekly": [PYTHON, "-m", "tests.simulation.long_life"],
}
SWEEPS = ("slow", "faults", "weekly")
# they start the program thousands of times: a fork of a server does (tests/warm)
WARM = {"pytest", "conformance"}
TAKE_WORDS = ("pytest", *SWEEPS)
# so many failures may be a busy machine's; more are the program's
FEW = 3
TESTS_FAILED = 1  # pytest's exit code
FAILED_LAST = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
EVERYDAY = {
    name: command for name, command in STEPS.items() if name not in SWEEPS
}


def main(argv: Sequence[str]) -> int:
    """Run the steps in order; return 0, the code of the first that fails, or 2 for an unknown one."""
    chosen, more = _split(argv)
    unknown = [name for name in chosen if name not in STEPS]
    if chosen in (["quick"], ["full"]):
        unknown = []
    if unknown:
        known = ", ".join([*STEPS, "quick", "full"])
        print(
            f"no such step: {', '.join(unknown)}; there are {known}",
            file=sys.stderr,
        )
        return 2
    steps = _steps(chosen)
    is_full = chosen == ["full"]
    with _scratch(on_disk=is_full) as folder:
        if is_full or WARM.isdisjoint(steps):
            return _run_all(steps, more, folder, again=chosen)
        with warm.serving() as socket:
            os.environ[warm.SERVER] = socket
            return _run_all(steps, more, folder, again=chosen)


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    words = list(argv)
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def _steps(chosen: Sequence[str]) -> Mapping[str, list[str]]:
    if chosen == ["quick"]:
        style = {
            name: STEPS[name] for name in ("lint", "format", "layers", "types")
        }
        return {**style, "pytest": _quick_tests()}
    if chosen == ["full"]:
        return {
            **EVERYDAY,
            "conformance": [PYTHON, "-m", "conformance"],
            "pytest": [*PYTEST, *EXPLORE, "-m", "not slow", "--needs=all"],
        }
    return {name: STEPS[name] for name in chosen} or EVERYDAY


def _quick_tests() -> list[str]:
    limits = ["-m", "not slow", "--needs=none", f"--at-most={QUICK_SECONDS}"]
    return [*PYTEST, *limits, *quick.selected(ROOT)]


def _run_all(
    steps: Mapping[str, list[str]],
    more: list[str],
    folder: Path | None,
    *,
    again: Sequence[str],
) -> int:
    for name, command in steps.items():
        whole = [*command, *(more if name in TAKE_WORDS else [])]
        if name == "conformance":
            whole += ["--program", shlex.join(warm.command())]
        code = _run(name, whole, folder)
        if name == "pytest" and code == TESTS_FAILED and _failures() <= FEW:
            code = _run("unsteady", [*whole, "-n0", "--lf"], folder)
        if code:
            words = " ".join(
                again if again in (["quick"], ["full"]) else [name]
            )
            print(
                f"\nFAILED at {name} (exit {code}); run again: python -m tests {words}",
                flush=True,
            )
            return code
    left = [
        f"python -m tests {name}"
        for name in (*STEPS, "full")
        if name not in (*steps, *again)
    ]
    print("\neverything passed; not run: " + ", ".join(left), flush=True)
    return 0


def _failures() -> int:
    """Return how many tests failed when pytest last ran."""
    return len(json.loads(FAILED_LAST.read_text()))


def _run(name: str, command: Sequence[str], folder: Path | None) -> int:
    shown = command[1:4] if "-c" not in command else ["lint_imports"]
    print(f"\n== {name}: {' '.join(shown)}", flush=True)
    begun = time.monotonic()
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    if folder:
        environment["TMPDIR"] = str(folder)
    code = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode
    ended = "ok" if code == 0 else "failed"
    print(f"== {name}: {ended} in {time.monotonic() - begun:.0f} s", flush=True)
    return code


@contextmanager
def _scratch(*, on_disk: bool) -> Iterator[Path | None]:
    """Yield a folder in memory for temporary files, or None where the usual place will do.

    Most of what a test waits for is the disk: every capture and every run is synced.
    """
    if on_disk or "TMPDIR" in os.environ or not _has_room():
        yield None
        return
    with tempfile.TemporaryDirectory(
        prefix="companion-tests-", dir=MEMORY, ignore_cleanup_errors=True
    ) as folder:
        # Some tests give up root's rights and must still pass through.
        Path(folder).chmod(0o711)
        yield Path(folder)


def _has_room() -> bool:
    return os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ROOM


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

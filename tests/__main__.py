"""`python -m tests`: the one check that everything must pass. It stops at the first step that
fails.

`python -m tests STEP ...` runs only the steps named, among them `slow` and `faults`, the thorough
sweeps that the one check leaves out; words after `--` go to pytest.
"""

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHON = sys.executable
CODE = ("companion", "tests", "conformance")

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
    "reference": [PYTHON, "-m", "companion.cli.reference", "--check", "README.md"],
    "pytest": [PYTHON, "-m", "pytest", "-n", "2", "-m", "not slow"],
    "conformance": [PYTHON, "-m", "conformance"],
    "slow": [PYTHON, "-m", "pytest", "-n", "2", "-m", "slow"],
    "faults": [PYTHON, "-m", "tests.durability.faults"],
}
EVERYDAY = [name for name in STEPS if name not in ("slow", "faults")]


def main(argv: Sequence[str]) -> int:
    """Run the steps in order; return 0, or the exit code of the first that fails, or 2 for an
    unknown one.
    """
    chosen, more = _split(argv)
    unknown = [name for name in chosen if name not in STEPS]
    if unknown:
        print(f"no such step: {', '.join(unknown)}; there are {', '.join(STEPS)}", file=sys.stderr)
        return 2
    for name in chosen or EVERYDAY:
        code = _run(name, STEPS[name] + (more if name in ("pytest", "slow", "faults") else []))
        if code:
            print(
                f"\nFAILED at {name} (exit {code}); run it again with: python -m tests {name}",
                flush=True,
            )
            return code
    print("\neverything passed", flush=True)
    return 0


def _split(argv: Sequence[str]) -> tuple[list[str], list[str]]:
    words = list(argv)
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1 :]


def _run(name: str, command: Sequence[str]) -> int:
    print(
        f"\n== {name}: {' '.join(command[1:4] if '-c' not in command else ['lint_imports'])}",
        flush=True,
    )
    begun = time.monotonic()
    code = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode
    print(
        f"== {name}: {'ok' if code == 0 else 'failed'} in {time.monotonic() - begun:.0f} s",
        flush=True,
    )
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Read the console transcripts of the documents, run them, and write what they show anew.

A page is one shell session in a fresh home. What a reader types stands in ```console fences after "$ ". Comments on
lines of their own, which no reader sees, say the rest:

    <!-- now: 2026-11-02T08:00 -->   moves the clock
    <!-- exit: 65 -->                the last command of the next fence ends with this code
    <!-- run: companion init -->     runs a command without showing it

A shown line that holds only "…" stands for any number of lines.
"""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests import warm

ROOT = Path(__file__).resolve().parent.parent.parent
HOME = "/home/ines"
BEGIN = "2026-11-02T08:00"
ELISION = "…"

# What the program says of a time zone, a width or a language must not depend on the machine.
FIXED = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "COLUMNS": "100",
    "NO_COLOR": "1",
    "TERM": "dumb",
}

_COMMENT = re.compile(r"^<!-- (now|exit|run): (.*?) -->$")
_MARK = "\x1e"


class Step(NamedTuple):
    """One command of a page, and what the page says of it."""

    # the command's place in the page, from 0; -1 where it is not shown
    line: int
    command: str
    now: str
    code: int
    shown: tuple[str, ...]


class Outcome(NamedTuple):
    """What a command printed, and its exit code."""

    lines: tuple[str, ...]
    code: int


class Difference(NamedTuple):
    """A command that does not do what its page says."""

    step: Step
    outcome: Outcome

    def __str__(self) -> str:
        shown = "\n".join(self.step.shown)
        said = "\n".join(self.outcome.lines)
        return (
            f"line {self.step.line + 1}: $ {self.step.command}\n"
            f"exit code {self.outcome.code}, the page says {self.step.code}\n"
            f"--- the page shows\n{shown}\n--- the program says\n{said}\n"
        )


def pages() -> list[Path]:
    """Return every document that may hold a transcript, in order."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def read_steps(text: str) -> list[Step]:
    """Return the commands of a page in the order in which a reader meets them."""
    steps: list[Step] = []
    now, code, fence = BEGIN, 0, ""
    for number, line in enumerate(text.splitlines()):
        comment = _COMMENT.match(line)
        if fence == "console" and line.startswith("$ "):
            steps.append(Step(number, line[2:], now, 0, ()))
        elif line.startswith("```") and fence:
            if fence == "console" and code:
                steps[-1] = steps[-1]._replace(code=code)
                code = 0
            fence = ""
        elif fence == "console":
            steps[-1] = steps[-1]._replace(shown=(*steps[-1].shown, line))
        elif line.startswith("```"):
            fence = line[3:].strip() or "plain"
        elif comment and not fence:
            kind, value = comment.groups()
            if kind == "now":
                now = value
            elif kind == "exit":
                code = int(value)
            else:
                steps.append(Step(-1, value, now, 0, ()))
    return steps


def run_steps(steps: Sequence[Step], home: Path) -> list[Outcome]:
    """Type the commands into one shell in *home*, and return what each of them did."""
    programs = home / ".bin"
    programs.mkdir()
    program = programs / "companion"
    command = shlex.join(warm.command())
    program.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    program.chmod(0o755)
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ines Roth\n\temail = ines@example.org\n[init]\n\tdefaultBranch = main\n"
    )
    if any("sh examples/" in step.command for step in steps):
        # its reader is in a clone
        shutil.copytree(ROOT / "examples", home / "examples")
    script = home / ".session"
    script.write_text("".join(_shell_lines(steps)))
    done = subprocess.run(
        ["bash", str(script)],
        cwd=home,
        env={
            **FIXED,
            "HOME": str(home),
            "PATH": f"{programs}:{os.defpath}",
            "GIT_CONFIG_NOSYSTEM": "1",
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    text = done.stdout.decode().replace(str(home), HOME)
    return [_read_outcome(part) for part in text.split(_MARK)[1:]]


def _shell_lines(steps: Sequence[Step]) -> Iterator[str]:
    for step in steps:
        yield f"export COMPANION_NOW={step.now}\n"
        yield "printf '\\036'\n"
        yield f"{step.command}\n"
        yield "printf '\\037%d' $?\n"


def _read_outcome(part: str) -> Outcome:
    said, _, code = part.partition("\x1f")
    return Outcome(
        tuple(line.rstrip() for line in said.splitlines()), int(code or "-1")
    )


def find_differences(
    steps: Sequence[Step], outcomes: Sequence[Outcome]
) -> list[Difference]:
    """Return the commands whose exit code or output is not what the page says."""
    differences = []
    for step, outcome in zip(steps, outcomes, strict=True):
        hidden = step.line < 0
        if outcome.code != step.code or not (
            hidden or _matches(step.shown, outcome.lines)
        ):
            differences.append(Difference(step, outcome))
    return differences


def _matches(shown: Sequence[str], said: Sequence[str]) -> bool:
    wanted = [_without_hashes(line) for line in shown]
    lines = [_without_hashes(line) for line in said]
    if ELISION not in wanted:
        return wanted == lines
    gap = wanted.index(ELISION)
    head, tail = wanted[:gap], wanted[gap + 1 :]
    return (
        len(lines) >= len(head) + len(tail)
        and lines[: len(head)] == head
        and lines[len(lines) - len(tail) :] == tail
    )


def _without_hashes(line: str) -> str:
    """Blank commit hashes, ids and marks of erased words: they change from run to run or with the version."""
    return re.sub(
        r"\b[0-9a-f]{7,64}\b|(?<=erased-\d{4}-\d\d-\d\d-)[0-9a-f]{4}",
        "HASH",
        line,
    )


def rewrite(text: str, differences: Sequence[Difference]) -> str:
    """Return the page with the present output of the commands that differ."""
    lines = text.splitlines()
    for step, outcome in reversed(differences):
        if step.line < 0:
            continue
        first = step.line + 1
        lines[first : first + len(step.shown)] = _shorten(
            step.shown, outcome.lines
        )
    return "\n".join(lines) + "\n"


def _shorten(shown: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return as many lines of *said* before and after the elision as the page had."""
    if ELISION not in shown:
        return list(said)
    before = list(shown).index(ELISION)
    after = len(shown) - before - 1
    return [*said[:before], ELISION, *said[len(said) - after :]]

"""Play the month of a person: their own commands, in a shell, by their own clock.

A `.month` file has one step a line:

    zone Europe/Brussels        whose clock it is
    == 2027-04-01 07:50         a new moment
    $ companion add Some note   a line that the person types
    words                       must be in what it answers
    ! words                     must not be
    exit 0|1                    how it may end; else with 0

`{id:words}` stands for the id that was printed when those words were told.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from tests import warm
from tests.cli.person import IDENTITY

HERE = Path(__file__).parent
_ID = re.compile(r"\{id:([^}]+)\}")


@dataclass
class Step:
    """A line that the person types, and what they expect of the answer."""

    number: int
    moment: str
    line: str
    wants: list[str] = field(default_factory=list)
    never: list[str] = field(default_factory=list)
    codes: tuple[int, ...] = (0,)


@dataclass
class Played:
    """A step and what came of it."""

    step: Step
    code: int
    shown: str

    @property
    def faults(self) -> list[str]:
        """What the person would have had to work around."""
        found = []
        if self.code not in self.step.codes:
            found.append(f"ended with {self.code}")
        found += [
            f"lacks {words!r}"
            for words in self.step.wants
            if words not in self.shown
        ]
        found += [
            f"has {words!r}" for words in self.step.never if words in self.shown
        ]
        return found


def read(name: str) -> tuple[str, list[Step]]:
    """Return the zone of the month *name*, and its steps."""
    zone, moment = "UTC", ""
    steps: list[Step] = []
    lines = (HERE / f"{name}.month").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("zone "):
            zone = line.removeprefix("zone ")
        elif line.startswith("== "):
            moment = line.removeprefix("== ")
        elif line.startswith("$ "):
            steps.append(Step(number, moment, line.removeprefix("$ ")))
        elif line.startswith("exit "):
            codes = line.removeprefix("exit ").split("|")
            steps[-1].codes = tuple(map(int, codes))
        elif line.startswith("! "):
            steps[-1].never.append(line.removeprefix("! "))
        elif line and not line.startswith("#"):
            steps[-1].wants.append(line)
    return zone, steps


def play(
    root: Path, zone: str, steps: list[Step], **environment: str
) -> Iterator[Played]:
    """Play *steps* in the folder *root*."""
    bin = root.parent / "bin"
    bin.mkdir(exist_ok=True)
    _put_command(bin / "companion", warm.command())
    _put_command(bin / "mcp", [sys.executable, str(HERE / "mcp_tool.py")])
    base = (
        os.environ
        | IDENTITY
        | {
            "HOME": str(root.parent),
            "PATH": f"{bin}{os.pathsep}{os.environ['PATH']}",
            "TZ": zone,
            "EDITOR": "false",
        }
    )
    told: list[str] = []
    for step in steps:
        line = _ID.sub(lambda match: _find_id(told, match[1]), step.line)
        clock = datetime.fromisoformat(step.moment)
        now = clock.replace(tzinfo=ZoneInfo(zone)).isoformat()
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=root,
            env=base | environment | {"COMPANION_NOW": now},
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        shown = done.stdout + done.stderr
        told.append(shown)
        yield Played(step, done.returncode, shown)


def _put_command(file: Path, words: list[str]) -> None:
    quoted = " ".join(shlex.quote(word) for word in words)
    file.write_text(f'#!/bin/sh\nexec {quoted} "$@"\n')
    file.chmod(0o755)


def _find_id(told: list[str], words: str) -> str:
    for shown in reversed(told):
        match = re.search(rf"captured  (\w+)  {re.escape(words)}", shown)
        if match:
            return match[1]
    raise LookupError(words)

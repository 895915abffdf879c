"""How figures that are published came about: the command, the commit of main, and the day."""

import subprocess
from pathlib import Path
from typing import NamedTuple

from companion.workspace import real_now

ROOT = Path(__file__).resolve().parents[1]


class Made(NamedTuple):
    """The origin of a file of results."""

    command: str
    commit: str  # of main, on which the code stood
    date: str


def note_origin(command: str) -> Made:
    """Return what is to be written beside the results that *command* makes now."""
    done = subprocess.run(
        ["git", "merge-base", "HEAD", "main"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    day = real_now().date().isoformat()
    return Made(command, done.stdout[:8], day)

"""The parts of one wiki's schedule, whichever timer the system has (pure)."""

import os
import re
from hashlib import sha256
from typing import NamedTuple


class Job(NamedTuple):
    """A wake that the system repeats."""

    wiki: str  # absolute
    program: tuple[str, ...]  # how companion is called, absolute
    path: str  # PATH: where git is found
    home: str
    minutes: int  # between two wakes, a divisor of 60
    state_home: str | None  # XDG_STATE_HOME, where it is set

    @property
    def name(self) -> str:
        """The job's own name: two wikis of one folder name have two jobs."""
        slug = re.sub(r"[^a-z0-9]+", "-", os.path.basename(self.wiki).lower())
        digest = sha256(os.fsencode(self.wiki)).hexdigest()[:8]
        return f"companion-{slug.strip('-') or 'wiki'}-{digest}"

    @property
    def command(self) -> tuple[str, ...]:
        """The words that the system runs."""
        return (*self.program, "--wiki", self.wiki, "sleep", "--unattended")

    @property
    def variables(self) -> dict[str, str]:
        """The environment that the command needs; a timer starts with nearly none."""
        variables = {"HOME": self.home, "PATH": self.path}
        if self.state_home is not None:
            variables["XDG_STATE_HOME"] = self.state_home
        return variables


class PlannedFile(NamedTuple):
    """A file of a schedule, as it should be."""

    path: str
    text: str

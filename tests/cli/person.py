"""A person at a shell: the program with an identity for git, and what it printed."""

import os
import subprocess
from pathlib import Path

from tests import warm

IDENTITY = {
    f"GIT_{role}_{key}": value
    for role in ("AUTHOR", "COMMITTER")
    for key, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
}


def program(
    *words: str, cwd: Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the program in *cwd* and return what it printed, whatever its exit code."""
    return subprocess.run(
        [*warm.command(), *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        env=os.environ | IDENTITY | environment,
    )

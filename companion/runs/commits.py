"""Find the commit of each run."""

import os

from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo


def find_commits(place: Place) -> dict[str, str]:
    """Return the commit that brought each run's ledger file, by run.

    They are looked up because a rebase changes them. Raises GitFailed.
    """
    folder = f":(top,literal){place.prefix}.companion/ledger"
    listing = run_git(
        place,
        "log",
        "--format=%x00%H",
        "--diff-filter=A",
        "--name-only",
        "--no-renames",
        "-m",
        "--first-parent",
        Repo(place).branch,
        "--",
        folder,
    ).decode("utf-8", "replace")
    commits: dict[str, str] = {}
    for part in listing.split("\0")[1:]:
        commit, *paths = part.splitlines()
        for path in filter(None, paths):
            # The newest comes first and the oldest counts: after a revert the file came back.
            commits[_find_run(path)] = commit
    return commits


def _find_run(path: str) -> str:
    """Return the run of a ledger file. Git quotes a path with letters beyond ASCII."""
    return os.path.basename(path).removesuffix('"').removesuffix(".jsonl")

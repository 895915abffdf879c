"""Find the commit of each run."""

import os

from companion.storage.files import durable
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo

#: how git's log begins what it did with commits of others
_BROUGHT = ("pull", "merge", "clone", "fetch", "rebase", "reset", "checkout")


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


def list_commits_made_here(place: Place) -> set[str]:
    """Return the commits that git's own log of this work tree says were made in it.

    Those that a pull, a merge or a rebase brought are not among them, nor any where git keeps no
    log.
    """
    path = os.path.join(place.git_dir, "logs", "HEAD")
    made = set()
    for line in (durable.read_if_there(path) or b"").splitlines():
        ids, _, did = line.decode("utf-8", "replace").partition("\t")
        words = ids.split(" ")
        if len(words) > 1 and not did.startswith(_BROUGHT):
            made.add(words[1])
    return made

"""A copy whose files stay in git until a run asks for one: so it costs what changes, not what is
there.

git's index names every file of the commit and is told to look for none of them (`skip-worktree`).
What a run reads or replaces is written out before. Only a worker's copy, which nobody edits, is so.
"""

import os
from collections.abc import Iterable

from companion.storage.git import setup
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo

_SETTING = "companion.filesInGit"
_BRING_OUT = (
    "checkout-index",
    "-z",
    "--stdin",
    "--ignore-skip-worktree-bits",
)


def leave_in_git(place: Place) -> None:
    """Let git's index name what the branch has, and the work tree have none of it."""
    run_git(place, "read-tree", "HEAD")
    names = run_git(place, "ls-files", "-z")
    run_git(
        place, "update-index", "-z", "--skip-worktree", "--stdin", stdin=names
    )
    setup.configure(place, [(_SETTING, "true")])


def bring_out(repo: Repo, paths: Iterable[str]) -> None:
    """Write what is at *paths* in git only into the work tree, as a check-out would."""
    root = repo.place.worktree
    missing = [
        path for path in paths if not os.path.lexists(os.path.join(root, path))
    ]
    # asked for each file of an ordinary wiki, whose files are there: settings last
    tree = _find_tree(repo) if missing else None
    names = [
        os.fsencode(path) + b"\0"
        for path in missing
        if tree is not None and repo.mode(tree, path) is not None
    ]
    if names:
        run_git(repo.place, *_BRING_OUT, stdin=b"".join(names))


def list_names(repo: Repo, folder: str) -> set[str]:
    """Return the names in *folder* of the work tree, those that are in git only included."""
    names = set()
    path = os.path.join(repo.place.worktree, folder)
    if os.path.isdir(path):
        names.update(os.listdir(path))
    inside = repo.subtree(_find_tree(repo), folder)
    if inside is not None:
        names.update(entry.name for entry in repo.entries(inside))
    return names


def is_there(repo: Repo, path: str) -> bool:
    """Tell whether anything is at *path* of the work tree, or in git only."""
    if os.path.lexists(os.path.join(repo.place.worktree, path)):
        return True
    return repo.subtree(_find_tree(repo), path) is not None


def _find_tree(repo: Repo) -> str | None:
    """Return the tree whose files are left in git; None in an ordinary wiki."""
    if not repo.flag(_SETTING):
        return None
    return repo.tree_of(repo.tip())

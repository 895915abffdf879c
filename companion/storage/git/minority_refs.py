"""refs/heads/minority/<branch>: each points to the commit of the run in which its branch last
changed.

They are derived from the ledger and the wiki's branch, and move after it: a night that is killed in
between, a `git branch -D`, a rebase and a clone without them are one case, mended by the next
holder of sleep.lock. They stay when a branch is promoted or closed. Git calls every one of them
merged into the wiki's branch, for that is where runs lie.
"""

import os
import sqlite3
from collections.abc import Iterator

from companion.storage import ledger_file
from companion.storage.files import durable
from companion.storage.git import layout
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.repo import Repo
from companion.storage.index.tables import minority

_TRAILER = "\nCompanion-Run: "


def move_refs(repo: Repo, db: sqlite3.Connection) -> list[str]:
    """Move every ref that is not where the ledger has it; return words about those that had to
    stay.
    """
    moves = list(_moves(repo, db))
    if not moves:
        return []
    durable.fault("minority.refs")
    elsewhere = _checked_out(repo)
    notes = []
    for ref, commit, old in moves:
        trouble = _explain_stay(repo, ref, old, elsewhere)
        if trouble is None:
            trouble = _move(repo, ref, commit, old)
        if trouble is not None:
            notes.append(trouble)
    durable.fault("minority.refs", "after")
    return notes


def find_commit(repo: Repo, run: str) -> str | None:
    """Return the commit on the wiki's branch that brought the ledger file of *run*; a rebase may
    change it.
    """
    tip = repo.tip()
    if tip is not None and _brings(repo, tip, run):
        return tip
    where = f":(top,literal){repo.place.prefix}{ledger_file.make_path(run)}"
    found = run_git(
        repo.place,
        "log",
        "-1",
        "--diff-filter=A",
        "--no-renames",
        "--format=%H",
        repo.branch,
        "--",
        where,
    )
    return found.decode().strip() or None


def _moves(
    repo: Repo, db: sqlite3.Connection
) -> Iterator[tuple[str, str, str | None]]:
    """Yield (ref, the commit it should point to, the one it does)."""
    branches = minority.list_branches(db)
    if not branches:
        return
    have = layout.read_refs(repo.place, minority.REFS.rstrip("/"))
    merged = set(_merged(repo)) if have else set()
    commits: dict[str, str | None] = {}
    for branch in branches:
        old = have.get(branch.ref)
        if (
            old is not None
            and branch.ref in merged
            and _brings(repo, old, branch.changed)
        ):
            continue
        if branch.changed not in commits:
            commits[branch.changed] = find_commit(repo, branch.changed)
        commit = commits[branch.changed]
        if commit is not None and commit != old:
            yield branch.ref, commit, old


def _merged(repo: Repo) -> list[str]:
    listing = run_git(
        repo.place,
        "for-each-ref",
        "--format=%(refname)",
        f"--merged={repo.branch}",
        minority.REFS,
    )
    return listing.decode("utf-8", "surrogateescape").splitlines()


def _brings(repo: Repo, commit: str, run: str) -> bool:
    """Tell whether *commit* has the ledger file of *run* and none of its parents has: a merge only
    passes it on.
    """
    if not repo.has(commit):
        return False
    path = ledger_file.make_path(run)
    if repo.subtree(repo.wiki_tree(commit), path) is None:
        return False
    parents = repo.parents_of(commit)
    return all(
        repo.subtree(repo.wiki_tree(parent), path) is None for parent in parents
    )


def _explain_stay(
    repo: Repo, ref: str, old: str | None, elsewhere: set[str]
) -> str | None:
    """Return why a ref has to stay: moving it would take a person's commits, or a work tree, from
    under them. None where it may move.
    """
    name = ref.removeprefix("refs/heads/")
    if ref in elsewhere:
        return (
            f"{name} is checked out in another work tree: it stays where it is "
            "until that one lets it go"
        )
    away = (
        old is not None
        and repo.has(old)
        and not repo.is_ancestor(old, repo.tip() or old)
    )
    if away and _TRAILER not in repo.text(old or ""):
        return (
            f"{name} holds commits of yours and stays: rename it by "
            f"`git branch -m {name} NEW-NAME`, and it is made anew"
        )
    return None


def _move(repo: Repo, ref: str, commit: str, old: str | None) -> str | None:
    try:
        run_git(
            repo.place,
            "update-ref",
            "--no-deref",
            "-m",
            "companion",
            ref,
            commit,
            old or "0" * 40,
        )
    except GitFailed as error:
        # The page and the ledger are what counts; a branch of the person's called `minority` must
        # not stop the nights.
        return f"{ref.removeprefix('refs/heads/')} cannot be pointed to {commit[:8]}: {error}"
    return None


def _checked_out(repo: Repo) -> set[str]:
    """Return the refs that are checked out anywhere: here, or in a linked work tree."""
    linked = os.path.join(repo.place.common_dir, "worktrees")
    folders = [repo.place.common_dir, repo.place.git_dir]
    if os.path.isdir(linked):
        folders += [os.path.join(linked, name) for name in os.listdir(linked)]
    heads = {_head(folder) for folder in folders}
    return {head for head in heads if head is not None}


def _head(folder: str) -> str | None:
    try:
        with open(
            os.path.join(folder, "HEAD"),
            encoding="utf-8",
            errors="surrogateescape",
        ) as file:
            return file.read().strip().removeprefix("ref: ")
    except FileNotFoundError:
        return None  # a work tree that git has not pruned yet

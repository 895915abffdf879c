"""Keep refs/heads/minority/<branch> at the commit of the run in which the branch last changed.

The refs are derived from the ledger and the wiki's branch, and move after it: a night that is
killed in between, a `git branch -D`, a rebase and a clone without them are one case, mended by the
next holder of sleep.lock. They stay when a branch is promoted or closed. Git calls every one of
them merged into the wiki's branch, for that is where runs lie.
"""

import os
import sqlite3
from collections.abc import Iterator
from typing import NamedTuple

from companion.storage import ledger_file
from companion.storage.files import durable
from companion.storage.git import layout
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.repo import Repo
from companion.storage.index.tables import minority

_TRAILER = "\nCompanion-Run: "


class _Move(NamedTuple):
    ref: str
    commit: str  # that it should point to
    old: str | None  # that it points to


def move_refs(repo: Repo, db: sqlite3.Connection) -> list[str]:
    """Move every ref that is not where the ledger has it; return notes on those that stay.

    Raises DamagedRef or GitFailed.
    """
    moves = list(_plan_moves(repo, db))
    if not moves:
        return []
    durable.fault("minority.refs")
    checked_out = _list_checked_out(repo)
    notes = []
    for move in moves:
        note = _explain_stay(repo, move, checked_out)
        if note is None:
            note = _move(repo, move)
        if note is not None:
            notes.append(note)
    durable.fault("minority.refs", "after")
    return notes


def find_commit(repo: Repo, run: str) -> str | None:
    """Return the commit on the wiki's branch that brought the ledger file of *run*.

    It is looked up because a rebase changes it. Raises GitFailed.
    """
    tip = repo.tip()
    if tip is not None and _brings(repo, tip, run):
        return tip
    where = f":(top,literal){repo.place.prefix}{ledger_file.make_path(run)}"
    listing = run_git(
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
    return listing.decode().strip() or None


def _plan_moves(repo: Repo, db: sqlite3.Connection) -> Iterator[_Move]:
    branches = minority.list_branches(db)
    if not branches:
        return
    refs = layout.read_refs(repo.place, minority.REFS.rstrip("/"))
    merged: set[str] = set()
    if refs:
        merged = _list_merged(repo)
    commits: dict[str, str | None] = {}
    for branch in branches:
        old = refs.get(branch.ref)
        is_merged = old is not None and branch.ref in merged
        if is_merged and _brings(repo, old, branch.changed):
            continue
        if branch.changed not in commits:
            commits[branch.changed] = find_commit(repo, branch.changed)
        commit = commits[branch.changed]
        if commit is not None and commit != old:
            yield _Move(branch.ref, commit, old)


def _list_merged(repo: Repo) -> set[str]:
    """Return the refs whose commit the wiki's branch has."""
    listing = run_git(
        repo.place,
        "for-each-ref",
        "--format=%(refname)",
        f"--merged={repo.branch}",
        minority.REFS,
    )
    return set(listing.decode("utf-8", "surrogateescape").splitlines())


def _brings(repo: Repo, commit: str | None, run: str) -> bool:
    """Tell whether *commit* has the ledger file of *run* and none of its parents has it.

    A merge only passes it on.
    """
    if commit is None or not repo.has(commit):
        return False
    path = ledger_file.make_path(run)
    if repo.subtree(repo.wiki_tree(commit), path) is None:
        return False
    parents = repo.parents_of(commit)
    return all(
        repo.subtree(repo.wiki_tree(parent), path) is None for parent in parents
    )


def _explain_stay(repo: Repo, move: _Move, checked_out: set[str]) -> str | None:
    """Return why a ref has to stay; None where it may move.

    Moving it could take a person's commits, or a work tree, from under them.
    """
    name = move.ref.removeprefix("refs/heads/")
    if move.ref in checked_out:
        return (
            f"{name} is checked out in another work tree: it stays where it is "
            "until that one lets it go"
        )
    if move.old is not None and _is_persons_commit(repo, move.old):
        return (
            f"{name} holds commits of yours and stays: rename it by "
            f"`git branch -m {name} NEW-NAME`, and it is made anew"
        )
    return None


def _is_persons_commit(repo: Repo, commit: str) -> bool:
    """Tell whether a person made *commit*, and the wiki's branch does not have it."""
    if not repo.has(commit) or repo.is_ancestor(commit, repo.tip() or commit):
        return False
    return _TRAILER not in repo.text(commit)


def _move(repo: Repo, move: _Move) -> str | None:
    """Move the ref; return a note where git refuses."""
    old = move.old or "0" * 40
    args = ("--no-deref", "-m", "companion", move.ref, move.commit, old)
    try:
        run_git(repo.place, "update-ref", *args)
    except GitFailed as error:
        # The page and the ledger are what counts; a branch of the person's called `minority` must
        # not stop the nights.
        name = move.ref.removeprefix("refs/heads/")
        return f"{name} cannot be pointed to {move.commit[:8]}: {error}"
    return None


def _list_checked_out(repo: Repo) -> set[str]:
    """Return the refs that are checked out anywhere: here, or in a linked work tree."""
    linked = os.path.join(repo.place.common_dir, "worktrees")
    folders = [repo.place.common_dir, repo.place.git_dir]
    if os.path.isdir(linked):
        folders += [os.path.join(linked, name) for name in os.listdir(linked)]
    heads = {_read_head(folder) for folder in folders}
    return {head for head in heads if head is not None}


def _read_head(folder: str) -> str | None:
    try:
        with open(
            os.path.join(folder, "HEAD"),
            encoding="utf-8",
            errors="surrogateescape",
        ) as file:
            return file.read().strip().removeprefix("ref: ")
    except FileNotFoundError:
        return None  # a work tree that git has not pruned yet

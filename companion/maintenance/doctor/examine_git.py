"""Examine the repository with git's own means."""

import re
import sqlite3
from collections.abc import Iterator

from companion.errors import CompanionError
from companion.maintenance.doctor.examine_originals import name_originals
from companion.maintenance.doctor.findings import (
    LISTED,
    RESTORE_GIT,
    damage,
)
from companion.maintenance.results import Finding
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.repo import Repo
from companion.storage.git.trees import EMPTY_TREE
from companion.storage.index.schema import open_for_reading, read_meta
from companion.storage.index.tables.pages.names import list_paths_by_blob
from companion.storage.journal.journal import Journal
from companion.values.captures import Capture
from companion.workspace import Workspace

_OBJECT = re.compile(r"\b[0-9a-f]{40}\b|objects/([0-9a-f]{2})/([0-9a-f]{38})\b")


def examine_git(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what git itself finds wrong, with the note or page that each damaged object is.

    Raises IndexDamaged.
    """
    try:
        run_git(repo.place, "ls-files", "-s", "-z")
    except GitFailed as error:
        hint = (
            "`mv .git/index .git/index.damaged && git reset` makes it anew from HEAD; what was"
            " only staged is lost."
        )
        yield damage("git-index-damaged", str(error).splitlines()[0], hint)
    yield from _fsck(ws, repo)
    yield from _branch(ws, repo)


def describe_capture(capture: Capture) -> str:
    """Return how a finding names a capture."""
    title = ""
    if capture.title:
        title = f"{capture.title!r}, "
    return f"capture {capture.id[:12]} ({title}{capture.ingested_at[:10]})"


def _fsck(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    try:
        run_git(repo.place, "fsck", "--full", "--no-dangling", "--no-progress")
    except GitFailed as error:
        said = str(error).removeprefix("git fsck: ").splitlines()
        lines = list(_list_damages(said, error.output.splitlines()))
        by_object = _lines_by_object(lines)
        names = _names(ws, repo, set(by_object))
        named = [
            f"{names[id]}: {by_object[id]}" for id in by_object if id in names
        ]
        for line in (named or lines)[:LISTED]:
            yield damage("git-fsck", line, RESTORE_GIT)


def _list_damages(said: list[str], found: list[str]) -> Iterator[str]:
    """Yield the lines of fsck that tell of damage: what it *said* of errors, and what it *found*.

    A missing empty tree is none: git knows it by heart, and a rebase may leave it unwritten.
    """
    is_exit_code = len(said) == 1 and said[0].startswith("exit ")
    for line in found if is_exit_code and found else [*said, *found]:
        if EMPTY_TREE not in line:
            yield line


def _lines_by_object(lines: list[str]) -> dict[str, str]:
    """Return the last line that names each object."""
    by_object = {}
    for line in lines:
        for match in _OBJECT.finditer(line):
            id = "".join(match.groups("")) or match[0]
            by_object[id] = line
    return by_object


def _names(ws: Workspace, repo: Repo, wanted: set[str]) -> dict[str, str]:
    """Say in a person's words what the damaged objects are, as far as what is left can tell.

    Each store that cannot be read is a finding of the examination that looks at it.
    """
    names: dict[str, str] = {}
    for source in (
        _files_of_tip,
        _pages_of_index,
        _captures_of_journal,
        name_originals,
    ):
        try:
            names.update(source(ws, repo, wanted))
        except (CompanionError, sqlite3.Error):
            continue
    return names


def _files_of_tip(
    ws: Workspace, repo: Repo, wanted: set[str]
) -> Iterator[tuple[str, str]]:
    for path, _, id in repo.walk(repo.tree_of(repo.tip())):
        if id in wanted:
            yield id, f"a file of the wiki, {path}"


def _pages_of_index(
    ws: Workspace, repo: Repo, wanted: set[str]
) -> Iterator[tuple[str, str]]:
    db = open_for_reading(ws.place.index_db)
    if db is None:
        return
    for blob, path in list_paths_by_blob(db).items():
        if blob in wanted:
            yield blob, f"page {path}"


def _captures_of_journal(
    ws: Workspace, repo: Repo, wanted: set[str]
) -> Iterator[tuple[str, str]]:
    journal = Journal.open(ws.place.journal_db)
    for id, blob, _ in journal.ids():
        if blob in wanted:
            yield blob, describe_capture(journal.capture(id)[0])


def _branch(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    if repo.tip() is not None:
        return
    db = open_for_reading(ws.place.index_db)
    last = db and read_meta(db, "commit")
    if last and repo.has(last):
        what = f"the wiki's branch {repo.branch} is gone"
        hint = f"`git update-ref {repo.branch} {last}` brings it back."
        yield damage("branch-missing", what, hint)

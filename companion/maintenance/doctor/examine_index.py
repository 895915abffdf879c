"""Examine the files that are derived: the index, and the file of private claims."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing

from companion.errors import CompanionError
from companion.maintenance.doctor.findings import (
    REPAIR,
    damage,
    note,
)
from companion.maintenance.results import Finding
from companion.storage import checkup
from companion.storage.git import layout
from companion.storage.git.repo import Repo
from companion.storage.index import private_index, schema
from companion.storage.index.folding import fold
from companion.values.progress import SILENT, Progress
from companion.workspace import Workspace

_COMPARED_META = (
    "tokens",
    "docs",
    "words",
    "passages",
    "languages",
    "rules",
    "stems",
    "branch",
)


def examine_index(
    ws: Workspace, repo: Repo, *, progress: Progress = SILENT
) -> Iterator[Finding]:
    """Compare the index with one built from the tree it says it is of."""
    try:
        db = schema.open_for_reading(ws.place.index_db)
        if db is None:
            yield _problem_at_tip(repo, progress) or note(
                "index-missing",
                "there is no index",
                "The next read builds it.",
            )
            return
        problem = checkup.check_integrity(db)[0] or checkup.check_full_text(db)
        if problem is not None:
            raise schema.IndexDamaged(problem)
        yield from _compare(repo, db, progress)
    except (schema.IndexDamaged, sqlite3.DatabaseError) as error:
        yield damage("index-damaged", f"{ws.place.index_db}: {error}", REPAIR)


def examine_private_index(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Yield what is wrong with the file of claims that were told in private."""
    path = private_index.find_path(ws.place)
    if not os.path.exists(path):
        return
    uri = layout.read_only_uri(path)
    try:
        with closing(sqlite3.connect(uri, uri=True)) as db:
            problem = checkup.check_integrity(db)[0]
    except sqlite3.DatabaseError as error:
        problem = str(error)
    if problem is not None:
        yield damage("private-damaged", f"{path}: {problem}", REPAIR)


def _compare(
    repo: Repo, db: sqlite3.Connection, progress: Progress
) -> Iterator[Finding]:
    commit = schema.read_meta(db, "commit")
    if commit != repo.tip():
        yield _problem_at_tip(repo, progress) or note(
            "index-behind",
            "the branch has moved since the last fold",
            "The next read catches up.",
        )
    tree = schema.read_meta(db, "tree")
    unknown = commit is not None and not repo.has(commit)
    if unknown or tree != repo.wiki_tree(commit):
        what = "the index is of a tree that no commit here has"
        yield damage("index-differs", what, REPAIR)
        return
    fresh = schema.open_in_memory()
    problem = _fold(repo, fresh, commit, tree, progress)
    if problem is not None:
        yield problem
        return
    progress.begin("comparing the index")
    differing = _list_differences(db, fresh)
    if differing or checkup.compare_full_text(db, fresh):
        names = ", ".join(differing) or "the words"
        what = f"the index is not what the tree says: {names}"
        yield damage("index-differs", what, REPAIR)


def _list_differences(
    db: sqlite3.Connection, fresh: sqlite3.Connection
) -> list[str]:
    """Return the tables and the records of the index that differ from a fresh one."""
    differing = []
    for name in schema.DERIVED:
        if schema.hash_table(db, name) != schema.hash_table(fresh, name):
            differing.append(name)
    for key in _COMPARED_META:
        if schema.read_meta(db, key) != schema.read_meta(fresh, key):
            differing.append(key)
    return differing


def _problem_at_tip(repo: Repo, progress: Progress) -> Finding | None:
    tip = repo.tip()
    fresh = schema.open_in_memory()
    return _fold(repo, fresh, tip, repo.wiki_tree(tip), progress)


def _fold(
    repo: Repo,
    fresh: sqlite3.Connection,
    commit: str | None,
    tree: str | None,
    progress: Progress,
) -> Finding | None:
    """Fold *tree* into *fresh*; return what keeps it from being folded: reads answer as of an
    earlier run then.
    """
    try:
        with fold.transaction(fresh):
            fold.fold_to(fresh, repo, commit, tree, progress=progress)
    except CompanionError as error:
        return damage(error.kind, str(error), error.hint)
    return None

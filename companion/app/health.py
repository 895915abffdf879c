"""`doctor`: find and name every damage we know how to see. It repairs nothing."""

import hashlib
import os
import sqlite3
from collections.abc import Iterator

from companion import CompanionError
from companion.app.markdown import Markdown
from companion.app.workspace import Workspace
from companion.store import fold, index, place
from companion.store.journal import Journal, JournalError
from companion.store.repo import GitFailed, Repo, run_git

Finding = dict[str, str]


def examine(ws: Workspace) -> list[Finding]:
    """Return what is wrong, the most serious first; an empty list means all is well."""
    repo = Repo(ws.place)
    found = [*_git(repo), *_journal(ws, repo), *_locks(ws, repo), *_index(ws, repo)]
    return sorted(found, key=lambda finding: ("damage", "warning", "note").index(finding["severity"]))


def _finding(kind: str, severity: str, what: str, hint: str) -> Finding:
    return {"kind": kind, "severity": severity, "what": what, "hint": hint}


def _git(repo: Repo) -> Iterator[Finding]:
    try:
        run_git(repo.place, "fsck", "--full", "--no-dangling", "--no-progress")
    except GitFailed as error:
        first = str(error).splitlines()[0]
        hint = "Fetch from another copy, or restore .git from a backup; companion rewrites nothing."
        yield _finding("git-fsck", "damage", first, hint)


def _journal(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    if ws.place.moved and not place.owner(ws.place)[0]:
        hint = "Bring it back from a backup; without one, captures come back as far as git has them. Then `rebuild`."
        yield _finding("state-gone", "damage", f"the state that was kept in {ws.place.state} is gone", hint)
    if not os.path.exists(ws.place.journal_db):
        yield _finding("journal-missing", "note", "there is no journal yet", "The next capture creates it.")
        return
    try:
        journal = Journal.open(ws.place.journal_db)
        broken = journal.damage()
    except (JournalError, sqlite3.DatabaseError) as error:
        broken = str(error)
    if broken is not None:
        hint = "Move journal.db aside: captures anchored in git come back by themselves; keep the file for the rest."
        yield _finding("journal-damaged", "damage", broken, hint)
        return
    yield from _captures(journal, repo)
    if journal.get("intent") is not None:
        yield _finding("run-interrupted", "warning", "a run was interrupted", "The next command that writes recovers.")


def _captures(journal: Journal, repo: Repo) -> Iterator[Finding]:
    for id, blob, anchored in journal.ids():
        content = journal.capture(id)[0].content
        if content and hashlib.sha256(content).hexdigest() != id:
            yield _finding(
                "capture-changed", "damage", f"capture {id[:12]} is not what its id says", "Restore journal.db."
            )
        elif not content and not repo.has(blob):
            where = "git lost it" if anchored else "it was never anchored"
            yield _finding(
                "capture-missing", "damage", f"the bytes of capture {id[:12]} are gone: {where}", "Fetch it."
            )


def _locks(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    for path in (
        os.path.join(ws.place.git_dir, "index.lock"),
        os.path.join(ws.place.common_dir, repo.branch + ".lock"),
    ):
        if os.path.exists(path):
            yield _finding("lock-held", "warning", f"{path} exists", "If no git is running, remove it.")


def _index(ws: Workspace, repo: Repo) -> Iterator[Finding]:
    """Compare the index with one built from the tree it says it is of."""
    try:
        db = index.open_for_reading(ws.place.index_db)
        if db is None:
            yield _at_tip(repo) or _finding("index-missing", "note", "there is no index", "The next read builds it.")
            return
        broken = str(db.execute("PRAGMA quick_check(1)").fetchone()[0])
        if broken != "ok":
            raise index.IndexDamaged(broken)
        yield from _compare(repo, db)
    except (index.IndexDamaged, sqlite3.DatabaseError) as error:
        yield _finding("index-damaged", "damage", str(error), "Run `companion rebuild`: it holds nothing of its own.")


def _compare(repo: Repo, db: sqlite3.Connection) -> Iterator[Finding]:
    commit, tree = index.meta(db, "commit"), index.meta(db, "tree")
    if commit != repo.tip():
        yield _at_tip(repo) or _finding(
            "index-behind", "note", "the branch has moved since the last fold", "The next read catches up."
        )
    fresh = index.in_memory()
    if (bad := _unfoldable(repo, fresh, commit, tree)) is not None:
        yield bad
        return
    differing = [table for table in index.DERIVED if index.fingerprint(db, table) != index.fingerprint(fresh, table)]
    if differing:
        what = f"the index is not what the tree says: {', '.join(differing)}"
        yield _finding("index-differs", "damage", what, "Run `companion rebuild`: it holds nothing of its own.")


def _at_tip(repo: Repo) -> Finding | None:
    return _unfoldable(repo, index.in_memory(), repo.tip(), repo.wiki_tree(repo.tip()))


def _unfoldable(repo: Repo, fresh: sqlite3.Connection, commit: str | None, tree: str | None) -> Finding | None:
    """Fold *tree* into *fresh*; return what keeps it from being folded: reads answer as of an earlier run then."""
    try:
        with fold.transaction(fresh):
            fold.fold_to(fresh, repo, Markdown(), commit, tree)
    except CompanionError as error:
        return _finding(error.kind, "damage", str(error), error.hint)
    return None

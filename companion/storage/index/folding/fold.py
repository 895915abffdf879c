"""The fold: index.db = f(tree).

Its input is the difference between the tree last applied and the tree now, never ancestry: a merge,
a rebase, a squash, a pull, a reset and a person's own commit are one case. Ledger files fold in the
order (time, run id); one that sorts before the newest applied, changed or vanished means building
the index anew.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from companion import config
from companion.language.words import snowball
from companion.pages.page import RULES_VERSION
from companion.storage import ledger_file
from companion.storage.files import durable
from companion.storage.git.repo import Change, Repo
from companion.storage.index.folding import fold_ledger
from companion.storage.index.folding.fold_meanings import VERSION as VECTORS
from companion.storage.index.folding.fold_pages import PageFold
from companion.storage.index.folding.relate_branches import relate_branches
from companion.storage.index.schema import (
    add_indexes,
    clear,
    read_meta,
    write_meta,
)
from companion.storage.index.tables import minority
from companion.storage.ledger_file import RunRecord
from companion.values.progress import SILENT, Progress


class Folded(NamedTuple):
    """The result of a fold."""

    commit: str | None
    rebuilt: bool
    pages: int  # page files read
    runs: int  # ledger files read


class _Work(NamedTuple):
    """The difference between the tree last applied and the tree now."""

    pages: list[Change]
    runs: list[RunRecord]  # in the order in which they are folded
    broken: bool  # a ledger file or the configuration changed or vanished


def refresh(
    db: sqlite3.Connection,
    repo: Repo,
    *,
    progress: Progress = SILENT,
    rebuild: bool = False,
) -> Folded:
    """Bring the index to the tip of the wiki's branch, in one transaction.

    Raises BadLedger, NewerLedger, BadConfig or MissingObject, leaving the index as it was.
    """
    commit = repo.tip()
    tree = repo.wiki_tree(commit)
    with transaction(db):
        return fold_to(
            db, repo, commit, tree, progress=progress, rebuild=rebuild
        )


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Make everything in the block one change for readers, or none."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    durable.fault("fold.commit")
    db.execute("COMMIT")
    durable.fault("fold.commit", "after")


@contextmanager
def trial(db: sqlite3.Connection, run: RunRecord) -> Iterator[None]:
    """Let the index say in the block what it will say once *run* is folded, and then take it back.

    Others wait with their writes meanwhile.
    """
    db.execute("BEGIN IMMEDIATE")
    try:
        fold_ledger.apply_run(db, run)
        yield
    finally:
        db.execute("ROLLBACK")


def fold_to(
    db: sqlite3.Connection,
    repo: Repo,
    commit: str | None,
    tree: str | None,
    *,
    progress: Progress = SILENT,
    rebuild: bool = False,
) -> Folded:
    """Bring the index to *tree* inside the caller's transaction; *commit* is None while it is yet
    to be made.

    Raises BadConfig, BadLedger or NewerLedger.
    """
    applied = None if rebuild else _find_applied(db, repo)
    work = _survey(repo, applied, tree)
    fresh = applied is None or work.broken or _is_out_of_order(db, work.runs)
    if fresh and applied is not None:
        work = _survey(repo, None, tree)
    if fresh:
        clear(db)
    settings = read_settings(repo, tree)
    _apply(db, repo, work, settings, commit or "", progress)
    _update_commits(db, repo, commit)
    if work.pages or read_meta(db, "docs") is None:
        _write_statistics(db)
    write_meta(
        db,
        tree=tree,
        commit=commit,
        rules=RULES_VERSION,
        stems=snowball.VERSION,
        branch=repo.branch,
    )
    _write_settings(db, settings)
    return Folded(commit, fresh, len(work.pages), len(work.runs))


def _find_applied(db: sqlite3.Connection, repo: Repo) -> str | None:
    """Return the tree last applied; None where the index must be built anew."""
    if read_meta(db, "rules") != RULES_VERSION:
        return None
    if read_meta(db, "stems") != snowball.VERSION:
        return None
    if read_meta(db, "vectors") not in (None, "", VECTORS):
        return None
    applied = read_meta(db, "tree")
    return applied if applied is not None and repo.has(applied) else None


def is_page(path: str) -> bool:
    """Tell whether *path* (relative to the wiki) is a Markdown page outside .companion/."""
    if not path.endswith(".md") and not path.lower().endswith(
        (".md", ".markdown")
    ):
        return False
    return not path.startswith(".") and "/." not in path and path.isprintable()


def is_indexed(path: str) -> bool:
    """Tell whether the index holds the Markdown at *path*: a page, or one of a minority branch."""
    return is_page(path) or minority.find_branch_of_path(path) is not None


def read_settings(repo: Repo, tree: str | None) -> config.Config:
    """Return the configuration that *tree* holds. Raises BadConfig."""
    return _parse_settings(repo, repo.subtree(tree, config.PATH))


def _parse_settings(repo: Repo, blob: str | None) -> config.Config:
    return config.parse(repo.blob(blob) if blob else None)


def _survey(repo: Repo, applied: str | None, tree: str | None) -> _Work:
    pages: list[Change] = []
    runs: list[RunRecord] = []
    broken = False
    for change in _list_changes(repo, applied, tree):
        if change.path.startswith(ledger_file.FOLDER):
            run = ledger_file.find_run_at(change.path)
            if run is None:
                continue  # a copy, or what a file manager left there
            if change.old is None and change.new is not None:
                runs.append(ledger_file.decode(run, repo.blob(change.new)))
            else:
                broken = True
        elif change.path == config.PATH:
            if applied is not None and _excludes_other_pages(repo, change):
                broken = True
        elif is_indexed(change.path):
            pages.append(change)
    runs.sort(key=_order)
    return _Work(pages, runs, broken)


def _order(run: RunRecord) -> tuple[str, str]:
    return run.now, run.id


def _excludes_other_pages(repo: Repo, change: Change) -> bool:
    """Tell whether the new configuration excludes other pages than the old one."""
    before = _parse_settings(repo, change.old)
    after = _parse_settings(repo, change.new)
    return before.exclude != after.exclude


def _list_changes(
    repo: Repo, applied: str | None, tree: str | None
) -> Iterator[Change]:
    if applied is not None:
        return repo.changes(applied, tree)
    return (
        Change(path, None, id)
        for path, mode, id in repo.walk(tree)
        if mode & 0o170000 == 0o100000
    )


def _is_out_of_order(db: sqlite3.Connection, runs: list[RunRecord]) -> bool:
    """Tell whether the first of *runs* comes before the newest run that is applied."""
    query = "SELECT time, run FROM runs ORDER BY time DESC, run DESC LIMIT 1"
    newest = db.execute(query).fetchone()
    return bool(runs) and newest is not None and _order(runs[0]) <= newest


def _apply(
    db: sqlite3.Connection,
    repo: Repo,
    work: _Work,
    settings: config.Config,
    commit: str,
    progress: Progress,
) -> None:
    touched: set[str] = set()
    progress.begin("reading runs", len(work.runs))
    for run in work.runs:
        touched |= fold_ledger.apply_run(db, run)
        progress(1)
    pages = PageFold(db, repo, settings.compile_exclusions())
    pages.insert(work.pages, touched, progress)
    progress.begin("following links")
    add_indexes(db)
    pages.relate(commit)
    relate_branches(db)


def _update_commits(
    db: sqlite3.Connection, repo: Repo, commit: str | None
) -> None:
    """Put *commit* in place of commits that were not made yet, or may be collected."""
    if commit is None:
        return
    previous = read_meta(db, "commit")
    if previous is None:
        # what was folded before its commit was made names none yet
        db.execute(
            "UPDATE entries SET commit_hash = ? WHERE commit_hash = ''",
            (commit,),
        )
    elif not repo.is_ancestor(previous, commit):
        # Rebased, filtered or reset: the old commits may be collected, but this one holds every
        # current content.
        db.execute(
            "UPDATE entries SET commit_hash = ? WHERE tombstone = 0", (commit,)
        )


def _write_statistics(db: sqlite3.Connection) -> None:
    query = "SELECT coalesce(sum(tokens), 0), count(*) FROM pages"
    tokens, docs = db.execute(query).fetchone()
    query = "SELECT coalesce(sum(words), 0), count(*) FROM passages"
    words, passages = db.execute(query).fetchone()
    query = "SELECT DISTINCT language FROM passages ORDER BY 1"
    languages = " ".join(name for (name,) in db.execute(query))
    write_meta(
        db,
        tokens=str(tokens),
        docs=str(docs),
        words=str(words),
        passages=str(passages),
        languages=languages,
    )


def _write_settings(db: sqlite3.Connection, settings: config.Config) -> None:
    """Write the settings that reads need: they do not read the configuration."""
    ways = [[name, way.strategy, way.prefer] for name, way in settings.claims]
    write_meta(
        db,
        reasoner=settings.reasoner,
        model=settings.model,
        vitality=json.dumps(settings.vitality),
        claims=json.dumps(ways),
        trust=json.dumps(settings.trust),
    )


def select_consumed(
    db: sqlite3.Connection, captures: Iterable[str]
) -> set[str]:
    """Return which of *captures* a ledger file in the applied tree consumes."""
    query = "SELECT 1 FROM consumed WHERE capture = ?"
    return {
        capture
        for capture in captures
        if db.execute(query, (capture,)).fetchone()
    }


def list_consumed_by(db: sqlite3.Connection, runs: Iterable[str]) -> list[str]:
    """Return the captures that the index holds consumed by *runs*."""
    captures: list[str] = []
    for run in runs:
        query = "SELECT capture FROM consumed WHERE run = ?"
        captures += [capture for (capture,) in db.execute(query, (run,))]
    return captures


def list_lost_runs(db: sqlite3.Connection, repo: Repo) -> list[str]:
    """Return the runs that the index holds applied and whose ledger files the tip no longer has."""
    applied = read_meta(db, "tree")
    if not applied:
        return []
    if not repo.has(applied):
        return [run for (run,) in db.execute("SELECT run FROM runs")]
    before = repo.subtree(applied, ledger_file.FOLDER)
    now = repo.subtree(repo.wiki_tree(repo.tip()), ledger_file.FOLDER)
    lost = []
    for change in repo.changes(before, now, ledger_file.FOLDER):
        run = ledger_file.find_run_at(change.path)
        if change.new is None and run is not None:
            lost.append(run)
    return lost

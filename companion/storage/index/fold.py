"""The fold: index.db = f(tree).

Its input is the difference between the tree last applied and the tree now, never ancestry: a merge,
a rebase, a squash, a pull, a reset and a person's own commit are one case. Ledger files fold in the
order (time, run id); one that sorts before the newest applied, changed or vanished means building
the index anew.
"""

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from companion import config
from companion.pages.rules import PageRules
from companion.storage import ledger_file
from companion.storage.files import durable
from companion.storage.git.repo import Change, Repo
from companion.storage.index import fold_ledger
from companion.storage.index import schema as index
from companion.storage.index.fold_pages import Pages
from companion.storage.index.tables import minority
from companion.storage.ledger_file import RunRecord

Progress = Callable[[int], None]


class Folded(NamedTuple):
    """What a fold did."""

    commit: str | None
    rebuilt: bool
    pages: int  # page files read
    runs: int  # ledger files read


class _Work(NamedTuple):
    pages: list[Change]
    added: list[RunRecord]
    broken: bool  # a ledger file or the configuration changed or vanished


def refresh(
    db: sqlite3.Connection,
    repo: Repo,
    rules: PageRules,
    *,
    progress: Progress | None = None,
    rebuild: bool = False,
) -> Folded:
    """Bring the index to the tip of the wiki's branch, in one transaction.

    Raises BadLedger, NewerLedger, BadConfig or MissingObject, leaving the index as it was.
    """
    commit = repo.tip()
    with transaction(db):
        return fold_to(
            db,
            repo,
            rules,
            commit,
            repo.wiki_tree(commit),
            progress=progress,
            rebuild=rebuild,
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


def fold_to(
    db: sqlite3.Connection,
    repo: Repo,
    rules: PageRules,
    commit: str | None,
    tree: str | None,
    *,
    progress: Progress | None = None,
    rebuild: bool = False,
) -> Folded:
    """Bring the index to *tree* inside the caller's transaction; *commit* is None while it is yet
    to be made.
    """
    applied = (
        None
        if rebuild or index.read_meta(db, "rules") != rules.version
        else index.read_meta(db, "tree")
    )
    if applied is not None and not repo.has(applied):
        applied = None
    work = _survey(repo, applied, tree)
    fresh = applied is None or work.broken or _out_of_order(db, work.added)
    if fresh and applied is not None:
        work = _survey(repo, None, tree)
    if fresh:
        index.clear(db)
    _apply(db, repo, rules, work, commit, tree, progress)
    return Folded(commit, fresh, len(work.pages), len(work.added))


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
    """Return the configuration that *tree* holds."""
    blob = repo.subtree(tree, config.PATH)
    return config.parse(repo.blob(blob) if blob else None)


def _survey(repo: Repo, applied: str | None, tree: str | None) -> _Work:
    pages: list[Change] = []
    runs: list[RunRecord] = []
    broken = False
    for change in _changes(repo, applied, tree):
        if change.path.startswith(ledger_file.FOLDER):
            run = ledger_file.find_run_at(change.path)
            if run is None:
                continue  # a copy, or what a file manager left there
            if change.old is None and change.new is not None:
                runs.append(ledger_file.decode(run, repo.blob(change.new)))
            else:
                broken = True
        elif change.path == config.PATH:
            broken = broken or (
                applied is not None and _other_rules(repo, change)
            )
        elif is_indexed(change.path):
            pages.append(change)
    return _Work(pages, sorted(runs, key=lambda run: (run.now, run.id)), broken)


def _other_rules(repo: Repo, change: Change) -> bool:
    """Tell whether another configuration would index the same pages otherwise."""
    before, after = (
        config.parse(repo.blob(blob) if blob else None)
        for blob in (change.old, change.new)
    )
    return before.exclude != after.exclude


def _changes(
    repo: Repo, applied: str | None, tree: str | None
) -> Iterator[Change]:
    if applied is not None:
        return repo.changes(applied, tree)
    return (
        Change(path, None, id)
        for path, mode, id in repo.walk(tree)
        if mode & 0o170000 == 0o100000
    )


def _out_of_order(db: sqlite3.Connection, added: list[RunRecord]) -> bool:
    newest = db.execute(
        "SELECT time, run FROM runs ORDER BY time DESC, run DESC LIMIT 1"
    ).fetchone()
    return bool(
        added and newest is not None and (added[0].now, added[0].id) <= newest
    )


def _apply(
    db: sqlite3.Connection,
    repo: Repo,
    rules: PageRules,
    work: _Work,
    commit: str | None,
    tree: str | None,
    progress: Progress | None,
) -> None:
    touched: set[str] = set()
    for run in work.added:
        touched |= fold_ledger.apply_run(db, run)
    chosen = read_settings(repo, tree)
    pages = Pages(db, repo, rules, chosen.compile_exclusions())
    pages.insert(work.pages, touched, progress)
    index.add_indexes(db)
    pages.relate(commit or "")
    minority.relate_branches(db)
    previous = index.read_meta(db, "commit")
    # what was folded before its commit was made names none yet
    if commit is not None and previous is None:
        db.execute(
            "UPDATE entries SET commit_hash = ? WHERE commit_hash = ''",
            (commit,),
        )
    if (
        commit is not None
        and previous is not None
        and not repo.is_ancestor(previous, commit)
    ):
        # Rebased, filtered or reset: the old commits may be collected, but this one holds every
        # current content.
        db.execute(
            "UPDATE entries SET commit_hash = ? WHERE tombstone = 0", (commit,)
        )
    if work.pages or index.read_meta(db, "docs") is None:
        tokens, docs = db.execute(
            "SELECT coalesce(sum(tokens), 0), count(*) FROM pages"
        ).fetchone()
        index.write_meta(db, tokens=str(tokens), docs=str(docs))
    index.write_meta(
        db, tree=tree, commit=commit, rules=rules.version, branch=repo.branch
    )
    # for reads, which read no configuration
    index.write_meta(db, reasoner=chosen.reasoner, model=chosen.model)
    index.write_meta(db, vitality=json.dumps(chosen.vitality))
    index.write_meta(
        db,
        claims=json.dumps(
            [[name, way.strategy, way.prefer] for name, way in chosen.claims]
        ),
    )


def select_consumed(
    db: sqlite3.Connection, captures: Iterable[str]
) -> set[str]:
    """Return which of *captures* a ledger file in the applied tree consumes."""
    return {
        c
        for c in captures
        if db.execute(
            "SELECT 1 FROM consumed WHERE capture = ?", (c,)
        ).fetchone()
    }


def list_consumed_by(db: sqlite3.Connection, runs: Iterable[str]) -> list[str]:
    """Return the captures that the index holds consumed by *runs*."""
    query = "SELECT capture FROM consumed WHERE run = ?"
    return [capture for run in runs for (capture,) in db.execute(query, (run,))]


def list_lost_runs(db: sqlite3.Connection, repo: Repo) -> list[str]:
    """Return the runs that the index holds applied and whose ledger files the tip no longer has."""
    applied = index.read_meta(db, "tree")
    if applied is None or not repo.has(applied):
        return (
            [run for (run,) in db.execute("SELECT run FROM runs")]
            if applied
            else []
        )
    before, now = (
        repo.subtree(applied, ledger_file.FOLDER),
        repo.subtree(repo.wiki_tree(repo.tip()), ledger_file.FOLDER),
    )
    gone = (
        ledger_file.find_run_at(c.path)
        for c in repo.changes(before, now, ledger_file.FOLDER)
        if c.new is None
    )
    return [run for run in gone if run is not None]

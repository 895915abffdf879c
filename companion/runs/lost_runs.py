"""Runs that left the branch: by a reset, whose captures are held, or by a commit of the person's,
which is an undo.

Both are read from ``refs/companion/lost`` and the tree each time they are asked for, and remembered
nowhere: when a ledger file comes back, by a merge or a reset to where it was, its captures are
consumed again and nothing is held.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from companion.storage import ledger_file
from companion.storage.git import layout
from companion.storage.git.command import run_git
from companion.storage.git.repo import Repo
from companion.storage.index import fold
from companion.storage.journal.journal import Journal
from companion.values.captures import Sighting

if TYPE_CHECKING:
    from companion.runs.results import (
        HeldRun,
    )

LOST = "refs/companion/lost/"
# commits that took ledger files away, looked at where no index remembers what there was
_DEEP = 50


class LostRun(NamedTuple):
    """A run whose ledger file the branch had and has no more."""

    run: str
    ref: str  # holds the branch as it was
    blob: str  # of its ledger file
    # the branch still grows from there: a later commit took the file away
    reverted: bool


def find_lost_runs(repo: Repo) -> list[LostRun]:
    """Return the runs that left the wiki's branch, in the order of their names."""
    refs = layout.read_refs(repo.place, LOST.rstrip("/"))
    if not refs:
        return []
    tip = repo.tip()
    now = repo.subtree(repo.wiki_tree(tip), ledger_file.FOLDER)
    found: dict[str, LostRun] = {}
    for ref, commit in sorted(refs.items()):
        before = None
        if repo.has(commit):
            before = repo.subtree(repo.wiki_tree(commit), ledger_file.FOLDER)
        for change in repo.changes(now, before, ledger_file.FOLDER):
            run = ledger_file.find_run_at(change.path)
            if (
                run is not None
                and change.old is None
                and change.new is not None
            ):
                reverted = tip is not None and repo.is_ancestor(commit, tip)
                if run not in found or reverted:
                    found[run] = LostRun(run, ref, change.new, reverted)
    return [found[run] for run in sorted(found)]


def find_held_captures(
    repo: Repo, db: sqlite3.Connection | None, journal: Journal
) -> dict[str, LostRun]:
    """Return the captures that only runs which left the branch consumed, each with such a run.

    A telling that none of those runs has heard releases its capture (INV-7): it is said anew.
    """
    runs: dict[str, LostRun] = {}
    # when the tellings that lost runs have heard were seen
    heard: dict[str, set[str]] = {}
    for lost in find_lost_runs(repo):
        for event in ledger_file.decode(lost.run, repo.blob(lost.blob)).events:
            if event["e"] in ("consumed", "sighted"):
                times = {sighting["seen_at"] for sighting in event["sightings"]}
                heard.setdefault(event["capture"], set()).update(times)
            if event["e"] == "consumed":
                runs.setdefault(event["capture"], lost)
    consumed_again = set() if db is None else fold.select_consumed(db, runs)
    find_held_captures = {}
    for capture, lost in runs.items():
        if capture not in consumed_again and _all_heard(
            journal.sightings(capture), heard[capture]
        ):
            find_held_captures[capture] = lost
    return find_held_captures


def count_held(found: Mapping[str, LostRun]) -> "list[HeldRun]":
    """Return which runs hold how many captures."""
    counts = Counter(found.values())
    return [
        {"run": lost.run, "ref": lost.ref, "captures": counts[lost]}
        for lost in sorted(counts, key=lambda lost: lost.run)
    ]


def explain_hold(item: LostRun) -> str:
    """Say why a capture of that run is held, and what ends it."""
    if item.reverted:
        return f"held: run {item.run} was reverted; the next night records that"
    return f"held: run {item.run} was taken off the branch; `git merge {item.ref}` brings it back"


def list_removals(repo: Repo) -> Iterator[str]:
    """Yield commits just before the person's own commits took ledger files away, the newest
    first.
    """
    where = f":(top,literal){repo.place.prefix}{ledger_file.FOLDER}"
    args = (
        "log",
        "--diff-filter=D",
        "--no-renames",
        "--format=%P",
        f"-n{_DEEP}",
        repo.branch,
        "--",
        where,
    )
    for line in run_git(repo.place, *args).decode().splitlines():
        yield from line.split()[:1]


def _all_heard(tellings: tuple[Sighting, ...], heard: set[str]) -> bool:
    shared = {
        telling.seen_at for telling in tellings if telling.scope != "private"
    }
    return bool(shared) and shared <= heard

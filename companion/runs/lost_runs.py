"""Find the runs that left the branch.

A reset took them off, and their captures are held; or a commit of the person's did, which is an
undo. Each call reads ``refs/companion/lost`` and the tree, and nothing is remembered: when a ledger
file comes back, by a merge or a reset to where it was, its captures are consumed again and nothing
is held.
"""

import sqlite3
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from companion.storage import ledger_file
from companion.storage.git import layout
from companion.storage.git.command import run_git
from companion.storage.git.repo import Repo
from companion.storage.index.folding import fold
from companion.storage.journal.journal import Journal
from companion.values.captures import Sighting

if TYPE_CHECKING:
    from companion.runs.results import HeldRun

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
    """Return the runs that left the wiki's branch, in the order of their names.

    Raises DamagedRef.
    """
    refs = layout.read_refs(repo.place, LOST.rstrip("/"))
    if not refs:
        return []
    tip = repo.tip()
    ledger = repo.subtree(repo.wiki_tree(tip), ledger_file.FOLDER)
    lost: dict[str, LostRun] = {}
    for ref, commit in sorted(refs.items()):
        files = _list_lost_files(repo, commit, ledger)
        if not files:
            continue
        reverted = tip is not None and repo.is_ancestor(commit, tip)
        for run, blob in files.items():
            if run not in lost or reverted:
                lost[run] = LostRun(run, ref, blob, reverted)
    return [lost[run] for run in sorted(lost)]


def _list_lost_files(
    repo: Repo, commit: str, ledger: str | None
) -> dict[str, str]:
    """Return the blobs of *commit*'s ledger files that the tree *ledger* lacks, by run."""
    before = None
    if repo.has(commit):
        before = repo.subtree(repo.wiki_tree(commit), ledger_file.FOLDER)
    files = {}
    for path, now, then in repo.changes(ledger, before, ledger_file.FOLDER):
        run = ledger_file.find_run_at(path)
        if run is not None and now is None and then is not None:
            files[run] = then
    return files


def find_held_captures(
    repo: Repo, db: sqlite3.Connection | None, journal: Journal
) -> dict[str, LostRun]:
    """Return the captures that only runs which left the branch consumed, each with such a run.

    A telling that none of those runs has read releases its capture (INV-7): it was told anew.
    Raises BadLedger, DamagedRef or NewerLedger.
    """
    read = _list_read_by_lost_runs(repo)
    consumed_again: Collection[str] = ()
    if db is not None:
        consumed = [capture for capture, item in read.items() if item.run]
        consumed_again = fold.select_consumed(db, consumed)
    held = {}
    for capture, (run, times) in read.items():
        if run is None or capture in consumed_again:
            continue
        if journal.is_withdrawn(capture):
            continue  # it does not wait
        if _all_read(journal.sightings(capture), times):
            held[capture] = run
    return held


class _ReadByLostRuns(NamedTuple):
    """The part of one capture that lost runs have read."""

    run: LostRun | None  # the first that consumed it
    times: set[str]  # when the tellings that they have read were seen


def _list_read_by_lost_runs(repo: Repo) -> dict[str, _ReadByLostRuns]:
    read: dict[str, _ReadByLostRuns] = {}
    for lost in find_lost_runs(repo):
        for event in ledger_file.decode(lost.run, repo.blob(lost.blob)).events:
            if event["e"] not in ("consumed", "sighted"):
                continue
            capture = event["capture"]
            item = read.setdefault(capture, _ReadByLostRuns(None, set()))
            item.times.update(
                sighting["seen_at"] for sighting in event["sightings"]
            )
            if event["e"] == "consumed" and item.run is None:
                read[capture] = item._replace(run=lost)
    return read


def count_held(captures: Mapping[str, LostRun]) -> "list[HeldRun]":
    """Return which runs hold how many captures."""
    counts = Counter(captures.values())
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
    """Yield the parents of the person's commits that took ledger files away, the newest first.

    Raises GitFailed.
    """
    listing = run_git(
        repo.place,
        "log",
        "--diff-filter=D",
        "--no-renames",
        "--format=%P",
        f"-n{_DEEP}",
        repo.branch,
        "--",
        f":(top,literal){repo.place.prefix}{ledger_file.FOLDER}",
    )
    for line in listing.decode().splitlines():
        yield from line.split()[:1]


def _all_read(sightings: Iterable[Sighting], read: set[str]) -> bool:
    """Tell whether lost runs have read every shared telling, and there is one."""
    shared = set()
    for sighting in sightings:
        if sighting.scope != "private":
            shared.add(sighting.seen_at)
    return bool(shared) and shared <= read

"""What `status` remarks: what its owner should know of, and what stands in the way of nights."""

import os

from companion.storage.journal import reads_file
from companion.storage.journal.journal import Journal
from companion.values.time import DOUBT, is_far
from companion.workspace import Workspace


def of(ws: Workspace, journal: Journal, why: str, head: str | None, branch: str) -> list[str]:
    """Return the remarks; *why* says where the state lies, *head* what is checked out, *branch*
    what should be.
    """
    return standing(why, journal, head, branch) + doubts(ws, journal) + signals(ws) + unrecorded(ws)


def unrecorded(ws: Workspace) -> list[str]:
    """Say what keeps reads from being recorded: nothing of that may fail a read."""
    trouble = reads_file.trouble(ws.place)
    return [] if trouble is None else [f"what is read is not recorded now: {trouble}"]


def signals(ws: Workspace) -> list[str]:
    if not os.path.exists(os.path.join(ws.place.root, ".companion", "signals.jsonl")):
        return []
    # brings git and the judges: most wikis have no such file
    from companion.routing import watch_signals

    return watch_signals.notes(ws)


def doubts(ws: Workspace, journal: Journal) -> list[str]:
    clock, event = ws.now(), ws.present(journal)
    if is_far(clock, event):
        way = f"if it is right, `companion ingest --event-time {clock[:16]}Z ...` once says so"
        return [
            f"the clock says {clock[:10]}, {DOUBT} years after all that is known here, and is not believed; {way}"
        ]
    last = journal.get("last_time") or ""
    if event == clock and is_far(last, clock):
        return [
            f"notes were told when the clock said {last[:10]}: what comes now is recorded after them, with its own day"
        ]
    return []


def standing(why: str, journal: Journal, head: str | None, branch: str) -> list[str]:
    notes = []
    if why.startswith("inside git's own,"):
        notes.append(
            f"the state is {why.removeprefix('inside ')}: move it while nothing runs, and name its new folder"
        )
    if head is None:
        notes.append("HEAD is detached: nights wait until a branch is checked out")
    elif branch and head != branch:
        notes.append(
            f"{head.removeprefix('refs/heads/')} is checked out: nights wait for the wiki's branch"
        )
    if journal.get("intent") is not None:
        notes.append("a run was interrupted; the next one rolls it back or finishes it")
    if journal.get("erase_unfinished") is not None or journal.get("erasing") is not None:
        notes.append(
            "an erasure was interrupted; run `companion erase` with the same words to finish it"
        )
    return notes

"""The notes of `status`: what the owner should know, and what keeps nights from running."""

import os

from companion.storage.git import layout
from companion.storage.journal import reads_file
from companion.storage.journal.journal import Journal
from companion.values.time import DOUBT, days_between, is_far
from companion.values.wording import many
from companion.workspace import Workspace


def list_notes(
    ws: Workspace, journal: Journal, why: str, head: str | None, branch: str
) -> list[str]:
    """Return all notes.

    *why* says where the state lies, *head* what is checked out, *branch* what should be.
    """
    notes = note_operation(ws)
    notes += note_obstacles(why, journal, head, branch)
    notes += note_doubtful_clock(ws, journal)
    notes += note_set_aside(ws)
    notes += note_signals(ws)
    notes += note_unrecorded_reads(ws)
    return notes


def note_operation(ws: Workspace) -> list[str]:
    """Return what git is in the middle of: nights wait until it is finished."""
    what = layout.find_operation(ws.place)
    if what is None:
        return []
    return [f"Git is in the middle of {what}: nights wait until you finish it."]


def note_remotes_ahead(ws: Workspace) -> list[str]:
    """Return a note for each remote that has runs or edits of another machine."""
    from companion.storage.git.remotes_known import list_ahead

    return [
        f"{name} has {many(count, 'commit')} that this branch lacks;"
        " `git pull` brings them."
        for name, count in list_ahead(ws.place)
    ]


def note_unrecorded_reads(ws: Workspace) -> list[str]:
    """Return what keeps reads from being recorded: none of that may fail a read."""
    trouble = reads_file.find_trouble(ws.place)
    if trouble is None:
        return []
    return [f"What you read is not recorded at the moment: {trouble}"]


def note_set_aside(ws: Workspace) -> list[str]:
    """Return how much of what a remote has was not taken."""
    if not layout.read_refs(ws.place, "refs/companion/doubted"):
        return []
    # It brings git: most wikis set nothing aside.
    from companion.storage.boundary import set_aside

    count = set_aside.count(ws.place)
    if not count:
        return []
    return [
        f"{many(count, 'file')} of a remote could not be believed and stayed out:"
        " `companion doctor` says which and why."
    ]


def note_signals(ws: Workspace) -> list[str]:
    """Return what is wrong with the file of signals, where there is one."""
    if not os.path.exists(
        os.path.join(ws.place.root, ".companion", "signals.jsonl")
    ):
        return []
    # It brings git and the judges: most wikis have no such file.
    from companion.routing import watch_signals

    return watch_signals.list_file_problems(ws)


def note_doubtful_clock(ws: Workspace, journal: Journal) -> list[str]:
    """Return a note where this machine's clock, or an earlier one, cannot be believed."""
    clock = ws.now()
    event = ws.present(journal)
    if is_far(clock, event):
        return [
            f"The clock says {clock[:10]}, {DOUBT} years or more after everything known here,"
            " and is not believed. If it is right,"
            f" `companion ingest --event-time {clock[:16]}Z ...` says so once."
        ]
    last = journal.get("last_time") or ""
    if event == clock and is_far(last, clock):
        return [
            f"Earlier notes were told when the clock said {last[:10]}. New notes are recorded after"
            " them, each with its own day."
        ]
    if days_between(clock, last or clock) > 1:
        return [
            f"The newest note was told when the clock said {last[:10]}: new ones are told as of"
            " that day, and other machines may set them aside until then. Is the clock right?"
            " `companion doctor` says what to do."
        ]
    return []


def note_obstacles(
    why: str, journal: Journal, head: str | None, branch: str
) -> list[str]:
    """Return what stands in the way of nights."""
    notes = []
    if why.startswith("inside git's own,"):
        place = why.removeprefix("inside ")
        notes.append(
            f"The state is {place}: move it while nothing runs, and name its new folder."
        )
    if head is None:
        notes.append(
            "HEAD is detached: nights wait until a branch is checked out."
        )
    elif branch and head != branch:
        name = head.removeprefix("refs/heads/")
        notes.append(
            f"{name} is checked out: nights wait for the wiki's branch."
        )
    if journal.get("intent") is not None:
        notes.append(
            "A run was interrupted; the next one rolls it back or finishes it."
        )
    if (
        journal.get("erase_unfinished") is not None
        or journal.get("erasing") is not None
    ):
        notes.append(
            "An erasure was interrupted: run `companion erase` with the same words to finish it."
        )
    return notes

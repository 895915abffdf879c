"""The run that `undo` without a name takes: the last one that can be taken back."""

import sqlite3
from typing import Literal, NamedTuple

from companion.errors import CompanionError
from companion.lookup.index import current_index
from companion.runs.commits import find_commits, list_commits_made_here
from companion.sleep.nights import WAITED, NightRecord, read_nights
from companion.storage.index import history
from companion.storage.index.history import LedgerRun, RunPage
from companion.values.time import parse_instant
from companion.workspace import Workspace

Starter = Literal["you", "night", "elsewhere"]

#: operations that `undo` takes back; an undo itself only by its name
_UNDOABLE = frozenset(
    [
        "adopt",
        "audit",
        "belongs",
        "consolidate",
        "contextualize",
        "decay",
        "gather",
        "myself",
        "pin",
        "recall",
        "rename",
        "settle",
        "unpin",
    ]
)
_RUNS = 200  # that are looked through
_ASKED = "asked"  # of a night that a person's own word began


class NoRunToUndo(CompanionError):
    """There is no run to take back."""

    exit_code = 1
    hint = (
        "`companion log` lists the runs; `companion undo RUN` takes one back."
    )


class LastRun(NamedTuple):
    """A run, and who started it."""

    run: str
    operation: str
    time: str  # RFC 3339 UTC
    # elsewhere: on another machine, or by commands that git's own log here does not tell
    by: Starter
    pages: list[RunPage]


def find_last_run(ws: Workspace) -> LastRun:
    """Return the newest run that changed pages and is not taken back yet. Raises NoRunToUndo."""
    db = current_index(ws, ws.journal())
    runs = [] if db is None else history.list_runs(db, _RUNS)
    for run in runs:
        if db is None or run.operation not in _UNDOABLE:
            continue
        if _is_undone(db, run.run):
            continue
        by = _find_starter(ws, run)
        pages = history.list_pages_of_run(db, run.run)
        return LastRun(run.run, run.operation, run.time, by, pages)
    raise NoRunToUndo


def _is_undone(db: sqlite3.Connection, run: str) -> bool:
    events = history.list_subject_events(db, run, "undone")
    return bool(events) and events[-1].data["outcome"] == "undone"


def _find_starter(ws: Workspace, run: LedgerRun) -> Starter:
    commit = find_commits(ws.place).get(run.run)
    if commit not in list_commits_made_here(ws.place):
        return "elsewhere"
    nights = [record for record in read_nights(ws) if _is_night(record)]
    if any(_was_during(run, night) for night in nights):
        return "night"
    return "you"


def _is_night(record: NightRecord) -> bool:
    """Tell whether a schedule began what *record* tells of."""
    return record.outcome != WAITED and record.kind != _ASKED


def _was_during(run: LedgerRun, night: NightRecord) -> bool:
    if any(step.run == run.run for step in night.steps):
        return True
    # a step that works in slices makes several runs, and records the last
    started, ended = parse_instant(night.started), parse_instant(night.ended)
    return started <= run.time <= ended

"""`today`: what came in and what changed on one day of the local clock."""

import sqlite3
from typing import TYPE_CHECKING

from companion.language.headline import headline
from companion.lookup.index import current_index, stale_warning
from companion.lookup.time_words import find_today, read_span
from companion.reading.captures import read_capture
from companion.reading.overview.list_pages import describe_page
from companion.storage.index.history import list_runs_between
from companion.storage.index.tables.captures import find_outcome
from companion.storage.index.tables.pages.entries import find_page
from companion.storage.index.tables.pages.listing import list_pages
from companion.storage.journal.journal import Journal
from companion.values.time import local_day
from companion.workspace import Workspace, find_local_offset

if TYPE_CHECKING:
    from companion.reading.overview.results import CameIn, DayResult
    from companion.values.results import Named

_STATES = ["active", "decaying", "archived"]


def describe_day(ws: Workspace, words: str | None = None) -> "DayResult":
    """Return what came in and what changed in the time that *words* name; None stands for today.

    Raises BadTime.
    """
    span = find_today(ws) if words is None else read_span(ws, words)
    journal = ws.journal()
    db = current_index(ws, journal)
    document: DayResult = {
        "day": local_day(span.start, find_local_offset(span.start)),
        "start": span.start,
        "end": span.end,
        "captured": [
            _describe_capture(ws, db, journal, id)
            for id in journal.captured_between(span.start, span.end, ws.who)
        ],
        "changed": [],
        "runs": [],
    }
    if db is not None:
        pages = list_pages(db, _STATES, since=span.start, before=span.end)
        document["changed"] = [describe_page(ws, page) for page in pages]
        document["runs"] = [
            {"run": run.run, "operation": run.operation, "time": run.time}
            for run in list_runs_between(db, span.start, span.end)
        ]
    warning = stale_warning(ws, db)
    if warning is not None:
        document["warning"] = warning
    return document


def _describe_capture(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, id: str
) -> "CameIn":
    capture, tellings = read_capture(ws, journal, id)
    outcome = None if db is None else find_outcome(db, id)
    state = "pending" if outcome is None else outcome.outcome
    page: Named | None = None
    entry = None
    if db is not None and outcome is not None and outcome.entry:
        entry = find_page(db, outcome.entry)
    if entry is not None:
        page = {"id": entry.id, "title": entry.title, "path": entry.path}
    text = capture.content.decode("utf-8", "replace")
    return {
        "id": id,
        "title": capture.title or headline(text),
        "at": tellings[0].seen_at if tellings else capture.ingested_at,
        "state": state,
        "page": page,
    }

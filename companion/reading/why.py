"""`why`: every recorded decision about an entry, a capture, a run or a branch, with its reason."""

import sqlite3
from typing import TYPE_CHECKING, Any

from companion.gravity.measure import describe_gravity
from companion.ledger.explain import describe_resolutions
from companion.lookup.find import Target, find_target
from companion.lookup.index import current_index, stale_warning
from companion.operations.decay.measure import entry_vitality
from companion.reading.captures import find_held, read_capture
from companion.storage.index.tables import events
from companion.storage.index.tables.entries import find_title
from companion.storage.index.tables.events import LedgerEvent
from companion.storage.journal.journal import Journal
from companion.usage.show import describe_use
from companion.values.wording import times_in_words
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        WhyResult,
    )

_LISTS = {
    "run": events.list_events_of_run,
    "entry": events.list_events_of_entry,
    "branch": events.list_events_of_branch,
    "capture": events.list_events_of_capture,
}


def explain_target(ws: Workspace, target: str) -> "WhyResult":
    """Return the recorded decisions about what *target* names, oldest first.

    Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    found = find_target(ws, db, journal, target, runs=True)
    decisions = (
        [] if db is None else [_in_words(db, each) for each in _list(db, found)]
    )
    if found.kind == "capture":
        decisions = [
            _ingested(ws, journal, found.id),
            *_kept_private(ws, journal, found.id),
            *decisions,
            *_held(ws, db, journal, found.id),
        ]
    is_entry = found.kind == "entry" and db is not None
    explanation: WhyResult = {
        "target": target,
        "kind": found.kind,
        "id": found.id,
        "title": _title(ws, db, journal, found),
        "events": [each._asdict() for each in decisions],
        "weight": describe_gravity(db, found.id, ws.now())
        if db is not None and is_entry
        else None,
        "usage": describe_use(db, found.id)
        if db is not None and is_entry
        else None,
        "terms": entry_vitality(db, found.id, ws.now())
        if db is not None and is_entry
        else None,
    }
    warning = stale_warning(ws, db)
    if warning is not None:
        explanation["warning"] = warning
    return explanation


def _list(db: sqlite3.Connection, found: Target) -> list[LedgerEvent]:
    return _LISTS[found.kind](db, found.id)


def _in_words(db: sqlite3.Connection, event: LedgerEvent) -> LedgerEvent:
    """Return *event*; of claims that were weighed against each other, with a reason in words."""
    if event.event != "resolved":
        return event
    return event._replace(reason=describe_resolutions(db, event.detail["keys"]))


def _title(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    found: Target,
) -> str | None:
    if found.kind == "entry" and db is not None:
        return find_title(db, found.id)
    if found.kind == "capture":
        return read_capture(ws, journal, found.id)[0].title
    return None


def _ingested(ws: Workspace, journal: Journal, id: str) -> LedgerEvent:
    capture, tellings = read_capture(ws, journal, id)
    times = times_in_words(max(1, len(tellings)))
    reason = f"Came in through {capture.channel}, told {times}."
    if any(
        not each.explicit and each.event_time != each.seen_at
        for each in tellings
    ):
        day = tellings[-1].event_time[:10]
        reason += f" The clock was doubtful, so the note counts as of {day}."
    return _told_here(id, capture.ingested_at, "ingested", reason)


def _kept_private(
    ws: Workspace, journal: Journal, id: str
) -> list[LedgerEvent]:
    """Say why a capture that was told in private only stays where it is."""
    tellings = journal.sightings(id, who=ws.who)
    if any(telling.scope != "private" for telling in tellings):
        return []
    reason = "Told in private: it stays out of the wiki's branch."
    return [_told_here(id, tellings[0].seen_at, "waits", reason)]


def _held(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, id: str
) -> list[LedgerEvent]:
    """Say which run that left the branch had consumed a capture.

    No ledger file on the branch may know that.
    """
    lost = find_held(ws, db, journal).get(id)
    if lost is None:
        return []
    from companion.runs import lost_runs

    time = journal.sightings(id)[-1].seen_at
    detail: dict[str, Any] = {"ref": lost.ref}
    return [
        LedgerEvent(
            time,
            lost.run,
            "consolidate",
            "held",
            id,
            None,
            lost_runs.explain_hold(lost),
            detail,
        )
    ]


def _told_here(id: str, time: str, event: str, reason: str) -> LedgerEvent:
    """Return what the journal of this machine knows of a capture, in the shape of a ledger event."""
    return LedgerEvent(time, None, "triage", event, id, None, reason, {})

"""`why`: every recorded decision about an entry, a capture, a run or a branch, with its reason."""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.gravity.measure import describe_gravity
from companion.ledger.explain import describe_resolutions, replace_ids
from companion.lookup.find import Target, find_target
from companion.lookup.index import current_index, stale_warning
from companion.lookup.statements import name_statement
from companion.operations.decay.measure import entry_vitality
from companion.reading.captures import (
    describe_devices,
    find_held,
    read_capture,
)
from companion.reading.entry.other_shards import list_advice
from companion.reading.entry.statements import describe_place
from companion.storage.index.history import (
    LedgerEvent,
    list_events_of_branch,
    list_events_of_capture,
    list_events_of_entry,
    list_events_of_run,
)
from companion.storage.index.tables.pages.entries import find_page, find_title
from companion.storage.journal.journal import Journal
from companion.usage.show import describe_use
from companion.values.captures import Sighting
from companion.values.wording import times_in_words
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import WhyResult

#: events that may be against one statement of a page
_OF_BRANCHES = frozenset({"branched", "promoted", "followed"})
_LISTS = {
    "run": list_events_of_run,
    "entry": list_events_of_entry,
    "branch": list_events_of_branch,
    "capture": list_events_of_capture,
}


def explain_target(ws: Workspace, target: str) -> "WhyResult":
    """Return the recorded decisions about what *target* names, oldest first.

    Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    found = find_target(ws, db, journal, target, runs=True, words=True)
    events = [] if db is None else _list_ledger_events(ws, db, found)
    if found.kind == "capture":
        events = _add_journal_events(ws, db, journal, found.id, events)
    explanation: WhyResult = {
        "target": target,
        "kind": found.kind,
        "id": found.id,
        "title": _read_title(ws, db, journal, found),
        "events": [event._asdict() for event in events],
        "weight": None,
        "usage": None,
        "terms": None,
        "place": None,
    }
    if db is not None and found.kind == "capture":
        explanation["place"] = describe_place(db, found.id)
    if db is not None and found.kind == "entry":
        _explain_entry(ws, db, explanation)
    by = _find_makers(ws, events)
    if by:
        explanation["by"] = by
    warning = stale_warning(ws, db)
    if warning is not None:
        explanation["warning"] = warning
    return explanation


def _explain_entry(
    ws: Workspace, db: sqlite3.Connection, explanation: "WhyResult"
) -> None:
    """Add to *explanation* what a page weighs, how it is used, and what other shards have of it."""
    id = explanation["id"]
    explanation["weight"] = describe_gravity(db, id, ws.now())
    explanation["usage"] = describe_use(db, id)
    explanation["terms"] = entry_vitality(db, id, ws.now())
    page = find_page(db, id)
    advice = list_advice(ws.place, page.path) if page is not None else []
    if advice:
        explanation["elsewhere"] = advice


def _find_makers(
    ws: Workspace, events: Sequence[LedgerEvent]
) -> dict[str, str]:
    """Return who made the runs of *events*, where the wiki is of several people or devices."""
    from companion.runs.commits import find_makers  # brings git

    runs = {event.run for event in events if event.run}
    makers = find_makers(ws.place) if runs else {}
    return {run: makers[run].words for run in sorted(runs & makers.keys())}


def _list_ledger_events(
    ws: Workspace, db: sqlite3.Connection, target: Target
) -> list[LedgerEvent]:
    events = _LISTS[target.kind](db, target.id)
    return [_explain_event(ws, db, event) for event in events]


def _explain_event(
    ws: Workspace, db: sqlite3.Connection, event: LedgerEvent
) -> LedgerEvent:
    """Return *event*; one that weighed claims, asks a question or concerns one statement of a page
    gets a reason in words.
    """
    if event.event == "resolved":
        reason = describe_resolutions(db, event.detail["keys"])
        return event._replace(reason=reason)
    if event.event == "flagged" and event.reason:
        return event._replace(reason=replace_ids(db, event.reason))
    if event.event == "statement":
        lost = name_statement(ws, db, event.subject)
        return event._replace(reason=f"{lost}: {event.reason}")
    if event.event in _OF_BRANCHES and "statement" in event.detail:
        against = name_statement(ws, db, event.detail["statement"])
        return event._replace(reason=f"Against {against}. {event.reason}")
    return event


def _read_title(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    target: Target,
) -> str | None:
    if target.kind == "entry" and db is not None:
        return find_title(db, target.id)
    if target.kind == "capture":
        return read_capture(ws, journal, target.id)[0].title
    return None


# -- what only this machine knows of a capture -----------------------------------------------------


def _add_journal_events(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    capture: str,
    events: Sequence[LedgerEvent],
) -> list[LedgerEvent]:
    """Return the ledger's *events* about *capture* with those that the journal tells."""
    return [
        _describe_capture(ws, journal, capture),
        *_explain_privacy(ws, journal, capture),
        *events,
        *_explain_drop(journal, capture, events),
        *_explain_hold(ws, db, journal, capture),
    ]


def _describe_capture(ws: Workspace, journal: Journal, id: str) -> LedgerEvent:
    capture, tellings = read_capture(ws, journal, id)
    times = times_in_words(max(1, len(tellings)))
    reason = f"Came in through {capture.channel}, told {times}"
    devices = describe_devices(ws, tellings)
    reason += f" on {devices}." if devices else "."
    if any(_has_doubtful_time(telling) for telling in tellings):
        day = tellings[-1].event_time[:10]
        reason += f" The clock was doubtful, so the note counts as of {day}."
    return _journal_event(id, capture.ingested_at, "ingested", reason)


def _has_doubtful_time(telling: Sighting) -> bool:
    """Tell whether nobody gave the time of *telling*, and the clock's was not believed."""
    return not telling.explicit and telling.event_time != telling.seen_at


def _explain_privacy(
    ws: Workspace, journal: Journal, id: str
) -> list[LedgerEvent]:
    """Return why a capture waits that was told in private only; nothing for any other."""
    tellings = journal.sightings(id, who=ws.who)
    if any(telling.scope != "private" for telling in tellings):
        return []
    reason = "Told in private: it stays out of the wiki's branch."
    return [_journal_event(id, tellings[0].seen_at, "waits", reason)]


def _explain_drop(
    journal: Journal, id: str, events: Sequence[LedgerEvent]
) -> list[LedgerEvent]:
    """Return when a capture was taken back of which the ledger does not say so."""
    if not journal.is_withdrawn(id):
        return []
    at = journal.all_sightings(id)[-1].seen_at
    ends = [one for one in events if one.event in ("rejected", "expired")]
    if any(one.detail["seen_at"] >= at for one in ends):
        return []
    reason = "Taken back: nothing shows it, and no night takes it in."
    return [_journal_event(id, at, "dropped", reason)]


def _explain_hold(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal, id: str
) -> list[LedgerEvent]:
    """Return which run that left the branch had consumed a capture; nothing where none had.

    No ledger file on the branch can know that.
    """
    lost = find_held(ws, db, journal).get(id)
    if lost is None:
        return []
    from companion.runs import lost_runs

    held = LedgerEvent(
        time=journal.sightings(id)[-1].seen_at,
        run=lost.run,
        operation="consolidate",
        event="held",
        subject=id,
        entry=None,
        reason=lost_runs.explain_hold(lost),
        detail={"ref": lost.ref},
    )
    return [held]


def _journal_event(id: str, time: str, event: str, reason: str) -> LedgerEvent:
    """Return an event that the journal of this machine tells, in the form of a ledger event."""
    return LedgerEvent(time, None, "triage", event, id, None, reason, {})

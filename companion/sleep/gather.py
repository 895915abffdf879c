"""Gather the state vector of one wiki at this moment."""

from collections.abc import Sequence
from contextlib import closing
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.lookup.index import current_index
from companion.sleep import nights
from companion.sleep.decision import histogram
from companion.sleep.decision.state import Body, Past, Person, State, Waiting
from companion.sleep.machine.wakes import (
    Wakes,
    list_awake_hours,
    measure_drain,
    read_wakes,
)
from companion.sleep.nights import NightRecord
from companion.sleep.past import describe_past, measure_age
from companion.storage.cold import originals
from companion.storage.git.remotes_known import list_remotes
from companion.storage.git.repo import Repo
from companion.storage.index.counts import count_all
from companion.storage.index.schema import read_meta
from companion.storage.index.tables import audits, sources
from companion.storage.index.tables.captures import list_waiting_reasons
from companion.storage.journal import interactions
from companion.storage.journal.interactions import Backlog, Interaction
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace, find_local_offset

_SENDS_NOTES_AWAY = "llm"
#: days over which the notes of a day are counted
_WEEKS = 28


class Situation(NamedTuple):
    """The state vector, and what led to it."""

    state: State
    at: str  # RFC 3339 UTC
    offset: int | None  # of this machine's clock at that time, in minutes
    backlog: Backlog
    wakes: Wakes
    usual: histogram.Histogram


def gather_state(ws: Workspace, body: Body) -> Situation:
    """Return how things stand now, with the readings of *body*. Raises what opening a wiki may."""
    now = ws.now()
    wakes = read_wakes(ws.place)
    records = nights.read_nights(ws)
    with closing(ws.journal()) as journal:
        view = _read_index(ws, journal, wakes, records)
        used = _list_uses(ws, journal, view, now)
    drain = measure_drain(wakes, body, now)
    if drain is not None and body.drain is None:
        body = body._replace(drain=drain)
    usual, person = _describe_person(used, now, view.past, wakes)
    state = State(
        body=body,
        waiting=view.waiting,
        past=view.past,
        person=person,
        asks_far_model=view.asks_far_model,
        shares=any(remote.notes for remote in list_remotes(ws.place)),
    )
    offset = find_local_offset(now)
    return Situation(state, now, offset, view.backlog, wakes, usual)


class _View(NamedTuple):
    """The journal's and the index's part of the state."""

    waiting: Waiting
    past: Past
    backlog: Backlog
    asks_far_model: bool = False
    # captures that CONTEXTUALIZE handed over: they are nobody's use
    handed: frozenset[str] = frozenset()
    arrivals: tuple[str, ...] = ()  # when the unread originals came in


def _read_index(
    ws: Workspace,
    journal: Journal,
    wakes: Wakes,
    records: Sequence[NightRecord],
) -> _View:
    now = ws.now()
    db = current_index(ws, journal)
    if db is None:
        backlog = interactions.count_backlog(journal, (), wakes.seen)
        age = measure_age(backlog.oldest, now) or 0.0
        past = describe_past(None, records, now, backlog.captures)
        return _View(Waiting(backlog.captures, 0, age), past, backlog)
    with closing(db):
        reasons = list_waiting_reasons(db)
        backlog = interactions.count_backlog(journal, reasons, wakes.seen)
        tried = {one.original for one in sources.list_unread(db)}
        done = sources.list_contextualized(db) | tried
        arrivals = _list_arrivals(ws, done)
        since = [backlog.oldest] if backlog.oldest is not None else []
        oldest = min([*arrivals, *since], default=None)
        waiting = Waiting(
            captures=backlog.captures,
            originals=len(arrivals),
            oldest=measure_age(oldest, now) or 0.0,
            to_audit=count_all(db).to_audit,
            to_settle=audits.summarize_audits(db)["to_settle"],
        )
        return _View(
            waiting,
            describe_past(db, records, now, backlog.captures),
            backlog,
            read_meta(db, "reasoner") == _SENDS_NOTES_AWAY,
            frozenset(sources.list_handed_captures(db)),
            tuple(arrivals),
        )


def _list_arrivals(ws: Workspace, done: set[str]) -> list[str]:
    """Return when each original came in that no night has read, or tried to read."""
    repo = Repo(ws.place)
    if originals.find_tree(repo) is None:
        return []
    arrivals = []
    for id in originals.list_ids(repo) - done:
        item = originals.get(repo, id)
        if item.scope != "private":
            arrivals.append(item.received_at)
    return arrivals


def _list_uses(
    ws: Workspace, journal: Journal, view: _View, now: str
) -> list[Interaction]:
    """Return the uses of the last weeks: tellings, reads, and sources that came in."""
    reach = timedelta(days=histogram.REACH)
    first = datetime.fromisoformat(now).replace(tzinfo=None) - reach
    since = first.isoformat(timespec="microseconds") + "Z"
    found = interactions.list_interactions(ws.place, journal, since)
    used = [each for each in found if each.capture not in view.handed]
    used += [Interaction(at, None, None) for at in view.arrivals]
    return used


def _describe_person(
    used: Sequence[Interaction], now: str, past: Past, wakes: Wakes
) -> tuple[histogram.Histogram, Person]:
    local = to_local(now, find_local_offset(now))
    moments = [_local_moment(each) for each in used]
    usual = histogram.make_histogram(moments, local)
    newest = max((each.at for each in used if each.at <= now), default=None)
    awake = histogram.make_histogram(list_awake_hours(wakes), local)
    person = Person(
        quiet=measure_age(newest, now),
        next_session=histogram.next_usual_hour(usual, local),
        window=histogram.find_window(
            usual,
            local,
            past.lasts,
            awake.shares if awake.days >= histogram.LEAST_DAYS else None,
        ),
        notes_a_day=_count_notes_a_day(used, now),
    )
    return usual, person


def _count_notes_a_day(used: Sequence[Interaction], now: str) -> float:
    """Return the tellings of a day over the last four weeks, or over the weeks since the first."""
    reach = _WEEKS * 1440
    ages = []
    for each in used:
        age = measure_age(each.at, now) or 0.0
        if each.capture is not None and age < reach:
            ages.append(age)
    if not ages:
        return 0.0
    return len(ages) / max(1.0, max(ages) / 1440)


def to_local(instant: str, offset: int | None) -> datetime:
    """Return *instant* as a wall time without a zone, *offset* minutes east of UTC."""
    moment = datetime.fromisoformat(instant).replace(tzinfo=None)
    return moment + timedelta(minutes=offset or 0)


def _local_moment(each: Interaction) -> datetime:
    """Return when it was where the person was; for a read, by the zone of this machine."""
    offset = each.utc_offset
    if offset is None:
        offset = find_local_offset(each.at)
    return to_local(each.at, offset)

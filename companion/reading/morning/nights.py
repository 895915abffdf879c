"""The last night's work, by the record of nights and the ledger, and the nights missed."""

import sqlite3
from collections.abc import Sequence
from datetime import date, datetime, timedelta

from companion.annotations import TYPE_CHECKING
from companion.reading.morning.missed import DAYS, find_missed
from companion.reading.morning.sentences import describe_work, name_pages
from companion.sleep.nights import WAITED, NightRecord, read_nights
from companion.storage.index.history import (
    LedgerRun,
    list_pages_of_run,
    list_runs,
)
from companion.storage.index.tables.captures import list_waiting_reasons
from companion.storage.journal.interactions import count_backlog
from companion.storage.journal.journal import Journal
from companion.values.time import days_between, local_day, parse_instant
from companion.workspace import Workspace, find_local_offset

if TYPE_CHECKING:
    from companion.reading.morning.results import (
        LastNight,
        MissedNights,
        NightsSummary,
    )

#: records of nights that are looked at: a week in which one woke every hour and gave a new reason
_RECORDS = 200
_RUNS = 200
# of a night that a person's own word began: it tells of no schedule
_ASKED = "asked"
# runs by hand so near to each other are one night's
_TOGETHER = timedelta(hours=6)
_BY_NIGHT = frozenset(
    [
        "adopt",
        "contextualize",
        "consolidate",
        "gather",
        "decay",
        "audit",
        "settle",
    ]
)


def summarise_nights(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal
) -> "NightsSummary":
    """Return the last night, the nights missed of the last week, and why none comes now."""
    records = read_nights(ws, _RECORDS)
    runs = [] if db is None else list_runs(db, _RUNS)
    now = ws.now()
    waits = ""
    if records and records[-1].outcome == WAITED:
        waits = records[-1].why
    recorded = sum(record.kind != _ASKED for record in records)
    if not recorded and not waits:
        waits = _explain_no_timer(db, journal, now)
    return {
        "recorded": recorded,
        "last": find_last_night(records, runs, db),
        "waits": waits,
        "missed": _list_missed(records, now),
    }


def _explain_no_timer(
    db: sqlite3.Connection | None, journal: Journal, now: str
) -> str:
    """Return that no timer ever woke the companion, where notes have waited for a week; else ""."""
    waiting = {} if db is None else list_waiting_reasons(db)
    backlog = count_backlog(journal, waiting, 0)
    if backlog.oldest is None:
        return ""
    days = int(days_between(backlog.oldest, now))
    if days < DAYS:
        return ""
    return (
        f"No timer wakes it, and the first note has waited for {days} days: "
        "`companion schedule install`."
    )


def find_last_night(
    records: Sequence[NightRecord],
    runs: Sequence[LedgerRun],
    db: sqlite3.Connection | None,
) -> "LastNight | None":
    """Return the last night of *records*, or, where there are none, what the last of *runs* did.

    *runs* are the newest first; *db* knows the pages that they wrote on.
    """
    for record in reversed(records):
        if record.outcome != WAITED:
            return _describe_night(record, runs, db)
    return _describe_runs(runs, db)


def _tell_work(runs: Sequence[LedgerRun], db: sqlite3.Connection | None) -> str:
    """Return what *runs* did, and on which pages: those of most notes first."""
    did = describe_work(run.counts for run in runs)
    titles: list[str] = []
    if db is not None:
        for run in runs:
            pages = list_pages_of_run(db, run.run)
            titles += [page.title for page in pages]
    return f"{did} {name_pages(titles)}".rstrip()


def _describe_night(
    record: NightRecord,
    runs: Sequence[LedgerRun],
    db: sqlite3.Connection | None,
) -> "LastNight":
    during = _list_runs_of(record, runs)
    why = ""
    if record.outcome != "slept":
        why = record.why
    return {
        "outcome": record.outcome,
        "started": parse_instant(record.started),
        "ended": parse_instant(record.ended),
        "why": why,
        "runs": [run.run for run in during],
        "did": _tell_work(during, db),
    }


def _list_runs_of(
    record: NightRecord, runs: Sequence[LedgerRun]
) -> list[LedgerRun]:
    """Return the runs of a night, the oldest first; a step that works in slices made several."""
    names = {step.run for step in record.steps if step.run}
    last = {run.operation: run.time for run in runs if run.run in names}
    started = parse_instant(record.started)
    return [
        run
        for run in reversed(runs)
        if started <= run.time <= last.get(run.operation, "")
    ]


def _describe_runs(
    runs: Sequence[LedgerRun], db: sqlite3.Connection | None
) -> "LastNight | None":
    nightly = [run for run in runs if run.operation in _BY_NIGHT]
    if not nightly:
        return None
    last = datetime.fromisoformat(nightly[0].time)
    together = [
        run
        for run in nightly
        if last - datetime.fromisoformat(run.time) <= _TOGETHER
    ]
    return {
        "outcome": "by hand",
        "started": together[-1].time,
        "ended": together[0].time,
        "why": "",
        "runs": [run.run for run in reversed(together)],
        "did": _tell_work(list(reversed(together)), db),
    }


def _list_missed(
    records: Sequence[NightRecord], now: str
) -> "list[MissedNights]":
    if all(record.kind == _ASKED for record in records):
        return []
    today = date.fromisoformat(local_day(now, find_local_offset(now)))
    missed: list[MissedNights] = []
    for each in find_missed(records, today):
        missed.append(
            {
                "first": each.first.isoformat(),
                "last": each.last.isoformat(),
                "why": each.why,
            }
        )
    return missed

"""Choose the entries that an audit suspends (MaM §5.8, AUD-7)."""

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.lookup.find import NothingFound, find_target
from companion.operations.audit.verdict import EVERY
from companion.runs.run import Run
from companion.storage.index.tables import routing
from companion.storage.index.tables.audits import AuditRecord
from companion.storage.index.tables.decay import list_lost_incumbents
from companion.storage.index.tables.gravity import list_heaviest
from companion.storage.index.tables.pages.entries import find_page
from companion.values.time import days_between, format_instant

_LOST = "it lost to a minority branch, and an audit is to confirm that"


class Chosen(NamedTuple):
    """An entry that is to be audited, and why."""

    entry: str
    title: str
    path: str
    why: str


class Skipped(NamedTuple):
    """An entry that was audited too lately to be audited again."""

    entry: str
    title: str
    path: str
    last: str  # when it was audited
    next: str  # when it may be audited again


def resolve_target(run: Run, target: str) -> str:
    """Return the id of the entry that *target* names. Raises NothingFound or Ambiguous."""
    kind, id = find_target(run.ws, run.db, run.journal, target)
    if kind != "entry":
        raise NothingFound(
            f"{target!r} is not an entry", hint="Only entries are audited."
        )
    return id


def choose_entries(
    db: sqlite3.Connection,
    top: int,
    named: Sequence[str],
    known: Mapping[str, AuditRecord],
    now: str,
) -> tuple[list[Chosen], list[Skipped]]:
    """Return the entries that are audited now, and those that were audited too lately (AUD-7).

    Only the entries *named*, where there are any. Else those that are queued, those that lost to a
    branch (AUD-10: what merely faded is DECAY's), and the *top* ones by gravity. *known* has the
    last audit of each entry.
    """
    if named:
        return [
            _make_chosen(db, entry, "asked for by name")
            for entry in dict.fromkeys(named)
        ], []
    chosen = []
    skipped = []
    for entry, (why, queued) in _candidates(db, top).items():
        each = _make_chosen(db, entry, why)
        if not each.path:
            continue  # archived while it was in the queue
        last = known.get(entry)
        if (
            last is None
            or queued > last.since
            or days_between(last.since, now) >= EVERY
        ):
            chosen.append(each)
        else:
            next_audit = _add_days(last.since, EVERY)
            skipped.append(
                Skipped(
                    each.entry, each.title, each.path, last.since, next_audit
                )
            )
    return chosen, skipped


def _candidates(db: sqlite3.Connection, top: int) -> dict[str, tuple[str, str]]:
    """Return, by entry, why it should be audited, and when it was queued for that, or ""."""
    candidates = {}
    for item in routing.list_queued(db):
        candidates[item.entry] = (
            f"row {item.row} of the matrix queued it",
            item.since,
        )
    for entry in list_lost_incumbents(db):
        candidates.setdefault(entry, (_LOST, ""))
    for place, entry in enumerate(list_heaviest(db, top), 1):
        candidates.setdefault(entry, (f"number {place} by gravity", ""))
    return candidates


def _make_chosen(db: sqlite3.Connection, entry: str, why: str) -> Chosen:
    page = find_page(db, entry)
    if page is None:
        return Chosen(entry, "", "", why)
    return Chosen(entry, page.title, page.path, why)


def _add_days(since: str, days: int) -> str:
    return format_instant(datetime.fromisoformat(since) + timedelta(days=days))

"""Find what audits made decaying, and what of it is due to be archived (AUD-5, AUD-8, AUD-9)."""

import sqlite3
from collections.abc import Mapping

from companion.operations.audit.consequence import GRACE
from companion.storage.index.tables import audits, routing
from companion.storage.index.tables.audits import AuditRecord
from companion.storage.index.tables.decay import list_decay_starts
from companion.values.time import days_between


def list_decaying_by_settle(db: sqlite3.Connection) -> dict[str, str]:
    """Return the entries that a settle made decaying, each with the time of that."""
    decaying = list_decay_starts(db)
    return {
        entry: how.since
        for entry, how in decaying.items()
        if how.operation == "settle"
    }


def list_reduced_while_decaying(db: sqlite3.Connection) -> dict[str, str]:
    """Return the entries that a settle reduced while they decayed, each with the first time that
    it did: a later reduction begins no new grace.
    """
    reductions = routing.list_reductions(db)
    found = {}
    for entry, how in list_decay_starts(db).items():
        later = [time for time in reductions.get(entry, ()) if time > how.since]
        if later:
            found[entry] = later[0]
    return found


def list_archivable(
    db: sqlite3.Connection, since: Mapping[str, str], now: str
) -> list[AuditRecord]:
    """Return the audits by which entries are archived now.

    The entries must have been decaying *since* at least a week, and their last result must still
    say so, be it on record only since: what happens does not depend on how often audits run
    (AUD-9).
    """
    newest = audits.list_newest_results(db)
    found = []
    for entry, instant in since.items():
        record = newest.get(entry)
        if record is None or record.outcome != "archived":
            continue
        if days_between(instant, now) >= GRACE:
            found.append(record)
    return found


def is_condemned(db: sqlite3.Connection, entry: str) -> bool:
    """Tell whether an audit that was not taken back found answers better without *entry*."""
    return any(
        record.outcome == "archived" and not record.undone
        for record in audits.list_audits(db, entry)
    )

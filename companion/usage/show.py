"""What is on record of the use of entries, and the utility that follows from it (MaM §5.3)."""

import sqlite3
from typing import TYPE_CHECKING

from companion.storage.index.tables import use as usage
from companion.storage.index.tables.use import count_use
from companion.storage.journal import reads
from companion.storage.journal.journal import Journal
from companion.usage.utility import (
    Utility,
    describe_utility,
    posterior,
    posterior_means,
)
from companion.values.ageing import growth
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.usage.results import (
        UseResult,
        UseSummary,
    )
    from companion.usage.utility import Array


def utility_by_entry(db: sqlite3.Connection) -> dict[str, Utility]:
    """Return the utility of every entry that was ever read, as far as the ledger has it; the rest
    is `UNKNOWN`.
    """
    grown = _grown(db)
    return {
        each.entry: posterior(each.gain / grown, each.loss / grown)
        for each in usage.list_use_records(db)
    }


def use_columns(
    db: sqlite3.Connection,
) -> tuple[tuple[str, ...], "Array", "Array"]:
    """Return the entries that were ever read, how often each was, and the mean of its utility."""
    import numpy as np

    rows = usage.list_gains(db)
    entries, counts, gains, losses = (
        zip(*rows, strict=True) if rows else ((), (), (), ())
    )
    grown = _grown(db)
    means = posterior_means(
        np.array(gains, float) / grown, np.array(losses, float) / grown
    )
    return entries, np.array(counts, float), means


def describe_use(db: sqlite3.Connection, entry: str) -> "UseResult":
    """Return the use of one entry as reads show it, with the reason of its utility in words."""
    grown = _grown(db)
    found = next(
        usage.list_use_records(db, entry),
        usage.UseRecord(entry, 0, None, 0, 0, 0.0, 0.0, 0.0, 0.0),
    )
    known = posterior(found.gain / grown, found.loss / grown)
    return {
        "accesses": found.accesses,
        "last": found.last,
        "utility": round(known.mean, 4),
        "deviation": round(known.deviation, 4),
        "evidence": round(known.evidence, 4),
        "reason": describe_utility(
            found.shown, found.opened, found.good, found.bad, known
        ),
    }


def summarise_use(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal
) -> "UseSummary":
    """Return how many reads wait for a run, and of how many entries and queries there is a
    record.
    """
    entries, queries = (0, 0) if db is None else count_use(db)
    waiting = reads.count_waiting(
        ws.place, journal, set() if db is None else usage.list_use_marks(db)
    )
    return {"waiting": waiting, "entries": entries, "queries": queries}


def _grown(db: sqlite3.Connection) -> float:
    """Return what the newest evidence counts: to it all other evidence has aged, and time away ages
    nothing.
    """
    newest = usage.find_newest_use(db)
    return 1.0 if newest is None else growth(newest)

"""Read the recorded use of entries, and compute the utility that follows from it (MaM §5.3)."""

import sqlite3

from companion.annotations import TYPE_CHECKING
from companion.storage.index.tables.use import (
    UseRecord,
    count_use,
    list_gains,
    list_use_marks,
    list_use_records,
)
from companion.storage.journal import reads
from companion.storage.journal.journal import Journal
from companion.usage.utility import (
    Utility,
    describe_utility,
    posterior,
    posterior_means,
)
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.usage.results import (
        UseResult,
        UseSummary,
    )
    from companion.usage.utility import Array


def utility_by_entry(db: sqlite3.Connection) -> dict[str, Utility]:
    """Return the utility of every entry that the ledger says was read; any other has `UNKNOWN`."""
    return {
        use.entry: posterior(use.gain, use.loss) for use in list_use_records(db)
    }


def use_columns(
    db: sqlite3.Connection,
) -> tuple[tuple[str, ...], "Array", "Array"]:
    """Return the entries that were ever read, how often each was, and the mean of its utility."""
    import numpy

    rows = list_gains(db)
    if not rows:
        return (), numpy.zeros(0), numpy.zeros(0)
    entries, counts, gains, losses = zip(*rows, strict=True)
    means = posterior_means(
        numpy.array(gains, float), numpy.array(losses, float)
    )
    return entries, numpy.array(counts, float), means


def describe_use(db: sqlite3.Connection, entry: str) -> "UseResult":
    """Return the use of one entry as reads show it, with the reason of its utility in words."""
    unread = UseRecord(entry, 0, None, 0, 0, 0.0, 0.0, 0.0, 0.0)
    use = next(list_use_records(db, entry), unread)
    utility = posterior(use.gain, use.loss)
    return {
        "accesses": use.accesses,
        "last": use.last,
        "utility": round(utility.mean, 4),
        "deviation": round(utility.deviation, 4),
        "evidence": round(utility.evidence, 4),
        "reason": describe_utility(
            use.shown, use.opened, use.good, use.bad, utility
        ),
    }


def summarise_use(
    ws: Workspace, db: sqlite3.Connection | None, journal: Journal
) -> "UseSummary":
    """Return how many reads wait for a run, and how many entries and queries have a record."""
    if db is None:
        waiting = reads.count_waiting(ws.place, journal, set())
        return {"waiting": waiting, "entries": 0, "queries": 0}
    entries, queries = count_use(db)
    waiting = reads.count_waiting(ws.place, journal, list_use_marks(db))
    return {"waiting": waiting, "entries": entries, "queries": queries}

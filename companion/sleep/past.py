"""Figures of earlier nights for the next one: when each kind of work was done, and its length."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta

from companion.sleep import nights
from companion.sleep.decision.rhythm import CONSOLIDATE, DECAY, DEEP, NIGHT
from companion.sleep.decision.state import Past
from companion.sleep.nights import NightRecord
from companion.storage.index.history import find_last_run_of

# a slice tells nothing: it may have left most of the work
_WHOLE = frozenset((NIGHT, DEEP))
#: nights that tell how long the next one takes
_NIGHTS = 7
#: minutes that a night is taken for before there was one
_FIRST_NIGHT = 10.0
#: minutes of a night for each hundred notes that wait
_PER_HUNDRED = 0.5
#: by how much clocks of two machines may differ
_TOLERANCE = timedelta(hours=1)
_DONE = frozenset(("done", "nothing"))


def describe_past(
    db: sqlite3.Connection | None,
    records: Sequence[NightRecord],
    now: str,
    waiting: int,
) -> Past:
    """Return what the runs of the wiki and the *records* of nights tell, with *waiting* notes.

    A time after *now* is that of a wrong clock: it must not keep nights away until then.
    """
    present = datetime.fromisoformat(now) + _TOLERANCE
    passed = [
        record
        for record in records
        if datetime.fromisoformat(record.ended) <= present
    ]
    past = Past(
        lasts=_expect_minutes(passed, waiting),
        failures=_count_failures(passed),
        failed=measure_age(_find_failure(passed), now),
    )
    if db is None:
        return past
    return past._replace(
        night=measure_age(_find_last(db, passed, CONSOLIDATE, now), now),
        decay=measure_age(_find_last(db, passed, DECAY, now), now),
        audit=measure_age(_find_last_audit(db), now),
    )


def measure_age(since: str | None, now: str) -> float | None:
    """Return the minutes from *since* to *now*, at least 0; None where *since* is unknown."""
    if since is None:
        return None
    before = datetime.fromisoformat(since)
    seconds = (datetime.fromisoformat(now) - before).total_seconds()
    return max(0.0, seconds / 60)


def _find_last(
    db: sqlite3.Connection,
    records: Sequence[NightRecord],
    step: str,
    now: str,
) -> str | None:
    """Return when *step* was last done, by a night of this machine or as a run in the wiki.

    A time after *now* is that of a wrong clock: it must not keep nights away until then.
    """
    times = []
    run = find_last_run_of(db, step)
    if run is not None:
        times.append(run.time)
    for record in reversed(records):
        if any(s.name == step and s.outcome in _DONE for s in record.steps):
            times.append(record.ended)
            break
    present = datetime.fromisoformat(now) + _TOLERANCE
    passed = [at for at in times if datetime.fromisoformat(at) <= present]
    return max(passed, key=datetime.fromisoformat, default=None)


def _find_last_audit(db: sqlite3.Connection) -> str | None:
    """Return when anything was audited last; before the first audit, when the wiki was made."""
    for operation in ("audit", "init"):
        run = find_last_run_of(db, operation)
        if run is not None:
            return run.time
    return None


def _count_failures(records: Sequence[NightRecord]) -> int:
    """Return how many of the last nights in a row failed."""
    count = 0
    for record in reversed(records):
        if record.outcome == nights.FAILED:
            count += 1
        elif record.outcome != nights.WAITED:
            break
    return count


def _find_failure(records: Sequence[NightRecord]) -> str | None:
    for record in reversed(records):
        if record.outcome == nights.FAILED:
            return record.ended
    return None


def _expect_minutes(records: Sequence[NightRecord], waiting: int) -> float:
    """Return how long the next night may take: a quarter more than the longest of the last."""
    lasted = []
    for record in records:
        if record.outcome == nights.SLEPT and record.depth in _WHOLE:
            lasted.append(sum(step.seconds for step in record.steps) / 60)
    by_notes = waiting / 100 * _PER_HUNDRED
    if not lasted:
        return max(_FIRST_NIGHT, by_notes)
    return max(1.25 * max(lasted[-_NIGHTS:]), by_notes, 1.0)

"""How passages came to be told: when, and by whom. On the hot path of a search."""

import sqlite3
from collections.abc import Iterable

from companion.tuples import NamedTuple


class Telling(NamedTuple):
    """How a passage came to be told; times are RFC 3339 UTC."""

    doc: int
    asks: bool  # it ends with a question
    capture: str
    told_at: str
    seen_at: str
    speaker: str | None


# minutes between two tellings of one session at most (ADR 308)
APART = 60


def name_sessions(times: Iterable[str]) -> dict[str, str]:
    """Return when the session of each of *times* began: what was told soon after another telling of
    the day goes on with it.
    """
    sessions = {}
    began = last = ""
    for time in sorted(set(times)):
        if not _is_soon(last, time):
            began = time
        sessions[time] = began
        last = time
    return sessions


def _is_soon(one: str, other: str) -> bool:
    """Tell whether *other* is of the day of *one*, and not long after it."""
    if one[:10] != other[:10]:
        return False
    return _count_minutes(other) - _count_minutes(one) <= APART


def _count_minutes(time: str) -> int:
    """Return the minutes of the day before *time*."""
    return 60 * int(time[11:13]) + int(time[14:16])


def list_tellings(db: sqlite3.Connection, docs: Iterable[int]) -> list[Telling]:
    """Return how each of *docs* was told; those without a telling on record are left out."""
    named = ",".join(map(str, docs))
    if not named:
        return []
    query = f"""
        SELECT q.doc, q.asks, c.capture, c.told_at, c.seen_at, c.speaker
        FROM passages q
        -- without +, the affinity of the column keeps the index out: all that was ever told is read
        CROSS JOIN consumed c ON substr(c.capture, 1, 12) = +q.statement
        WHERE q.doc IN ({named}) AND q.statement <> ''
          AND c.told_at IS NOT NULL
        UNION ALL
        SELECT q.doc, q.asks, c.capture, max(c.told_at), c.seen_at, c.speaker
        FROM passages q
        JOIN pages p ON p.doc = q.page_doc
        JOIN entries e ON e.path = p.path AND NOT e.tombstone
        JOIN consumed c ON c.entry = e.id
        WHERE q.doc IN ({named}) AND q.statement = ''
          AND c.told_at IS NOT NULL
          AND NOT EXISTS (
            SELECT 1
            FROM passages x
            WHERE x.statement = substr(c.capture, 1, 12) AND x.statement <> ''
          )
        GROUP BY q.doc
        """
    return [Telling(*row) for row in db.execute(query)]

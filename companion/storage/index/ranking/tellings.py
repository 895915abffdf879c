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

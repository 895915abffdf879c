"""Passages that have words of a query, and what a match in each counts. On the hot path."""

import sqlite3
from collections.abc import Iterable, Sequence

from companion.storage.index.ranking.bm25 import TITLE_WEIGHT
from companion.storage.index.ranking.query import Allowed, Phrase
from companion.tuples import NamedTuple

# what a match in a decaying page, or in a note that lost, counts, against the same in one that is
# alive
FADED = 0.5
# what a match counts, in SQL
_ALIVE = f"""
    CASE e.state WHEN 'decaying' THEN {FADED} ELSE 1.0 END
    * CASE q.earlier WHEN 1 THEN {FADED} ELSE 1.0 END
    """


class Match(NamedTuple):
    """A passage, and what it is worth for a query."""

    doc: int
    path: str
    statement: str
    score: float  # by its words
    near: float = 0.0  # what its meaning adds
    alive: float = 1.0  # FADED where its page decays or it lost
    by_model: float = 0.0  # what its meaning adds by the vectors of a model

    @property
    def worth(self) -> float:
        """What its words and its meaning come to."""
        return self.score + self.near + self.by_model


def write_any(phrases: Sequence[Phrase], *, prefix: bool = False) -> str:
    """Return *phrases* as FTS5 is asked for any of them, with *prefix* by how each begins."""
    star = "*" if prefix else ""
    return " OR ".join(f'"{" ".join(phrase)}"{star}' for phrase in phrases)


def find_saying_all(
    db: sqlite3.Connection,
    telling: Iterable[Sequence[Phrase]],
    docs: Sequence[int],
) -> list[int]:
    """Return which of *docs* have every one of the *telling* words, in one of its stems."""
    every = " AND ".join(f"({write_any(stems)})" for stems in telling)
    named = ",".join(map(str, docs))
    query = (
        f"SELECT rowid FROM stems WHERE stems MATCH ? AND rowid IN ({named})"
    )
    return [doc for (doc,) in db.execute(query, (every,))]


def match_words(
    db: sqlite3.Connection,
    expression: str,
    limit: int,
    state: str | None,
    only: Allowed | None,
) -> list[Match]:
    """Return the passages that match, at most *limit*, and only what may be found; of archived
    pages only where they are asked for.
    """
    if not expression:
        return []
    # What fades makes room: beyond the limit there may be others that are alive.
    rows = db.execute(
        f"""
        SELECT r.rowid, p.path, q.statement, -r.score * {_ALIVE} AS worth,
          0.0, {_ALIVE}
        FROM (
          SELECT rowid, bm25(stems, {TITLE_WEIGHT}, 1.0) AS score
          FROM stems
          WHERE stems MATCH ?1
          ORDER BY score
          LIMIT ?3
        ) r
        JOIN passages q ON q.doc = r.rowid
        JOIN pages p ON p.doc = q.page_doc
        LEFT JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE {_write_state(state)}
        ORDER BY worth DESC
        LIMIT ?2
        """,
        (
            expression,
            -1 if only else limit,
            -1 if state or only else 2 * limit,
        ),
    )
    found = [Match(*row) for row in rows.fetchall()]
    if only is None:
        return found
    return [one for one in found if one.doc in only.docs][:limit]


def find_places(
    db: sqlite3.Connection, docs: Sequence[int], state: str | None
) -> list[Match]:
    """Return where passages stand; archived ones only where they are asked for."""
    named = ",".join(map(str, docs))
    query = f"""
        SELECT q.doc, p.path, q.statement, 0.0, 0.0,
          {_ALIVE}
        FROM passages q
        JOIN pages p ON p.doc = q.page_doc
        LEFT JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE q.doc IN ({named}) AND {_write_state(state)}
        """
    return [Match(*row) for row in db.execute(query)]


def _write_state(state: str | None) -> str:
    archived = "e.state IS 'archived'"
    return archived if state == "archived" else f"NOT ({archived})"

"""The person's pages, links, questions and own words around a topic, as the index shows them.

What is asked for one topic costs as much as its neighbourhood; what is asked once a run says so.
"""

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import NamedTuple

# what says of people what they work as
_ROLE_PREDICATES = (
    "role",
    "job",
    "job title",
    "work as",
    "profession",
    "occupation",
    "position",
)


class PageAbout(NamedTuple):
    """A page that has words of a topic."""

    entry: str
    title: str
    path: str
    blob: str
    kind: (
        str  # what it gathers: a day, a subject, a source; empty: its own title
    )
    managed: bool
    gravity: float  # as the last pass has it
    since: str  # when it became an entry
    touched: str  # when its words changed last
    reads: int


class RecentQuestion(NamedTuple):
    """A recorded question."""

    words: str
    at: str  # the last time
    times: int


def list_pages_about(
    db: sqlite3.Connection, words: Sequence[str], most: int
) -> list[PageAbout]:
    """Return at most *most* pages that have any of *words*, as the full-text index spells them, the
    best matches first.

    Archived, quarantined and excluded pages are left out.
    """
    if not words:
        return []
    expression = " OR ".join(f'"{word}"' for word in words)
    rows = db.execute(
        """
        SELECT e.id, e.title, e.path, e.blob, coalesce(s.kind, ''), e.managed,
          coalesce(g.base, 0), coalesce(e.since, ''),
          coalesce(k.touched, e.since, ''), coalesce(a.count, 0)
        FROM (
          SELECT rowid AS doc, bm25(fts) AS score
          FROM fts
          WHERE fts MATCH ?
          ORDER BY score
          LIMIT ?
        ) r
        JOIN pages p ON p.doc = r.doc
        JOIN entries e ON e.path = p.path
        LEFT JOIN subjects s ON s.entry = e.id
        LEFT JOIN gravity g ON g.entry = e.id
        LEFT JOIN known k ON k.id = e.id
        LEFT JOIN accesses a ON a.entry = e.id
        WHERE NOT e.tombstone
          AND NOT e.quarantined
          AND NOT p.excluded
          AND e.state <> 'archived'
        ORDER BY r.score, e.id
        """,
        (expression, most),
    )
    found = (PageAbout(*row) for row in rows)
    return [page._replace(managed=bool(page.managed)) for page in found]


def count_links_among(db: sqlite3.Connection, entries: Collection[str]) -> int:
    """Return how many edges lead from one of *entries* to another of them."""
    query = """
        SELECT count(*)
        FROM json_each(?1) b
        CROSS JOIN edges x ON x.source = b.value
        WHERE x.type <> 'contradicts'
          AND x.source <> x.target
          AND x.target IN (SELECT value FROM json_each(?1))
        """
    row = db.execute(query, (json.dumps(sorted(entries)),)).fetchone()
    return int(row[0])


def list_recent_questions(
    db: sqlite3.Connection, since: str, most: int
) -> list[RecentQuestion]:
    """Return the *most* questions asked last, none before *since*; reads all, so once a run."""
    rows = db.execute(
        """
        SELECT words, at, count
        FROM queries
        WHERE at >= ?
        ORDER BY at DESC, id
        LIMIT ?
        """,
        (since, most),
    )
    return [RecentQuestion(*row) for row in rows]


def list_recent_notes(
    db: sqlite3.Connection, since: str, most: int
) -> list[str]:
    """Return the *most* captures taken in last that no source handed over, none before *since*."""
    rows = db.execute(
        """
        SELECT c.capture
        FROM consumed c
        JOIN runs r ON r.run = c.run AND r.time >= ?
        WHERE c.outcome = 'consolidated'
          AND NOT EXISTS (SELECT 1 FROM handed h WHERE h.capture = c.capture)
        ORDER BY r.time DESC, c.capture
        LIMIT ?
        """,
        (since, most),
    )
    return [capture for (capture,) in rows]


def count_notes(db: sqlite3.Connection) -> int:
    """Return how many notes the wiki has beside those made of sources; reads all, so once a run.

    A page that companion does not write counts as one.
    """
    query = """
        SELECT
          (
            SELECT count(*)
            FROM consumed c
            WHERE c.outcome = 'consolidated'
              AND NOT EXISTS (
                SELECT 1
                FROM subjects s
                WHERE s.entry = c.entry AND s.kind = 'source'
              )
          ) + (
            SELECT count(*)
            FROM entries
            WHERE NOT managed AND NOT tombstone AND NOT quarantined
          )
        """
    return int(db.execute(query).fetchone()[0])


def find_role(db: sqlite3.Connection) -> str:
    """Return what the owner told last that they work as; empty where they told nothing."""
    marks = ",".join("?" * len(_ROLE_PREDICATES))
    row = db.execute(
        f"""
        SELECT object, negated
        FROM claims
        WHERE subject_key = 'me'
          AND predicate_key IN ({marks})
          AND agent = ''
          AND mood = 'confirmed'
          AND withdrawn_at IS NULL
          AND valid_to IS NULL
        ORDER BY valid_from DESC, told_at DESC, id
        LIMIT 1
        """,
        _ROLE_PREDICATES,
    ).fetchone()
    if row is None or row[1]:
        return ""
    return str(row[0])

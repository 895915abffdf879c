"""Words of pages in the index: the pages and entries whose text or title a phrase matches."""

import sqlite3
from typing import NamedTuple

from companion.storage.index.tables.pages.entries import HOLDS


def list_pages_matching(
    db: sqlite3.Connection, phrase: str
) -> list[tuple[str, str]]:
    """Return (entry, blob) of the pages, archived and quarantined ones not, whose text has *phrase*
    (full-text syntax), by id.
    """
    return db.execute(
        """
        SELECT e.id, e.blob
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
        WHERE fts MATCH ?
          AND e.state <> 'archived'
          AND NOT e.tombstone
          AND NOT e.quarantined
        ORDER BY e.id
        """,
        (phrase,),
    ).fetchall()


def list_entries_matching(
    db: sqlite3.Connection, phrase: str, most: int
) -> list[str]:
    """Return at most *most* entries that a capture may join whose text has *phrase* (full-text
    syntax).
    """
    query = f"""
        SELECT e.id
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
        WHERE fts MATCH ?
          AND NOT e.tombstone AND NOT e.quarantined AND {HOLDS}
          AND NOT EXISTS (
            SELECT 1
            FROM subjects s
            WHERE s.entry = e.id AND s.kind IN ('day', 'chat', 'source')
          )
        LIMIT ?
        """
    rows = db.execute(query, (phrase, most)).fetchall()
    return sorted(entry for (entry,) in rows)


def list_subjects_matching(
    db: sqlite3.Connection, phrase: str, most: int
) -> list[str]:
    """Return at most *most* active pages of subjects whose text has *phrase* (full-text syntax),
    those begun last first, as their folders say.
    """
    query = """
        SELECT e.id
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
        JOIN subjects s ON s.entry = e.id
        WHERE fts MATCH ?
          AND s.kind = 'subject'
          AND e.state = 'active'
          AND e.managed
          AND NOT e.tombstone
          AND NOT e.quarantined
        ORDER BY e.path DESC
        LIMIT ?
        """
    return [entry for (entry,) in db.execute(query, (phrase, most))]


def list_depended_on_matching(
    db: sqlite3.Connection, phrase: str, most: int
) -> list[str]:
    """Return at most *most* active entries that others depend on and that match *phrase* (full-text
    syntax), by id.
    """
    query = """
        SELECT e.id
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
        WHERE fts MATCH ?
          AND e.state = 'active'
          AND NOT e.tombstone
          AND NOT e.quarantined
          AND EXISTS (SELECT 1 FROM edges d WHERE d.target = e.id)
        ORDER BY e.id
        LIMIT ?
        """
    rows = db.execute(query, (phrase, most)).fetchall()
    return [entry for (entry,) in rows]


def count_having(db: sqlite3.Connection, word: str) -> int:
    """Return how many pages have *word*, as the full-text index spells it."""
    row = db.execute("SELECT doc FROM terms WHERE term = ?", (word,)).fetchone()
    if row is None:
        return 0
    return int(row[0])


def count_days_having(db: sqlite3.Connection, phrase: str) -> int:
    """Return how many pages of days have *phrase* (full-text syntax).

    Left to itself, SQLite goes through all days first.
    """
    query = """
        SELECT count(*)
        FROM fts
        CROSS JOIN pages p ON p.doc = fts.rowid
        CROSS JOIN entries e ON e.path = p.path
        CROSS JOIN subjects s ON s.entry = e.id
        WHERE fts MATCH ? AND s.kind = 'day'
        """
    return int(db.execute(query, (phrase,)).fetchone()[0])


class DayPage(NamedTuple):
    """The page of a day that notes stand on."""

    entry: str
    path: str
    blob: str


def list_day_pages(db: sqlite3.Connection) -> dict[int, DayPage]:
    """Return the active pages of days by their places in the full-text index, the newest first."""
    rows = db.execute(
        """
        SELECT p.doc, e.id, e.path, e.blob
        FROM subjects s
        JOIN entries e ON e.id = s.entry
        JOIN pages p ON p.path = e.path
        WHERE s.kind = 'day'
          AND e.state = 'active'
          AND e.managed
          AND NOT e.tombstone
          AND NOT e.quarantined
        ORDER BY s.key DESC, e.id
        """
    )
    return {doc: DayPage(*about) for doc, *about in rows}


def list_docs_matching(db: sqlite3.Connection, phrase: str) -> list[int]:
    """Return the places in the full-text index of all pages that have *phrase* (full-text syntax),
    and nothing else of them.
    """
    query = "SELECT rowid FROM fts WHERE fts MATCH ?"
    return [doc for (doc,) in db.execute(query, (phrase,))]


def list_active_blobs_matching(
    db: sqlite3.Connection, phrase: str, most: int
) -> list[str]:
    """Return the blobs of at most *most* active pages that have *phrase* (full-text syntax)."""
    rows = db.execute(
        """
        SELECT e.blob
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
        WHERE fts MATCH ?
          AND e.state = 'active'
          AND NOT e.tombstone
          AND NOT e.quarantined
        ORDER BY e.id
        LIMIT ?
        """,
        (phrase, most),
    )
    return [blob for (blob,) in rows.fetchall()]


def has_term(db: sqlite3.Connection, word: str) -> bool:
    """Tell whether any page has *word*, as the full-text index spells it."""
    return (
        db.execute("SELECT 1 FROM terms WHERE term = ?", (word,)).fetchone()
        is not None
    )


def list_subject_titles(db: sqlite3.Connection) -> list[str]:
    """Return the titles of the pages that notes may be about, sorted."""
    query = f"""
        SELECT e.title
        FROM entries e
        WHERE NOT e.tombstone AND NOT e.quarantined AND {HOLDS}
          AND NOT EXISTS (
            SELECT 1
            FROM subjects s
            WHERE s.entry = e.id AND s.kind IN ('day', 'chat', 'source')
          )
        ORDER BY e.title, e.id
        """
    return [title for (title,) in db.execute(query)]

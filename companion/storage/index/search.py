"""Finding things: pages by the full-text index, pending captures by scanning the journal's open
tail.

One index, not two: a pending capture is scored by the same BM25 with the index's own statistics (k1
= 1.2, b = 0.75, as FTS5 has them), so that it stands where it will stand as a page. On the hot
path: stdlib only.
"""

import math
import sqlite3
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from companion.storage.index.schema import read_meta
from companion.storage.index.terms import MAX_TERMS, split_words
from companion.storage.journal.queries import OPEN_TO
from companion.values.captures import OWNER, heading

Phrase = tuple[str, ...]
_Row = tuple[str, str | None, bytes, str, str]  # id, title, content, blob, time

TITLE_WEIGHT = 5.0
# a term in more than this share of the pages adds nothing where a rarer one is at hand
COMMON = 0.2
# what a match in a decaying page counts, against the same in one that is alive
FADED = 0.5
TAIL = 500  # pending captures scored at most, the newest first
# characters of a word that SQL compares: LIKE takes no pattern of any length
_LIKE = 200
_K1, _B = 1.2, 0.75


HitState = Literal["pending", "active", "decaying", "archived", "minority"]


class Hit(NamedTuple):
    """One result. *path* is None for a pending capture, whose *id* is the capture's."""

    id: str
    title: str | None
    path: str | None
    state: HitState
    score: float
    blob: str
    content: bytes | None
    time: str | None
    quarantined: bool = False


class Statistics(NamedTuple):
    """The figures of the whole collection that BM25 needs."""

    docs: int
    tokens: int
    frequency: dict[Phrase, int]


def read_statistics(
    db: sqlite3.Connection | None, phrases: Sequence[Phrase]
) -> Statistics:
    """Return the index's statistics for *phrases* (a phrase counts as its rarest word)."""
    if db is None:
        return Statistics(0, 0, dict.fromkeys(phrases, 0))
    docs, tokens = (
        int(read_meta(db, "docs") or 0),
        int(read_meta(db, "tokens") or 0),
    )
    frequency = {
        phrase: min(_documents(db, word) for word in phrase)
        for phrase in phrases
    }
    return Statistics(docs, tokens, frequency)


def find_pages(
    db: sqlite3.Connection,
    phrases: Sequence[Phrase],
    stats: Statistics,
    title_key: str,
    limit: int,
    state: str | None,
) -> list[Hit]:
    """Return the best pages; one whose title or alias is the whole query comes first."""
    exact = _titled(db, title_key, limit)
    found = _match(db, _any(_telling(phrases, stats)), limit + len(exact))
    if not found and not exact:
        found = _match(db, _any(phrases, prefix=True), limit)
    ranked = dict(found)
    top = max(ranked.values(), default=0.0)
    for path in exact:
        ranked[path] = ranked.get(path, 0.0) + top + 1.0
    hits = [_hit(db, path, score) for path, score in ranked.items()]
    shown = (
        hit
        for hit in hits
        if hit.state == state or (state is None and hit.state != "archived")
    )
    return sorted(shown, key=rank)[:limit]


def find_tombstones(
    db: sqlite3.Connection, phrases: Sequence[Phrase], limit: int
) -> list[Hit]:
    """Return archived entries whose title has the query's words: their text has left the index
    (CTX-8).
    """
    hits = []
    for id, title, path, state, blob, since in db.execute(
        "SELECT id, title, path, state, blob, since FROM entries WHERE tombstone"
    ):
        score = sum(_count(split_words(title), phrase) for phrase in phrases)
        if score:
            hits.append(
                Hit(id, title, path, state, float(score), blob, None, since)
            )
    return sorted(hits, key=rank)[:limit]


def find_archived_pages(
    db: sqlite3.Connection, phrases: Sequence[Phrase], limit: int
) -> list[Hit]:
    """Return archived entries whose pages are their owner's, and so are still there."""
    rows = db.execute(
        f"""
        SELECT p.path, -bm25(fts, {TITLE_WEIGHT}, 1.0)
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
          AND NOT e.tombstone
          AND e.state = 'archived'
        WHERE fts MATCH ?
        LIMIT ?
        """,
        (_any(phrases), limit),
    )
    return [
        _hit(db, path, score)
        for path, score in (rows.fetchall() if phrases else ())
    ]


def find_pending(
    journal: sqlite3.Connection,
    phrases: Sequence[Phrase],
    stats: Statistics,
    limit: int,
    who: str = OWNER,
) -> list[Hit]:
    """Return the best pending captures that *who* may know of, scored as if they were pages
    already.
    """
    found = _scored(_tail(journal, phrases, " AND ", who), phrases, stats)
    # What SQL lets through unseen, text beyond ASCII, need not match: only the scores tell that
    # nothing did.
    found = found or _scored(
        _tail(journal, phrases, " OR ", who), phrases, stats
    )
    return sorted(found, key=rank)[:limit]


def _scored(
    rows: Sequence[_Row], phrases: Sequence[Phrase], stats: Statistics
) -> list[Hit]:
    documents = [
        (
            row,
            split_words(row[1] or ""),
            split_words(row[2].decode("utf-8", "replace")),
        )
        for row in rows
    ]
    here = {
        phrase: sum(
            _count(b, phrase) + _count(t, phrase) > 0 for _, t, b in documents
        )
        for phrase in phrases
    }
    docs = stats.docs + len(documents)
    tokens = stats.tokens + sum(
        len(title) + len(body) for _, title, body in documents
    )
    whole = Statistics(
        docs,
        tokens,
        {phrase: stats.frequency[phrase] + here[phrase] for phrase in phrases},
    )
    scored = []
    for (id, title, content, blob, time), titled, body in documents:
        score = score_bm25(titled, body, phrases, whole)
        if score > 0:
            scored.append(
                Hit(id, title, None, "pending", score, blob, content, time)
            )
    return scored


def rank(hit: Hit) -> tuple[float, list[int], str]:
    """Order results: the better first, of equals the one told last, then by id."""
    return -round(hit.score, 6), [-ord(char) for char in hit.time or ""], hit.id


def score_bm25(
    title: Sequence[str],
    body: Sequence[str],
    phrases: Iterable[Phrase],
    stats: Statistics,
) -> float:
    """Return the BM25 score of one document, as FTS5 computes it: 0 or more, unbounded."""
    average = max(1.0, stats.tokens / max(1, stats.docs))
    length = _K1 * (1 - _B + _B * (len(title) + len(body)) / average)
    score = 0.0
    for phrase in phrases:
        count = TITLE_WEIGHT * _count(title, phrase) + _count(body, phrase)
        n = stats.frequency[phrase]
        idf = max(1e-6, math.log((stats.docs - n + 0.5) / (n + 0.5)))
        score += idf * count * (_K1 + 1) / (count + length)
    return score


def _documents(db: sqlite3.Connection, word: str) -> int:
    row = db.execute("SELECT doc FROM terms WHERE term = ?", (word,)).fetchone()
    return 0 if row is None else int(row[0])


def _telling(phrases: Sequence[Phrase], stats: Statistics) -> Sequence[Phrase]:
    """Drop the words that stand on every other page, unless the query has nothing else."""
    rare = [
        phrase
        for phrase in phrases
        if stats.frequency[phrase] <= COMMON * stats.docs
    ]
    return rare if any(stats.frequency[phrase] for phrase in rare) else phrases


def _any(phrases: Sequence[Phrase], *, prefix: bool = False) -> str:
    star = "*" if prefix else ""
    return " OR ".join(f'"{" ".join(phrase)}"{star}' for phrase in phrases)


def _match(
    db: sqlite3.Connection, expression: str, limit: int
) -> list[tuple[str, float]]:
    if not expression:
        return []
    # What fades makes room: beyond the limit there may be others that are alive.
    rows = db.execute(
        f"""
        SELECT p.path,
          -r.score * CASE e.state
            WHEN 'decaying' THEN {FADED}
            ELSE 1 END AS worth
        FROM (
          SELECT rowid, bm25(fts, {TITLE_WEIGHT}, 1.0) AS score
          FROM fts
          WHERE fts MATCH ?1
          ORDER BY score
          LIMIT 2 * ?2
        ) r
        JOIN pages p ON p.doc = r.rowid
        LEFT JOIN entries e ON e.path = p.path AND NOT e.tombstone
        WHERE e.state IS NOT 'archived'
        ORDER BY worth DESC
        LIMIT ?2
        """,
        (expression, limit),
    )
    return rows.fetchall()


def _titled(db: sqlite3.Connection, key: str, limit: int) -> list[str]:
    if not key:
        return []
    rows = db.execute(
        """
        SELECT page
        FROM names
        WHERE key = ?1
        UNION
        SELECT path
        FROM pages
        WHERE base_key = ?1
        ORDER BY 1
        LIMIT ?2
        """,
        (key, limit),
    )
    return [path for (path,) in rows]


def find_entry(db: sqlite3.Connection, id: str, score: float) -> Hit | None:
    """Return an entry as a result of its own, of this score."""
    row = db.execute(
        "SELECT path FROM entries WHERE id = ? AND NOT tombstone", (id,)
    ).fetchone()
    return None if row is None else _hit(db, row[0], score)


def _hit(db: sqlite3.Connection, path: str, score: float) -> Hit:
    row = db.execute(
        """
        SELECT coalesce(e.id, nullif(p.member, ''), p.path), p.title,
          CASE WHEN p.branch IS NULL THEN coalesce(
            e.state, 'active'
          ) ELSE 'minority' END,
          p.blob, coalesce(k.told, e.since), coalesce(e.quarantined, 0)
        FROM pages p
        LEFT JOIN entries e ON e.path = p.path AND e.tombstone = 0
        LEFT JOIN known k ON k.id = e.id
        WHERE p.path = ?
        """,
        (path,),
    ).fetchone()
    return Hit(
        row[0], row[1], path, row[2], score, row[3], None, row[4], bool(row[5])
    )


def _tail(
    journal: sqlite3.Connection, phrases: Sequence[Phrase], joint: str, who: str
) -> list[_Row]:
    """Return the open captures that may match. SQLite's LIKE knows ASCII only, so text beyond it
    always may.
    """
    if not phrases:
        return []
    terms = [
        word[:_LIKE] for phrase in phrases for word in phrase if word.isascii()
    ][:MAX_TERMS]
    named = {f"w{n}": word for n, word in enumerate(terms)}
    test = (
        joint.join(f"text LIKE '%' || :{name} || '%'" for name in named) or "0"
    )
    private = (
        journal.execute(
            "SELECT 1 FROM sightings WHERE scope = 'private' LIMIT 1"
        ).fetchone()
        is not None
    )
    mine = (
        f"AND EXISTS (SELECT 1 FROM sightings s WHERE s.capture = c.id AND {OPEN_TO})"
        if private
        else ""
    )
    rows = journal.execute(
        f"""
        SELECT id, title, content, blob, ingested_at
        FROM (
          SELECT *,
            coalesce(title, '') || ' ' || CAST(content AS TEXT) AS text
          FROM captures c
          WHERE settled = 0 AND content IS NOT NULL {mine}
        )
        WHERE ({test}) OR length(CAST(text AS BLOB)) <> length(text)
        ORDER BY seq DESC
        LIMIT {TAIL}
        """,
        {**named, "who": who},
    ).fetchall()
    return [_open_row(journal, row, who) for row in rows]


def _open_row(journal: sqlite3.Connection, row: _Row, who: str) -> _Row:
    """Return a row of the tail with the title and the time that *who* may know of it."""
    id, title, content, blob, ingested_at = row
    query = f"""
        SELECT min(seen_at), max(event_time)
        FROM sightings s
        WHERE s.capture = :id AND {OPEN_TO}
        """
    first, newest = journal.execute(query, {"id": id, "who": who}).fetchone()
    if first is not None and first != ingested_at:
        # the one that was given is not theirs: `intake.as_told`
        title = heading(content.decode("utf-8", "replace"))
    return id, title, content, blob, newest or ingested_at


def _count(text: Sequence[str], phrase: Phrase) -> int:
    if len(phrase) == 1:
        return text.count(phrase[0])
    size = len(phrase)
    return sum(
        tuple(text[at : at + size]) == phrase
        for at in range(len(text) - size + 1)
    )

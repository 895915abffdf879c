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


class TextLeft(NamedTuple):
    """What is left of one page's words while a statement of it is suspended (AUD-1)."""

    path: str
    title: Sequence[str]
    whole: Sequence[str]  # of the body, as the index has them
    title_left: Sequence[str]
    left: Sequence[str]


def read_statistics(
    db: sqlite3.Connection | None, phrases: Sequence[Phrase]
) -> Statistics:
    """Return the index's statistics for *phrases* (a phrase counts as its rarest word)."""
    if db is None:
        return Statistics(0, 0, dict.fromkeys(phrases, 0))
    docs = int(read_meta(db, "docs") or 0)
    tokens = int(read_meta(db, "tokens") or 0)
    frequency = {}
    for phrase in phrases:
        frequency[phrase] = min(_count_pages(db, word) for word in phrase)
    return Statistics(docs, tokens, frequency)


def find_pages(
    db: sqlite3.Connection,
    phrases: Sequence[Phrase],
    stats: Statistics,
    title_key: str,
    limit: int,
    state: str | None,
    left: TextLeft | None = None,
) -> list[Hit]:
    """Return the best pages; one whose title or alias is the whole query comes first.

    The page of *left* counts with the words that are left of it.
    """
    exact = _list_titled(db, title_key, limit)
    rare = _select_rare(phrases, stats)
    scores = dict(_match(db, _any(rare), limit + len(exact)))
    _lower(scores, left, rare, stats)
    if not scores and not exact:
        scores = dict(_match(db, _any(phrases, prefix=True), limit))
        _lower_prefixed(scores, left, phrases)
    top = max(scores.values(), default=0.0)
    for path in exact:
        scores[path] = scores.get(path, 0.0) + top + 1.0
    hits = []
    for path, score in scores.items():
        hit = _find_hit(db, path, score)
        if hit.state == state or (state is None and hit.state != "archived"):
            hits.append(hit)
    return sorted(hits, key=rank)[:limit]


def _lower(
    scores: dict[str, float],
    left: TextLeft | None,
    phrases: Sequence[Phrase],
    stats: Statistics,
) -> None:
    """Leave the page of *left* the share of its score that its words still have."""
    if left is None or left.path not in scores:
        return
    whole = score_bm25(left.title, left.whole, phrases, stats)
    rest = score_bm25(left.title_left, left.left, phrases, stats)
    if rest <= 0 or whole <= 0:
        del scores[left.path]
    else:
        scores[left.path] *= rest / whole


def _lower_prefixed(
    scores: dict[str, float], left: TextLeft | None, phrases: Sequence[Phrase]
) -> None:
    """Do the same where words are found by how they begin: by the share of matches."""
    if left is None or left.path not in scores:
        return
    beginnings = tuple(phrase[-1] for phrase in phrases)
    whole = _count_beginnings([*left.title, *left.whole], beginnings)
    rest = _count_beginnings([*left.title_left, *left.left], beginnings)
    if not rest:
        del scores[left.path]
    else:
        scores[left.path] *= rest / max(whole, 1)


def _count_beginnings(words: Sequence[str], beginnings: tuple[str, ...]) -> int:
    return sum(word.startswith(beginnings) for word in words)


def find_tombstones(
    db: sqlite3.Connection, phrases: Sequence[Phrase], limit: int
) -> list[Hit]:
    """Return archived entries whose title has the query's words: their text has left the index
    (CTX-8).
    """
    hits = []
    query = """
        SELECT id, title, path, state, blob, since
        FROM entries
        WHERE tombstone
        """
    for id, title, path, state, blob, since in db.execute(query):
        words = split_words(title)
        score = sum(_count(words, phrase) for phrase in phrases)
        if score:
            hits.append(
                Hit(id, title, path, state, float(score), blob, None, since)
            )
    return sorted(hits, key=rank)[:limit]


def find_archived_pages(
    db: sqlite3.Connection, phrases: Sequence[Phrase], limit: int
) -> list[Hit]:
    """Return archived entries whose pages are their owner's, and so are still there."""
    if not phrases:
        return []
    query = f"""
        SELECT p.path, -bm25(fts, {TITLE_WEIGHT}, 1.0)
        FROM fts
        JOIN pages p ON p.doc = fts.rowid
        JOIN entries e ON e.path = p.path
          AND NOT e.tombstone
          AND e.state = 'archived'
        WHERE fts MATCH ?
        LIMIT ?
        """
    rows = db.execute(query, (_any(phrases), limit)).fetchall()
    return [_find_hit(db, path, score) for path, score in rows]


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
    rows = _list_pending(journal, phrases, " AND ", who)
    hits = _score_pending(rows, phrases, stats)
    # SQL lets all text beyond ASCII through: only the scores say whether anything matched
    if not hits:
        rows = _list_pending(journal, phrases, " OR ", who)
        hits = _score_pending(rows, phrases, stats)
    return sorted(hits, key=rank)[:limit]


#: a pending capture, the words of its title and those of its text
_Document = tuple[_Row, list[str], list[str]]


def _score_pending(
    rows: Sequence[_Row], phrases: Sequence[Phrase], stats: Statistics
) -> list[Hit]:
    documents = [_split_row(row) for row in rows]
    whole = _add_documents(stats, documents, phrases)
    hits = []
    for (id, title, content, blob, time), titled, body in documents:
        score = score_bm25(titled, body, phrases, whole)
        if score > 0:
            hits.append(
                Hit(id, title, None, "pending", score, blob, content, time)
            )
    return hits


def _split_row(row: _Row) -> _Document:
    text = row[2].decode("utf-8", "replace")
    return row, split_words(row[1] or ""), split_words(text)


def _add_documents(
    stats: Statistics,
    documents: Sequence[_Document],
    phrases: Sequence[Phrase],
) -> Statistics:
    """Return the statistics of the collection with *documents* added."""
    docs = stats.docs + len(documents)
    tokens = stats.tokens
    frequency = dict(stats.frequency)
    for _, title, body in documents:
        tokens += len(title) + len(body)
        for phrase in phrases:
            if _count(title, phrase) or _count(body, phrase):
                frequency[phrase] += 1
    return Statistics(docs, tokens, frequency)


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


def _count_pages(db: sqlite3.Connection, word: str) -> int:
    row = db.execute("SELECT doc FROM terms WHERE term = ?", (word,)).fetchone()
    return 0 if row is None else int(row[0])


def _select_rare(
    phrases: Sequence[Phrase], stats: Statistics
) -> Sequence[Phrase]:
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


def _list_titled(db: sqlite3.Connection, key: str, limit: int) -> list[str]:
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
    return None if row is None else _find_hit(db, row[0], score)


def _find_hit(db: sqlite3.Connection, path: str, score: float) -> Hit:
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


def _list_pending(
    journal: sqlite3.Connection, phrases: Sequence[Phrase], joint: str, who: str
) -> list[_Row]:
    """Return the open captures that may match. SQLite's LIKE knows ASCII only, so text beyond it
    always may.
    """
    if not phrases:
        return []
    names = _name_words(phrases)
    tests = [f"text LIKE '%' || :{name} || '%'" for name in names]
    rows = journal.execute(
        f"""
        SELECT id, title, content, blob, ingested_at
        FROM (
          SELECT *,
            coalesce(title, '') || ' ' || CAST(content AS TEXT) AS text
          FROM captures c
          WHERE settled = 0 AND content IS NOT NULL {_write_open_to(journal)}
        )
        WHERE ({joint.join(tests) or "0"})
          OR length(CAST(text AS BLOB)) <> length(text)
        ORDER BY seq DESC
        LIMIT {TAIL}
        """,
        {**names, "who": who},
    ).fetchall()
    return [_open_row(journal, row, who) for row in rows]


def _name_words(phrases: Sequence[Phrase]) -> dict[str, str]:
    """Return the words that LIKE can compare, by the names of their parameters."""
    names: dict[str, str] = {}
    for phrase in phrases:
        for word in phrase:
            if word.isascii() and len(names) < MAX_TERMS:
                names[f"w{len(names)}"] = word[:_LIKE]
    return names


def _write_open_to(journal: sqlite3.Connection) -> str:
    """Return the condition that the reader may know of a capture; "" if nothing is private."""
    query = "SELECT 1 FROM sightings WHERE scope = 'private' LIMIT 1"
    if journal.execute(query).fetchone() is None:
        return ""
    return f"""
        AND EXISTS (
          SELECT 1 FROM sightings s WHERE s.capture = c.id AND {OPEN_TO}
        )
        """


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

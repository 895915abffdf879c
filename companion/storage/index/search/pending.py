"""Pending captures: found by scanning the journal's open tail.

One index, not two: a pending capture is scored by the same BM25 with the index's own statistics (k1
= 1.2, b = 0.75, as FTS5 has them), so that it stands where it will stand as a page. On the hot
path.
"""

import sqlite3
from collections.abc import Callable, Sequence

from companion.language.words import snowball
from companion.storage.index.ranking.bm25 import count_phrase, score_bm25
from companion.storage.index.ranking.query import Phrase, Query, Statistics
from companion.storage.index.search.hits import Hit, rank
from companion.storage.index.terms import MAX_TERMS, add_parts, split_words
from companion.storage.journal.queries import LIVE_TO
from companion.tuples import NamedTuple
from companion.values.captures import OWNER, heading


class OpenNote(NamedTuple):
    """A pending capture, as somebody may know of it."""

    id: str
    title: str | None
    content: bytes
    blob: str
    time: str
    speaker: str | None = None  # who told it, folded

    @property
    def text(self) -> str:
        """The title and the words."""
        return f"{self.title or ''} {self.content.decode('utf-8', 'replace')}"


TAIL = 500  # pending captures scored at most, the newest first
# characters of a word that SQL compares: LIKE takes no pattern of any length
_LIKE = 200


def find_pending(
    journal: sqlite3.Connection,
    query: Query,
    stats: Statistics,
    limit: int,
    who: str = OWNER,
    fits: Callable[[OpenNote], bool] | None = None,
) -> list[Hit]:
    """Return the best pending captures that *who* may know of, scored as if they were pages
    already; with *fits* only those that have what a query demands.
    """
    rows = _list_pending(journal, query.phrases, who)
    if fits is not None:
        rows = [row for row in _list_pending(journal, None, who) if fits(row)]
    documents = [_split_row(row, query.languages) for row in rows]
    whole = _add_documents(stats, documents, query.phrases)
    hits = []
    for note, titled, body in documents:
        score = score_bm25(titled, body, query.phrases, whole)
        # SQL lets all text beyond ASCII through: only the score says whether anything matched
        if score > 0 or not query.phrases:
            hits.append(_make_hit(note, score))
    return sorted(hits, key=rank)[:limit]


def _make_hit(note: OpenNote, score: float) -> Hit:
    return Hit(
        note.id,
        note.title,
        None,
        "pending",
        score,
        note.blob,
        note.content,
        note.time,
        parts=(("words", score),) if score else (),
        speaker=note.speaker,
    )


#: a pending capture, the stems of its title and those of its text
_Document = tuple[OpenNote, list[str], list[str]]


def _split_row(row: OpenNote, languages: Sequence[str]) -> _Document:
    text = add_parts(row.content.decode("utf-8", "replace"))
    language, body = snowball.stem_text(split_words(text), languages)
    title = snowball.stem_words(split_words(row.title or ""), language)
    return row, title, body


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
            if count_phrase(title, phrase) or count_phrase(body, phrase):
                frequency[phrase] += 1
    return Statistics(docs, tokens, frequency)


def list_open(journal: sqlite3.Connection, who: str = OWNER) -> list[OpenNote]:
    """Return the newest pending captures that *who* may know of."""
    return _list_pending(journal, None, who)


def _list_pending(
    journal: sqlite3.Connection, phrases: Sequence[Phrase] | None, who: str
) -> list[OpenNote]:
    """Return the open captures that may match; all where *phrases* are None. SQLite's LIKE knows
    ASCII only, so text beyond it always may.
    """
    if phrases is not None and not phrases:
        return []
    names = _name_words(phrases or ())
    tests = [f"text LIKE '%' || :{name} || '%'" for name in names]
    if phrases is None:
        tests = ["1"]
    rows = journal.execute(
        f"""
        SELECT id, title, content, blob, ingested_at
        FROM (
          SELECT *,
            coalesce(title, '') || ' ' || CAST(content AS TEXT) AS text
          FROM captures c
          WHERE settled = 0 AND content IS NOT NULL {_write_open_to(journal)}
        )
        WHERE ({" OR ".join(tests) or "0"})
          OR length(CAST(text AS BLOB)) <> length(text)
        ORDER BY seq DESC
        LIMIT {TAIL}
        """,
        {**names, "who": who},
    ).fetchall()
    return [_open_row(journal, OpenNote(*row), who) for row in rows]


def _name_words(phrases: Sequence[Phrase]) -> dict[str, str]:
    """Return the beginnings of words that LIKE can compare, by the names of their parameters.

    A stem may end otherwise than the words that it is of: "citi" is of "city", too.
    """
    names: dict[str, str] = {}
    for phrase in phrases:
        for word in phrase:
            if word.isascii() and len(names) < MAX_TERMS:
                names[f"w{len(names)}"] = word[: max(3, len(word) - 1)][:_LIKE]
    return names


def _write_open_to(journal: sqlite3.Connection) -> str:
    """Return the condition that the reader may know of a capture; "" if nothing is private."""
    query = "SELECT 1 FROM sightings WHERE scope = 'private' LIMIT 1"
    if journal.execute(query).fetchone() is None:
        return ""
    return f"""
        AND EXISTS (
          SELECT 1 FROM sightings s WHERE s.capture = c.id AND {LIVE_TO}
        )
        """


def _open_row(journal: sqlite3.Connection, row: OpenNote, who: str) -> OpenNote:
    """Return a row of the tail with the title and the time that *who* may know of it."""
    id, title, content, blob, ingested_at, _ = row
    query = f"""
        SELECT min(seen_at), max(event_time), min(source)
        FROM sightings s
        WHERE s.capture = :id AND {LIVE_TO}
        """
    asked = {"id": id, "who": who}
    first, newest, source = journal.execute(query, asked).fetchone()
    if first is not None and first != ingested_at:
        # the one that was given is not theirs: `intake.as_told`
        title = heading(content.decode("utf-8", "replace"))
    speaker = " ".join(split_words(source or "")) or None
    return OpenNote(id, title, content, blob, newest or ingested_at, speaker)

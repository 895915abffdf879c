"""What the memory knows around a passage, beyond its words: who told it, and what was told before
and after it.

Who answers a question seldom repeats its words, so a turn of a conversation takes a part of what
the turns beside it have. Only a question does that: who looks for one or two words wants these
words. On the hot path of a search.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

# of what a passage has, to what was told beside it (ADR 203)
BESIDE = 0.4
# of the best passage's worth, to what a person says whom the question names
SPEAKER = 0.15
_QUESTION = 3  # telling words that make a question
_MOST = 60  # passages whose surroundings are looked at, the best first
_NAME = 3  # words of a speaker's name at most

Parts = tuple[tuple[str, float], ...]


class Surroundings(NamedTuple):
    """What passages have beyond their words, and when each was told (RFC 3339 UTC)."""

    parts: Mapping[int, Parts]
    told_at: Mapping[int, str]


class _Telling(NamedTuple):
    """How a passage came to be told."""

    doc: int
    capture: str
    told_at: str
    seen_at: str
    speaker: str | None


def weigh_surroundings(
    db: sqlite3.Connection,
    scores: Mapping[int, float],
    words: Sequence[str],
    telling_words: int,
) -> Surroundings:
    """Return what the passages with *scores*, and those told beside them, have by *words* of a
    question.
    """
    best = sorted(scores, key=lambda doc: (-scores[doc], doc))[:_MOST]
    tellings = _list_tellings(db, best)
    told_at = {one.doc: one.told_at for one in tellings}
    if telling_words < _QUESTION or not best:
        return Surroundings({}, told_at)
    named = _list_speakers(db, words)
    parts: dict[int, dict[str, float]] = {}
    share = SPEAKER * scores[best[0]]
    for one in tellings:
        if one.speaker in named:
            parts.setdefault(one.doc, {})["speaker"] = share
        for doc in _list_beside(db, one):
            beside = parts.setdefault(doc, {})
            worth = BESIDE * scores[one.doc]
            beside["beside"] = beside.get("beside", 0.0) + worth
    _keep_best_first(scores, parts)
    return Surroundings(
        {doc: tuple(some.items()) for doc, some in parts.items()}, told_at
    )


def _keep_best_first(
    scores: Mapping[int, float], parts: dict[int, dict[str, float]]
) -> None:
    """Let the best by its own words and its speaker stay first, whatever stands beside others."""

    def own(doc: int) -> float:
        speaker = parts.get(doc, {}).get("speaker", 0.0)
        return scores.get(doc, 0.0) + speaker

    def whole(doc: int) -> float:
        return scores.get(doc, 0.0) + sum(parts.get(doc, {}).values())

    first = max(scores, key=lambda doc: (own(doc), -doc))
    top = max(map(whole, parts.keys() | {first}))
    if top > whole(first):
        lead = parts.setdefault(first, {})
        lead["best words"] = top - whole(first) + 1e-3


def _list_tellings(
    db: sqlite3.Connection, docs: Iterable[int]
) -> list[_Telling]:
    """Return how each of *docs* was told; those without a telling on record are left out."""
    named = ",".join(map(str, docs))
    query = f"""
        SELECT q.doc, c.capture, c.told_at, c.seen_at, c.speaker
        FROM passages q
        JOIN consumed c ON substr(c.capture, 1, 12) = q.statement
        WHERE q.doc IN ({named}) AND q.statement <> ''
          AND c.told_at IS NOT NULL
        UNION ALL
        SELECT q.doc, c.capture, max(c.told_at), c.seen_at, c.speaker
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
    return [_Telling(*row) for row in db.execute(query)]


def _list_speakers(
    db: sqlite3.Connection, words: Sequence[str]
) -> frozenset[str]:
    """Return the sources of notes that *words* name."""
    names = {
        " ".join(words[at : at + size])
        for at in range(len(words))
        for size in range(1, _NAME + 1)
    }
    query = "SELECT 1 FROM consumed WHERE speaker = ? LIMIT 1"
    return frozenset(
        name for name in names if db.execute(query, (name,)).fetchone()
    )


_BEFORE = """
    SELECT capture, entry, speaker
    FROM consumed
    WHERE (told_at, seen_at) < (?1, ?2) AND told_at >= ?3
    ORDER BY told_at DESC, seen_at DESC
    LIMIT 1
    """
_AFTER = """
    SELECT capture, entry, speaker
    FROM consumed
    WHERE (told_at, seen_at) > (?1, ?2) AND told_at < ?3 || 'U'
    ORDER BY told_at, seen_at
    LIMIT 1
    """


def _list_beside(db: sqlite3.Connection, one: _Telling) -> list[int]:
    """Return the passages of what was told just before and after *one*, by somebody else on the
    same day.
    """
    if one.speaker is None:
        return []
    day = one.told_at[:10]
    found = []
    for query in (_BEFORE, _AFTER):
        row = db.execute(query, (one.told_at, one.seen_at, day)).fetchone()
        if row is None or row[2] in (None, one.speaker):
            continue
        doc = _find_doc(db, row[0], row[1])
        if doc is not None:
            found.append(doc)
    return found


def _find_doc(
    db: sqlite3.Connection, capture: str, entry: str | None
) -> int | None:
    """Return the passage that *capture* became; None where no page has it."""
    row = db.execute(
        """
        SELECT doc
        FROM passages
        WHERE statement = substr(?, 1, 12) AND statement <> ''
        """,
        (capture,),
    ).fetchone()
    if row is None and entry is not None:
        row = db.execute(
            """
            SELECT q.doc
            FROM entries e
            JOIN pages p ON p.path = e.path
            JOIN passages q ON q.page_doc = p.doc AND q.statement = ''
            WHERE e.id = ? AND NOT e.tombstone
            """,
            (entry,),
        ).fetchone()
    return None if row is None else int(row[0])

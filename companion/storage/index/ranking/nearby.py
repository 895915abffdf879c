"""What the memory knows around a passage, beyond its words: who told it, and what was told before
and after it.

Who answers a question seldom repeats its words, so a turn of a conversation takes a part of what
the turns beside it have. Only a question does that: who looks for one or two words wants these
words. On the hot path of a search.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.storage.index.ranking.speakers import (
    list_named,
    list_told_by_assistants,
    wants_assistant,
)

# of what a passage has, to what was told beside it (ADR 203)
BESIDE = 0.4
# of the best passage's worth, to what a person says whom the question names
SPEAKER = 0.15
# of it, to what was told on the day of which the best notes are found, by what those are worth
DAY = 0.2
_BEST_OF_DAY = 5
# of what it has, what an assistant's words lose, for they say again what a person told it
ECHO = 0.4
QUESTION = 3  # telling words that make a question
_MOST = 60  # passages whose surroundings are looked at, the best first

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
    is_question: bool,
) -> Surroundings:
    """Return what the passages with *scores*, and those told beside them, have by *words* of a
    question.
    """
    best = sorted(scores, key=lambda doc: (-scores[doc], doc))[:_MOST]
    tellings = _list_tellings(db, best)
    told_at = {one.doc: one.told_at for one in tellings}
    if not is_question or not best:
        return Surroundings({}, told_at)
    parts: dict[int, dict[str, float]] = {}
    _add_speakers(db, tellings, words, SPEAKER * scores[best[0]], parts)
    _add_neighbours(db, tellings, scores, parts)
    _add_days(tellings, scores, parts)
    _keep_best_first(scores, parts)
    _lower_echoes(db, scores, words, parts)
    return Surroundings(
        {doc: tuple(some.items()) for doc, some in parts.items()}, told_at
    )


_PartsOf = dict[int, dict[str, float]]


def _add_speakers(
    db: sqlite3.Connection,
    tellings: Sequence[_Telling],
    words: Sequence[str],
    share: float,
    parts: _PartsOf,
) -> None:
    named = list_named(db, words)
    for one in tellings:
        if one.speaker in named:
            parts.setdefault(one.doc, {})["speaker"] = share


def _add_neighbours(
    db: sqlite3.Connection,
    tellings: Sequence[_Telling],
    scores: Mapping[int, float],
    parts: _PartsOf,
) -> None:
    for one in tellings:
        worth = BESIDE * scores[one.doc]
        for doc in _list_beside(db, one):
            beside = parts.setdefault(doc, {})
            beside["beside"] = beside.get("beside", 0.0) + worth


def _add_days(
    tellings: Sequence[_Telling],
    scores: Mapping[int, float],
    parts: _PartsOf,
) -> None:
    """Give each passage a share for the day on which it was told, as its best passages fit."""
    days: dict[str, list[float]] = {}
    for one in tellings:
        days.setdefault(one.told_at[:10], []).append(scores[one.doc])
    worths = {}
    for day, found in days.items():
        best = sorted(found, reverse=True)[:_BEST_OF_DAY]
        worths[day] = sum(best) / _BEST_OF_DAY
    most = max(worths.values(), default=0.0)
    if len(days) < 2 or not most:
        return
    share = DAY * max(scores.values()) / most
    for one in tellings:
        worth = share * worths[one.told_at[:10]]
        parts.setdefault(one.doc, {})["day"] = worth


def _lower_echoes(
    db: sqlite3.Connection,
    scores: Mapping[int, float],
    words: Sequence[str],
    parts: _PartsOf,
) -> None:
    """Take from what an assistant told its share, unless a question asks for its words."""
    if wants_assistant(words):
        return
    told = _list_tellings(db, scores.keys() | parts.keys())
    speakers = [(one.capture, one.speaker) for one in told]
    echoes = list_told_by_assistants(db, speakers)
    for one in told:
        if one.capture in echoes:
            own = parts.setdefault(one.doc, {})
            whole = scores.get(one.doc, 0.0) + sum(own.values())
            own["echo"] = -ECHO * whole


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

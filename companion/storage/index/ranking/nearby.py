"""The surroundings of a passage, beyond its words: its speaker, and the tellings around it.

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
    """The parts of passages beyond their words, and how each was told."""

    parts: Mapping[int, Parts]
    told: Mapping[int, "Telling"]


class Telling(NamedTuple):
    """How a passage came to be told; times are RFC 3339 UTC."""

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
    if not is_question or not best:
        return Surroundings({}, {one.doc: one for one in tellings})
    parts: dict[int, dict[str, float]] = {}
    _add_speakers(db, tellings, words, SPEAKER * scores[best[0]], parts)
    _add_neighbours(db, tellings, scores, parts)
    _add_days(tellings, scores, parts)
    _keep_best_first(scores, parts)
    tellings = _list_tellings(db, scores.keys() | parts.keys())
    _lower_echoes(db, tellings, scores, words, parts)
    return Surroundings(
        {doc: tuple(some.items()) for doc, some in parts.items()},
        {one.doc: one for one in tellings},
    )


_PartsOf = dict[int, dict[str, float]]


def _add_speakers(
    db: sqlite3.Connection,
    tellings: Sequence[Telling],
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
    tellings: Sequence[Telling],
    scores: Mapping[int, float],
    parts: _PartsOf,
) -> None:
    for doc, other in _list_beside(db, tellings):
        beside = parts.setdefault(other, {})
        worth = BESIDE * scores[doc]
        beside["beside"] = beside.get("beside", 0.0) + worth


def _add_days(
    tellings: Sequence[Telling],
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
    told: Sequence[Telling],
    scores: Mapping[int, float],
    words: Sequence[str],
    parts: _PartsOf,
) -> None:
    """Take from what an assistant told its share, unless a question asks for its words."""
    if wants_assistant(words):
        return
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
) -> list[Telling]:
    """Return how each of *docs* was told; those without a telling on record are left out."""
    named = ",".join(map(str, docs))
    query = f"""
        SELECT q.doc, c.capture, c.told_at, c.seen_at, c.speaker
        FROM passages q
        -- without +, the affinity of the column keeps the index out: all that was ever told is read
        CROSS JOIN consumed c ON substr(c.capture, 1, 12) = +q.statement
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
    return [Telling(*row) for row in db.execute(query)]


def _list_beside(
    db: sqlite3.Connection, tellings: Sequence[Telling]
) -> list[tuple[int, int]]:
    """Return the passage of each of *tellings* with that of what was told just before it, and
    just after, by somebody else on the same day.
    """
    docs = {one.capture: one.doc for one in tellings}
    marks = ",".join("?" * len(docs))
    rows = db.execute(_BESIDE.format(marks), tuple(docs))
    return [(docs[capture], other) for capture, other in rows]


_BESIDE = """
    WITH told AS (
      SELECT capture, told_at, seen_at, speaker, substr(told_at, 1, 10) AS day
      FROM consumed
      WHERE capture IN ({})
    ),
    beside(capture, speaker, other) AS (
      SELECT capture, speaker, (
        SELECT b.capture
        FROM consumed b
        WHERE (b.told_at, b.seen_at) < (told.told_at, told.seen_at)
          AND b.told_at >= told.day
        ORDER BY b.told_at DESC, b.seen_at DESC
        LIMIT 1
      )
      FROM told
      UNION ALL
      SELECT capture, speaker, (
        SELECT b.capture
        FROM consumed b
        WHERE (b.told_at, b.seen_at) > (told.told_at, told.seen_at)
          AND b.told_at < told.day || 'U'
        ORDER BY b.told_at, b.seen_at
        LIMIT 1
      )
      FROM told
    )
    SELECT b.capture, coalesce(
      (
        SELECT doc
        FROM passages
        WHERE statement = substr(n.capture, 1, 12) AND statement <> ''
      ),
      (
        SELECT q.doc
        FROM entries e
        JOIN pages p ON p.path = e.path
        JOIN passages q ON q.page_doc = p.doc AND q.statement = ''
        WHERE e.id = n.entry AND NOT e.tombstone
      )
    ) AS doc
    FROM beside b
    JOIN consumed n ON n.capture = b.other
    WHERE n.speaker <> b.speaker AND doc IS NOT NULL
    """

"""What was told just before and after a passage, in a conversation of several people.

On the hot path of a search.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import attrgetter

from companion.storage.index.ranking.tellings import Telling, name_sessions
from companion.tuples import NamedTuple

_MOST = 2000  # tellings of these days that are read, at most

_TOLD = """
    WITH days(day) AS (VALUES {})
    SELECT c.capture, c.told_at, c.seen_at, c.speaker
    FROM days
    CROSS JOIN consumed c ON c.told_at >= day AND c.told_at < day || 'U'
    LIMIT ?
    """
_PASSAGES = """
    SELECT n.capture, coalesce(
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
    FROM consumed n
    WHERE n.capture IN ({}) AND doc IS NOT NULL
    """


class Beside(NamedTuple):
    """Two passages of one conversation: *other* was told at most two turns from *telling*."""

    telling: Telling
    other: int
    is_next: bool  # told by somebody else right before it or right after it
    follows: bool  # right after it


class _Turn(NamedTuple):
    capture: str
    told_at: str
    seen_at: str
    speaker: str | None


def list_beside(
    db: sqlite3.Connection, tellings: Sequence[Telling]
) -> list[Beside]:
    """Return what was told in the same session around each of *tellings*, where several people
    spoke in it.
    """
    known = {one.capture: one for one in tellings}
    near = list(_list_near(_read_days(db, tellings), known))
    docs = {capture: one.doc for capture, one in known.items()}
    missing = {other for _, other, *_ in near} - docs.keys()
    if missing:
        marks = ",".join("?" * len(missing))
        docs.update(db.execute(_PASSAGES.format(marks), tuple(missing)))
    return [
        Beside(known[capture], docs[other], is_next, follows)
        for capture, other, is_next, follows in near
        if other in docs and docs[other] != known[capture].doc
    ]


def _read_days(
    db: sqlite3.Connection, tellings: Iterable[Telling]
) -> list[_Turn]:
    """Return what was told on the days of *tellings*; nothing where one person told it all."""
    days = sorted({one.told_at[:10] for one in tellings})
    if not days or not _has_several_speakers(db):
        return []
    marks = ",".join(["(?)"] * len(days))
    rows = db.execute(_TOLD.format(marks), (*days, _MOST))
    return sorted(
        (_Turn(*row) for row in rows), key=attrgetter("told_at", "seen_at")
    )


def _has_several_speakers(db: sqlite3.Connection) -> bool:
    query = """
        SELECT speaker
        FROM consumed
        WHERE speaker > ?
        ORDER BY speaker
        LIMIT 1
        """
    first = db.execute(query, ("",)).fetchone()
    return first is not None and bool(db.execute(query, first).fetchone())


def _list_near(
    turns: Sequence[_Turn], known: Iterable[str]
) -> Iterator[tuple[str, str, bool, bool]]:
    """Yield each of *known* with what stands one or two turns from it."""
    wanted = frozenset(known)
    began = name_sessions(turn.told_at for turn in turns)
    for _, some in groupby(turns, key=lambda turn: began[turn.told_at]):
        session = list(some)
        if len({turn.speaker for turn in session}) < 2:
            continue
        for a, b, is_next in _pair(session):
            if a.capture in wanted:
                yield a.capture, b.capture, is_next, True
            if b.capture in wanted:
                yield b.capture, a.capture, is_next, False


def _pair(session: Sequence[_Turn]) -> list[tuple[_Turn, _Turn, bool]]:
    """Return turns of two speakers that follow each other, and those with one turn between."""
    following = [(a, b) for a, b in pairwise(session) if a.speaker != b.speaker]
    further = zip(session, session[2:], strict=False)
    return [
        *((a, b, True) for a, b in following),
        *((a, b, False) for a, b in further),
    ]

"""Look over the whole index at once, for a report: what happened when, and how pages stand."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

_BY_DAY = """
    SELECT substr(r.time, 1, 10) AS day, e.event, count(*)
    FROM runs r
    JOIN events e ON e.run = r.run
    WHERE e.event IN (SELECT value FROM json_each(?))
    GROUP BY day, e.event
    ORDER BY day, e.event
    """
_PAGES = """
    SELECT e.id, e.title, e.path, e.gravity, e.vitality, e.gravity_protected,
      e.state,
      (SELECT count(*) FROM consumed c WHERE c.entry = e.id),
      (
        SELECT count(DISTINCT x.source)
        FROM edges x
        WHERE x.target = e.id AND x.type <> 'contradicts'
      ),
      (SELECT a.last FROM accesses a WHERE a.entry = e.id)
    FROM entries e
    WHERE NOT e.tombstone AND e.state <> 'archived'
    ORDER BY e.gravity DESC, e.id
    """
_LINKS = """
    SELECT DISTINCT source, target
    FROM edges
    WHERE type <> 'contradicts'
      AND source IN (SELECT value FROM json_each(?1))
      AND target IN (SELECT value FROM json_each(?1))
    ORDER BY source, target
    """
#: what a night found to hold in place of something else, the newest first
_CHANGED_VALUES = """
    SELECT w.subject, w.predicate, l.object, w.object, r.time, o.reason, w.entry
    FROM resolutions o
    JOIN resolutions p
      ON p.run = o.run AND p.matter = o.matter AND p.side = 'lost'
    JOIN claims w ON w.id = o.claim
    JOIN claims l ON l.id = p.claim
    JOIN runs r ON r.run = o.run
    WHERE o.side = 'won' AND w.object <> l.object
    ORDER BY r.time DESC, o.run, o.matter
    LIMIT ?
    """
_PROMOTED = """
    SELECT s.branch, s.incumbent, i.title, s.entry, e.title, s.statement, s.since
    FROM shifts s
    LEFT JOIN entries i ON i.id = s.incumbent
    LEFT JOIN entries e ON e.id = s.entry
    WHERE NOT s.undone
    ORDER BY s.since DESC, s.branch
    LIMIT ?
    """
_AUDITS = """
    SELECT a.since, coalesce(e.title, a.entry), a.state, a.result, a.outcome,
      a.statement IS NOT NULL, a.settled IS NOT NULL
    FROM audits a
    LEFT JOIN entries e ON e.id = a.entry
    WHERE NOT a.undone
    ORDER BY a.since DESC, a.record
    LIMIT ?
    """
_ANSWERS = """
    SELECT judge, task, count(*)
    FROM verdicts
    GROUP BY judge, task
    ORDER BY count(*) DESC, judge, task
    """
_BROKEN_LINKS = """
    SELECT count(*)
    FROM links l
    JOIN pages p ON p.path = l.page
    WHERE l.to_path IS NULL AND l.kind <> 'mention' AND p.branch IS NULL
      AND NOT p.excluded
    """
_LIKE_TITLES = """
    SELECT coalesce(sum(n), 0)
    FROM (
      SELECT count(*) AS n
      FROM pages
      WHERE branch IS NULL AND NOT excluded
      GROUP BY title_key
      HAVING count(*) > 1
    )
    """


class DayCount(NamedTuple):
    """How often an event happened on a day (UTC)."""

    day: str
    event: str
    number: int


class PageStanding(NamedTuple):
    """How one page stands."""

    id: str
    title: str
    path: str
    gravity: float
    vitality: float
    is_protected: bool
    state: str
    notes: int  # captures that went into it
    dependents: int
    last_read: str | None


class ChangedValue(NamedTuple):
    """A value that a night found to hold in place of another."""

    subject: str
    predicate: str
    before: str
    after: str
    time: str
    reason: str
    entry: str


class Promotion(NamedTuple):
    """A branch that won, and what it won against."""

    branch: str
    incumbent: str
    incumbent_title: str | None
    entry: str
    entry_title: str | None
    statement: str | None  # the capture that lost; None: the page
    since: str


class AuditLine(NamedTuple):
    """One audit, as a report lists it."""

    since: str
    title: str
    state: str  # created, closed or inconclusive
    result: str | None
    outcome: str | None
    is_of_statement: bool
    is_settled: bool


class JudgeCount(NamedTuple):
    """How many answers of a judge are on record."""

    judge: str
    task: str
    number: int


class Tidiness(NamedTuple):
    """How much of the wiki leads nowhere, or stands twice."""

    broken_links: int
    pages_of_one_title: int
    quarantined: int


def count_by_day(
    db: sqlite3.Connection, events: Sequence[str]
) -> list[DayCount]:
    """Return how often each of *events* happened on each day, in order."""
    rows = db.execute(_BY_DAY, (_as_json(events),))
    return [DayCount(*row) for row in rows]


def list_page_standings(db: sqlite3.Connection) -> list[PageStanding]:
    """Return every page that is not archived, the heaviest first."""
    pages = []
    for row in db.execute(_PAGES):
        page = PageStanding(*row)
        pages.append(page._replace(is_protected=bool(page.is_protected)))
    return pages


def list_links_among(
    db: sqlite3.Connection, entries: Sequence[str]
) -> list[tuple[str, str]]:
    """Return (dependent, depended upon) of the links between *entries*."""
    return db.execute(_LINKS, (_as_json(entries),)).fetchall()


def list_changed_values(
    db: sqlite3.Connection, most: int
) -> list[ChangedValue]:
    """Return at most *most* values that took the place of others, the newest first."""
    return [ChangedValue(*row) for row in db.execute(_CHANGED_VALUES, (most,))]


def list_promotions(db: sqlite3.Connection, most: int) -> list[Promotion]:
    """Return at most *most* branches that won, the newest first."""
    return [Promotion(*row) for row in db.execute(_PROMOTED, (most,))]


def list_audit_lines(db: sqlite3.Connection, most: int) -> list[AuditLine]:
    """Return at most *most* audits, the newest first."""
    lines = []
    for row in db.execute(_AUDITS, (most,)):
        line = AuditLine(*row)
        lines.append(
            line._replace(
                is_of_statement=bool(line.is_of_statement),
                is_settled=bool(line.is_settled),
            )
        )
    return lines


def count_answers(db: sqlite3.Connection) -> list[JudgeCount]:
    """Return how many answers of each judge are on record, the busiest first."""
    return [JudgeCount(*row) for row in db.execute(_ANSWERS)]


def measure_tidiness(db: sqlite3.Connection) -> Tidiness:
    """Return how much leads nowhere, or stands twice."""
    quarantined = "SELECT count(*) FROM entries WHERE quarantined"
    return Tidiness(
        int(db.execute(_BROKEN_LINKS).fetchone()[0]),
        int(db.execute(_LIKE_TITLES).fetchone()[0]),
        int(db.execute(quarantined).fetchone()[0]),
    )


def _as_json(values: Sequence[str]) -> str:
    import json

    return json.dumps(list(values))

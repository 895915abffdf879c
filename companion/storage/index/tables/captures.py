"""Captures in the index: which entry each went into, and which of them wait."""

import sqlite3
from collections.abc import Iterable

from companion import json_text
from companion.tuples import NamedTuple
from companion.values.events import LedgerLine

_QUARANTINED = """
    SELECT min(c.capture), e.id, e.path, e.title, e.blob, e.managed,
      coalesce(k.told, k.since), k.touched,
      (
        SELECT max(r.time)
        FROM events v
        JOIN runs r ON r.run = v.run
        WHERE v.entry = e.id
          AND v.event IN ('created', 'grown', 'requalified')
      )
    FROM entries e
    JOIN consumed c ON c.entry = e.id
    JOIN known k ON k.id = e.id
    WHERE e.quarantined AND NOT e.tombstone AND e.state = 'active'
    GROUP BY e.id
    ORDER BY e.id
    """


class Outcome(NamedTuple):
    """The result of one capture in a run."""

    run: str
    outcome: str
    entry: str


class CapturedPage(NamedTuple):
    """The page that a capture went into."""

    entry: str
    path: str
    blob: str


class QuarantinedPage(NamedTuple):
    """A page in quarantine, and the first capture in it."""

    capture: str
    entry: str
    path: str
    title: str
    blob: str
    managed: bool
    told: str
    touched: str
    since: str  # when a run last decided on it


class ExtendedCapture(NamedTuple):
    """A capture in the extended buffer."""

    capture: str
    incumbent: str | None  # the entry that it contradicts
    reason: str


def find_outcome(db: sqlite3.Connection, capture: str) -> Outcome | None:
    """Return what a run made of *capture*; None where none consumed it."""
    query = "SELECT run, outcome, entry FROM consumed WHERE capture = ?"
    row = db.execute(query, (capture,)).fetchone()
    return None if row is None else Outcome(*row)


def find_entry_of_capture(db: sqlite3.Connection, capture: str) -> str | None:
    """Return the entry that *capture* went into; None for one that waits, or went into none."""
    row = db.execute(
        "SELECT entry FROM consumed WHERE capture = ?", (capture,)
    ).fetchone()
    return None if row is None else row[0]


def find_page_of_capture(db: sqlite3.Connection, capture: str) -> CapturedPage:
    """Return the page of the entry that the consumed *capture* went into."""
    query = """
        SELECT e.id, e.path, e.blob
        FROM consumed c
        JOIN entries e ON e.id = c.entry
        WHERE c.capture = ?
        """
    return CapturedPage(*db.execute(query, (capture,)).fetchone())


def list_consumed(db: sqlite3.Connection) -> set[str]:
    """Return every capture that a run consumed."""
    return {
        capture for (capture,) in db.execute("SELECT capture FROM consumed")
    }


def list_captures_of_entry(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the captures that went into *entry*, by id."""
    query = "SELECT capture FROM consumed WHERE entry = ? ORDER BY capture"
    return [capture for (capture,) in db.execute(query, (entry,))]


def list_captures_without_claims(
    db: sqlite3.Connection, entry: str
) -> list[str]:
    """Return the captures of *entry* of which no run recorded any claims, by id."""
    query = """
        SELECT capture
        FROM consumed
        WHERE entry = ?
          AND capture NOT IN (
            SELECT subject
            FROM events
            WHERE event = 'claims'
          )
        ORDER BY capture
        """
    return [capture for (capture,) in db.execute(query, (entry,))]


def list_known_sources(
    db: sqlite3.Connection, sources: Iterable[str]
) -> set[str]:
    """Return those of *sources* that told a consumed capture before anybody else did, outside
    minority branches.
    """
    query = """
        SELECT data
        FROM events
        WHERE event = 'consumed'
          AND instr(data, ?)
          AND subject NOT IN (SELECT capture FROM branch_members)
        """
    known = set()
    for source in sources:
        written = json_text.dumps(source, ensure_ascii=False)
        for (data,) in db.execute(query, (written,)):
            tellings = json_text.loads(data)["sightings"]
            first = min(tellings, key=lambda one: str(one["seen_at"]))
            if first.get("source") == source:
                known.add(source)
                break
    return known


def list_recorded_tellings(db: sqlite3.Connection, capture: str) -> set[str]:
    """Return the times of the tellings of *capture* that the ledger has."""
    return {
        time
        for (time,) in db.execute(
            "SELECT seen_at FROM heard WHERE capture = ?", (capture,)
        )
    }


def list_waiting_reasons(db: sqlite3.Connection) -> dict[str, str]:
    """Return why each capture that waits does so."""
    return dict(db.execute("SELECT capture, reason FROM waiting").fetchall())


def list_extended(db: sqlite3.Connection) -> list[ExtendedCapture]:
    """Return the captures in the extended buffer, in the order in which they came there."""
    query = """
        SELECT capture, incumbent, reason
        FROM waiting
        WHERE kind = 'extended'
        ORDER BY run, capture
        """
    return [ExtendedCapture(*row) for row in db.execute(query)]


def is_extended(
    db: sqlite3.Connection, capture: str, incumbent: str | None = None
) -> bool:
    """Tell whether *capture* is in the extended buffer, where *incumbent* is given against that
    entry.
    """
    query = """
        SELECT 1
        FROM waiting
        WHERE capture = ?1
          AND kind = 'extended'
          AND (?2 IS NULL OR incumbent = ?2)
        """
    return db.execute(query, (capture, incumbent)).fetchone() is not None


def list_quarantined_pages(db: sqlite3.Connection) -> list[QuarantinedPage]:
    """Return the active entries in quarantine that captures made, by id."""
    found = (QuarantinedPage(*row) for row in db.execute(_QUARANTINED))
    return [page._replace(managed=bool(page.managed)) for page in found]


def list_event_times(db: sqlite3.Connection, capture: str) -> list[str]:
    """Return when a consumed capture was told (RFC 3339 UTC), in the order of the ledger."""
    tellings = list_tellings(db, capture)
    return [str(one.get("event_time", one["seen_at"])) for one in tellings]


def list_tellings(db: sqlite3.Connection, capture: str) -> list[LedgerLine]:
    """Return the tellings of a consumed capture as the ledger has them, oldest first."""
    query = """
        SELECT e.data
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.subject = ? AND e.event IN ('consumed', 'sighted')
        ORDER BY r.time, e.run, e.n
        """
    tellings: list[LedgerLine] = []
    for (data,) in db.execute(query, (capture,)):
        tellings += json_text.loads(data)["sightings"]
    return tellings


def list_tellers(db: sqlite3.Connection, entry: str) -> dict[str, str]:
    """Return who told each capture that stands on the page *entry*, by the capture.

    Several who told the same are divided by a space; who told it without a name is left out.
    """
    query = """
        SELECT c.capture, e.data
        FROM consumed c
        JOIN events e ON e.subject = c.capture
        WHERE c.entry = ? AND e.event IN ('consumed', 'sighted')
        """
    sources: dict[str, set[str]] = {}
    for capture, data in db.execute(query, (entry,)):
        for one in json_text.loads(data)["sightings"]:
            if one.get("source"):
                sources.setdefault(capture, set()).add(one["source"])
    return {
        capture: " ".join(sorted(names)) for capture, names in sources.items()
    }

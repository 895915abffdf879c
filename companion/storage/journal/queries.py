"""Read journal.db: captures, their tellings, and how much of it git does not have yet."""

import sqlite3
from collections.abc import Callable, Iterator, Sequence

from companion.annotations import Any
from companion.storage.journal.contents import Contents
from companion.storage.journal.schema import (
    read_capture_row,
    read_sighting_row,
)
from companion.tuples import NamedTuple
from companion.values.captures import Capture, Sighting

CAPTURE = "id, blob, ingested_at, channel, priority, title, edges, content"
SIGHTING = (
    "capture, seen_at, event_time, explicit, source, channel, agent, scope, "
    "utc_offset, device"
)
# `Sighting.is_open_to`, as SQL
OPEN_TO = "(s.scope <> 'private' OR coalesce(s.agent, 'owner') = :who)"
# ... of what nobody took back
LIVE_TO = f"(s.withdrawn = 0 AND {OPEN_TO})"
_KNOWN_TO = f"EXISTS (SELECT 1 FROM sightings s WHERE s.capture = captures.id AND {OPEN_TO})"
_LIVE = f"EXISTS (SELECT 1 FROM sightings s WHERE s.capture = captures.id AND {LIVE_TO})"


class Pending(NamedTuple):
    """A capture together with every telling of it."""

    capture: Capture
    sightings: tuple[Sighting, ...]


class Holdings:
    """The reading half of a journal: no method of it writes."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for the search of the open tail."""
        return self._db

    def get(self, key: str) -> str | None:
        """Return a small value that `Journal.put` kept; None where there is none."""
        row = self._db.execute(
            "SELECT value FROM meta WHERE key = ?", (key,)
        ).fetchone()
        return None if row is None else str(row[0])

    def capture(self, prefix: str, *, who: str | None = None) -> list[Capture]:
        """Return the captures whose id begins with *prefix* (at most two: enough to know it is
        ambiguous).

        With *who*, only those that it may know of.
        """
        upper = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else "g"
        known = f"AND {_KNOWN_TO}" if who is not None else ""
        return [
            read_capture_row(row)
            for row in self._db.execute(
                f"""
                SELECT {CAPTURE}
                FROM captures
                WHERE id >= :prefix AND id < :upper {known}
                ORDER BY id
                LIMIT 2
                """,
                {"prefix": prefix, "upper": upper, "who": who},
            )
        ]

    def is_known_to(self, who: str, id: str) -> bool:
        """Tell whether anything was told to *who* of the capture *id*, or by it."""
        query = f"SELECT 1 FROM sightings s WHERE s.capture = :id AND {LIVE_TO} LIMIT 1"
        return (
            self._db.execute(query, {"id": id, "who": who}).fetchone()
            is not None
        )

    def blob(self, id: str) -> str | None:
        """Return the git blob hash of the capture *id*; None where it is not here."""
        row = self._db.execute(
            "SELECT blob FROM captures WHERE id = ?", (id,)
        ).fetchone()
        return None if row is None else str(row[0])

    def sightings(
        self, id: str, *, who: str | None = None
    ) -> tuple[Sighting, ...]:
        """Return every telling of the capture *id*, in the order they were recorded; with *who*,
        those open to it.

        Those that were taken back are left out, unless all were.
        """
        query = f"""
            SELECT {SIGHTING}
            FROM sightings
            WHERE capture = ? AND withdrawn = ?
            ORDER BY seq
            """
        rows = self._db.execute(query, (id, 0)).fetchall()
        if not rows:
            rows = self._db.execute(query, (id, 1)).fetchall()
        return tuple(
            telling
            for telling in map(read_sighting_row, rows)
            if who is None or telling.is_open_to(who)
        )

    def all_sightings(self, id: str) -> tuple[Sighting, ...]:
        """Return what git must hold of the capture *id*: its tellings, and what took some back."""
        rows = self._db.execute(
            f"SELECT {SIGHTING} FROM sightings WHERE capture = ? ORDER BY seq",
            (id,),
        )
        return tuple(map(read_sighting_row, rows))

    def is_withdrawn(self, id: str) -> bool:
        """Tell whether the capture *id* would wait, had its tellings not been taken back."""
        query = "SELECT 1 FROM captures WHERE id = ? AND settled = 2"
        return self._db.execute(query, (id,)).fetchone() is not None

    def list_withdrawn(self) -> list[tuple[str, str]]:
        """Return (capture, when) of what was taken back of shared notes that no run consumes, as
        far as git has it; the oldest first.
        """
        query = """
            SELECT s.capture, max(s.seen_at) AS at
            FROM sightings s
            JOIN captures c ON c.id = s.capture
            WHERE s.withdrawn = 2
              AND s.scope <> 'private'
              AND s.anchored > 0
              AND c.settled = 2
            GROUP BY s.capture
            ORDER BY at, s.capture
            """
        return self._db.execute(query).fetchall()

    def find_last_withdrawn(self, who: str) -> tuple[str, str] | None:
        """Return (capture, when) of what *who* took back last and is still taken back."""
        query = """
            SELECT s.capture, s.seen_at
            FROM sightings s
            JOIN captures c ON c.id = s.capture
            WHERE s.withdrawn = 2
              AND c.settled = 2
              AND coalesce(s.agent, 'owner') = ?
            ORDER BY s.seen_at DESC
            LIMIT 1
            """
        row: tuple[str, str] | None = self._db.execute(query, (who,)).fetchone()
        return row

    def unsettled(
        self, *, anchored: bool = False, who: str | None = None
    ) -> Iterator[Pending]:
        """Yield what no applied ledger file consumes, as far as this journal remembers, oldest
        first.

        With *anchored* only what git holds: a run's input must be complete there, and captures may
        still arrive while it is planned. Their bytes are not read: see `contents`. With *who*, only
        what it may know of.
        """
        light = CAPTURE.replace("content", "NULL")
        held = "AND anchored = 1" if anchored else ""
        known = f"AND {_LIVE}" if who is not None and self.has_private() else ""
        query = f"""
            SELECT {light}
            FROM captures
            WHERE settled = 0 {held} {known}
            ORDER BY ingested_at, id
            """
        rows = self._db.execute(query, {"who": who}).fetchall()
        yield from self._with_sightings(rows)

    def contents(self, from_git: Callable[[str], bytes]) -> Contents:
        """Return every capture's bytes by its id, read as they are asked for: from here, else from
        git by blob.
        """
        return Contents(self._db, from_git)

    def list_times(self, latest: str) -> Iterator[str]:
        """Yield the instants up to *latest* at which anything was told, the newest first."""
        query = """
            SELECT DISTINCT seen_at
            FROM sightings
            WHERE seen_at <= ?
            ORDER BY seen_at DESC
            """
        for (seen_at,) in self._db.execute(query, (latest,)):
            yield seen_at

    def find_last_number(self) -> int:
        """Return the number of the capture that came in last; 0 where there is none."""
        query = "SELECT coalesce(max(seq), 0) FROM captures"
        return int(self._db.execute(query).fetchone()[0])

    def list_came(self, key: str) -> tuple[list[str], str]:
        """Return the captures that `Journal.take_in` remembered under *key*, and the time up to
        which anything had been told then.
        """
        value = self.get(key)
        if value is None:
            return [], ""
        before, last, at = value.split()
        query = (
            "SELECT id FROM captures WHERE seq > ? AND seq <= ? ORDER BY seq"
        )
        rows = self._db.execute(query, (int(before), int(last)))
        return [id for (id,) in rows], at

    def open_ids(self) -> list[str]:
        """Return the captures that no applied ledger file consumes, oldest first: also those that
        were taken back.
        """
        return [
            id
            for (id,) in self._db.execute(
                "SELECT id FROM captures WHERE settled <> 1 ORDER BY seq"
            )
        ]

    def captured_between(self, start: str, end: str, who: str) -> list[str]:
        """Return the captures that were first told in [*start*, *end*), as far as *who* may know
        of them, oldest first.
        """
        query = f"""
            SELECT s.capture
            FROM sightings s
            WHERE {LIVE_TO}
            GROUP BY s.capture
            HAVING min(s.seen_at) >= :start AND min(s.seen_at) < :end
            ORDER BY min(s.seen_at), s.capture
            """
        names = {"start": start, "end": end, "who": who}
        return [id for (id,) in self._db.execute(query, names)]

    def open_count(self, who: str | None = None) -> int:
        """Return how many captures are open; with *who*, of those that it may know of."""
        return self._count(
            "SELECT count(*) FROM captures WHERE settled = 0"
        ) - self._hidden(who, "settled = 0")

    def private_count(self, who: str) -> int:
        """Return how many open captures were told in private only, by *who*."""
        query = """
            SELECT count(*)
            FROM captures c
            WHERE settled = 0
              AND id IN (
                SELECT capture
                FROM sightings
                WHERE scope = 'private' AND coalesce(agent, 'owner') = :who
              )
              AND NOT EXISTS (
                SELECT 1
                FROM sightings s
                WHERE s.capture = c.id AND s.scope <> 'private'
              )
            """
        return self._count(query, who)

    def has_private(self, who: str | None = None) -> bool:
        """Tell whether anybody told anything in private; with *who*, whether it did."""
        own = "AND coalesce(agent, 'owner') = ?" if who is not None else ""
        query = f"SELECT 1 FROM sightings WHERE scope = 'private' {own} LIMIT 1"
        return (
            self._db.execute(query, (who,) if own else ()).fetchone()
            is not None
        )

    def private_captures(self) -> list[str]:
        """Return the captures that were told in private only, by whomever."""
        query = """
            SELECT DISTINCT capture
            FROM sightings
            WHERE scope = 'private'
              AND capture NOT IN (
                SELECT capture
                FROM sightings
                WHERE scope <> 'private'
              )
            """
        return [capture for (capture,) in self._db.execute(query).fetchall()]

    def days_of_tellings(self) -> set[str]:
        """Return the days (`YYYY-MM-DD`) on which anything was told, except in private."""
        query = "SELECT DISTINCT substr(seen_at, 1, 10) FROM sightings WHERE scope <> 'private'"
        return {day for (day,) in self._db.execute(query)}

    def private_since(self, who: str, seq: int) -> list[tuple[int, Sighting]]:
        """Return what *who* told in private after the row *seq*, by row, in the order it was
        recorded: without what was taken back, but with what took it back.
        """
        query = f"""
            SELECT seq, {SIGHTING}
            FROM sightings
            WHERE scope = 'private'
              AND coalesce(agent, 'owner') = ?
              AND seq > ?
              AND withdrawn <> 1
            ORDER BY seq
            """
        return [
            (row[0], read_sighting_row(row[1:]))
            for row in self._db.execute(query, (who, seq))
        ]

    def told_at(self, seq: int) -> tuple[str, str] | None:
        """Return (capture, seen_at) of the telling in the row *seq*; None when there is no such
        row.
        """
        row = self._db.execute(
            "SELECT capture, seen_at FROM sightings WHERE seq = ?", (seq,)
        ).fetchone()
        return None if row is None else (str(row[0]), str(row[1]))

    def _hidden(self, who: str | None, where: str) -> int:
        """Count the captures of which *who* may know nothing."""
        if who is None:
            return 0
        query = f"""
            SELECT count(*)
            FROM captures
            WHERE {where}
              AND id IN (
                SELECT capture
                FROM sightings
                WHERE scope = 'private'
              )
              AND NOT {_LIVE}
            """
        return self._count(query, who)

    def _count(self, query: str, who: str | None = None) -> int:
        return int(self._db.execute(query, {"who": who}).fetchone()[0])

    def retold(self) -> list[str]:
        """Return the settled captures of which git holds a shared telling that may not have been
        heard by a run.
        """
        rows = self._db.execute(
            """
            SELECT DISTINCT s.capture
            FROM sightings s
            JOIN captures c ON c.id = s.capture
            WHERE s.anchored = 1
              AND s.scope <> 'private'
              AND s.withdrawn < 2
              AND c.settled = 1
            ORDER BY s.capture
            """
        )
        return [id for (id,) in rows]

    def loose(self) -> tuple[list[Pending], list[Sighting]]:
        """Return the captures, and the later sightings of older captures, that git does not hold
        yet.
        """
        rows = self._db.execute(
            f"SELECT {CAPTURE} FROM captures WHERE anchored = 0 ORDER BY seq"
        ).fetchall()
        captures = [
            Pending(read_capture_row(row), self.all_sightings(row[0]))
            for row in rows
        ]
        fresh = {pending.capture.id for pending in captures}
        later = self._db.execute(
            f"SELECT {SIGHTING} FROM sightings WHERE anchored = 0 ORDER BY seq"
        )
        return captures, [
            s for s in map(read_sighting_row, later) if s.capture not in fresh
        ]

    def loose_count(self, who: str | None = None) -> int:
        """Return how many captures git does not hold yet; with *who*, of those that it may know
        of.
        """
        return self._count(
            "SELECT count(*) FROM captures WHERE anchored = 0"
        ) - self._hidden(who, "anchored = 0")

    def counts(self, who: str | None = None) -> tuple[int, int]:
        """Return (captures, sightings) ever recorded here; with *who*, of those that it may know
        of.
        """
        captures = self._count("SELECT count(*) FROM captures") - self._hidden(
            who, "1"
        )
        others = """
            SELECT count(*)
            FROM sightings
            WHERE scope = 'private' AND coalesce(agent, 'owner') <> :who
            """
        return captures, self._count(
            "SELECT count(*) FROM sightings"
        ) - self._count(others, who)

    def blobs_and_bytes(self) -> list[tuple[str, str, bytes | None]]:
        """Return (id, blob, bytes) of every capture; None for bytes that only git has."""
        return self._db.execute(
            "SELECT id, blob, content FROM captures"
        ).fetchall()

    def ids(self) -> list[tuple[str, str, bool]]:
        """Return (id, blob, anchored) of every capture, for `doctor`."""
        return [
            (r[0], r[1], bool(r[2]))
            for r in self._db.execute("SELECT id, blob, anchored FROM captures")
        ]

    def _with_sightings(
        self, rows: Sequence[tuple[Any, ...]]
    ) -> Iterator[Pending]:
        for row in rows:
            yield Pending(read_capture_row(row), self.sightings(row[0]))

    def settled(self) -> list[tuple[str, str]]:
        """Return (id, blob) of every capture marked as settled."""
        return self._db.execute(
            "SELECT id, blob FROM captures WHERE settled = 1"
        ).fetchall()

    def list_untold(self) -> list[str]:
        """Return the captures of which no telling is on record, in the order in which they came."""
        query = """
            SELECT id
            FROM captures
            WHERE id NOT IN (SELECT capture FROM sightings)
            ORDER BY seq
            """
        return [id for (id,) in self._db.execute(query)]

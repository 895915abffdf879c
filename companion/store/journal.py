"""journal.db: everything that is not yet in git.

Captures with their bytes, sightings, and the open run's intent. Short transactions, WAL, synchronous FULL: when a
call returns, what it recorded survives a power cut. There is no "consumed" flag: a capture is pending iff no ledger
file in the tree consumes it. ``settled`` only remembers that answer, so that a search need not look at every
capture ever made; it is put right before and after every fold.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion import CompanionError
from companion.model.objects import Capture, Sighting
from companion.store import durable, place
from companion.store.contents import Contents
from companion.store.sql import statements

BUSY_SECONDS = 30.0  # how long a capture waits for another one's transaction; each takes milliseconds

_SCHEMA = """
CREATE TABLE captures (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,            -- sha256 of the content
  blob TEXT NOT NULL,                 -- git blob hash: the source pointer
  ingested_at TEXT NOT NULL,
  channel TEXT NOT NULL,
  priority REAL NOT NULL,
  title TEXT,
  edges TEXT NOT NULL,                -- candidate edge placeholders, a JSON list
  content BLOB,                       -- NULL once the bytes are anchored in git and consumed
  anchored INTEGER NOT NULL DEFAULT 0,
  settled INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX captures_open ON captures(seq) WHERE settled = 0;
CREATE INDEX captures_loose ON captures(seq) WHERE anchored = 0;
CREATE TABLE sightings (
  seq INTEGER PRIMARY KEY,
  capture TEXT NOT NULL,
  seen_at TEXT NOT NULL,
  event_time TEXT NOT NULL,
  explicit INTEGER NOT NULL,          -- 1 when the event time was given, not defaulted
  source TEXT, channel TEXT NOT NULL, agent TEXT, scope TEXT NOT NULL,
  anchored INTEGER NOT NULL DEFAULT 0 -- 1 once git holds it, 2 once a run in the applied tree has heard it
);
CREATE INDEX sightings_capture ON sightings(capture);
CREATE INDEX sightings_voice ON sightings(agent, scope, seq) WHERE source IS NULL;
CREATE INDEX sightings_loose ON sightings(seq) WHERE anchored = 0;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TRIGGER captures_stay BEFORE DELETE ON captures BEGIN SELECT RAISE(ABORT, 'captures are never deleted'); END;
CREATE TRIGGER captures_immutable BEFORE UPDATE OF id, blob, ingested_at, channel, priority, title, edges ON captures
  BEGIN SELECT RAISE(ABORT, 'a capture is immutable'); END;
CREATE TRIGGER content_immutable BEFORE UPDATE OF content ON captures
  WHEN OLD.content IS NOT NULL AND NEW.content IS NOT NULL AND NEW.content <> OLD.content
  BEGIN SELECT RAISE(ABORT, 'a capture''s content is immutable'); END;
CREATE TRIGGER sightings_stay BEFORE DELETE ON sightings BEGIN SELECT RAISE(ABORT, 'sightings are never deleted'); END;
"""

# None of them grows with a capture as it comes in: that must stay as cheap as it is.
_SINCE_2 = """
CREATE INDEX sightings_unheard ON sightings(capture) WHERE anchored = 1 AND scope <> 'private';
CREATE INDEX sightings_private ON sightings(capture) WHERE scope = 'private';
"""

# Whose a private telling is: an agent finds its own among those of others.
_SINCE_3 = """
CREATE INDEX sightings_own ON sightings(coalesce(agent, 'owner'), seq) WHERE scope = 'private';
"""

SCHEMAS = (_SCHEMA, _SINCE_2, _SINCE_3)  # what each version added
VERSION = len(SCHEMAS)

_CAPTURE = "id, blob, ingested_at, channel, priority, title, edges, content"
_RESTORED = "restored"  # set once, with what git held: a process killed before that must not hide it
_FORGOTTEN = "forgotten_until"  # the newest telling when runs were last seen to have left the branch
TRUSTED = "trusted"  # the newest time of a run that the branch has: TRIAGE may know it without reading the wiki
_SIGHTING = "capture, seen_at, event_time, explicit, source, channel, agent, scope"
OPEN_TO = "(s.scope <> 'private' OR coalesce(s.agent, 'owner') = :who)"  # `Sighting.is_open_to`, as SQL
_KNOWN_TO = f"EXISTS (SELECT 1 FROM sightings s WHERE s.capture = captures.id AND {OPEN_TO})"


class JournalError(CompanionError):
    """The journal cannot be read."""

    exit_code = 74
    hint = "Run `companion doctor`; captures already anchored in git come back by themselves."


class JournalBusy(CompanionError):
    """Another process holds the journal."""

    exit_code = 75
    hint = "Nothing was stored by this call. Try again in a moment."


class Pending(NamedTuple):
    """A capture together with every telling of it."""

    capture: Capture
    sightings: tuple[Sighting, ...]


class Journal:
    """An open journal.db. Create it with `Journal.open`."""

    def __init__(self, connection: sqlite3.Connection, *, fresh: bool) -> None:
        self._db = connection
        self.fresh = fresh  # what git holds of a lost journal is still to be read back: see `restore`

    @classmethod
    def open(cls, path: str) -> "Journal":
        """Open the journal at *path*, creating it (and its folder) when missing."""
        try:
            if os.path.exists(path) and not os.access(os.path.dirname(path), os.W_OK):
                # A wiki on a disk that is mounted read-only can still be searched; a write fails in `begin`.
                uri = place.read_only_uri(path)
                return cls(sqlite3.connect(uri, uri=True, isolation_level=None), fresh=False)
            durable.make_dirs(os.path.dirname(path), mode=0o700)  # SQLite syncs its file's name, not the folder's
            db = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None)
            db.execute("PRAGMA synchronous=FULL")
            fresh = _prepare(db)
        except sqlite3.OperationalError as error:
            raise _explain(error, path) from error
        except sqlite3.DatabaseError as error:
            raise JournalError(f"{path}: {error}") from error
        return cls(db, fresh=fresh)

    @property
    def connection(self) -> sqlite3.Connection:
        """The connection, for the search of the open tail."""
        return self._db

    def close(self) -> None:
        self._db.close()

    # -- writing ---------------------------------------------------------------------------------------------------

    def begin(self) -> str | None:
        """Begin a write and return the newest transaction time recorded so far."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise _explain(error, "journal.db") from error
        return self.get("last_time")

    def commit(self, last_time: str | None = None) -> None:
        """Make everything since `begin` durable."""
        if last_time is not None:
            self.put("last_time", last_time)
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def add(self, capture: Capture, sighting: Sighting) -> tuple[bool, bool]:
        """Record one telling. Return (the content is new, the telling is new) (TRI-3, TRI-8)."""
        row = (*capture[:6], json.dumps(capture.edges, ensure_ascii=False), capture.content)
        done = self._db.execute(
            f"INSERT INTO captures ({_CAPTURE}) VALUES (?,?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING", row
        )
        new = done.rowcount == 1
        told = new or self._is_new_telling(sighting)
        if told:
            self._add_sighting(sighting)
        return new, told

    def _add_sighting(self, sighting: Sighting, *, anchored: bool = False) -> None:
        self._db.execute(
            f"INSERT INTO sightings ({_SIGHTING}, anchored) VALUES (?,?,?,?,?,?,?,?,?)", (*sighting, anchored)
        )

    def forget_tellings(self) -> None:
        """Remember that runs have left the branch: what is still open and is told again from now on, is told anew."""
        self.put(_FORGOTTEN, self.get("last_time"))

    def _is_new_telling(self, s: Sighting) -> bool:
        """A repeat is idempotent on (content, source, explicit event time, agent, scope).

        Where neither a source nor a time was given, saying it twice in a row is one telling, but saying it again
        after something else is a new one: A, B, A must end at A. And what is open since its run left the branch is
        told anew: that telling is the way back (INV-7).
        """
        if self._is_forgotten(s.capture):
            return True
        if not s.explicit and s.source is None:
            last = self._db.execute(
                "SELECT capture FROM sightings WHERE source IS NULL AND agent IS ? AND scope = ? "
                "ORDER BY seq DESC LIMIT 1",
                (s.agent, s.scope),
            ).fetchone()
            return last is None or last[0] != s.capture
        same = self._db.execute(
            "SELECT 1 FROM sightings WHERE capture = ? AND explicit = ? AND (NOT explicit OR event_time = ?) "
            "AND source IS ? AND agent IS ? AND scope = ?",
            (s.capture, s.explicit, s.event_time, s.source, s.agent, s.scope),
        ).fetchone()
        return same is None

    def _is_forgotten(self, capture: str) -> bool:
        query = (
            "SELECT 1 FROM captures c JOIN meta m ON m.key = ? WHERE c.id = ? AND c.settled = 0 "
            "AND NOT EXISTS (SELECT 1 FROM sightings s WHERE s.capture = c.id AND s.seen_at > m.value)"
        )
        return self._db.execute(query, (_FORGOTTEN, capture)).fetchone() is not None

    def restore(self, items: Iterable[Pending]) -> int:
        """Take back what git holds of a lost journal (the buffer refs); return the number of captures."""
        last = self.begin() or ""
        if self.get(_RESTORED) is not None:  # another process was faster
            self.rollback()
            return 0
        count, _, last = self._hold(items, (), last)
        self.put(_RESTORED, "1")
        self.commit(last or None)
        self.fresh = False
        return count

    def take_in(self, items: Iterable[Pending], later: Iterable[Sighting], taken: Mapping[str, str]) -> tuple[int, int]:
        """Learn of another machine's captures, which git holds here by now; return how many captures and tellings.

        *taken* is remembered with them, in one transaction: keys and values for `get`. Our own time moves on to
        theirs, so that what is said next is said after what was heard (LED-2).
        """
        last = self.begin() or ""
        try:
            captures, tellings, last = self._hold(items, later, last)
            for key, value in taken.items():
                self.put(key, value)
            self.commit(last or None)
        except BaseException:
            self.rollback()
            raise
        return captures, tellings

    def _hold(self, items: Iterable[Pending], later: Iterable[Sighting], last: str) -> tuple[int, int, str]:
        """Add what git holds; return the new captures and tellings, and the newest time among all and *last*."""
        captures, added, tellings = 0, 0, list(later)
        for item in items:
            c = item.capture
            done = self._db.execute(
                f"INSERT INTO captures ({_CAPTURE}, anchored) VALUES (?,?,?,?,?,?,?,?,1) ON CONFLICT(id) DO NOTHING",
                (*c[:6], json.dumps(c.edges, ensure_ascii=False), c.content or None),
            )
            tellings += item.sightings
            last, captures = max(last, c.ingested_at), captures + done.rowcount
        # In the order of their times, across captures: A, B, A must still end at A.
        for sighting in sorted(tellings, key=lambda s: s.seen_at):
            if sighting not in self.sightings(sighting.capture):
                self._add_sighting(sighting, anchored=True)
                added += 1
            last = max(last, sighting.seen_at)
        return captures, added, last

    # -- reading ---------------------------------------------------------------------------------------------------

    def capture(self, prefix: str, *, who: str | None = None) -> list[Capture]:
        """Return the captures whose id begins with *prefix* (at most two: enough to know it is ambiguous).

        With *who*, only those that it may know of.
        """
        upper = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else "g"
        known = f"AND {_KNOWN_TO}" if who is not None else ""
        return [
            _capture(row)
            for row in self._db.execute(
                f"SELECT {_CAPTURE} FROM captures WHERE id >= :prefix AND id < :upper {known} ORDER BY id LIMIT 2",
                {"prefix": prefix, "upper": upper, "who": who},
            )
        ]

    def is_known_to(self, who: str, id: str) -> bool:
        """Tell whether anything was told to *who* of the capture *id*, or by it."""
        query = f"SELECT 1 FROM sightings s WHERE s.capture = :id AND {OPEN_TO} LIMIT 1"
        return self._db.execute(query, {"id": id, "who": who}).fetchone() is not None

    def blob(self, id: str) -> str | None:
        row = self._db.execute("SELECT blob FROM captures WHERE id = ?", (id,)).fetchone()
        return None if row is None else str(row[0])

    def sightings(self, id: str, *, who: str | None = None) -> tuple[Sighting, ...]:
        """Return every telling of the capture *id*, in the order they were recorded; with *who*, those open to it."""
        rows = self._db.execute(f"SELECT {_SIGHTING} FROM sightings WHERE capture = ? ORDER BY seq", (id,))
        return tuple(telling for telling in map(_sighting, rows) if who is None or telling.is_open_to(who))

    def unsettled(self, *, anchored: bool = False, who: str | None = None) -> Iterator[Pending]:
        """Yield what no applied ledger file consumes, as far as this journal remembers, oldest first.

        With *anchored* only what git holds: a run's input must be complete there, and captures may still arrive
        while it is planned. Their bytes are not read: see `contents`. With *who*, only what it may know of.
        """
        light = _CAPTURE.replace("content", "NULL")
        held = "AND anchored = 1" if anchored else ""
        known = f"AND {_KNOWN_TO}" if who is not None and self.has_private() else ""
        query = f"SELECT {light} FROM captures WHERE settled = 0 {held} {known} ORDER BY ingested_at, id"
        rows = self._db.execute(query, {"who": who}).fetchall()
        yield from self._with_sightings(rows)

    def contents(self, from_git: Callable[[str], bytes]) -> Contents:
        """Return every capture's bytes by its id, read as they are asked for: from here, else from git by blob."""
        return Contents(self._db, from_git)

    def without_bytes(self) -> list[tuple[str, str]]:
        """Return (id, blob) of every open capture whose bytes only git has."""
        return self._db.execute("SELECT id, blob FROM captures WHERE settled = 0 AND content IS NULL").fetchall()

    def open_ids(self) -> list[str]:
        return [id for (id,) in self._db.execute("SELECT id FROM captures WHERE settled = 0 ORDER BY seq")]

    def open_count(self, who: str | None = None) -> int:
        """Return how many captures are open; with *who*, of those that it may know of."""
        return self._count("SELECT count(*) FROM captures WHERE settled = 0") - self._hidden(who, "settled = 0")

    def private_count(self, who: str) -> int:
        """Return how many open captures were told in private only, by *who*."""
        query = (
            "SELECT count(*) FROM captures c WHERE settled = 0 "
            "AND id IN (SELECT capture FROM sightings WHERE scope = 'private' AND coalesce(agent, 'owner') = :who) "
            "AND NOT EXISTS (SELECT 1 FROM sightings s WHERE s.capture = c.id AND s.scope <> 'private')"
        )
        return self._count(query, who)

    def has_private(self, who: str | None = None) -> bool:
        """Tell whether anybody told anything in private; with *who*, whether it did."""
        own = "AND coalesce(agent, 'owner') = ?" if who is not None else ""
        query = f"SELECT 1 FROM sightings WHERE scope = 'private' {own} LIMIT 1"
        return self._db.execute(query, (who,) if own else ()).fetchone() is not None

    def private_since(self, who: str, seq: int) -> list[tuple[int, Sighting]]:
        """Return what *who* told in private after the row *seq*, by row, in the order it was recorded."""
        query = (
            f"SELECT seq, {_SIGHTING} FROM sightings "
            "WHERE scope = 'private' AND coalesce(agent, 'owner') = ? AND seq > ? ORDER BY seq"
        )
        return [(row[0], _sighting(row[1:])) for row in self._db.execute(query, (who, seq))]

    def told_at(self, seq: int) -> tuple[str, str] | None:
        """Return (capture, seen_at) of the telling in the row *seq*; None when there is no such row."""
        row = self._db.execute("SELECT capture, seen_at FROM sightings WHERE seq = ?", (seq,)).fetchone()
        return None if row is None else (str(row[0]), str(row[1]))

    def _hidden(self, who: str | None, where: str) -> int:
        """Count the captures of which *who* may know nothing."""
        if who is None:
            return 0
        query = (
            f"SELECT count(*) FROM captures WHERE {where} "
            f"AND id IN (SELECT capture FROM sightings WHERE scope = 'private') AND NOT {_KNOWN_TO}"
        )
        return self._count(query, who)

    def _count(self, query: str, who: str | None = None) -> int:
        return int(self._db.execute(query, {"who": who}).fetchone()[0])

    def retold(self) -> list[str]:
        """Return the settled captures of which git holds a shared telling that may not have been heard by a run."""
        rows = self._db.execute(
            "SELECT DISTINCT s.capture FROM sightings s JOIN captures c ON c.id = s.capture "
            "WHERE s.anchored = 1 AND s.scope <> 'private' AND c.settled = 1 ORDER BY s.capture"
        )
        return [id for (id,) in rows]

    def loose(self) -> tuple[list[Pending], list[Sighting]]:
        """Return the captures, and the later sightings of older captures, that git does not hold yet."""
        rows = self._db.execute(f"SELECT {_CAPTURE} FROM captures WHERE anchored = 0 ORDER BY seq").fetchall()
        captures = list(self._with_sightings(rows))
        fresh = {pending.capture.id for pending in captures}
        later = self._db.execute(f"SELECT {_SIGHTING} FROM sightings WHERE anchored = 0 ORDER BY seq")
        return captures, [s for s in map(_sighting, later) if s.capture not in fresh]

    def loose_count(self, who: str | None = None) -> int:
        """Return how many captures git does not hold yet; with *who*, of those that it may know of."""
        return self._count("SELECT count(*) FROM captures WHERE anchored = 0") - self._hidden(who, "anchored = 0")

    def counts(self, who: str | None = None) -> tuple[int, int]:
        """Return (captures, sightings) ever recorded here; with *who*, of those that it may know of."""
        captures = self._count("SELECT count(*) FROM captures") - self._hidden(who, "1")
        others = "SELECT count(*) FROM sightings WHERE scope = 'private' AND coalesce(agent, 'owner') <> :who"
        return captures, self._count("SELECT count(*) FROM sightings") - self._count(others, who)

    def ids(self) -> list[tuple[str, str, bool]]:
        """Return (id, blob, anchored) of every capture, for `doctor`."""
        return [(r[0], r[1], bool(r[2])) for r in self._db.execute("SELECT id, blob, anchored FROM captures")]

    def _with_sightings(self, rows: Sequence[tuple[Any, ...]]) -> Iterator[Pending]:
        for row in rows:
            yield Pending(_capture(row), self.sightings(row[0]))

    # -- what git holds by now ----------------------------------------------------------------------------------------

    def mark_anchored(self, captures: Iterable[str], upto: Iterable[Sighting]) -> None:
        """Remember that git holds these captures and these sightings."""
        self.begin()
        self._db.executemany(
            "UPDATE captures SET anchored = 1, content = CASE WHEN settled THEN NULL ELSE content END WHERE id = ?",
            ((c,) for c in captures),
        )
        self._db.executemany(
            "UPDATE sightings SET anchored = 1 WHERE anchored = 0 AND capture = ? AND seen_at = ?",
            ((s.capture, s.seen_at) for s in upto),
        )
        self.commit()

    def hear(self, tellings: Iterable[tuple[str, str]]) -> None:
        """Remember that a run in the applied tree has heard these (capture, seen_at)."""
        self.begin()
        self._db.executemany("UPDATE sightings SET anchored = 2 WHERE capture = ? AND seen_at = ?", tellings)
        self.commit()

    def unhear(self) -> None:
        """Forget what any run has heard: the tree to be applied has lost runs. The next night asks again."""
        self._db.execute("UPDATE sightings SET anchored = 1 WHERE anchored = 2")

    def loosen(self, captures: Iterable[tuple[str, bytes]]) -> None:
        """Remember that git no longer holds these, with the bytes that are to be anchored again."""
        self.begin()
        for id, content in captures:
            self._db.execute(
                "UPDATE captures SET anchored = 0, content = coalesce(content, ?) WHERE id = ?", (content, id)
            )
            self._db.execute("UPDATE sightings SET anchored = 0 WHERE capture = ?", (id,))
        self.commit()

    def settle(self, captures: Iterable[str]) -> None:
        """Remember that the applied tree consumes these captures; anchored bytes leave the row now."""
        captures = list(captures)
        if not captures:
            return
        self.begin()
        self._db.executemany(
            "UPDATE captures SET settled = 1, content = CASE WHEN anchored THEN NULL ELSE content END WHERE id = ?",
            ((c,) for c in captures),
        )
        self.commit()

    def unsettle(self, captures: Iterable[tuple[str, bytes | None]]) -> None:
        """Remember that the tree to be applied no longer consumes these; their bytes come back from git."""
        self.begin()
        self._db.executemany("UPDATE captures SET settled = 0, content = coalesce(content, ?2) WHERE id = ?1", captures)
        self.commit()

    def settled(self) -> list[tuple[str, str]]:
        """Return (id, blob) of every capture marked as settled."""
        return self._db.execute("SELECT id, blob FROM captures WHERE settled = 1").fetchall()

    # -- small values: the open run's intent, the newest transaction time ------------------------------------------

    def get(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, value: str | None) -> None:
        if value is None:
            self._db.execute("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self._db.execute("INSERT INTO meta VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2", (key, value))

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file; only the night, which holds the lock, calls this."""
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _prepare(db: sqlite3.Connection) -> bool:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        # Without recursive triggers INSERT OR REPLACE would delete rows behind the append-only triggers' back.
        db.execute("PRAGMA recursive_triggers=ON")
        return _unrestored(db)
    if version > 1_000_000:  # an index's version is a checksum
        raise JournalError("journal.db is no journal", hint="Were journal.db and index.db swapped? Swap them back.")
    if version > VERSION:
        raise JournalError("a newer companion wrote this journal", hint="Upgrade companion-wiki.")
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("BEGIN IMMEDIATE")
    found = db.execute("PRAGMA user_version").fetchone()[0]  # another process may have been faster
    for since, schema in enumerate(SCHEMAS):
        for statement in statements(schema) if found <= since else ():
            db.execute(statement)
    db.execute(f"PRAGMA user_version={VERSION}")
    db.execute("COMMIT")
    db.execute("PRAGMA recursive_triggers=ON")
    return _unrestored(db)


def _unrestored(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM meta WHERE key = ?", (_RESTORED,)).fetchone() is None


def _explain(error: sqlite3.OperationalError, path: str) -> CompanionError:
    text = str(error)
    if "locked" in text or "busy" in text:
        return JournalBusy()
    if "full" in text:
        return JournalError(f"{path}: the disk is full", hint="Free some space; nothing was stored by this call.")
    if "readonly" in text or "unable to open" in text:
        return JournalError(f"{path}: {text}", hint="Is the folder writable? Nothing was stored by this call.")
    return JournalError(f"{path}: {text}")


def _capture(row: Sequence[Any]) -> Capture:
    try:
        return Capture(row[0], row[1], row[2], row[3], row[4], row[5], tuple(json.loads(row[6])), row[7] or b"")
    except ValueError as error:
        raise JournalError(f"journal.db: the row of capture {str(row[0])[:12]} is damaged") from error


def _sighting(row: Sequence[Any]) -> Sighting:
    return Sighting(row[0], row[1], row[2], bool(row[3]), *row[4:])

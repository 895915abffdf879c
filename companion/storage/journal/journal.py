"""journal.db: everything that is not yet in git.

Captures with their bytes, sightings, and the open run's intent. Short transactions, WAL,
synchronous FULL: when a call returns, what it recorded survives a power cut. There is no "consumed"
flag: a capture is pending iff no ledger file in the tree consumes it and its tellings were not all
taken back. ``settled`` only remembers that answer (1 consumed, 2 taken back), so that a search need
not look at every capture ever made; it is put right before and after every fold.
"""

import os
import sqlite3
from collections.abc import Iterable, Mapping

from companion import json_text
from companion.storage.files import durable
from companion.storage.journal.errors import JournalError, explain_error
from companion.storage.journal.queries import (
    CAPTURE,
    SIGHTING,
    Holdings,
    Pending,
)
from companion.storage.journal.schema import (
    RESTORED,
    open_for_reading,
    prepare,
)
from companion.storage.journal.withdrawals import HIDE, OPEN, TAKE_BACK
from companion.values.captures import (
    WITHDRAWN,
    Capture,
    Sighting,
)

# how long a capture waits for another one's transaction; each takes milliseconds
BUSY_SECONDS = 30.0


# the newest telling when runs were last seen to have left the branch
_FORGOTTEN = "forgotten_until"
# the newest time of a run that the branch has: TRIAGE may know it without reading the wiki
TRUSTED = "trusted"


class Journal(Holdings):
    """An open journal.db. Create it with `Journal.open`."""

    def __init__(self, connection: sqlite3.Connection, *, fresh: bool) -> None:
        super().__init__(connection)
        # what git holds of a lost journal is still to be read back: see `restore`
        self.fresh = fresh

    @classmethod
    def open(cls, path: str) -> "Journal":
        """Open the journal at *path*, creating it (and its folder) when missing."""
        try:
            if os.path.exists(path) and not os.access(
                os.path.dirname(path), os.W_OK
            ):
                # A wiki on a disk that is mounted read-only can still be searched; a write fails in
                # `begin`.
                return cls(open_for_reading(path), fresh=False)
            # SQLite syncs its file's name, not the folder's
            durable.make_dirs(os.path.dirname(path), mode=0o700)
            durable.make_private(path)
            db = sqlite3.connect(
                path, timeout=BUSY_SECONDS, isolation_level=None
            )
            db.execute("PRAGMA synchronous=FULL")
            fresh = prepare(db, BUSY_SECONDS)
        except sqlite3.OperationalError as error:
            raise explain_error(error, path) from error
        except sqlite3.DatabaseError as error:
            raise JournalError(f"{path}: {error}") from error
        return cls(db, fresh=fresh)

    def close(self) -> None:
        """Close the database."""
        self._db.close()

    # -- writing -----------------------------------------------------------------------------------

    def begin(self) -> str | None:
        """Begin a write and return the newest transaction time recorded so far."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            raise explain_error(error, "journal.db") from error
        return self.get("last_time")

    def commit(self, last_time: str | None = None) -> None:
        """Make everything since `begin` durable."""
        if last_time is not None:
            self.put("last_time", last_time)
        self._db.execute("COMMIT")

    def rollback(self) -> None:
        """Undo everything since `begin`, if a write is open."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")

    def add(self, capture: Capture, sighting: Sighting) -> tuple[bool, bool]:
        """Record one telling. Return (the content is new, the telling is new) (TRI-3, TRI-8)."""
        row = (
            *capture[:6],
            json_text.dumps(capture.edges, ensure_ascii=False),
            capture.content,
        )
        done = self._db.execute(
            f"INSERT INTO captures ({CAPTURE}) VALUES (?,?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
            row,
        )
        new = done.rowcount == 1
        if not new:
            self._restore_words(capture)
        told = new or self._is_new_telling(sighting)
        if told:
            self._add_sighting(sighting)
        if told and not new:
            self._hide_withdrawn()
        return new, told

    def _restore_words(self, capture: Capture) -> None:
        """Put right words that a disk has changed, now that they are told again."""
        changed = (
            "UPDATE captures SET content = NULL WHERE id = ? AND content <> ?"
        )
        told = "UPDATE captures SET content = ? WHERE id = ?"
        if self._db.execute(changed, (capture.id, capture.content)).rowcount:
            self._db.execute(told, (capture.content, capture.id))

    def withdraw(self, by: Iterable[Sighting]) -> None:
        """Take tellings back, in the caller's transaction; see `Sighting.takes_back`."""
        for sighting in by:
            self._add_sighting(sighting)
        self._hide_withdrawn()

    def _hide_withdrawn(self) -> None:
        """Note which tellings are taken back, and which captures have no other."""
        query = "SELECT 1 FROM sightings WHERE withdrawn = 2 LIMIT 1"
        if self._db.execute(query).fetchone() is not None:
            self._db.execute(TAKE_BACK)
            self._db.execute(HIDE)

    def _add_sighting(
        self, sighting: Sighting, *, anchored: bool = False
    ) -> None:
        self._db.execute(
            f"""
            INSERT INTO sightings ({SIGHTING}, anchored, withdrawn)
            VALUES (?,?,?,?,?,?,?,?,?,?,?,?)
            """,
            (*sighting, anchored, 2 * (sighting.channel == WITHDRAWN)),
        )

    def forget_tellings(self) -> None:
        """Remember that runs have left the branch: what is still open and is told again from now
        on, is told anew.
        """
        self.put(_FORGOTTEN, self.get("last_time"))

    def _is_new_telling(self, s: Sighting) -> bool:
        """A repeat is idempotent on (content, source, explicit event time, agent, scope).

        Where neither a source nor a time was given, saying it twice in a row is one telling, but
        saying it again after something else is a new one: A, B, A must end at A. What a clock that
        was ahead told on a day to come is no telling yet. And what is open since its run left the
        branch is told anew: that telling is the way back (INV-7). So is one of what was taken back.
        """
        if self._is_forgotten(s.capture) or self._is_taken_back(s):
            return True
        if not s.explicit and s.source is None:
            last = self._db.execute(
                """
                SELECT capture
                FROM sightings
                WHERE source IS NULL
                  AND agent IS ?
                  AND scope = ?
                  AND seen_at <= ?
                  AND withdrawn < 2
                ORDER BY seq DESC
                LIMIT 1
                """,
                (s.agent, s.scope, s.seen_at),
            ).fetchone()
            return last is None or last[0] != s.capture
        same = self._db.execute(
            """
            SELECT 1
            FROM sightings
            WHERE capture = ?
              AND explicit = ?
              AND (NOT explicit OR event_time = ?)
              AND source IS ?
              AND agent IS ?
              AND scope = ?
              AND seen_at <= ?
              AND withdrawn = 0
            """,
            (
                *(s.capture, s.explicit, s.event_time),
                *(s.source, s.agent, s.scope, s.seen_at),
            ),
        ).fetchone()
        return same is None

    def _is_taken_back(self, s: Sighting) -> bool:
        """Tell whether its teller told nothing of a capture that still counts, but did before."""
        query = """
            SELECT min(withdrawn)
            FROM sightings
            WHERE capture = ? AND agent IS ? AND scope = ? AND withdrawn < 2
            """
        found = self._db.execute(query, (s.capture, s.agent, s.scope))
        return bool(found.fetchone()[0] == 1)

    def _is_forgotten(self, capture: str) -> bool:
        query = """
            SELECT 1
            FROM captures c
            JOIN meta m ON m.key = ?
            WHERE c.id = ?
              AND c.settled = 0
              AND NOT EXISTS (
                SELECT 1
                FROM sightings s
                WHERE s.capture = c.id AND s.seen_at > m.value
              )
            """
        return (
            self._db.execute(query, (_FORGOTTEN, capture)).fetchone()
            is not None
        )

    def restore(self, items: Iterable[Pending]) -> int:
        """Take back what git holds of a lost journal (the buffer refs); return the number of
        captures.
        """
        last = self.begin() or ""
        if self.get(RESTORED) is not None:  # another process was faster
            self.rollback()
            return 0
        count, _, last = self._hold(items, (), last)
        self.put(RESTORED, "1")
        self.commit(last or None)
        self.fresh = False
        return count

    def take_in(
        self,
        items: Iterable[Pending],
        later: Iterable[Sighting],
        taken: Mapping[str, str],
        came: str | None = None,
    ) -> tuple[int, int]:
        """Learn of another machine's captures, which git holds here by now; return how many
        captures and tellings.

        *taken* is remembered with them, in one transaction: keys and values for `get`. Our own time
        moves on to theirs, so that what is said next is said after what was heard (LED-2). Under
        the key *came* it is remembered which captures are new here, for `list_came`.
        """
        last = self.begin() or ""
        try:
            before = self.find_last_number()
            captures, tellings, last = self._hold(items, later, last)
            if came is not None and captures:
                self.put(came, f"{before} {self.find_last_number()} {last}")
            for key, value in taken.items():
                self.put(key, value)
            self.commit(last or None)
        except BaseException:
            self.rollback()
            raise
        return captures, tellings

    def _hold(
        self, items: Iterable[Pending], later: Iterable[Sighting], last: str
    ) -> tuple[int, int, str]:
        """Add what git holds; return the new captures and tellings, and the newest time among all
        and *last*.
        """
        captures, added, tellings = 0, 0, list(later)
        for item in items:
            c = item.capture
            done = self._db.execute(
                f"""
                INSERT INTO captures ({CAPTURE}, anchored)
                VALUES (?,?,?,?,?,?,?,?,1)
                ON CONFLICT(id) DO NOTHING
                """,
                (
                    *c[:6],
                    json_text.dumps(c.edges, ensure_ascii=False),
                    c.content or None,
                ),
            )
            tellings += item.sightings
            last, captures = max(last, c.ingested_at), captures + done.rowcount
        recorded: dict[str, dict[Sighting, Sighting]] = {}
        # In the order of their times, across captures: A, B, A must still end at A.
        for sighting in sorted(tellings, key=lambda s: s.seen_at):
            same = recorded.get(sighting.capture)
            if same is None:
                # once for each capture: one may have been told 100,000 times
                same = self._map_tellings(sighting.capture)
                recorded[sighting.capture] = same
            key = sighting.without_details()
            known = same.setdefault(key, sighting)
            if known is sighting:
                self._add_sighting(sighting, anchored=True)
                added += 1
            elif known != sighting:
                same[key] = self._complete(known, sighting)
            last = max(last, sighting.seen_at)
        if added:
            self._hide_withdrawn()
        return captures, added, last

    def _map_tellings(self, capture: str) -> dict[Sighting, Sighting]:
        """Return the tellings recorded here of *capture*, each by itself without its details."""
        return {
            one.without_details(): one for one in self.all_sightings(capture)
        }

    def _complete(self, known: Sighting, copy: Sighting) -> Sighting:
        """Record the offset and device of a telling of which git has a *copy* with others."""
        whole = known.complete(copy)
        self._db.execute(
            """
            UPDATE sightings
            SET utc_offset = ?, device = ?
            WHERE capture = ?
              AND seen_at = ?
              AND event_time = ?
              AND explicit = ?
              AND source IS ?
              AND channel = ?
              AND agent IS ?
              AND scope = ?
            """,
            (whole.utc_offset, whole.device, *known[:-2]),
        )
        return whole

    # -- what git holds by now ---------------------------------------------------------------------

    def mark_anchored(
        self, captures: Iterable[str], upto: Iterable[Sighting]
    ) -> None:
        """Remember that git holds these captures and these sightings."""
        self.begin()
        self._db.executemany(
            """
            UPDATE captures
            SET anchored = 1,
              content = CASE WHEN settled THEN NULL ELSE content END
            WHERE id = ?
            """,
            ((c,) for c in captures),
        )
        self._db.executemany(
            "UPDATE sightings SET anchored = 1 WHERE anchored = 0 AND capture = ? AND seen_at = ?",
            ((s.capture, s.seen_at) for s in upto),
        )
        self.commit()

    def hear(self, tellings: Iterable[tuple[str, str]]) -> None:
        """Remember that a run in the applied tree has heard these (capture, seen_at)."""
        query = "UPDATE sightings SET anchored = 2 WHERE capture = ? AND seen_at = ?"
        self.begin()
        self._db.executemany(query, tellings)
        self.commit()

    def unhear(self) -> None:
        """Forget what any run has heard: the tree to be applied has lost runs. The next night asks
        again.
        """
        self._db.execute("UPDATE sightings SET anchored = 1 WHERE anchored = 2")

    def loosen(self, captures: Iterable[tuple[str, bytes]]) -> None:
        """Remember that git no longer holds these, with the bytes that are to be anchored again."""
        self.begin()
        for id, content in captures:
            self._db.execute(
                "UPDATE captures SET anchored = 0, content = coalesce(content, ?) WHERE id = ?",
                (content, id),
            )
            self._db.execute(
                "UPDATE sightings SET anchored = 0 WHERE capture = ?", (id,)
            )
        self.commit()

    def settle(self, captures: Iterable[str]) -> None:
        """Remember that the applied tree consumes these captures; anchored bytes leave the row
        now.
        """
        captures = list(captures)
        if not captures:
            return
        self.begin()
        self._db.executemany(
            """
            UPDATE captures
            SET settled = 1,
              content = CASE WHEN anchored THEN NULL ELSE content END
            WHERE id = ?
            """,
            ((c,) for c in captures),
        )
        self.commit()

    def unsettle(self, captures: Iterable[tuple[str, bytes | None]]) -> None:
        """Remember that the tree to be applied no longer consumes these; their bytes come back from
        git.
        """
        self.begin()
        self._db.executemany(
            f"""
            UPDATE captures
            SET settled = {OPEN},
              content = coalesce(content, ?2)
            WHERE id = ?1
            """,
            captures,
        )
        self.commit()

    # -- small values: the open run's intent, the newest transaction time --------------------------

    def put(self, key: str, value: str | None) -> None:
        """Keep a small value, in the caller's transaction; None removes it."""
        if value is None:
            self._db.execute("DELETE FROM meta WHERE key = ?", (key,))
        else:
            self._db.execute(
                "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2",
                (key, value),
            )

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file; only the night, which holds the lock, calls
        this.
        """
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

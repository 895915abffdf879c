"""The tables of journal.db, what each version added, and how a file of an older one gets them."""

import sqlite3
from collections.abc import Sequence

from companion import json_text
from companion.annotations import Any
from companion.storage.git import layout
from companion.storage.journal.errors import JournalError
from companion.storage.sqlite import statements, write_ahead
from companion.values.captures import Capture, Sighting

# `doctor` compares these texts with the file's, so no character of them may change: a backslash at
# the end of a line joins it to the next one.
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
  anchored INTEGER NOT NULL DEFAULT 0 \
-- 1 once git holds it, 2 once a run in the applied tree has heard it
);
CREATE INDEX sightings_capture ON sightings(capture);
CREATE INDEX sightings_voice ON sightings(agent, scope, seq) WHERE source IS NULL;
CREATE INDEX sightings_loose ON sightings(seq) WHERE anchored = 0;
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TRIGGER captures_stay BEFORE DELETE ON captures \
BEGIN SELECT RAISE(ABORT, 'captures are never deleted'); END;
CREATE TRIGGER captures_immutable \
BEFORE UPDATE OF id, blob, ingested_at, channel, priority, title, edges ON captures
  BEGIN SELECT RAISE(ABORT, 'a capture is immutable'); END;
CREATE TRIGGER content_immutable BEFORE UPDATE OF content ON captures
  WHEN OLD.content IS NOT NULL AND NEW.content IS NOT NULL AND NEW.content <> OLD.content
  BEGIN SELECT RAISE(ABORT, 'a capture''s content is immutable'); END;
CREATE TRIGGER sightings_stay BEFORE DELETE ON sightings \
BEGIN SELECT RAISE(ABORT, 'sightings are never deleted'); END;
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
# The teller's UTC offset in minutes; NULL where it is UTC or unknown.
_SINCE_4 = """
ALTER TABLE sightings ADD COLUMN utc_offset INTEGER;
"""
# 1: a telling that was taken back; 2: what takes tellings back.
_SINCE_5 = """
ALTER TABLE sightings ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;
CREATE INDEX sightings_withdrawals ON sightings(capture) WHERE withdrawn = 2;
"""
# What the device is called that it was told on; NULL where it has no name.
_SINCE_6 = """
ALTER TABLE sightings ADD COLUMN device TEXT;
"""
# A journal that may not be written keeps its older form: this reads it in the newer one.
READ_OLDER = """
CREATE TEMP VIEW sightings AS SELECT *, {} FROM main.sightings
"""
# what each version added
SCHEMAS = (_SCHEMA, _SINCE_2, _SINCE_3, _SINCE_4, _SINCE_5, _SINCE_6)
VERSION = len(SCHEMAS)
# set once, with what git held: a process killed before that must not hide it
RESTORED = "restored"


def open_for_reading(path: str) -> sqlite3.Connection:
    """Open the journal at *path*, which may not be written, in the form of the newest version."""
    uri = layout.read_only_uri(path)
    db = sqlite3.connect(uri, uri=True, isolation_level=None)
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if 0 < version < VERSION:
        missing = ["NULL AS device"]
        if version < 5:
            missing.insert(0, "0 AS withdrawn")
        if version < 4:
            missing.insert(0, "NULL AS utc_offset")
        # the disk for temporary files may be read-only, too
        db.execute("PRAGMA temp_store=MEMORY")
        db.execute(READ_OLDER.format(", ".join(missing)))
    return db


def prepare(db: sqlite3.Connection, busy: float) -> bool:
    """Bring the tables of *db* to the newest version, waiting *busy* seconds for others.

    Return whether what git holds of a lost journal is still to be read back. Raises JournalError.
    """
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == VERSION:
        # Without recursive triggers INSERT OR REPLACE would delete rows behind the append-only
        # triggers' back.
        db.execute("PRAGMA recursive_triggers=ON")
        return _is_unrestored(db)
    if version > 1_000_000:  # an index's version is a checksum
        raise JournalError(
            "journal.db is no journal",
            hint="Were journal.db and index.db swapped? Swap them back.",
        )
    if version > VERSION:
        raise JournalError(
            "a newer companion wrote this journal",
            hint="Upgrade companion-wiki.",
        )
    write_ahead(db, busy)
    db.execute("BEGIN IMMEDIATE")
    # another process may have been faster
    found = db.execute("PRAGMA user_version").fetchone()[0]
    for since, schema in enumerate(SCHEMAS):
        for statement in statements(schema) if found <= since else ():
            db.execute(statement)
    db.execute(f"PRAGMA user_version={VERSION}")
    db.execute("COMMIT")
    db.execute("PRAGMA recursive_triggers=ON")
    return _is_unrestored(db)


def _is_unrestored(db: sqlite3.Connection) -> bool:
    return (
        db.execute("SELECT 1 FROM meta WHERE key = ?", (RESTORED,)).fetchone()
        is None
    )


def read_capture_row(row: Sequence[Any]) -> Capture:
    """Return the capture of a row of `captures`. Raises JournalError where it is damaged."""
    try:
        return Capture(
            row[0],
            row[1],
            row[2],
            row[3],
            row[4],
            row[5],
            tuple(json_text.loads(row[6])),
            row[7] or b"",
        )
    # not JSON; no text, or no list; brackets without end
    except (ValueError, TypeError, RecursionError) as error:
        raise JournalError(
            f"journal.db: the row of capture {str(row[0])[:12]} is damaged"
        ) from error


def read_sighting_row(row: Sequence[Any]) -> Sighting:
    """Return the telling of a row of `sightings`."""
    return Sighting(row[0], row[1], row[2], bool(row[3]), *row[4:])

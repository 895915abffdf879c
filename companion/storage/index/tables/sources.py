"""Sources in the index: what nights read of originals, what they handed over, and what they could
not read.

A row of `readings` is one reading of one original. The same original is read again when the page of
its source is fitted anew; the last reading that is not undone counts.
"""

import sqlite3
from collections.abc import Iterable, Iterator

from companion import json_text
from companion.annotations import TYPE_CHECKING, Literal
from companion.tuples import NamedTuple
from companion.values.events import LedgerLine

if TYPE_CHECKING:
    # brings what a search does without
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

SourceKind = Literal["document", "chat", "memories", "container"]

_ADD_SOURCE = "INSERT INTO readings VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,0)"
_ADD_HANDED = "INSERT INTO handed VALUES (?,?,?,?,?,?,?,?)"
_ADD_UNREAD = "INSERT OR REPLACE INTO unread VALUES (?,?,?,?,?,?,?,?,0)"
# what a night could not read before may have become readable
_REMOVE_UNREAD = "DELETE FROM unread WHERE original = ?"
_ADD_LOCKED = """
    INSERT INTO locked VALUES (?,?,?,?,?,?,NULL)
    ON CONFLICT(original) DO NOTHING
    """
_RELEASE = "UPDATE locked SET choice = ? WHERE original = ?"
_UNDO_SOURCES = "UPDATE readings SET undone = ? WHERE run = ?"
_UNDO_UNREAD = "UPDATE unread SET undone = ? WHERE run = ?"

_COLUMNS = """
    s.key, s.entry, s.original, s.kind, s.cold, s.title, s.url, s.origin,
    s.media_type, s.reader, s.depth, s.spans, s.run, s.at, s.n
    """
#: the last reading of each source that is not undone
_LAST = f"""
    SELECT {_COLUMNS.replace("s.spans", "'[]'")}
    FROM readings s
    WHERE NOT s.undone
      AND NOT EXISTS (
        SELECT 1
        FROM readings o
        WHERE o.key = s.key AND NOT o.undone AND (o.at, o.run, o.n) > (s.at, s.run, s.n)
      )
    """


class Span(NamedTuple):
    """Where something that was kept stands in the text of its original."""

    start: int  # characters
    end: int  # characters, exclusive
    place: str  # in the terms of the format: "page 3"


class Source(NamedTuple):
    """A source as a night read it last."""

    key: str  # its identity, alike for every version of it
    entry: str  # of its page
    original: str  # sha256 of the bytes that were read
    kind: SourceKind
    cold: str  # the object of cold memory that holds these bytes
    title: str
    url: str | None
    origin: str | None  # where the original came from: a path, or an address
    media_type: str
    reader: str  # name and version
    depth: str  # of `depth.STEPS`
    spans: tuple[Span, ...]  # what was kept, in the order of the page
    run: str
    at: str  # when it was read (RFC 3339 UTC)
    n: int  # place of its event in the run


class HandedCapture(NamedTuple):
    """A capture that a reading handed over."""

    capture: str
    role: (
        str  # of a turn: owner, assistant, other or tool; empty for a document
    )
    speaker: str
    said_at: str  # RFC 3339 UTC, empty if unknown
    passage: str  # where it stands in the original


class UnreadOriginal(NamedTuple):
    """An original that no night could read."""

    original: str
    code: str  # encrypted, truncated, …
    reader: str  # name and version, with the extras that were there
    reason: str
    hint: str  # what to do
    origin: str
    run: str


class LockedOriginal(NamedTuple):
    """An original with secrets that only a night could see."""

    original: str
    kinds: tuple[str, ...]  # of secrets
    origin: str
    choice: str | None  # "keep" or "erase"; None: nobody decided yet
    run: str


# -- rows ------------------------------------------------------------------------------------------


def encode_contextualized(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of one reading of an original, and of what it handed over."""
    line = event.line
    spans = json_text.dumps(line["spans"], ensure_ascii=False)
    about = (line["original"], line["source"], line["entry"], line["kind"])
    what = (line["cold"], line["title"], line.get("url"), line.get("origin"))
    how = (line["media_type"], line["reader"], line["depth"], spans)
    yield _ADD_SOURCE, (event.run, *about, *what, *how, event.now, event.n)
    turns = line.get("turns", ())
    for place, capture in enumerate(line["handed"]):
        where = (event.run, line["original"], place, capture)
        # of a document there are none, and a foreign file may lack some
        turn = turns[place] if place < len(turns) else ("", "", "", "")
        yield _ADD_HANDED, (*where, *turn)
    yield _REMOVE_UNREAD, (line["original"],)


def encode_unread(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an original that could not be read."""
    line = event.line
    what = (line["code"], line["reader"], line["reason"], line["hint"])
    origin = line.get("origin", "")
    yield _ADD_UNREAD, (line["original"], event.run, *what, origin, event.now)


def encode_locked(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an original that waits for its owner because of secrets in it."""
    line = event.line
    kinds = json_text.dumps(line["kinds"])
    what = (kinds, line["reader"], line.get("origin", ""), event.now)
    yield _ADD_LOCKED, (line["original"], event.run, *what)


def encode_released(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what its owner decided on a locked original."""
    yield _RELEASE, (event.line["choice"], event.line["original"])


def encode_undone(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what takes back the readings of a whole run."""
    line = event.line
    undone = int(line["outcome"] == "undone")
    if "entries" not in line:
        yield _UNDO_SOURCES, (undone, line["run"])
        yield _UNDO_UNREAD, (undone, line["run"])
    for entry in line.get("entries", ()):
        yield f"{_UNDO_SOURCES} AND entry = ?", (undone, line["run"], entry)


# -- reads -----------------------------------------------------------------------------------------


def find_source(
    db: sqlite3.Connection, target: str, *, with_undone: bool = False
) -> Source | None:
    """Return the source that *target* names: its key, its page, its original or the beginning of
    that, its cold object, its address or the path that it came from. None where none does.

    *with_undone*, a reading that was taken back serves where there is no other: a page that still
    stands keeps its way back.
    """
    for column in ("key", "entry", "original", "cold", "url", "origin"):
        found = _find_by(
            db, f"s.{column} = ?1", target, with_undone=with_undone
        )
        if found is not None:
            return found
    if len(target) < 6:
        return None
    beginning = "s.original BETWEEN ?1 AND ?1 || 'g'"
    return _find_by(db, beginning, target, with_undone=with_undone)


def find_source_of_capture(
    db: sqlite3.Connection, capture: str, *, with_undone: bool = False
) -> Source | None:
    """Return the source whose reading handed *capture* over last; None for a note.

    *with_undone* is as for `find_source`.
    """
    query = f"""
        SELECT {_COLUMNS}
        FROM handed h
        JOIN readings s ON s.run = h.run AND s.original = h.original
        WHERE h.capture = ? AND (NOT s.undone OR ?)
        ORDER BY s.undone, s.at DESC, s.run DESC, s.n DESC
        LIMIT 1
        """
    return _read(db.execute(query, (capture, with_undone)).fetchone())


def find_first_original(db: sqlite3.Connection, key: str) -> str | None:
    """Return the original of the source *key* that was read first; None for a new source."""
    query = """
        SELECT original
        FROM readings
        WHERE key = ? AND NOT undone
        ORDER BY at, run, n
        LIMIT 1
        """
    row = db.execute(query, (key,)).fetchone()
    return None if row is None else row[0]


def is_taken_back(db: sqlite3.Connection, capture: str) -> bool:
    """Tell whether *capture* was handed over by readings alone that are undone."""
    query = """
        SELECT min(s.undone)
        FROM handed h
        JOIN readings s ON s.run = h.run AND s.original = h.original
        WHERE h.capture = ?
        """
    (undone,) = db.execute(query, (capture,)).fetchone()
    return bool(undone)


def list_readings(db: sqlite3.Connection, key: str) -> list[Source]:
    """Return the readings of the source *key* that are not undone, the last one first."""
    query = f"""
        SELECT {_COLUMNS}
        FROM readings s
        WHERE s.key = ? AND NOT s.undone
        ORDER BY s.at DESC, s.run DESC, s.n DESC
        """
    return [_decode(row) for row in db.execute(query, (key,))]


def read_line(db: sqlite3.Connection, source: Source) -> LedgerLine:
    """Return what the line of the ledger says of the reading *source*, but its entry and reason."""
    query = "SELECT data FROM events WHERE run = ? AND n = ?"
    (data,) = db.execute(query, (source.run, source.n)).fetchone()
    line: LedgerLine = json_text.loads(data)
    return line


def list_entries_of_sources(
    db: sqlite3.Connection, entries: Iterable[str]
) -> set[str]:
    """Return those of *entries* that are pages of sources which a night read."""
    query = "SELECT 1 FROM readings WHERE entry = ? AND NOT undone LIMIT 1"
    return {
        entry
        for entry in entries
        if db.execute(query, (entry,)).fetchone() is not None
    }


def list_moved(db: sqlite3.Connection) -> list[str]:
    """Return the entries of sources whose reader moved since they were read, oldest move first."""
    query = """
        SELECT v.entry, min(r.time)
        FROM runs r
        JOIN events v ON v.run = r.run AND v.event = 'shifted'
        WHERE json_extract(r.counts, '$.shifted') IS NOT NULL
          AND r.time > (
            SELECT max(s.at)
            FROM readings s
            WHERE s.entry = v.entry AND NOT s.undone
          )
        GROUP BY v.entry
        ORDER BY 2, 1
        """
    return [entry for entry, _ in db.execute(query)]


def list_recalled(db: sqlite3.Connection) -> list[str]:
    """Return the entries of sources whose original was fetched since they were read, by id."""
    query = """
        SELECT DISTINCT s.entry
        FROM readings s
        JOIN accesses a ON a.entry = s.entry
        WHERE NOT s.undone
          AND a.recalled_at > (
            SELECT max(o.at)
            FROM readings o
            WHERE o.entry = s.entry AND NOT o.undone
          )
        ORDER BY 1
        """
    return [entry for (entry,) in db.execute(query)]


def list_sources(db: sqlite3.Connection) -> list[Source]:
    """Return every source as it was read last, without its spans, the newest first."""
    rows = db.execute(f"{_LAST} ORDER BY s.at DESC, s.run DESC, s.n")
    return [_decode(row) for row in rows]


def list_handed(db: sqlite3.Connection, source: Source) -> list[HandedCapture]:
    """Return what the reading *source* handed over, in its order."""
    query = """
        SELECT capture, role, speaker, said_at, passage
        FROM handed
        WHERE run = ? AND original = ?
        ORDER BY place
        """
    rows = db.execute(query, (source.run, source.original))
    return [HandedCapture(*row) for row in rows]


def list_handed_captures(db: sqlite3.Connection) -> set[str]:
    """Return every capture that CONTEXTUALIZE handed over: nobody told it here."""
    rows = db.execute("SELECT DISTINCT capture FROM handed")
    return {capture for (capture,) in rows}


def list_contextualized(db: sqlite3.Connection) -> set[str]:
    """Return the originals that a night has read, and did not undo."""
    query = "SELECT original FROM readings WHERE NOT undone"
    return {original for (original,) in db.execute(query)}


def list_unread(db: sqlite3.Connection) -> list[UnreadOriginal]:
    """Return the originals that could not be read, by where they came from."""
    query = """
        SELECT original, code, reader, reason, hint, origin, run
        FROM unread
        WHERE NOT undone
        ORDER BY origin, original
        """
    return [UnreadOriginal(*row) for row in db.execute(query)]


def list_locked(db: sqlite3.Connection) -> list[LockedOriginal]:
    """Return the originals in which a night found secrets, by where they came from."""
    query = """
        SELECT original, kinds, origin, choice, run
        FROM locked
        ORDER BY origin, original
        """
    rows = db.execute(query).fetchall()
    return [
        LockedOriginal(original, tuple(json_text.loads(kinds)), *rest)
        for original, kinds, *rest in rows
    ]


def _find_by(
    db: sqlite3.Connection, condition: str, value: str, *, with_undone: bool
) -> Source | None:
    query = f"""
        SELECT {_COLUMNS}
        FROM readings s
        WHERE {condition} AND (NOT s.undone OR ?2)
        ORDER BY s.undone, s.at DESC, s.run DESC, s.n DESC
        LIMIT 1
        """
    return _read(db.execute(query, (value, with_undone)).fetchone())


def _read(row: tuple[object, ...] | None) -> Source | None:
    return None if row is None else _decode(row)


def _decode(row: tuple[object, ...]) -> Source:
    source = Source(*row)  # type: ignore[arg-type]
    spans = json_text.loads(str(source.spans))
    return source._replace(spans=tuple(Span(*span) for span in spans))

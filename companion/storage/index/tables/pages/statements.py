"""Statements in the index: the blocks of pages, what became of them, and what pages gather.

Where a block stands and what it says follows from the page. Whether it holds, which other pages it
concerns and what a page gathers follow from the ledger.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from companion import json_text
from companion.annotations import TYPE_CHECKING, Literal
from companion.pages import ids
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    # brings what a search does without
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

#: the id under which the table has what stands on a page beside its statements
BESIDE = ""
#: what a statement may be
STATES = ("active", "decaying", "archived")

_ADD_SUBJECT = "INSERT OR REPLACE INTO subjects VALUES (?,?,?,?)"
_ADD_MENTION = "INSERT INTO mentions VALUES (?,?,?) ON CONFLICT DO NOTHING"
_MOVE_CAPTURE = "UPDATE consumed SET entry = ? WHERE capture = ?"
_MOVE_CLAIMS = "UPDATE claims SET entry = ? WHERE capture = ?"
_MOVE_NEWEST_TELLING = """
    UPDATE known
    SET told = max(
      coalesce(told, ''),
      coalesce((SELECT told_at FROM consumed WHERE capture = ?), '')
    )
    WHERE id = ?
    """
_MERGE = """
    INSERT INTO transitions (run, entry, state, by, since)
    VALUES (?,?,'archived',?,?)
    """
_REMOVE_MERGED = "UPDATE known SET deleted = 1, title = ? WHERE id = ?"
_ADD_STATE = """
    INSERT INTO statement_states (run, capture, entry, state, by, since)
    VALUES (?,?,?,?,?,?)
    ON CONFLICT(run, capture) DO UPDATE SET entry = ?3, state = ?4, by = ?5
    """
_STORE = """
    INSERT INTO cold (id, entry, blob, path, run, since, why, distortion)
    VALUES (?,?,?,?,?,?,'statement',NULL)
    """
_UNDO_STATES = "UPDATE statement_states SET undone = ? WHERE run = ?"
# a person may change their mind
_ADD_BELONGING = "INSERT OR REPLACE INTO belongings VALUES (?,?,?)"

#: what became of a capture's statement last
LAST_STATE = """
    SELECT t.state
    FROM statement_states t
    WHERE t.capture = {} AND NOT t.undone
    ORDER BY t.since DESC, t.run DESC
    LIMIT 1
    """
#: a statement `s` of the consumed capture `c`, or what stands beside statements, that did not lose
STANDS = f"""
    NOT s.earlier
    AND coalesce(({LAST_STATE.format("c.capture")}), 'active') = 'active'
    AND (s.id = '' OR c.outcome <> 'undone')
    """
_SPEAKERS = f"""
    SELECT t.entry, coalesce(c.capture, '') AS statement
    FROM claims t
    LEFT JOIN entries e ON e.id = t.entry
    LEFT JOIN statements s
      ON s.page = e.path AND s.id = substr(t.capture, 1, 12) AND s.id <> ''
    LEFT JOIN consumed c
      ON c.capture = t.capture AND c.entry = t.entry AND s.id IS NOT NULL
    WHERE t.subject_key = ?
      AND t.predicate_key = ?
      AND t.functional
      AND t.withdrawn_at IS NULL
      AND (c.capture IS NULL OR ({STANDS}))
    GROUP BY t.entry, statement
    ORDER BY max(t.told_at) DESC, t.entry, statement
    LIMIT ?
    """
# the plus signs let SQLite look a capture up by its beginning, and not go through its page
_PLACED = f"""
    SELECT c.capture, s.id, e.id, s.page, e.title, e.blob, s.moment, s.text,
      s.earlier, coalesce(c.told_at, ''),
      coalesce(({LAST_STATE.format("c.capture")}), 'active'), c.outcome
    FROM statements s
    JOIN entries e ON e.path = s.page AND NOT e.tombstone
    JOIN consumed c
      ON substr(c.capture, 1, 12) = +s.id AND +c.entry = e.id
    """


SubjectKind = Literal["day", "subject", "series", "chat", "source"]
#: what a page may gather
SUBJECT_KINDS = ("day", "subject", "series", "chat", "source")


class PlacedStatement(NamedTuple):
    """A statement where it stands."""

    capture: str
    id: str  # the beginning of the capture's
    entry: str
    path: str
    title: str  # of the page
    blob: str  # of the page
    when: str  # as its heading says
    text: str  # git's hash of its words
    earlier: bool  # it stands under "Earlier"
    told_at: str  # the event time of its first telling, empty if unknown
    state: str  # of STATES
    outcome: str  # of the capture: "consolidated", or "undone"

    @property
    def stands(self) -> bool:
        """Whether it did not lose: it may be compared with others."""
        holds = not self.earlier and self.state == "active"
        return holds and self.outcome != "undone"


class StatementText(NamedTuple):
    """A page on which words stand as a statement, or beside its statements."""

    text: str  # git's hash of the words
    blob: str  # of the page
    id: str  # BESIDE for what stands beside the statements


class SubjectPage(NamedTuple):
    """The subject that a page gathers."""

    entry: str
    kind: SubjectKind
    key: str


# -- rows ------------------------------------------------------------------------------------------


def encode_subject(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of what the page of a `created` event gathers."""
    subject = event.line.get("subject")
    if subject is not None:
        about = (subject["kind"], subject["key"])
        yield _ADD_SUBJECT, (event.line["entry"], *about, event.run)


def encode_mentions(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of the other pages that a consumed capture concerns."""
    for entry in event.line.get("mentions", ()):
        yield _ADD_MENTION, (event.line["capture"], entry, event.run)


def encode_moved(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a statement that stands on another page now."""
    line = event.line
    yield _MOVE_CAPTURE, (line["entry"], line["capture"])
    yield _MOVE_CLAIMS, (line["entry"], line["capture"])
    yield _MOVE_NEWEST_TELLING, (line["capture"], line["entry"])


def encode_merged(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a page whose statements went into another: links follow it there."""
    line = event.line
    yield _MERGE, (event.run, line["entry"], line["into"], event.now)
    yield _REMOVE_MERGED, (line.get("title"), line["entry"])


def encode_statement(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of what became of one statement."""
    line = event.line
    about = (line["capture"], line["entry"], line["state"], line.get("by"))
    yield _ADD_STATE, (event.run, *about, event.now)
    if "cold" in line:
        shelf = ids.shelf_id(line["capture"])
        where = (line["original"], line["path"], event.run, event.now)
        yield _STORE, (line["cold"], shelf, *where)


def encode_belongs(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of where a person said that a note belongs."""
    line = event.line
    yield _ADD_BELONGING, (line["capture"], line["entry"], event.run)


def encode_undone(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what takes back the states that a whole run gave to statements."""
    line = event.line
    undone = int(line["outcome"] == "undone")
    update = _UNDO_STATES
    if "entries" not in line:
        yield update, (undone, line["run"])
    for entry in line.get("entries", ()):
        yield f"{update} AND entry = ?", (undone, line["run"], entry)


# -- reads -----------------------------------------------------------------------------------------


def list_statements_at(
    db: sqlite3.Connection, path: str
) -> list[PlacedStatement]:
    """Return the statements of the page at *path*, in their order on it."""
    query = f"{_PLACED} WHERE s.page = ? ORDER BY s.place"
    return _read(db, query, (path,))


def list_statements_of_entry(
    db: sqlite3.Connection, entry: str
) -> list[PlacedStatement]:
    """Return the statements of *entry*, in their order on its page."""
    query = f"{_PLACED} WHERE e.id = ? ORDER BY s.place"
    return _read(db, query, (entry,))


def list_paths_with_statement(db: sqlite3.Connection, id: str) -> list[str]:
    """Return the paths of the pages on which the block *id* stands."""
    query = "SELECT DISTINCT page FROM statements WHERE id = ? ORDER BY page"
    return [path for (path,) in db.execute(query, (id,))]


def find_statement_of_capture(
    db: sqlite3.Connection, capture: str
) -> PlacedStatement | None:
    """Return where the statement of *capture* stands.

    None for one that waits, is undone or is a page's only text: that has no block of its own.
    """
    query = f"{_PLACED} WHERE s.id = substr(?1, 1, 12) AND c.capture = ?1"
    found = _read(db, query, (capture,))
    return found[0] if found else None


def list_statements_since(
    db: sqlite3.Connection, words: str, since: str, most: int
) -> list[PlacedStatement]:
    """Return those told after *since* of the *most* statements that have most of *words*, as FTS5
    is asked for them; the newest first.
    """
    query = f"""
        {_PLACED}
        WHERE c.told_at > ?2 AND s.id IN (
          SELECT q.statement
          FROM (
            SELECT rowid, bm25(stems) AS score
            FROM stems
            WHERE stems MATCH ?1
            ORDER BY score
            LIMIT ?3
          ) r
          JOIN passages q ON q.doc = r.rowid
          WHERE q.statement <> ''
        )
        ORDER BY c.told_at DESC, s.id
        """
    return _read(db, query, (words, since, most))


def list_statements_beginning(
    db: sqlite3.Connection, prefix: str
) -> list[PlacedStatement]:
    """Return the statements whose id begins with *prefix*, two at most."""
    end = prefix + "g"
    query = f"{_PLACED} WHERE s.id >= ? AND s.id < ? ORDER BY s.id LIMIT 2"
    return _read(db, query, (prefix, end))


def list_statements_with_text(
    db: sqlite3.Connection, texts: Sequence[str]
) -> list[PlacedStatement]:
    """Return the statements whose words have one of the hashes *texts*."""
    found: list[PlacedStatement] = []
    for text in texts:
        found += _read(db, f"{_PLACED} WHERE s.text = ?", (text,))
    return found


def list_speaking_statements(
    db: sqlite3.Connection, key: tuple[str, str], most: int
) -> list[tuple[str, str]]:
    """Return the *most* (entry, capture) that told last of *key*, where it has one value at a time.

    The capture is empty where its words are no statement of their own on the page; statements that
    lost are left out.
    """
    return db.execute(_SPEAKERS, (*key, most)).fetchall()


def list_pages_with_texts(
    db: sqlite3.Connection, texts: Sequence[str]
) -> list[StatementText]:
    """Return, for those of *texts* that statements have, the first page on which each stands."""
    query = """
        SELECT s.text, p.blob, s.id
        FROM json_each(?) b
        CROSS JOIN statements s ON s.text = b.value
        CROSS JOIN pages p ON p.path = s.page
        ORDER BY s.page, s.place
        """
    first: dict[str, StatementText] = {}
    for row in db.execute(query, (json_text.dumps(texts),)):
        first.setdefault(row[0], StatementText(*row))
    return list(first.values())


def count_all_statements(db: sqlite3.Connection) -> int:
    """Return how many statements all pages have, lost ones among them."""
    return int(db.execute("SELECT count(*) FROM statements").fetchone()[0])


def count_statements(db: sqlite3.Connection, path: str) -> int:
    """Return how many statements stand on the page at *path*, lost ones not counted."""
    query = """
        SELECT count(*)
        FROM statements
        WHERE page = ? AND NOT earlier AND id <> ''
        """
    return int(db.execute(query, (path,)).fetchone()[0])


def find_subject(db: sqlite3.Connection, entry: str) -> SubjectPage | None:
    """Return what the page of *entry* gathers; None for a page of its own title."""
    query = "SELECT entry, kind, key FROM subjects WHERE entry = ?"
    row = db.execute(query, (entry,)).fetchone()
    return None if row is None else SubjectPage(*row)


def list_entries_gathering(
    db: sqlite3.Connection, entries: Iterable[str], kind: str
) -> set[str]:
    """Return those of *entries* whose pages gather something of *kind*."""
    query = "SELECT 1 FROM subjects WHERE entry = ? AND kind = ?"
    return {
        entry
        for entry in entries
        if db.execute(query, (entry, kind)).fetchone() is not None
    }


def list_moved_by_hand(
    db: sqlite3.Connection, entries: Iterable[str]
) -> list[tuple[str, str, str]]:
    """Return (capture, entry, entry before) of the statements on the pages of *entries* that the
    ledger knows on another page, where they stand no more.
    """
    # with the plus sign SQLite looks a capture up by its beginning, and not through all of them
    query = """
        SELECT DISTINCT x.key, c.capture, e.id, c.entry
        FROM json_each(?) x
        CROSS JOIN entries e ON e.id = x.value
        JOIN statements s ON s.page = e.path
        CROSS JOIN consumed c ON substr(c.capture, 1, 12) = +s.id
        WHERE NOT e.tombstone AND c.entry <> e.id
          AND NOT EXISTS (
            SELECT 1
            FROM statements o
            JOIN entries b ON b.path = o.page AND NOT b.tombstone
            WHERE o.id = s.id AND b.id = c.entry
          )
        ORDER BY x.key, c.capture
        """
    rows = db.execute(query, (json_text.dumps(list(entries)),))
    return [(capture, entry, before) for _, capture, entry, before in rows]


def list_subjects(db: sqlite3.Connection, kind: str) -> list[SubjectPage]:
    """Return the pages that gather something of *kind*, by key."""
    query = "SELECT entry, kind, key FROM subjects WHERE kind = ? ORDER BY key"
    return [SubjectPage(*row) for row in db.execute(query, (kind,))]


def list_mentioned_entries(db: sqlite3.Connection, capture: str) -> list[str]:
    """Return the entries that *capture* concerns beside the one that it stands on."""
    query = "SELECT entry FROM mentions WHERE capture = ? ORDER BY entry"
    return [entry for (entry,) in db.execute(query, (capture,))]


def list_entries_named_on(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the entries that notes of *entry* concern and that stand elsewhere, by id."""
    query = """
        SELECT DISTINCT m.entry
        FROM consumed c
        JOIN mentions m ON m.capture = c.capture
        WHERE c.entry = ? AND c.outcome <> 'undone' AND m.entry <> c.entry
        ORDER BY m.entry
        """
    return [named for (named,) in db.execute(query, (entry,))]


def list_captures_mentioning(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the captures that concern *entry* and stand elsewhere, by id."""
    query = """
        SELECT m.capture
        FROM mentions m
        JOIN consumed c ON c.capture = m.capture
        WHERE m.entry = ? AND c.outcome <> 'undone' AND c.entry <> m.entry
        ORDER BY m.capture
        """
    return [capture for (capture,) in db.execute(query, (entry,))]


def list_archived_captures(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the captures of *entry* whose words left its page for cold memory, by id."""
    query = f"""
        SELECT c.capture
        FROM consumed c
        WHERE c.entry = ? AND c.outcome <> 'undone'
          AND ({LAST_STATE.format("c.capture")}) = 'archived'
        ORDER BY c.capture
        """
    return [capture for (capture,) in db.execute(query, (entry,))]


def find_belonging(db: sqlite3.Connection, capture: str) -> str | None:
    """Return the entry that a person said *capture* belongs to; None if nobody said."""
    query = "SELECT entry FROM belongings WHERE capture = ?"
    row = db.execute(query, (capture,)).fetchone()
    return None if row is None else row[0]


def list_belongings(
    db: sqlite3.Connection, most: int | None = None
) -> list[tuple[str, str]]:
    """Return (capture, entry) for each note of which a person said where it belongs.

    What was said last comes first; at most *most*.
    """
    query = """
        SELECT capture, entry
        FROM belongings
        ORDER BY run DESC, capture
        LIMIT ?
        """
    return list(db.execute(query, (-1 if most is None else most,)))


def _read(
    db: sqlite3.Connection, query: str, values: Sequence[str | int]
) -> list[PlacedStatement]:
    rows = (PlacedStatement(*row) for row in db.execute(query, values))
    return [row._replace(earlier=bool(row.earlier)) for row in rows]

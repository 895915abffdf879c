"""Whether a statement holds: its latest state, what lost, and where its words are kept."""

import sqlite3

from companion.pages import ids
from companion.storage.index.tables.pages.statements import LAST_STATE
from companion.tuples import NamedTuple

#: statements of which somebody took back that a settle let them stand again, since they lost
_KEPT_AWAY = """
    SELECT DISTINCT t.capture
    FROM statement_states t
    JOIN runs r ON r.run = t.run AND r.operation = 'settle'
    WHERE t.state = 'active' AND t.undone
      AND t.since > (
        SELECT max(l.since)
        FROM statement_states l
        WHERE l.capture = t.capture AND l.state = 'decaying' AND NOT l.undone
      )
    """
#: statements that a settle let stand again, each with the time of that
_LET_STAND = f"""
    SELECT t.capture, max(t.since)
    FROM statement_states t
    JOIN runs r ON r.run = t.run AND r.operation = 'settle'
    WHERE t.state = 'active' AND NOT t.undone
      AND ({LAST_STATE.format("t.capture")}) = 'active'
    GROUP BY t.capture
    """


class LostStatement(NamedTuple):
    """A statement that lost, and its page."""

    capture: str
    entry: str
    path: str
    blob: str  # of the page
    title: str  # of the page
    text: str  # git's hash of the words that stand there
    since: str  # when it lost
    run: str
    operation: str  # of that run: CONSOLIDATE and DECAY's, or AUDIT's "settle"


_LOST = f"""
    SELECT c.capture, e.id, e.path, e.blob, e.title, s.text, l.since, l.run,
      r.operation
    FROM statement_states l
    JOIN runs r ON r.run = l.run
    JOIN consumed c ON c.capture = l.capture
    JOIN entries e ON e.id = c.entry AND NOT e.tombstone
    JOIN statements s
      ON s.page = e.path AND s.id = substr(c.capture, 1, 12) AND s.earlier
    WHERE l.state = 'decaying' AND NOT l.undone
      AND ({LAST_STATE.format("l.capture")}) = 'decaying'
    GROUP BY c.capture
    HAVING l.since = max(l.since)
    ORDER BY e.path, c.capture
    """


def list_lost_statements(db: sqlite3.Connection) -> list[LostStatement]:
    """Return the statements under "Earlier" that are decaying, page by page."""
    return [LostStatement(*row) for row in db.execute(_LOST)]


def list_kept_away(db: sqlite3.Connection) -> set[str]:
    """Return the captures of lost statements that a settle let stand again, which was undone."""
    return {capture for (capture,) in db.execute(_KEPT_AWAY)}


def list_let_stand(db: sqlite3.Connection) -> dict[str, str]:
    """Return when a settle let statements stand again that stand since, by capture."""
    return dict(db.execute(_LET_STAND).fetchall())


class StatementState(NamedTuple):
    """The latest state of a statement."""

    state: str  # of STATES
    entry: str
    since: str
    by: str | None  # the capture whose statement took its place


def find_statement_state(
    db: sqlite3.Connection, capture: str
) -> StatementState | None:
    """Return what became last of the statement of *capture*; None if nothing ever did."""
    query = """
        SELECT state, entry, since, by
        FROM statement_states
        WHERE capture = ? AND NOT undone
        ORDER BY since DESC, run DESC
        LIMIT 1
        """
    row = db.execute(query, (capture,)).fetchone()
    return None if row is None else StatementState(*row)


class Shelf(NamedTuple):
    """The object of cold memory that has the words of a statement."""

    id: str
    blob: str


def find_shelf(db: sqlite3.Connection, capture: str) -> Shelf | None:
    """Return where cold memory has the words of the statement of *capture*, the newest object."""
    query = """
        SELECT id, blob FROM cold WHERE entry = ? ORDER BY since DESC, id LIMIT 1
        """
    row = db.execute(query, (ids.shelf_id(capture),)).fetchone()
    return None if row is None else Shelf(*row)


def list_shelves(db: sqlite3.Connection, entry: str) -> dict[str, Shelf]:
    """Return where cold memory has the words of the statements of *entry*, by their captures."""
    query = """
        SELECT DISTINCT capture
        FROM statement_states
        WHERE entry = ? AND state = 'archived' AND NOT undone
        """
    shelves = {}
    for (capture,) in db.execute(query, (entry,)):
        shelf = find_shelf(db, capture)
        if shelf is not None:
            shelves[capture] = shelf
    return shelves

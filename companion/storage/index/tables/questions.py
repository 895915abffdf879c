"""Questions of `review` in the index: what was asked, of which entries, and how it was answered."""

import sqlite3

from companion import json_text
from companion.annotations import Literal
from companion.tuples import NamedTuple


class Question(NamedTuple):
    """Something that a person or an agent is asked to decide."""

    id: str
    kind: Literal[
        "contradiction", "doubt", "unsure", "model", "rests on", "disputed"
    ]
    entry: str
    capture: str | None
    other: str | None
    key: str | None
    run: str
    reason: str
    # the capture whose statement on the page of `other` is meant
    statement: str | None = None


class GivenAnswer(NamedTuple):
    """The answer to a question, as the ledger has it."""

    flag: str
    choice: str
    judge: str
    key: str


class Contradicted(NamedTuple):
    """An entry that another one was found to contradict, or a statement on it."""

    id: str
    path: str
    state: str | None  # None: there is no such entry any more
    tombstone: bool
    touched: str | None
    # the capture that was contradicted: its statement may have moved to another page
    statement: str | None


class RestsOnFallen(NamedTuple):
    """An open question about what an entry rests on."""

    flag: str
    reason: str
    path: list[str]  # the steps from the entry to what fell
    statement: str  # the note of the page that is meant, by its capture; "" for the whole page


def list_questions(db: sqlite3.Connection) -> list[Question]:
    """Return every question ever asked, oldest first."""
    columns = (
        "f.flag, f.kind, f.entry, f.capture, f.other, f.key, f.run, "
        "f.reason, f.statement"
    )
    query = f"""
        SELECT {columns}
        FROM flags f
        JOIN runs r ON r.run = f.run
        ORDER BY r.time, f.run, f.flag
        """
    return [Question(*row) for row in db.execute(query)]


def find_time_asked(db: sqlite3.Connection, question: str) -> str:
    """Return when *question* was asked (RFC 3339 UTC)."""
    query = "SELECT r.time FROM flags f JOIN runs r ON r.run = f.run WHERE f.flag = ?"
    return str(db.execute(query, (question,)).fetchone()[0])


def list_questions_of_kind(db: sqlite3.Connection, kind: str) -> set[str]:
    """Return the ids of the questions of one kind."""
    return {
        flag
        for (flag,) in db.execute(
            "SELECT flag FROM flags WHERE kind = ?", (kind,)
        )
    }


def list_unanswered(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (id, kind) of the questions that no ledger file answers."""
    query = "SELECT flag, kind FROM flags WHERE flag NOT IN (SELECT flag FROM answers)"
    return db.execute(query).fetchall()


def list_answers(db: sqlite3.Connection) -> list[GivenAnswer]:
    """Return the answer to each question that has one in the ledger."""
    rows = db.execute("SELECT flag, choice, judge, key FROM answers")
    return [GivenAnswer(*row) for row in rows]


def list_contradicted_by_model(db: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return (path, question) of every page that a new model contradicts, by path."""
    return db.execute(
        """
        SELECT e.path, f.flag
        FROM flags f
        JOIN entries e ON e.id = f.entry
        WHERE f.kind = 'model' AND NOT e.tombstone
        ORDER BY e.path
        """
    ).fetchall()


def list_contradicted(db: sqlite3.Connection, entry: str) -> list[Contradicted]:
    """Return the entries, and the statements, that *entry* was found to contradict, by id."""
    rows = db.execute(
        """
        SELECT DISTINCT coalesce(c.entry, f.other), coalesce(e.path, ''),
          e.state, e.tombstone, k.touched, coalesce(f.statement, c.capture)
        FROM flags f
        LEFT JOIN consumed c ON c.capture = f.other
        LEFT JOIN entries e ON e.id = coalesce(c.entry, f.other)
        LEFT JOIN known k ON k.id = e.id
        WHERE f.entry = ? AND f.kind = 'contradiction' AND f.other IS NOT NULL
        ORDER BY 1, 6
        """,
        (entry,),
    )
    return [
        Contradicted(id, path, state, bool(tombstone), touched, statement)
        for id, path, state, tombstone, touched, statement in rows
    ]


def list_contradicted_by_quarantined(
    db: sqlite3.Connection, capture: str
) -> list[str]:
    """Return the active entries that *capture*, whose page is in quarantine, contradicts, by id."""
    rows = db.execute(
        """
        SELECT f.other
        FROM consumed c
        JOIN flags f ON f.entry = c.entry AND f.kind = 'contradiction'
        JOIN entries e ON e.id = f.other
        JOIN entries q ON q.id = c.entry AND q.quarantined
        WHERE c.capture = ? AND e.state = 'active'
        ORDER BY f.other
        """,
        (capture,),
    )
    return [entry for (entry,) in rows]


def is_rejected(db: sqlite3.Connection, entry: str) -> bool:
    """Tell whether a person answered a question about *entry* against it."""
    query = """
        SELECT 1
        FROM flags f
        JOIN answers a ON a.flag = f.flag
        WHERE f.entry = ? AND a.choice IN ('reject', 'prefer-old')
        """
    return db.execute(query, (entry,)).fetchone() is not None


def list_answers_about(
    db: sqlite3.Connection, entry: str
) -> list[tuple[str, str]]:
    """Return (time, choice) of the answers to questions about *entry*, oldest first; a choice
    between claims says nothing about it.
    """
    return db.execute(
        """
        SELECT r.time, a.choice
        FROM answers a
        JOIN flags f ON f.flag = a.flag
        JOIN runs r ON r.run = a.run
        WHERE (f.entry = ?1 OR f.other = ?1) AND a.choice <> 'prefer'
        ORDER BY r.time
        """,
        (entry,),
    ).fetchall()


def list_fallen_support(
    db: sqlite3.Connection, entry: str
) -> list[RestsOnFallen]:
    """Return the unanswered questions about what *entry* rests on and what fell."""
    rows = db.execute(
        """
        SELECT r.flag, f.reason, r.path, r.statement
        FROM resting r
        JOIN flags f ON f.flag = r.flag
        WHERE r.entry = ? AND r.flag NOT IN (SELECT flag FROM answers)
        ORDER BY r.flag, r.statement
        """,
        (entry,),
    )
    return [
        RestsOnFallen(flag, reason, json_text.loads(path), statement)
        for flag, reason, path, statement in rows
    ]

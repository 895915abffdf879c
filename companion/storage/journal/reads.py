"""The lines that reads have appended, taken into the journal: rows until a run has them, and a
while longer.

A run tells in its first line which use it took last. That alone says what is on record; `folded`
only remembers it.
"""

import fcntl
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from companion import json_text
from companion.annotations import Any
from companion.storage.git.layout import Place
from companion.storage.journal import reads_file
from companion.storage.journal.journal import Journal
from companion.storage.sqlite import statements
from companion.tuples import NamedTuple

_TAKEN = "uses.taken"

# Made when it is first needed: a capture has no use for it.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS uses (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,            -- of this use, by chance: it says nothing of the words
  at TEXT NOT NULL, agent TEXT NOT NULL, verb TEXT NOT NULL, words TEXT NOT NULL,
  shown TEXT NOT NULL,                -- entries and captures, the first one first: a JSON list
  about TEXT,                         -- of feedback: the use that it is about
  folded INTEGER NOT NULL DEFAULT 0   -- a run has it
);
CREATE INDEX IF NOT EXISTS uses_open ON uses(seq) WHERE NOT folded;
"""
_COLUMNS = "id, at, agent, verb, words, shown, about"


class Use(NamedTuple):
    """One read, or one word of feedback."""

    id: str
    at: str  # RFC 3339 UTC, by the clock of then
    agent: str  # "owner" for the person
    verb: str
    words: str  # what was asked; of feedback, what was said
    shown: tuple[str, ...]  # ids of entries and captures, the first one first
    about: str | None = None  # of feedback: the use that it is about


class Row(NamedTuple):
    """A use in the journal."""

    seq: int
    folded: bool
    use: Use


def take_reads(
    place: Place, journal: Journal, clean: Callable[[str], str]
) -> None:
    """Let the journal take in what reads have appended, in one transaction; *clean* says which
    words it may keep.

    Killed at any point, this loses no line and takes in none twice.
    """
    path, taken = (
        os.path.join(place.state, reads_file.NAME),
        os.path.join(place.state, _TAKEN),
    )
    if not (os.path.exists(path) or os.path.exists(taken)):
        return
    journal.begin()  # also holds off whoever else would take them
    try:
        if not os.path.exists(taken):
            os.rename(path, taken)
        with open(taken, "rb") as file:
            # a reader that opened it before the rename is done in microseconds
            fcntl.flock(file, fcntl.LOCK_EX)
            insert(
                journal,
                (
                    use._replace(words=clean(use.words))
                    for use in _parse(file.read())
                ),
            )
            journal.commit()
            os.unlink(taken)
    except BaseException:
        journal.rollback()
        raise


def insert(journal: Journal, found: Iterable[Use]) -> None:
    """Add rows, in the caller's transaction; one that is there already changes nothing."""
    for statement in statements(_SCHEMA):
        journal.connection.execute(statement)
    rows = ((*use[:5], json_text.dumps(use.shown), use.about) for use in found)
    journal.connection.executemany(
        f"INSERT INTO uses ({_COLUMNS}) VALUES (?,?,?,?,?,?,?) ON CONFLICT(id) DO NOTHING",
        rows,
    )


def restore_rows(journal: Journal, rows: Sequence[Row]) -> None:
    """Let a new journal have *rows* of another one, in their order."""
    if not rows:
        return
    journal.begin()
    insert(journal, [row.use for row in rows])
    folded = [(row.use.id,) for row in rows if row.folded]
    journal.connection.executemany(
        "UPDATE uses SET folded = 1 WHERE id = ?", folded
    )
    journal.commit()


def _parse(data: bytes) -> Iterator[Use]:
    """Yield what the lines of a file tell; one that was cut short tells nothing."""
    for line in data.split(b"\n"):
        use = _use(line) if line else None
        if use is not None:
            yield use


def _use(line: bytes) -> Use | None:
    try:
        id, at, agent, verb, words, shown = json_text.loads(line)
    except (ValueError, TypeError, RecursionError):
        return None
    texts = (
        (id, at, agent, verb, words, *shown)
        if isinstance(shown, list)
        else (None,)
    )
    return (
        Use(id, at, agent, verb, words, tuple(shown))
        if all(isinstance(text, str) for text in texts)
        else None
    )


# -- rows ------------------------------------------------------------------------------------------


def list_rows(journal: Journal, since: str = "") -> list[Row]:
    """Return what no run has yet, and what runs have of after *since*, in the order it was taken
    in.
    """
    if not _here(journal):
        return []
    query = f"SELECT seq, folded, {_COLUMNS} FROM uses WHERE NOT folded OR at > ? ORDER BY seq"
    found = journal.connection.execute(query, (since,))
    return [Row(seq, bool(folded), _of_row(row)) for seq, folded, *row in found]


def count_reads(journal: Journal) -> int:
    """Return how many uses were ever taken in here."""
    if not _here(journal):
        return 0
    return int(
        journal.connection.execute(
            "SELECT coalesce(max(seq), 0) FROM uses"
        ).fetchone()[0]
    )


def list_days(journal: Journal) -> set[str]:
    """Return the days (`YYYY-MM-DD`) of which a use is known here."""
    if not _here(journal):
        return set()
    return {
        day
        for (day,) in journal.connection.execute(
            "SELECT DISTINCT substr(at, 1, 10) FROM uses"
        )
    }


def count_waiting(
    place: Place, journal: Journal, marks: Collection[str]
) -> int:
    """Return how many uses no run has yet, those among them that are lines still."""
    lines = 0
    for name in (reads_file.NAME, _TAKEN):
        try:
            with open(os.path.join(place.state, name), "rb") as file:
                lines += file.read().count(b"\n[")
        except FileNotFoundError:
            continue
    if not _here(journal):
        return lines
    open_ = journal.connection.execute(
        "SELECT seq, id FROM uses WHERE NOT folded ORDER BY seq"
    ).fetchall()
    upto = _upto(open_, marks)
    return lines + len([seq for seq, _ in open_ if seq > upto])


def list_reads_of_agent(journal: Journal, agent: str, limit: int) -> list[Use]:
    """Return what *agent* read last, the newest first."""
    if not _here(journal):
        return []
    query = (
        f"SELECT {_COLUMNS} FROM uses WHERE agent = ? ORDER BY seq DESC LIMIT ?"
    )
    return [
        _of_row(row)
        for row in journal.connection.execute(query, (agent, limit))
    ]


def note_folded(journal: Journal, marks: Callable[[], Collection[str]]) -> None:
    """Remember what runs have: everything up to the newest of *marks*, the last use that each took.

    What a run took stays taken when a reset throws the run away: it comes back with it, like its
    captures.
    """
    if not _here(journal):
        return
    open_ = journal.connection.execute(
        "SELECT seq, id FROM uses WHERE NOT folded ORDER BY seq"
    ).fetchall()
    upto = _upto(open_, marks()) if open_ else 0
    if upto:
        journal.begin()
        journal.connection.execute(
            "UPDATE uses SET folded = 1 WHERE seq <= ? AND NOT folded", (upto,)
        )
        journal.commit()


def forget_reads(journal: Journal, before: str) -> None:
    """Drop what runs have of reads *before* an instant."""
    if (
        not _here(journal)
        or not journal.connection.execute(
            f"SELECT 1 {_OLD} LIMIT 1", (before,)
        ).fetchone()
    ):
        return
    journal.begin()
    journal.connection.execute(f"DELETE {_OLD}", (before,))
    journal.commit()


_OLD = "FROM uses WHERE folded AND at < ?"


def _upto(open_: Sequence[tuple[int, str]], marks: Collection[str]) -> int:
    return max((seq for seq, id in open_ if id in marks), default=0)


def _here(journal: Journal) -> bool:
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'uses'"
    return journal.connection.execute(query).fetchone() is not None


def _of_row(row: Sequence[Any]) -> Use:
    id, at, agent, verb, words, shown, about = row
    return Use(id, at, agent, verb, words, tuple(json_text.loads(shown)), about)

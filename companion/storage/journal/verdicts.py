"""The verdict log: what a judge answered, under the key of everything that shaped its answer (claim
ledger, LED-7).

Two places, one log. The ledger files, folded into index.db, hold what every clone shares;
journal.db holds what was answered here and is in no ledger file yet. An answer is committed (WAL,
FULL) before anything may rest on it, and the first answer to a question stays: asked again, it is
read, never replaced.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from companion import json_text
from companion.storage.files import durable
from companion.storage.journal.journal import Journal
from companion.storage.sqlite import statements
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument

# Made when it is first needed: a capture has no use for it.
_SCHEMA = """
CREATE TABLE IF NOT EXISTS verdicts (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,           -- sha256 of task, judge and inputs: see companion.judges.ask
  task TEXT NOT NULL, judge TEXT NOT NULL,
  answer TEXT NOT NULL,               -- canonical JSON
  at TEXT NOT NULL                    -- transaction time of the answer
);
CREATE INDEX IF NOT EXISTS verdicts_task ON verdicts(task);
CREATE TRIGGER IF NOT EXISTS verdicts_stay BEFORE DELETE ON verdicts
  BEGIN SELECT RAISE(ABORT, 'a verdict is never deleted'); END;
CREATE TRIGGER IF NOT EXISTS verdicts_immutable BEFORE UPDATE ON verdicts
  BEGIN SELECT RAISE(ABORT, 'a verdict is immutable'); END;
"""
_CHUNK = 500  # keys in one query


class Logged(NamedTuple):
    """One answer as the log holds it."""

    key: str
    task: str
    judge: str  # its identity in words; the key has all of it
    answer: JsonDocument


class Verdicts:
    """The log of one wiki."""

    def __init__(
        self, journal: Journal, index: sqlite3.Connection | None
    ) -> None:
        self._journal, self._index = journal, index

    def find(self, keys: Iterable[str]) -> dict[str, Logged]:
        """Return what is known under *keys*: the shared ledger's answer before one that only this
        journal has.
        """
        wanted = list(dict.fromkeys(keys))
        found = (
            _select(self._journal.connection, wanted) if self._here() else {}
        )
        if self._index is not None:
            found |= _select(self._index, wanted)
        return found

    def told(self, keys: Iterable[str]) -> set[str]:
        """Return which of *keys* a ledger file has."""
        return (
            set()
            if self._index is None
            else set(_select(self._index, list(keys)))
        )

    def of_task(self, task: str) -> list[Logged]:
        """Return every answer to *task* that this journal has, in the order they were given."""
        if not self._here():
            return []
        query = "SELECT key, task, judge, answer FROM verdicts WHERE task = ? ORDER BY seq"
        return [
            _logged(row)
            for row in self._journal.connection.execute(query, (task,))
        ]

    def add(self, answers: Sequence[Logged], at: str) -> None:
        """Make *answers* durable; one whose key has an answer already changes nothing."""
        if not answers:
            return
        db = self._journal.connection
        self._journal.begin()
        try:
            for statement in statements(_SCHEMA):
                db.execute(statement)
            rows = []
            for each in answers:
                rows.append(
                    (
                        each.key,
                        each.task,
                        each.judge,
                        encode_canonical(each.answer),
                        at,
                    )
                )
            db.executemany(
                """
                INSERT INTO verdicts (key, task, judge, answer, at)
                VALUES (?,?,?,?,?)
                ON CONFLICT(key) DO NOTHING
                """,
                rows,
            )
            durable.fault("journal.commit")
            self._journal.commit()
            durable.fault("journal.commit", "after")
        except BaseException:
            self._journal.rollback()
            raise

    def _here(self) -> bool:
        query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'verdicts'"
        return self._journal.connection.execute(query).fetchone() is not None


def encode_canonical(value: object) -> str:
    """Return *value* as the one JSON text that every machine writes for it."""
    return json_text.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )


def _select(db: sqlite3.Connection, keys: Sequence[str]) -> dict[str, Logged]:
    found = {}
    for start in range(0, len(keys), _CHUNK):
        some = keys[start : start + _CHUNK]
        query = f"""
            SELECT key, task, judge, answer
            FROM verdicts
            WHERE key IN ({",".join("?" * len(some))})
            """
        found.update({row[0]: _logged(row) for row in db.execute(query, some)})
    return found


def _logged(row: tuple[str, str, str, str]) -> Logged:
    return Logged(row[0], row[1], row[2], json_text.loads(row[3]))

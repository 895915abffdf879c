"""Declare and check how isolated a reader of the index is: an operator may not decide on reads that
another process can overtake.

SQLite has one writer at a time, and every transaction on one database is serializable. What it
cannot know is what becomes of an answer. So there are three ways to read, and a `View` says which
of them it is:

- without a transaction every statement sees another moment: *read committed*, which no operator may
  decide on;
- a read transaction sees one moment, and somebody may have written since when its answer is acted
  on: *snapshot*;
- one that nobody can overtake is *serializable*: the write lock is held until the answer is
  written, or nothing is ever written on it, because the connection may only read.

A night's plan is read under sleep.lock and published by compare-and-swap on the tree it was read
from (`publish`): who comes first wins, and the other reads again. `deciding` is for that: the lock
first, then the one transaction.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from companion.annotations import Literal
from companion.errors import CompanionError
from companion.tuples import NamedTuple

Level = Literal["read committed", "snapshot", "serializable"]
_RANK: dict[str, int] = {"read committed": 0, "snapshot": 1, "serializable": 2}


class WeakIsolation(CompanionError):
    """A conflict may not be settled on what this read sees: somebody may be writing meanwhile."""

    exit_code = 75
    hint = "Please report it: every read of claims should hold a transaction."


class View(NamedTuple):
    """A connection, and what isolation its reads have for as long as its transaction lasts."""

    db: sqlite3.Connection
    granted: Level

    @property
    def level(self) -> Level:
        """The level that holds now: none is left when the transaction has ended."""
        return self.granted if self.db.in_transaction else "read committed"

    def require(self, needed: Level) -> None:
        """Raise WeakIsolation unless reads have at least the level *needed*."""
        if _RANK[self.level] < _RANK[needed]:
            raise WeakIsolation(
                f"{needed} reads are needed to settle this, and these are {self.level}"
            )


def view_without_transaction(db: sqlite3.Connection) -> View:
    """Return *db* as it is: every statement sees what was committed last."""
    return View(db, "read committed")


@contextmanager
def snapshot(db: sqlite3.Connection) -> Iterator[View]:
    """Read one moment of *db*; who acts on it later must look again."""
    with _transaction(db, "BEGIN"):
        yield View(db, "snapshot")


@contextmanager
def reading(db: sqlite3.Connection) -> Iterator[View]:
    """Read one moment of *db*, and write nothing on it: the connection refuses to until the block
    ends.
    """
    db.execute("PRAGMA query_only=1")
    try:
        with _transaction(db, "BEGIN"):
            yield View(db, "serializable")
    finally:
        db.execute("PRAGMA query_only=0")


@contextmanager
def deciding(db: sqlite3.Connection) -> Iterator[View]:
    """Hold the write lock of *db* while something is decided, so that nobody can overtake it."""
    with _transaction(db, "BEGIN IMMEDIATE"):
        yield View(db, "serializable")


@contextmanager
def _transaction(db: sqlite3.Connection, begin: str) -> Iterator[None]:
    db.execute(begin)
    try:
        # BEGIN alone fixes no moment yet
        db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")

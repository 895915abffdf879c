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


class Transaction:
    """A transaction for the length of a `with` block; an error takes back what the block did."""

    def __init__(
        self,
        db: sqlite3.Connection,
        begin: str,
        granted: Level,
        *,
        only_reads: bool = False,
    ) -> None:
        self._begin = begin
        self._view = View(db, granted)
        self._only_reads = only_reads

    def __enter__(self) -> View:
        """Begin, and fix the moment that is read."""
        db = self._view.db
        if self._only_reads:
            db.execute("PRAGMA query_only=1")
        try:
            db.execute(self._begin)
            # BEGIN alone fixes no moment yet
            db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()
        except BaseException:
            self._end(is_kept=False)
            raise
        return self._view

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Commit, or take back."""
        self._end(is_kept=kind is None)

    def _end(self, *, is_kept: bool) -> None:
        db = self._view.db
        try:
            if is_kept:
                db.execute("COMMIT")
            # some errors take everything back themselves
            elif db.in_transaction:
                db.execute("ROLLBACK")
        finally:
            if self._only_reads:
                db.execute("PRAGMA query_only=0")


def snapshot(db: sqlite3.Connection) -> Transaction:
    """Read one moment of *db*; who acts on it later must look again."""
    return Transaction(db, "BEGIN", "snapshot")


def reading(db: sqlite3.Connection) -> Transaction:
    """Read one moment of *db*, and write nothing on it: the connection refuses to until the block
    ends.
    """
    return Transaction(db, "BEGIN", "serializable", only_reads=True)


def deciding(db: sqlite3.Connection) -> Transaction:
    """Hold the write lock of *db* while something is decided, so that nobody can overtake it."""
    return Transaction(db, "BEGIN IMMEDIATE", "serializable")

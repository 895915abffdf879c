"""One transaction at a level, with another that comes in between where it is let in."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import TracebackType

from companion.storage.index.isolation import Level

LEVELS: tuple[Level, ...] = ("read committed", "snapshot", "serializable")
Step = Callable[[sqlite3.Connection], object]


class Aborted(Exception):
    """Somebody else was first."""


@contextmanager
def database(
    folder: Path, name: str
) -> Iterator[Callable[[], sqlite3.Connection]]:
    """Give connections to one new database with rows x and y, each 50."""
    path = folder / f"{name}.db"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, timeout=0)

    with closing(connect()) as db:
        db.execute("PRAGMA journal_mode=WAL")
        db.execute("PRAGMA synchronous=OFF")
        db.execute("CREATE TABLE t (k TEXT PRIMARY KEY, v)")
        db.executemany("INSERT INTO t VALUES (?, 50)", ["x", "y"])
    yield connect


class Transaction:
    """A transaction at a *level*; `meanwhile` lets another one in, now or, where it is locked out,
    afterwards.
    """

    def __init__(
        self, db: sqlite3.Connection, other: sqlite3.Connection, level: Level
    ) -> None:
        self.db, self.other, self.level = db, other, level
        self.seen: dict[str, object] = {}
        self.writes: dict[str, object] = {}
        self.late: list[Step] = []
        self.overtaken = False  # another one has committed since this one began
        self.committed = False

    def __enter__(self) -> "Transaction":
        if self.level != "read committed":
            self.db.execute(
                "BEGIN IMMEDIATE" if self.level == "serializable" else "BEGIN"
            )
            self.db.execute("SELECT count(*) FROM t").fetchone()
        return self

    def read(self, key: str) -> object:
        row = self.db.execute("SELECT v FROM t WHERE k = ?", (key,)).fetchone()
        self.seen.setdefault(key, row and row[0])
        return row and row[0]

    def keys(self) -> list[str]:
        return [key for (key,) in self.db.execute("SELECT k FROM t ORDER BY k")]

    def write(self, key: str, value: object) -> None:
        self.writes[key] = value

    def meanwhile(self, step: Step) -> None:
        try:
            step(self.other)
            self.overtaken = True
        except sqlite3.OperationalError:
            self.late.append(step)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self._commit()
        finally:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            for step in self.late:
                step(self.other)

    def _commit(self) -> None:
        if self.level != "serializable":
            if self.db.in_transaction:
                self.db.execute("COMMIT")
            self.db.execute("BEGIN IMMEDIATE")
        for key, value in self.writes.items():
            row = self.db.execute(
                "SELECT v FROM t WHERE k = ?", (key,)
            ).fetchone()
            if (
                self.level == "snapshot"
                and key in self.seen
                and (row and row[0]) != self.seen[key]
            ):
                raise Aborted
            self.db.execute(
                "INSERT INTO t VALUES (?1, ?2) ON CONFLICT(k) DO UPDATE SET v = ?2",
                (key, value),
            )
        self.db.execute("COMMIT")
        self.committed = True


def put(**values: object) -> Step:
    """Return a whole transaction that writes *values*."""

    def step(db: sqlite3.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        for key, value in values.items():
            db.execute(
                "INSERT INTO t VALUES (?1, ?2) ON CONFLICT(k) DO UPDATE SET v = ?2",
                (key, value),
            )
        db.execute("COMMIT")

    return step

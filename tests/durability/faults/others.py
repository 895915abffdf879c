"""What git and SQLite do to the disk for the program: one call each, whatever they do inside."""

import errno
import os
import sqlite3
import stat
import subprocess
from typing import Any

from tests.durability.faults.calls import Tap

_GIT_WRITES = {
    "init",
    "update-ref",
    "update-index",
    "read-tree",
    "hash-object",
    "config",
    "remote",
    "fetch",
    "push",
}
_SQL_WRITES = (
    "COMMIT",
    "INSERT",
    "UPDATE",
    "DELETE",
    "CREATE",
    "DROP",
    "PRAGMA WAL_CHECKPOINT",
    "PRAGMA JOURNAL_MODE",
)
_SQL_WRITES += ("PRAGMA USER_VERSION=",)

# --- git
# ----------------------------------------------------------------------------------------------------------


def git(tap: Tap) -> None:
    real = subprocess.run

    def run(args: Any, *more: Any, **options: Any) -> Any:
        verb = (
            next((word for word in args[1:] if word in _GIT_WRITES), None)
            if args[0] == "git"
            else None
        )
        if (
            verb is None
            or "--list" in args
            or (verb == "hash-object" and "-w" not in args)
        ):
            return _refreshing(tap, real, args, *more, **options)
        before = tap.scan_git() if tap.record else {}

        def refuse(number: int) -> Any:
            return subprocess.CompletedProcess(
                args, 128, b"", f"fatal: {os.strerror(number)}".encode()
            )

        done = tap.step(
            f"git {verb}", lambda: real(args, *more, **options), refuse=refuse
        )
        if tap.record and not tap.strikes():
            _compare(tap, before, hardened="core.fsync=all" in args)
        return done

    subprocess.run = run


def _refreshing(
    tap: Tap, real: Any, args: Any, *more: Any, **options: Any
) -> Any:
    """Run a git that only reads; where it may note in its index what it found, that is a new file,
    and no call.
    """
    may = (
        tap.record
        and args[0] == "git"
        and (options.get("env") or {}).get("GIT_OPTIONAL_LOCKS") == "1"
    )
    before = tap.scan_git() if may else {}
    done = real(args, *more, **options)
    if may:
        _compare(tap, before, hardened="core.fsync=all" in args)
    return done


def _compare(
    tap: Tap, before: dict[str, os.stat_result], *, hardened: bool
) -> None:
    """Record what a git did: files under names of their own, synced where core.fsync has a word for
    them.
    """
    after = tap.scan_git()
    changed = [
        path for path, now in after.items() if not _same(before.get(path), now)
    ]
    for path in sorted(
        changed,
        key=lambda path: (
            not stat.S_ISDIR(after[path].st_mode),
            "/refs/" in path,
            path,
        ),
    ):
        now, was = after[path], before.get(path)
        if stat.S_ISDIR(now.st_mode):
            tap.named((path, "dir"))
            continue
        new = was is None or was.st_ino != now.st_ino
        file = tap.born(now) if new else tap.number(now)
        tap.content(file, tap.read(path))
        if (hardened and _fsynced(path)) or (
            tap.elsewhere and path.startswith(tap.elsewhere)
        ):
            tap.log.append(("sync", file))
        if new:
            tap.named((path, file))
    for path in sorted(before.keys() - after.keys(), reverse=True):
        tap.named((path, None))


def _same(was: os.stat_result | None, now: os.stat_result) -> bool:
    if was is None or stat.S_ISDIR(now.st_mode):
        return was is not None
    return (was.st_ino, was.st_mtime_ns, was.st_size) == (
        now.st_ino,
        now.st_mtime_ns,
        now.st_size,
    )


def _fsynced(path: str) -> bool:
    """Whether core.fsync=all speaks of the file (git-config): objects, packs, indexes and refs,
    never a setting.
    """
    inside = path.partition("/.git/")[2]
    return (
        inside.startswith(("objects/", "refs/"))
        or inside.endswith("index")
        or inside == "packed-refs"
    )


# --- SQLite
# -------------------------------------------------------------------------------------------------------


def sqlite(tap: Tap) -> None:
    connect = sqlite3.connect

    class Recorded(sqlite3.Connection):
        path: str | None = None

        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            if not self._writes(sql):
                return super().execute(sql, *args)
            cursor = tap.step(
                f"sqlite {sql.split()[0]}",
                lambda: super(Recorded, self).execute(sql, *args),
                refuse=_full,
            )
            if tap.record and self.path is not None:
                if sql.upper().startswith("PRAGMA"):
                    cursor = _rows(cursor)
                tap.database(
                    self.path,
                    super().execute("PRAGMA synchronous").fetchone()[0],
                )
            return cursor  # type: ignore[no-any-return]

        def close(self) -> None:
            level = super().execute("PRAGMA synchronous").fetchone()[0]
            super().close()
            if tap.record and self.path is not None:
                tap.database(self.path, level)

        def _writes(self, sql: str) -> bool:
            text = sql.upper()
            alone = not self.in_transaction or text.startswith("COMMIT")
            return (
                self.path is not None and alone and text.startswith(_SQL_WRITES)
            )

    def connected(database: str, *args: Any, **more: Any) -> sqlite3.Connection:
        db = connect(database, *args, factory=Recorded, **more)
        where = (
            None
            if more.get("uri") or database == ":memory:"
            else tap.where(database)
        )
        assert isinstance(db, Recorded)
        db.path = where
        return db

    sqlite3.connect = connected  # type: ignore[assignment]


class _rows:
    """A cursor whose rows are read already: an open PRAGMA would hold the database."""

    def __init__(self, cursor: sqlite3.Cursor) -> None:
        self._rows = cursor.fetchall()

    def fetchone(self) -> Any:
        return self._rows[0] if self._rows else None

    def fetchall(self) -> list[Any]:
        return self._rows


def _full(number: int) -> None:
    words = (
        "database or disk is full"
        if number == errno.ENOSPC
        else "disk I/O error"
    )
    raise sqlite3.OperationalError(words)

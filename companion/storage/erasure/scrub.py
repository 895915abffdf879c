"""Erasing words from where git does not rule: the journal's rows, its free pages, and git's object
store.
"""

import glob
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from companion.storage.files import durable
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place

Text = Callable[[bytes], bytes]
# [table, key columns, key, {column: value, or {"blob": id} for bytes}, or None to drop the row]
Row = list[Any]

_ADDED = (
    "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2"
)


# -- the journal ---------------------------------------------------------------


def find_changed_rows(
    db: sqlite3.Connection, text: Text, keep: Callable[[bytes], str]
) -> Iterator[Row]:
    """Yield every row that changes, whatever the table; *keep* stores bytes and returns the blob's
    id.
    """
    taken = {id for (id,) in db.execute("SELECT id FROM captures")}
    for table in _tables(db):
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        keys = _keys(db, table)
        for row in db.execute(
            f"SELECT {', '.join([*keys, *columns])} FROM {table}"
        ).fetchall():
            key, values = (
                row[: len(keys)],
                dict(zip(columns, row[len(keys) :], strict=True)),
            )
            new = {
                name: _cell(value, text, keep) for name, value in values.items()
            }
            changed = {
                name: value for name, value in new.items() if value is not None
            }
            if table == "captures" and isinstance(changed.get("content"), dict):
                changed["blob"] = changed["content"]["blob"]
            if table == "captures" and changed.get("id") in taken:
                yield [table, keys, key, None]  # two captures have become one
            elif changed:
                taken.add(changed.get("id", ""))
                yield [table, keys, key, changed]


def _cell(value: Any, text: Text, keep: Callable[[bytes], str]) -> Any:
    """Return what a value becomes, None where it stays."""
    if isinstance(value, bytes):
        new = text(value)
        return None if new == value else {"blob": keep(new)}
    if isinstance(value, str):
        changed = text(value.encode("utf-8", "surrogatepass")).decode(
            "utf-8", "surrogatepass"
        )
        return None if changed == value else changed
    return None


def apply_changes(
    db: sqlite3.Connection,
    changes: Sequence[Row],
    blob: Callable[[str], bytes],
    done: dict[str, str | None],
) -> None:
    """Make *changes* in one transaction, the append-only triggers aside, and put the *done* values
    with them.
    """
    triggers = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
    ).fetchall()
    db.execute("PRAGMA secure_delete=ON")
    db.execute("BEGIN IMMEDIATE")
    try:
        for name, _ in triggers:
            db.execute(f'DROP TRIGGER "{name}"')
        for table, keys, key, values in changes:
            _change(db, table, keys, key, values, blob)
        for _, sql in triggers:
            db.execute(sql)
        for name, value in done.items():
            db.execute("DELETE FROM meta WHERE key = ?", (name,))
            if value is not None:
                db.execute(_ADDED, (name, value))
    except BaseException:
        db.execute("ROLLBACK")
        raise
    durable.fault("erase.journal")
    db.execute("COMMIT")
    durable.fault("erase.journal", "after")


def _change(
    db: sqlite3.Connection,
    table: str,
    keys: Sequence[str],
    key: Sequence[Any],
    values: dict[str, Any] | None,
    blob: Callable[[str], bytes],
) -> None:
    where = " AND ".join(f"{name} IS ?" for name in keys)
    if values is None:
        db.execute(f"DELETE FROM {table} WHERE {where}", key)
        return
    cells = [
        blob(value["blob"]) if isinstance(value, dict) else value
        for value in values.values()
    ]
    db.execute(
        f"UPDATE {table} SET {', '.join(f'{name} = ?' for name in values)} WHERE {where}",
        (*cells, *key),
    )


def compact(db: sqlite3.Connection) -> None:
    """Write the file anew, so that no free page holds what rows once did."""
    durable.fault("erase.compact")
    db.execute("PRAGMA secure_delete=ON")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    durable.fault("erase.compact", "after")


def _tables(db: sqlite3.Connection) -> list[str]:
    query = "SELECT name FROM sqlite_master WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"
    return [name for (name,) in db.execute(query)]


def _keys(db: sqlite3.Connection, table: str) -> list[str]:
    sql = db.execute(
        "SELECT sql FROM sqlite_master WHERE name = ?", (table,)
    ).fetchone()[0]
    if "WITHOUT ROWID" not in sql.upper():
        return ["rowid"]
    return [
        row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5]
    ]


# -- git's objects -------------------------------------------------------------


def drop_objects(place: Place, unwanted: set[str]) -> None:
    """Remove *unwanted* from git's object store: loose ones, and out of every pack; what else lies
    there stays.

    No ref may need them. Only the holder of sleep.lock calls this.
    """
    durable.fault("erase.purge")
    objects = os.path.join(place.common_dir, "objects")
    for index in sorted(
        glob.glob(os.path.join(glob.escape(objects), "pack", "*.idx"))
    ):
        held = {line.split()[1].decode() for line in _show_index(place, index)}
        if held & unwanted:
            _repack(place, objects, index, held - unwanted)
    durable.fault("erase.purge", "packed")
    for oid in unwanted:
        path = os.path.join(objects, oid[:2], oid[2:])
        if os.path.exists(path):
            os.unlink(path)
    # They name commits that are no more; git makes them anew when it likes.
    for name in ("info/commit-graph", "pack/multi-pack-index"):
        _unlink(os.path.join(objects, name))
    for path in glob.glob(
        os.path.join(glob.escape(objects), "info", "commit-graphs", "*")
    ):
        _unlink(path)
    durable.fault("erase.purge", "after")


def _show_index(place: Place, index: str) -> list[bytes]:
    with open(index, "rb") as file:
        return run_git(place, "show-index", stdin=file.read()).splitlines()


def _repack(place: Place, objects: str, index: str, wanted: set[str]) -> None:
    stem = index.removesuffix(".idx")
    if wanted:
        names = "".join(f"{oid}\n" for oid in sorted(wanted)).encode()
        base = os.path.join(objects, "pack", "pack")
        made = (
            run_git(
                place,
                "pack-objects",
                "-q",
                "--no-reuse-delta",
                base,
                stdin=names,
            )
            .decode()
            .split()
        )
        durable.sync_tree(
            [
                f"{base}-{name}{end}"
                for name in made
                for end in (".pack", ".idx")
            ]
        )
    # The index first: git looks for it, and a pack without one is none.
    for end in (".idx", ".rev", ".bitmap", ".mtimes", ".keep", ".pack"):
        _unlink(stem + end)
    durable.sync_dir(os.path.dirname(index))


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return

"""Erase words where git does not rule: the journal's rows, its free pages, git's object store."""

import glob
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from companion.storage.files import durable
from companion.storage.files.vanished import remove, try_again
from companion.storage.git.command import run_git
from companion.storage.git.layout import Place
from companion.storage.git.repo import TryLater

Rewrite = Callable[[bytes], bytes]
Keep = Callable[[bytes], str]  # stores bytes and returns their blob id
# a column's value, or {"blob": id} for bytes
Cells = dict[str, Any]

_ADDED = (
    "INSERT INTO meta VALUES (?1, ?2) ON CONFLICT(key) DO UPDATE SET value = ?2"
)
_TABLES = (
    "SELECT name FROM sqlite_master"
    " WHERE type = 'table' AND substr(name, 1, 7) <> 'sqlite_' ORDER BY name"
)
_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
# git's files that list commits: they may name commits that are no more
_COMMIT_LISTS = ("info/commit-graph", "pack/multi-pack-index")
# The index first: git looks for it, and a pack without one is none.
_PACK_FILES = (".idx", ".rev", ".bitmap", ".mtimes", ".keep", ".pack")

_ROUNDS = 10  # through git's objects; three at most where git rests


class Row(NamedTuple):
    """A row of the journal that changes. It is kept as a JSON list."""

    table: str
    key_columns: Sequence[str]
    key: Sequence[Any]
    cells: Cells | None  # those that change; None: the row is dropped


# -- the journal -----------------------------------------------------------------------------------


def find_changed_rows(
    db: sqlite3.Connection, rewrite: Rewrite, keep: Keep
) -> Iterator[Row]:
    """Yield every row that *rewrite* changes, whatever the table."""
    ids = {id for (id,) in db.execute("SELECT id FROM captures")}
    for table in _list_tables(db):
        key_columns = _list_key_columns(db, table)
        for key, cells in _read_rows(db, table, key_columns):
            changed = _rewrite_cells(cells, rewrite, keep)
            if table == "captures" and isinstance(changed.get("content"), dict):
                changed["blob"] = changed["content"]["blob"]
            if table == "captures" and changed.get("id") in ids:
                # two captures have become one
                yield Row(table, key_columns, key, None)
            elif changed:
                ids.add(changed.get("id", ""))
                yield Row(table, key_columns, key, changed)


def _read_rows(
    db: sqlite3.Connection, table: str, key_columns: Sequence[str]
) -> Iterator[tuple[Sequence[Any], Cells]]:
    """Yield the key and the cells of every row."""
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    names = ", ".join([*key_columns, *columns])
    width = len(key_columns)
    for row in db.execute(f"SELECT {names} FROM {table}").fetchall():
        yield row[:width], dict(zip(columns, row[width:], strict=True))


def _rewrite_cells(cells: Cells, rewrite: Rewrite, keep: Keep) -> Cells:
    """Return the cells that change, with their new values."""
    changed: Cells = {}
    for name, value in cells.items():
        if isinstance(value, bytes):
            content = rewrite(value)
            if content != value:
                changed[name] = {"blob": keep(content)}
        elif isinstance(value, str):
            encoded = rewrite(value.encode("utf-8", "surrogatepass"))
            text = encoded.decode("utf-8", "surrogatepass")
            if text != value:
                changed[name] = text
    return changed


def apply_changes(
    db: sqlite3.Connection,
    rows: Iterable[Row],
    read_blob: Callable[[str], bytes],
    meta: Mapping[str, str | None],
) -> None:
    """Change *rows* in one transaction, and set the *meta* values with them (None: removed).

    The triggers that make tables append-only are away meanwhile.
    """
    triggers = db.execute(_TRIGGERS).fetchall()
    db.execute("PRAGMA secure_delete=ON")
    db.execute("BEGIN IMMEDIATE")
    try:
        for name, _ in triggers:
            db.execute(f'DROP TRIGGER "{name}"')
        for row in rows:
            _apply_change(db, row, read_blob)
        for _, sql in triggers:
            db.execute(sql)
        for name, value in meta.items():
            db.execute("DELETE FROM meta WHERE key = ?", (name,))
            if value is not None:
                db.execute(_ADDED, (name, value))
    except BaseException:
        db.execute("ROLLBACK")
        raise
    durable.fault("erase.journal")
    db.execute("COMMIT")
    durable.fault("erase.journal", "after")


def _apply_change(
    db: sqlite3.Connection, row: Row, read_blob: Callable[[str], bytes]
) -> None:
    where = " AND ".join(f"{name} IS ?" for name in row.key_columns)
    if row.cells is None:
        db.execute(f"DELETE FROM {row.table} WHERE {where}", row.key)
        return
    values = []
    for value in row.cells.values():
        if isinstance(value, dict):
            value = read_blob(value["blob"])
        values.append(value)
    columns = ", ".join(f"{name} = ?" for name in row.cells)
    db.execute(
        f"UPDATE {row.table} SET {columns} WHERE {where}", (*values, *row.key)
    )


def compact(db: sqlite3.Connection) -> None:
    """Write the file anew, so that no free page holds what rows once did."""
    durable.fault("erase.compact")
    db.execute("PRAGMA secure_delete=ON")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.execute("VACUUM")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    durable.fault("erase.compact", "after")


def _list_tables(db: sqlite3.Connection) -> list[str]:
    return [name for (name,) in db.execute(_TABLES)]


def _list_key_columns(db: sqlite3.Connection, table: str) -> list[str]:
    query = "SELECT sql FROM sqlite_master WHERE name = ?"
    (sql,) = db.execute(query, (table,)).fetchone()
    if "WITHOUT ROWID" not in sql.upper():
        return ["rowid"]
    columns = db.execute(f"PRAGMA table_info({table})")
    return [column[1] for column in columns if column[5]]


# -- git's objects ---------------------------------------------------------------------------------


class StillThere(TryLater):
    """Git kept moving objects that are to go from packs to files and back."""

    hint = (
        "Once git's own work is done, run the erase again, with the word that its "
        "new preview names: it goes on from here."
    )


def drop_objects(place: Place, unwanted: set[str]) -> None:
    """Remove *unwanted* from git's object store: loose ones, and out of every pack.

    No ref may need them. Only the holder of sleep.lock calls this. Raises GitFailed; StillThere
    where git's own work does not let go of them.
    """
    durable.fault("erase.purge")
    objects = os.path.join(place.common_dir, "objects")
    _drop_everywhere(place, objects, unwanted)
    # git makes its lists of commits anew when it likes
    for name in _COMMIT_LISTS:
        remove(os.path.join(objects, name))
    for path in _glob_inside(objects, "info", "commit-graphs", "*"):
        remove(path)
    durable.fault("erase.purge", "after")


def _drop_everywhere(place: Place, objects: str, unwanted: set[str]) -> None:
    """Go through packs and loose objects until two rounds in a row found nothing.

    Git may pack what was loose or loosen what was packed meanwhile: an object that moves once
    during two rounds is where one of them looks.
    """
    seen: set[str] = set()
    quiet = 0
    for _ in range(_ROUNDS):
        found: set[str] = set()
        try_again(partial(_drop_packed, place, objects, unwanted, seen, found))
        durable.fault("erase.purge", "packed")
        found.update(_drop_loose(objects, unwanted))
        quiet = 0 if found else quiet + 1
        if quiet == 2:
            return
    raise StillThere(
        "git wrote objects that are to be erased anew as often as they were removed"
    )


def _drop_loose(objects: str, unwanted: set[str]) -> set[str]:
    """Remove the loose objects *unwanted*; return those that were there."""
    found = set()
    for oid in unwanted:
        path = os.path.join(objects, oid[:2], oid[2:])
        if os.path.exists(path):
            found.add(oid)
            remove(path)
    return found


def _drop_packed(
    place: Place,
    objects: str,
    unwanted: set[str],
    seen: set[str],
    found: set[str],
) -> None:
    """Take *unwanted* out of every pack but those in *seen*, and add the others to these; add what
    was taken out to *found*.

    Raises FileNotFoundError where git takes a pack away meanwhile: its objects are in another.
    """
    for index in sorted(set(_glob_inside(objects, "pack", "*.idx")) - seen):
        packed = _list_packed(place, index)
        if packed & unwanted:
            _repack(place, objects, index, packed - unwanted)
            found.update(packed & unwanted)
        seen.add(index)


def _list_packed(place: Place, index: str) -> set[str]:
    """Return the objects in the pack of *index*."""
    with open(index, "rb") as file:
        listing = run_git(place, "show-index", stdin=file.read())
    return {line.split()[1].decode() for line in listing.splitlines()}


def _repack(place: Place, objects: str, index: str, wanted: set[str]) -> None:
    """Put the *wanted* objects into a new pack, and remove the pack of *index*."""
    if wanted:
        _write_pack(place, os.path.join(objects, "pack", "pack"), wanted)
    stem = index.removesuffix(".idx")
    for end in _PACK_FILES:
        remove(stem + end)
    durable.sync_dir(os.path.dirname(index))


def _write_pack(place: Place, base: str, wanted: set[str]) -> None:
    names = "".join(f"{oid}\n" for oid in sorted(wanted)).encode()
    args = ("pack-objects", "-q", "--no-reuse-delta", base)
    written = []
    for name in run_git(place, *args, stdin=names).decode().split():
        written += [f"{base}-{name}.pack", f"{base}-{name}.idx"]
    durable.sync_tree(written)


def _glob_inside(folder: str, *parts: str) -> list[str]:
    return glob.glob(os.path.join(glob.escape(folder), *parts))

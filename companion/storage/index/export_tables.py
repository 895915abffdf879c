"""The tables of the index that people export, and the databases that they become."""

import csv
import sqlite3
from collections.abc import Iterator, Mapping
from typing import IO, Any

#: what is exported, by the table's name there: columns that mean something outside of companion
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "entries": (
        *("id", "title", "path", "state", "vitality", "gravity"),
        *("gravity_protected", "quarantined", "last_accessed"),
        *("cohesion_bucket", "tombstone", "since", "superseded_by"),
        *("commit_hash", "blob"),
    ),
    "edges": ("source", "target", "type", "weight"),
    "claims": (
        *("id", "subject", "predicate", "object", "negated", "mood"),
        *("told_at", "valid_from", "valid_to", "precision", "agent"),
        *("source", "capture", "entry", "span_start", "span_end"),
        *("rule", "run", "withdrawn_at"),
    ),
    "audits": (
        *("record", "entry", "statement", "since", "state", "result"),
        *("outcome", "numbers", "run", "settled", "undone"),
    ),
}
#: by which columns a row is known
KEYS: Mapping[str, tuple[str, ...]] = {
    "entries": ("id",),
    "edges": ("source", "target", "type"),
    "claims": ("id",),
    "audits": ("record",),
}

Row = dict[str, str | int | float | None]


def read_rows(db: sqlite3.Connection, table: str) -> Iterator[Row]:
    """Yield the rows of *table*, in the order of their keys."""
    columns = COLUMNS[table]
    query = "SELECT {} FROM {} ORDER BY {}".format(
        ", ".join(columns), table, ", ".join(KEYS[table])
    )
    for row in db.execute(query):
        yield dict(zip(columns, row, strict=True))


def write_database(db: sqlite3.Connection, file: str) -> dict[str, int]:
    """Write every table into a new SQLite database at *file*; return how many rows each has.

    Rows of edges and claims name the entries that they belong to by foreign keys.
    """
    import sqlite_utils

    made = sqlite_utils.Database(file)
    counts = {}
    for table, keys in KEYS.items():
        _create(made, table)
        target = made.table(table)
        target.insert_all(read_rows(db, table), pk=keys, batch_size=1000)
        counts[table] = target.count
    made.close()
    return counts


def _create(made: Any, table: str) -> None:
    keys = KEYS[table]
    types = {name: _TYPES.get(name, str) for name in COLUMNS[table]}
    ends = [
        (name, "entries", "id")
        for name in ("source", "target")
        if table == "edges"
    ]
    made.table(table).create(
        types,
        pk=keys[0] if len(keys) == 1 else keys,
        foreign_keys=ends,
    )


_TYPES: Mapping[str, type] = {
    **dict.fromkeys(("vitality", "gravity", "weight"), float),
    **dict.fromkeys(
        (
            *("gravity_protected", "quarantined", "tombstone", "negated"),
            *("span_start", "span_end", "undone"),
        ),
        int,
    ),
}


def write_csv(db: sqlite3.Connection, table: str, file: IO[str]) -> int:
    """Write *table* as CSV (RFC 4180) with a line of names; return how many rows it has."""
    writer = csv.DictWriter(file, COLUMNS[table])
    writer.writeheader()
    count = 0
    for row in read_rows(db, table):
        writer.writerow(row)
        count += 1
    return count

"""Examine a database without trusting it: its structure, its log, its full text."""

import sqlite3
import struct
from itertools import zip_longest

from companion.storage.journal.schema import SCHEMAS
from companion.storage.sqlite import statements

_FRAME = 24  # bytes of a frame's header in the write-ahead log
_MAGIC = 0x377F0682

#: integrity_check's words for damage of an index alone: REINDEX takes it from the table
_OF_AN_INDEX = (
    "missing from index",
    "wrong # of entries in index",
    "non-unique entry in index",
)

_WORDS = """
WITH docs AS ({docs})
SELECT term, count(*), sum((n * 7919 + offset) * (1 + (col = 'body')) % 1000003)
FROM temp.{table}_places LEFT JOIN docs USING (doc) GROUP BY term
"""
#: the full-text tables, and the number of each of their texts that no row number decides
_TEXTS = {
    "fts": """
        SELECT doc, row_number() OVER (ORDER BY path) AS n FROM main.pages
        """,
    "stems": """
        SELECT q.doc, row_number() OVER (ORDER BY p.path, q.doc) AS n
        FROM main.passages q
        JOIN main.pages p ON p.doc = q.page_doc
        """,
}


def check_integrity(db: sqlite3.Connection) -> tuple[str | None, bool]:
    """Return what SQLite finds wrong, None when nothing, and whether building its indexes anew
    would mend it.
    """
    lines = [str(row[0]) for row in db.execute("PRAGMA integrity_check(20)")]
    if lines == ["ok"]:
        return None, False
    return lines[0], all(map(_is_of_an_index, lines))


def _is_of_an_index(line: str) -> bool:
    return any(words in line for words in _OF_AN_INDEX)


def list_missing_structure(db: sqlite3.Connection) -> list[str]:
    """Return the names of the journal's tables, triggers and indexes that are not there as they
    should be.
    """
    held = dict(
        db.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    )
    return sorted(
        name for name, sql in _structure().items() if held.get(name) != sql
    )


def mend_structure(db: sqlite3.Connection) -> None:
    """Create the journal's triggers and indexes that lack or differ; tables with rows in them are
    left alone.
    """
    wanted = _structure()
    db.execute("BEGIN IMMEDIATE")
    for name in list_missing_structure(db):
        kind = wanted[name].split(" ", 2)[1]
        if kind in ("TRIGGER", "INDEX"):
            db.execute(f"DROP {kind} IF EXISTS {name}")
            db.execute(wanted[name])
    db.execute("COMMIT")


def _structure() -> dict[str, str]:
    fresh = sqlite3.connect(":memory:", isolation_level=None)
    for schema in SCHEMAS:
        for statement in statements(schema):
            fresh.execute(statement)
    return dict(
        fresh.execute(
            "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        )
    )


def compare_full_text(
    db: sqlite3.Connection, fresh: sqlite3.Connection
) -> bool:
    """Tell whether the full text of the two indexes is not the same: each word, in each page, at
    each place.
    """
    return any(
        _differs(table, docs, db, fresh) for table, docs in _TEXTS.items()
    )


def _differs(
    table: str, docs: str, db: sqlite3.Connection, fresh: sqlite3.Connection
) -> bool:
    for each in (db, fresh):
        each.execute(
            f"""
            CREATE VIRTUAL TABLE temp.{table}_places
            USING fts5vocab(main, {table}, 'instance')
            """
        )
    query = _WORDS.format(table=table, docs=docs)
    mine, other = (each.execute(query) for each in (db, fresh))
    return any(one != two for one, two in zip_longest(mine, other))


def check_full_text(db: sqlite3.Connection) -> str | None:
    """Return what FTS5 finds wrong with its own tables, or None."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    db.backup(copy)  # the check is written as an insertion
    try:
        for table in _TEXTS:
            copy.execute(
                f"INSERT INTO {table}({table}) VALUES ('integrity-check')"
            )
    except sqlite3.DatabaseError as error:
        return str(error)
    finally:
        copy.close()
    return None


def check_log(path: str) -> str | None:
    """Return what is wrong with the write-ahead log of the database at *path*, or None.

    SQLite reads a log up to the first frame whose checksum fails and overwrites what follows,
    without a word. What follows may have been acknowledged: each transaction is synced before the
    next one is written, so where a damaged one has a later one behind it, it had been complete.
    """
    try:
        with open(path + "-wal", "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    if len(data) < 32:
        # SQLite makes it empty, then writes its header: nothing was acknowledged
        return None
    magic, _, size = struct.unpack(">III", data[:12])
    if magic & ~1 != _MAGIC or size not in {1 << n for n in range(9, 17)}:
        return "the header of its log is damaged"
    order = ">" if magic & 1 else "<"
    check = _checksum(data[:24], (0, 0), order)
    if check != struct.unpack(">II", data[24:32]):
        return "the header of its log is damaged"
    return _damaged_frame(data, size, order, check)


def _damaged_frame(
    data: bytes, size: int, order: str, check: tuple[int, int]
) -> str | None:
    bad, ended = None, False
    for number, at in enumerate(
        range(32, len(data) - _FRAME - size + 1, _FRAME + size), 1
    ):
        header = data[at : at + _FRAME]
        ours, commits = header[8:16] == data[16:24], header[4:8] != bytes(4)
        if bad is None:
            check = _checksum(header[:8], check, order)
            check = _checksum(
                data[at + _FRAME : at + _FRAME + size], check, order
            )
            if not ours or check != struct.unpack(">II", header[16:24]):
                bad = number
        if bad is not None and ours:
            if ended:
                return f"frame {bad} of its log is damaged, and later ones were written after it"
            ended = commits
    return None


def _checksum(
    data: bytes, start: tuple[int, int], order: str
) -> tuple[int, int]:
    one, two = start
    words = iter(struct.unpack(f"{order}{len(data) // 4}I", data))
    for word, other in zip(words, words, strict=True):
        one = (one + word + two) & 0xFFFFFFFF
        two = (two + other + one) & 0xFFFFFFFF
    return one, two

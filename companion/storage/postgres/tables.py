"""The tables of one place to ask: those of index.db with the name of the shard before each row, the
texts that are searched, and `tips`: which tree of which shard is here.

Nothing here is a source of anything: it is dropped and made again at any time.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from companion.storage.index import schema
from companion.storage.postgres.connect import SCHEMA, Connection

#: of index.db, what others may ask for: use, questions and waiting notes stay in the shard
PROJECTED = (
    *("meta", "pages", "names", "tags", "links", "statements", "entries"),
    *("edges", "protected", "runs", "claims", "resolutions", "choices"),
    *("flags", "answers", "branches", "shifts", "follows", "divergences"),
    *("audit_queue", "audits", "closures", "subjects", "mentions"),
)
_TYPES = {"INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea"}
_OWN = (
    """
    CREATE TABLE IF NOT EXISTS tips (
      shard text PRIMARY KEY, tree text NOT NULL, commit text NOT NULL,
      run text, at text, taken timestamptz NOT NULL DEFAULT now()
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS texts (
      shard text NOT NULL, path text NOT NULL, statement text NOT NULL,
      earlier bigint NOT NULL, language text NOT NULL,
      title text NOT NULL, words text NOT NULL,
      title_stems text NOT NULL, stems text NOT NULL,
      found_by tsvector GENERATED ALWAYS AS (
        setweight(to_tsvector('simple'::regconfig, title_stems), 'A')
        || to_tsvector('simple'::regconfig, stems)
      ) STORED
    )
    """,
    "CREATE INDEX IF NOT EXISTS texts_shard ON texts(shard, path)",
    "CREATE INDEX IF NOT EXISTS texts_found_by ON texts USING gin(found_by)",
    "CREATE INDEX IF NOT EXISTS claims_name ON claims(name text_pattern_ops)",
    "CREATE INDEX IF NOT EXISTS claims_value_name ON claims(value_name)",
    "CREATE INDEX IF NOT EXISTS claims_of_name ON claims(shard, name text_pattern_ops)",
    "CREATE INDEX IF NOT EXISTS claims_of_value ON claims(shard, value_name)",
    "CREATE INDEX IF NOT EXISTS claims_key ON claims(subject_key, predicate_key)",
    "CREATE INDEX IF NOT EXISTS pages_title ON pages(title_key)",
    "CREATE INDEX IF NOT EXISTS names_key ON names(key)",
    "CREATE INDEX IF NOT EXISTS links_base ON links(base_key)",
    "CREATE INDEX IF NOT EXISTS entries_id ON entries(shard, id)",
    "CREATE INDEX IF NOT EXISTS entries_path ON entries(shard, path)",
)


class Tip(NamedTuple):
    """Which state of a shard is projected."""

    shard: str
    tree: str
    commit: str
    run: str | None  # the newest run there
    at: str | None  # its time (RFC 3339 UTC)
    taken: str = ""  # when it was projected (RFC 3339 UTC)


class Text(NamedTuple):
    """Words that a search finds together: a note on a page, or the page's own."""

    path: str
    statement: str
    earlier: int
    language: str
    title: str
    words: str
    title_stems: str
    stems: str


def list_columns(table: str) -> Sequence[tuple[str, str]]:
    """Return the names and the SQLite types of the columns of *table*, in their order."""
    return _list_all_columns()[table]


@cache
def _list_all_columns() -> Mapping[str, Sequence[tuple[str, str]]]:
    # the schema is this program's own: a question asks for its columns fifty times
    db = schema.open_in_memory()
    found = {}
    for table in PROJECTED:
        rows = db.execute(f"PRAGMA table_info({table})").fetchall()
        found[table] = [(row[1], row[2].upper()) for row in rows]
    db.close()
    return found


def create_tables(pg: Connection) -> None:
    """Make the tables that are missing."""
    if _are_there(pg):
        return
    # two that begin at once: one waits here until the other is done
    pg.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (SCHEMA,))
    pg.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
    for table, columns in _list_all_columns().items():
        parts = ["shard text NOT NULL"]
        for name, kind in columns:
            parts.append(f'"{name}" {_TYPES.get(kind, "text")}')
        pg.execute(f"CREATE TABLE IF NOT EXISTS {table} ({', '.join(parts)})")
        pg.execute(f"CREATE INDEX IF NOT EXISTS {table}_of ON {table}(shard)")
    for statement in _OWN:
        pg.execute(statement)


def _are_there(pg: Connection) -> bool:
    found = pg.execute("SELECT to_regclass('tips')").fetchone()
    return found[0] is not None


def drop_tables(pg: Connection) -> int:
    """Drop everything of this version of companion; return how many shards were there."""
    count = len(list_tips(pg)) if _are_there(pg) else 0
    pg.execute(f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE")
    return count


def list_tips(pg: Connection) -> list[Tip]:
    """Return what is projected of each shard, by its name."""
    query = """
        SELECT shard, tree, commit, run, at,
          to_char(taken AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        FROM tips
        ORDER BY shard
        """
    return [Tip(*row) for row in pg.execute(query)]


def replace_shard(
    pg: Connection,
    tip: Tip,
    before: Tip | None,
    db: sqlite3.Connection,
    texts: Iterable[Text],
) -> bool:
    """Put the rows of *db* and the *texts* in place of all rows of the shard of *tip*.

    It is the caller's transaction: others see all of it or nothing. False where the shard is not at
    *before* any more, because somebody else was faster; then nothing is changed.
    """
    pg.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (tip.shard,))
    here = {one.shard: one for one in list_tips(pg)}.get(tip.shard)
    if here != before:
        return False
    remove_shard(pg, tip.shard)
    for table in PROJECTED:
        names = [name for name, _ in list_columns(table)]
        query = "SELECT {} FROM {}".format(", ".join(names), table)
        _copy(pg, tip.shard, table, names, db.execute(query))
    _copy(pg, tip.shard, "texts", Text._fields, texts)
    pg.execute(
        "INSERT INTO tips VALUES (%s, %s, %s, %s, %s)",
        (tip.shard, tip.tree, tip.commit, tip.run, tip.at),
    )
    return True


def gather_statistics(pg: Connection) -> None:
    """Let PostgreSQL learn what is in the tables now, so that it chooses the right index.

    Nothing where somebody dropped them meanwhile.
    """
    if not _are_there(pg):
        return
    for table in (*PROJECTED, "texts"):
        pg.execute(f"ANALYZE {table}")


def remove_shard(pg: Connection, shard: str) -> None:
    """Take every row of *shard* out."""
    for table in (*PROJECTED, "texts", "tips"):
        pg.execute(f"DELETE FROM {table} WHERE shard = %s", (shard,))


def _copy(
    pg: Connection,
    shard: str,
    table: str,
    names: Sequence[str],
    rows: Iterable[Sequence[object]],
) -> None:
    columns = ", ".join(f'"{name}"' for name in names)
    copying = f"COPY {table} (shard, {columns}) FROM STDIN"
    with pg.cursor().copy(copying) as copy:
        for row in rows:
            copy.write_row((shard, *map(clean, row)))


def clean(value: object) -> object:
    """Return *value* as PostgreSQL can hold it: without NUL, and without halves of characters."""
    if not isinstance(value, str):
        return value
    if "\0" in value:
        value = value.replace("\0", "\ufffd")
    return value.encode("utf-8", "replace").decode()


def read_rows(
    pg: Connection, table: str, shard: str
) -> Iterator[tuple[object, ...]]:
    """Yield the rows of *table* that are of *shard*, as index.db has them, in no order."""
    columns = ", ".join(f'"{name}"' for name, _ in list_columns(table))
    query = f"SELECT {columns} FROM {table} WHERE shard = %s"
    yield from pg.execute(query, (shard,))

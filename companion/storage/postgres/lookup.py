"""Look things up in the projection: texts by their stems, claims by the names in a question."""

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from companion.storage.index import schema
from companion.storage.index.ranking.query import Phrase, Query, read_query
from companion.storage.postgres.connect import Connection
from companion.storage.postgres.tables import list_columns

_STEPS = 4  # from name to name: as far as a question walks
_MOST_CLAIMS = 5_000  # of one shard for one question
_MOST_SHARDS = 20  # that have most claims of the names in a question
# a common word is in most texts: only the best of them meet their entries
_FIND = """
    WITH best AS (
      SELECT shard, path, statement, earlier, title, words,
        ts_rank_cd(found_by, to_tsquery('simple', %(wanted)s), 1) AS score
      FROM texts
      WHERE found_by @@ to_tsquery('simple', %(wanted)s)
      ORDER BY earlier, score DESC, shard, path, statement
      LIMIT %(limit)s
    )
    SELECT b.shard, b.path, b.statement, b.earlier, b.title, b.words,
      round(b.score::numeric, 6)::float8,
      coalesce(e.id, ''), coalesce(e.state, 'active')
    FROM best b
    LEFT JOIN entries e ON e.shard = b.shard AND e.path = b.path
    ORDER BY b.earlier, b.score DESC, b.shard, b.path, b.statement
    """
_NAMED = """
    shard = %(shard)s AND (name = ANY(%(names)s) OR value_name = ANY(%(names)s))
    """
# names that begin with one and a space ("!" follows a space). The order is that of the index: what
# PostgreSQL guesses of a range that it does not know yet would lead it through all claims.
_LONGER = f"""
    shard = %(shard)s
      AND name ~>=~ (begins || ' ') AND name ~<~ (begins || '!')
    ORDER BY name USING ~<~
    LIMIT {_MOST_CLAIMS}
    """
#: of the index of a shard, what an answer needs whole
_WHOLE = (
    *("meta", "choices", "shifts", "follows", "divergences"),
    *("audit_queue", "protected", "audits", "closures"),
)


class FoundText(NamedTuple):
    """A text that was found, the best first."""

    shard: str
    path: str
    statement: str
    earlier: int
    title: str
    words: str
    score: float
    entry: str
    state: str


def find_texts(pg: Connection, text: str, limit: int) -> list[FoundText]:
    """Return the texts that have all telling words of *text*, then those that have some."""
    query = _read_query(pg, text)
    groups = _list_groups(query)
    if not groups:
        return []
    found: dict[tuple[str, str, str], FoundText] = {}
    for wanted in (" & ".join(groups), " | ".join(groups)):
        if len(found) < limit:
            rows = pg.execute(_FIND, {"wanted": wanted, "limit": limit})
            for one in map(FoundText._make, rows):
                place = (one.shard, one.path, one.statement)
                found.setdefault(place, one)
    return list(found.values())[:limit]


def _read_query(pg: Connection, text: str) -> Query:
    """Return what *text* looks for, in the languages of all shards."""
    rows = pg.execute("SELECT value FROM meta WHERE key = 'languages'")
    languages: set[str] = set()
    for (value,) in rows:
        languages.update((value or "").split())
    db = _open_empty()
    schema.write_meta(db, languages=" ".join(sorted(languages)))
    query = read_query(db, text)
    db.close()
    return query


def _list_groups(query: Query) -> list[str]:
    """Return a query of PostgreSQL for each telling word: any of its stems."""
    stems_of: Mapping[Phrase, Sequence[Phrase]] = query.telling
    if not stems_of:
        stems_of = {phrase: [phrase] for phrase in query.phrases}
    groups = []
    for stems in stems_of.values():
        wanted = {" <-> ".join(map(_quote, stem)) for stem in stems}
        groups.append(f"({' | '.join(sorted(wanted))})")
    return groups


def _quote(stem: str) -> str:
    return "'" + stem.replace("\\", "").replace("'", "''") + "'"


def _open_empty() -> sqlite3.Connection:
    """Return an empty index in memory. A question opens one for each shard that it asks."""
    db = sqlite3.connect(":memory:", isolation_level=None)
    db.deserialize(_write_empty())
    return db


@cache
def _write_empty() -> bytes:
    # to read these bytes takes a hundredth of what making the tables does
    db = schema.open_in_memory()
    empty = db.serialize()
    db.close()
    return empty


# -- claims ----------------------------------------------------------------------------------------


def list_shards_that_know(pg: Connection, names: Collection[str]) -> list[str]:
    """Return the shards that have claims of *names*, those with most first."""
    query = """
        SELECT shard
        FROM claims
        WHERE (name = ANY(%(names)s) OR value_name = ANY(%(names)s))
          AND withdrawn_at IS NULL
        GROUP BY shard
        ORDER BY count(*) DESC, shard
        LIMIT %(limit)s
        """
    given = {"names": list(names), "limit": _MOST_SHARDS}
    return [shard for (shard,) in pg.execute(query, given)]


def load_around(
    pg: Connection, shard: str, names: Iterable[str]
) -> sqlite3.Connection:
    """Return an index in memory that has of *shard* what a walk from *names* can come to."""
    db = _open_empty()
    for table in _WHOLE:
        query = _select(table, "shard = %s")
        _fill(db, table, pg.execute(query, (shard,)))
    entries = _load_claims(pg, db, shard, set(names))
    query = _select("entries", "shard = %s AND id = ANY(%s)")
    _fill(db, "entries", pg.execute(query, (shard, sorted(entries))))
    query = _select(
        "pages",
        "shard = %s AND path IN (SELECT path FROM entries"
        " WHERE shard = %s AND id = ANY(%s))",
    )
    _fill(db, "pages", pg.execute(query, (shard, shard, sorted(entries))))
    return db


def _load_claims(
    pg: Connection, db: sqlite3.Connection, shard: str, names: set[str]
) -> set[str]:
    """Load the claims that are few steps from *names*; return their entries."""
    columns = [name for name, _ in list_columns("claims")]
    places = [columns.index(one) for one in ("id", "entry", "name")]
    value_name = columns.index("value_name")
    query = f"""
        {_select("claims", _NAMED)}
        UNION
        SELECT longer.*
        FROM unnest(%(names)s::text[]) AS begins
        CROSS JOIN LATERAL ({_select("claims", _LONGER)}) AS longer
        ORDER BY id
        LIMIT {_MOST_CLAIMS}
        """
    known: dict[object, Sequence[object]] = {}
    entries: set[str] = set()
    fresh = set(names)
    for _ in range(_STEPS):
        if not fresh:
            break
        rows = pg.execute(query, {"shard": shard, "names": sorted(fresh)})
        come_to: set[str] = set()
        for row in rows:
            id, entry, name = (row[place] for place in places)
            known[id] = row
            entries.add(str(entry))
            come_to |= {str(name), str(row[value_name])}
        fresh = come_to - names
        names |= fresh
    _fill(db, "claims", known.values())
    return entries


def _select(table: str, where: str) -> str:
    columns = ", ".join(f'"{name}"' for name, _ in list_columns(table))
    return f"SELECT {columns} FROM {table} WHERE {where}"


def _fill(
    db: sqlite3.Connection, table: str, rows: Iterable[Sequence[object]]
) -> None:
    marks = ",".join("?" * len(list_columns(table)))
    db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)


def read_page_text(pg: Connection, shard: str, path: str) -> str:
    """Return the words of a page as they are projected, a note a paragraph."""
    query = """
        SELECT words
        FROM texts
        WHERE shard = %s AND path = %s
        ORDER BY statement
        """
    rows = pg.execute(query, (shard, path))
    return "\n\n".join(words for (words,) in rows)

"""Use in the index: what was read and what became of it, as accesses of entries, and the queries
that AUDIT replays.

Each run's events are what came to pass since the last, so what two machines recorded adds up. An
undo takes pages back and none of this: what was read was read.
"""

import sqlite3
from collections.abc import Iterator

from companion import json_text
from companion.annotations import TYPE_CHECKING
from companion.tuples import NamedTuple
from companion.values.decay.ageing import weigh_days

if TYPE_CHECKING:
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

_ADD_USE = """
    INSERT INTO accesses (
      entry, count, last, shown, opened, good, bad, recalled, recalled_at
    )
    VALUES (?,?,?,?,?,?,?,?,?)
    ON CONFLICT(entry) DO UPDATE SET count = count + excluded.count,
      last = nullif(max(coalesce(last, ''), coalesce(excluded.last, '')), ''),
      shown = shown + excluded.shown, opened = opened + excluded.opened,
      good = good + excluded.good, bad = bad + excluded.bad,
      recalled = recalled + excluded.recalled,
      recalled_at = coalesce(max(recalled_at, excluded.recalled_at),
        recalled_at, excluded.recalled_at)
    """
_ADD_DAY = "INSERT OR IGNORE INTO days_read (day) VALUES (?)"
_ADD_CREDIT = """
    INSERT INTO credits (entry, day, gain, loss)
    VALUES (?,?,?,?)
    ON CONFLICT(entry, day) DO UPDATE SET
      gain = gain + excluded.gain, loss = loss + excluded.loss
    """
_ADD_QUERY = """
    INSERT INTO queries (id, at, words, verb, agent, count, shown, outcome)
    VALUES (?,?,?,?,?,?,?,?)
    ON CONFLICT(id) DO UPDATE SET at = max(at, excluded.at),
      count = count + excluded.count, shown = excluded.shown,
      outcome = coalesce(excluded.outcome, outcome)
    """
_RATE = "UPDATE queries SET outcome = coalesce(?, outcome) WHERE id = ?"
_ADD_SHOWN = """
    INSERT INTO query_entries (query, entry, opened)
    VALUES (?,?,0)
    ON CONFLICT(query, entry) DO NOTHING
    """
_ADD_OPENED = """
    INSERT INTO query_entries (query, entry, opened)
    SELECT ?1, ?2, coalesce(max(opened), 0) + 1
    FROM query_entries
    WHERE query = ?1
    ON CONFLICT(query, entry) DO UPDATE SET opened = excluded.opened
    """


_CREDITS = ("shown", "opened", "good", "bad")


class Access(NamedTuple):
    """How often an entry was read, and when last (RFC 3339 UTC)."""

    count: int  # type: ignore[assignment]  # a tuple's own `count` is of no use here
    last: str | None


class Query(NamedTuple):
    """One question as somebody asked it, however often: same words, same verb, same reader."""

    id: str
    at: str  # the last time
    words: str
    verb: str  # search, ask or claims
    shown: tuple[str, ...]  # entries, the first one first, as the last time
    opened: tuple[str, ...]  # the last one last
    outcome: str | None  # "good", "bad", or nobody said
    agent: str  # "owner" for the person
    times: int


class UseRecord(NamedTuple):
    """The recorded use of one entry."""

    entry: str
    accesses: int
    last: str | None
    shown: int
    opened: int
    good: float
    bad: float
    gain: float  # as much as is left of it today: `values.decay.ageing`
    loss: float


# -- rows ------------------------------------------------------------------------------------------


def encode_used(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an entry that was read since the last run."""
    line = event.line
    credit = line.get("credit", {})
    counts = [credit.get(name, 0) for name in _CREDITS]
    gain = credit.get("gain", 0)
    loss = credit.get("loss", 0)
    reads = (line["entry"], line["accesses"], line["last"] or None)
    recalled = credit.get("recalled", 0)
    recalled_at = event.now if recalled else None
    yield _ADD_USE, (*reads, *counts, recalled, recalled_at)
    day = event.now[:10]
    yield _ADD_DAY, (day,)
    if gain or loss:
        yield _ADD_CREDIT, (line["entry"], day, gain, loss)


def encode_asked(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a query, and of what it showed and opened."""
    line = event.line
    query = line["query"]
    asked = (query, line["at"], line["words"], line["verb"], line["agent"])
    shown = json_text.dumps(line["shown"], separators=(",", ":"))
    outcome = line["outcome"] or None
    yield _ADD_QUERY, (*asked, line.get("count", 1), shown, outcome)
    for entry in line["shown"]:
        yield _ADD_SHOWN, (query, entry)
    for entry in line["opened"]:
        yield _ADD_OPENED, (query, entry)


def encode_rated(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of what was said or done about a query that is on record."""
    line = event.line
    yield _RATE, (line["outcome"] or None, line["query"])
    for entry in line["opened"]:
        yield _ADD_OPENED, (line["query"], entry)


# -- reads -----------------------------------------------------------------------------------------


def count_recalls(db: sqlite3.Connection, entry: str) -> int:
    """Return how often somebody went for the original of the source that *entry* is made of."""
    query = "SELECT recalled FROM accesses WHERE entry = ?"
    row = db.execute(query, (entry,)).fetchone()
    return 0 if row is None else int(row[0])


def list_accesses(db: sqlite3.Connection) -> dict[str, Access]:
    """Return how often each entry was read, as far as the ledger has it."""
    return {
        entry: Access(*row)
        for entry, *row in db.execute("SELECT entry, count, last FROM accesses")
    }


def list_use_records(
    db: sqlite3.Connection, entry: str | None = None
) -> Iterator[UseRecord]:
    """Yield what is on record of every entry that was ever read, or of one."""
    where = "" if entry is None else "WHERE entry = ?"
    values = () if entry is None else (entry,)
    credits = _sum_credits(db, where, values)
    query = f"SELECT entry, count, last, shown, opened, good, bad FROM accesses {where}"
    for row in db.execute(query, values):
        gain, loss = credits.get(row[0], (0.0, 0.0))
        yield UseRecord._make((*row, gain, loss))


def _sum_credits(
    db: sqlite3.Connection, where: str = "", values: tuple[str, ...] = ()
) -> dict[str, tuple[float, float]]:
    """Return what is left of the gain and the loss of each entry, by the days of use since."""
    query = f"SELECT entry, day, gain, loss FROM credits {where}"
    rows = db.execute(query, values).fetchall()
    if not rows:
        return {}
    weights = weigh_days(
        day for (day,) in db.execute("SELECT day FROM days_read")
    )
    sums: dict[str, tuple[float, float]] = {}
    for entry, day, gain, loss in rows:
        gained, lost = sums.get(entry, (0.0, 0.0))
        weight = weights[day]
        sums[entry] = (gained + gain * weight, lost + loss * weight)
    return sums


def list_called_bad(db: sqlite3.Connection) -> dict[str, float]:
    """Return how often the reads of each entry were called bad, where they ever were."""
    return dict(db.execute("SELECT entry, bad FROM accesses WHERE bad > 0"))


def list_gains(db: sqlite3.Connection) -> list[tuple[str, int, float, float]]:
    """Return (entry, accesses, gain, loss) of every entry that was ever read."""
    credits = _sum_credits(db)
    return [
        (entry, count, *credits.get(entry, (0.0, 0.0)))
        for entry, count in db.execute("SELECT entry, count FROM accesses")
    ]


def list_queries(
    db: sqlite3.Connection, entry: str | None = None
) -> list[Query]:
    """Return the recorded queries, or those that showed or opened *entry*; the newest first."""
    where = (
        ""
        if entry is None
        else "WHERE q.id IN (SELECT query FROM query_entries WHERE entry = ?)"
    )
    rows = db.execute(
        f"""
        SELECT q.id, q.at, q.words, q.verb, q.shown,
          (
            SELECT json_group_array(o.entry)
            FROM (
              SELECT entry
              FROM query_entries
              WHERE query = q.id AND opened
              ORDER BY opened
            ) o
          ),
          q.outcome, q.agent, q.count
        FROM queries q {where}
        ORDER BY q.at DESC, q.id
        """,
        () if entry is None else (entry,),
    )
    queries: list[Query] = []
    for id, at, words, verb, shown, opened, *rest in rows:
        queries.append(
            Query(
                id,
                at,
                words,
                verb,
                tuple(json_text.loads(shown)),
                tuple(json_text.loads(opened)),
                *rest,
            )
        )
    return queries


def list_owner_questions(
    db: sqlite3.Connection, since: str, most: int
) -> list[str]:
    """Return the *most* questions that the wiki's owner asked last, none before *since*."""
    query = """
        SELECT words
        FROM queries
        WHERE agent = 'owner' AND at >= ?
        ORDER BY at DESC, id
        LIMIT ?
        """
    return [words for (words,) in db.execute(query, (since, most))]


def list_outcomes(
    db: sqlite3.Connection, entry: str
) -> list[tuple[str, float, float]]:
    """Return (time, gain, loss) of every run that brought outcomes of *entry*, oldest first."""
    query = """
        SELECT r.time, coalesce(json_extract(e.data, '$.credit.gain'), 0),
          coalesce(json_extract(e.data, '$.credit.loss'), 0)
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.entry = ? AND e.event = 'used'
        ORDER BY r.time, r.run
        """
    changes: list[tuple[str, float, float]] = []
    for time, gain, loss in db.execute(query, (entry,)):
        if gain or loss:
            changes.append((time, gain, loss))
    return changes


def list_use_marks(db: sqlite3.Connection) -> set[str]:
    """Return the last use that each run took with it: what is older in its journal is on record
    (CON-2).
    """
    rows = db.execute("SELECT json_extract(input, '$.usage.upto') FROM runs")
    return {upto for (upto,) in rows if upto is not None}


def list_query_ids(db: sqlite3.Connection) -> list[str]:
    """Return the id of every recorded query."""
    return [id for (id,) in db.execute("SELECT id FROM queries")]


def count_use(db: sqlite3.Connection) -> tuple[int, int]:
    """Return how many entries were ever read, and how many queries are recorded."""
    query = (
        "SELECT (SELECT count(*) FROM accesses), (SELECT count(*) FROM queries)"
    )
    entries, queries_ = db.execute(query).fetchone()
    return entries, queries_

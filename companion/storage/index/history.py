"""Runs in the index, and the events of each: what happened, when, and why."""

import sqlite3
from collections.abc import Iterable, Sequence

from companion import json_text
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument, LedgerLine

_EVENTS = """
    SELECT r.time, e.run, r.operation, e.event, e.subject, e.entry, e.reason,
      e.data
    FROM {source}
    JOIN runs r ON r.run = e.run
    WHERE {where}
    ORDER BY r.time, e.run, e.n
    """
#: the events that a query names, each looked up by its key
_NAMED = """
    ({query}) AS named
    CROSS JOIN events e ON e.run = named.run AND e.n = named.n
    """
#: The outcome of an entry's claims also stands with the page that won; `usage` shows the sum of use
_OF_ENTRY = """
    SELECT run, n
    FROM events
    WHERE entry = ?1 AND event <> 'used'
    UNION
    SELECT o.run, o.matter >> 20
    FROM claims c
    JOIN resolutions o ON o.claim = c.id
    WHERE c.entry = ?1
    """
_JOINED = """
    e.event = 'joined'
    AND e.entry IN (SELECT entry FROM branch_members WHERE capture = ?1)
    """
#: what happened to a page and to the notes on it: also a note that left, a page that merged into
#: it, and a run that was taken back
_OF_PAGE = """
    SELECT run, n
    FROM events
    WHERE entry = ?1
      AND event NOT IN ('used', 'claims', 'resolved', 'rated', 'weighed')
    UNION
    SELECT m.run, m.n
    FROM events c
    JOIN events m ON m.subject = c.subject AND m.event = 'moved'
    WHERE c.entry = ?1
      AND c.event IN ('consumed', 'moved')
      AND json_extract(m.data, '$.from') = ?1
    UNION
    SELECT m.run, m.n
    FROM transitions t
    JOIN events m ON m.entry = t.entry AND m.run = t.run AND m.event = 'merged'
    WHERE t.by = ?1
    UNION
    SELECT u.run, u.n
    FROM events o
    JOIN events u ON u.subject = o.run AND u.event = 'undone'
    WHERE o.entry = ?1 AND o.event IN ('created', 'grown')
    """
_PAGES_OF_RUN = """
    SELECT v.entry, e.title, e.path, sum(v.event IN ('consumed', 'moved')) AS n
    FROM events v
    JOIN entries e ON e.id = v.entry
    WHERE v.run = ? AND v.event IN ('created', 'grown', 'consumed', 'moved')
    GROUP BY v.entry
    ORDER BY n DESC, e.path
    """
_LAST_REASON = """
    SELECT e.reason
    FROM events e
    JOIN runs r ON r.run = e.run
    WHERE e.entry = ? AND e.event IN ('created', 'grown', 'requalified')
    ORDER BY r.time DESC, e.run DESC, e.n DESC
    LIMIT 1
    """


class LedgerEvent(NamedTuple):
    """One line of a ledger file, and the run that wrote it."""

    time: str
    run: str | None  # None: told by the journal, no run has it
    operation: str
    event: str
    subject: str
    entry: str | None
    reason: str
    detail: LedgerLine  # the other keys of the line


class LedgerRun(NamedTuple):
    """One run of the record."""

    run: str
    operation: str
    time: str
    counts: dict[str, int]  # how many events of each kind


class RunPage(NamedTuple):
    """A page that a run wrote on."""

    id: str
    title: str
    path: str
    notes: int  # that came to stand there


class PastRun(NamedTuple):
    """A run as the index has it."""

    run: str
    time: str
    input: JsonDocument


class PastEvent(NamedTuple):
    """One event of a run."""

    time: str
    run: str
    operation: str
    event: str
    subject: str
    entry: str | None
    reason: str
    data: LedgerLine  # what else its line in the ledger has


# -- runs ------------------------------------------------------------------------------------------


def find_last_run_of(db: sqlite3.Connection, operation: str) -> PastRun | None:
    """Return the newest run of one operation."""
    query = """
        SELECT run, time, input
        FROM runs
        WHERE operation = ?
        ORDER BY time DESC, run DESC
        LIMIT 1
        """
    row = db.execute(query, (operation,)).fetchone()
    return (
        None
        if row is None
        else PastRun(row[0], row[1], json_text.loads(row[2]))
    )


def find_run(db: sqlite3.Connection, run: str) -> PastRun | None:
    """Return the run called *run*."""
    query = "SELECT run, time, input FROM runs WHERE run = ?"
    row = db.execute(query, (run,)).fetchone()
    return (
        None
        if row is None
        else PastRun(row[0], row[1], json_text.loads(row[2]))
    )


def list_runs_of(db: sqlite3.Connection, operation: str) -> list[str]:
    """Return the runs of one operation, oldest first."""
    query = "SELECT run FROM runs WHERE operation = ? ORDER BY time, run"
    return [run for (run,) in db.execute(query, (operation,))]


def list_runs_beginning(db: sqlite3.Connection, prefix: str) -> list[str]:
    """Return at most two runs whose names begin with *prefix*, one that is called so first."""
    query = """
        SELECT run
        FROM runs
        WHERE substr(run, 1, length(?1)) = ?1
        ORDER BY run = ?1 DESC
        LIMIT 2
        """
    return [str(run) for (run,) in db.execute(query, (prefix,))]


def has_run(db: sqlite3.Connection, run: str) -> bool:
    """Tell whether the record has a run called *run*."""
    query = "SELECT 1 FROM runs WHERE run = ?"
    return db.execute(query, (run,)).fetchone() is not None


def count_runs(db: sqlite3.Connection) -> int:
    """Return how many runs there are."""
    return int(db.execute("SELECT count(*) FROM runs").fetchone()[0])


def list_runs(db: sqlite3.Connection, most: int) -> list[LedgerRun]:
    """Return the newest runs, at most *most*, the newest first."""
    query = "SELECT run, operation, time, counts FROM runs ORDER BY time DESC, run DESC LIMIT ?"
    rows = db.execute(query, (most,))
    return [
        LedgerRun(run, operation, time, json_text.loads(counts))
        for run, operation, time, counts in rows
    ]


def list_runs_between(
    db: sqlite3.Connection, start: str, end: str
) -> list[LedgerRun]:
    """Return the runs of the time [*start*, *end*), the newest first."""
    query = """
        SELECT run, operation, time, counts
        FROM runs
        WHERE time >= ? AND time < ?
        ORDER BY time DESC, run DESC
        """
    rows = db.execute(query, (start, end))
    return [
        LedgerRun(run, operation, time, json_text.loads(counts))
        for run, operation, time, counts in rows
    ]


def list_pages_of_run(db: sqlite3.Connection, run: str) -> list[RunPage]:
    """Return the pages that *run* wrote on, those with most notes first."""
    return [RunPage(*row) for row in db.execute(_PAGES_OF_RUN, (run,))]


# -- events ----------------------------------------------------------------------------------------


def list_entry_events(
    db: sqlite3.Connection, entry: str, events: Iterable[str]
) -> list[PastEvent]:
    """Return those events of *entry* whose names are in *events*, oldest first."""
    names = json_text.dumps(sorted(events))
    where = "e.entry = ? AND e.event IN (SELECT value FROM json_each(?))"
    return _list_events(db, where, (entry, names))


def list_places_with_field(
    db: sqlite3.Connection, entry: str, events: Iterable[str], field: str
) -> list[tuple[str, int, bool]]:
    """Return (run, number) of those events of *entry*, oldest first, each with whether its line of
    the ledger has *field*; no line is read.
    """
    query = """
        SELECT e.run, e.n, instr(e.data, ?) > 0
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.entry = ? AND e.event IN (SELECT value FROM json_each(?))
        ORDER BY r.time, e.run, e.n
        """
    names = json_text.dumps(sorted(events))
    return db.execute(query, (f'"{field}":', entry, names)).fetchall()


def list_entry_events_of_run(
    db: sqlite3.Connection, entry: str, run: str
) -> list[PastEvent]:
    """Return the events of *entry* in *run*, in their order."""
    return _list_events(db, "e.run = ? AND e.entry = ?", (run, entry))


def has_entry_event_since(
    db: sqlite3.Connection, entry: str, events: Iterable[str], time: str
) -> bool:
    """Tell whether runs of *time* or later have an event of *entry* whose name is in *events*."""
    query = """
        SELECT 1
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.entry = ?
          AND e.event IN (SELECT value FROM json_each(?))
          AND r.time >= ?
        LIMIT 1
        """
    names = json_text.dumps(sorted(events))
    return db.execute(query, (entry, names, time)).fetchone() is not None


def has_event_since(
    db: sqlite3.Connection, events: Iterable[str], time: str
) -> bool:
    """Tell whether runs later than *time* have an event whose name is in *events*."""
    query = """
        SELECT 1
        FROM runs r
        CROSS JOIN events e ON e.run = r.run
        WHERE r.time > ?
          AND e.event IN (SELECT value FROM json_each(?))
        LIMIT 1
        """
    names = json_text.dumps(sorted(events))
    return db.execute(query, (time, names)).fetchone() is not None


def list_subject_events(
    db: sqlite3.Connection, subject: str, event: str
) -> list[PastEvent]:
    """Return the events of one name about a capture, branch, run or question, oldest first."""
    return _list_events(db, "e.subject = ? AND e.event = ?", (subject, event))


def _list_events(
    db: sqlite3.Connection, where: str, values: Sequence[str]
) -> list[PastEvent]:
    query = _EVENTS.format(source="events e", where=where)
    rows = db.execute(query, values)
    return [
        PastEvent(*row)._replace(data=json_text.loads(row[-1])) for row in rows
    ]


def list_content_changes(
    db: sqlite3.Connection, entry: str
) -> list[tuple[str, str, str]]:
    """Return (operation, event, what else its line of the ledger has) of all that changed an
    entry's content, the oldest first.
    """
    query = """
        SELECT r.operation, e.event, e.data
        FROM events e
        JOIN runs r ON r.run = e.run
        WHERE e.entry = ?
          AND e.event IN (
            'created', 'grown', 'compressed', 'restored', 'promoted',
            'registered', 'edited', 'renamed'
          )
        ORDER BY r.time, e.run, e.n
        """
    return db.execute(query, (entry,)).fetchall()


def list_joined_captures(
    db: sqlite3.Connection, branch: str
) -> list[tuple[str, str]]:
    """Return (blob, capture) of every member that joined a minority branch."""
    query = """
        SELECT json_extract(data, '$.blob'), json_extract(data, '$.capture')
        FROM events
        WHERE subject = ? AND event = 'joined'
        """
    return db.execute(query, (branch,)).fetchall()


def list_events_of_run(db: sqlite3.Connection, run: str) -> list[LedgerEvent]:
    """Return the events of *run*, in their order."""
    return _list_ledger_events(db, "e.run = ?1", run)


def list_events_of_entry(
    db: sqlite3.Connection, entry: str
) -> list[LedgerEvent]:
    """Return what runs decided about *entry* and about its claims, oldest first."""
    return _list_named_events(db, _OF_ENTRY, entry)


def list_events_of_page(
    db: sqlite3.Connection, entry: str
) -> list[LedgerEvent]:
    """Return what happened to the page of *entry* and to the notes on it, oldest first."""
    return _list_named_events(db, _OF_PAGE, entry)


def list_events_of_branch(
    db: sqlite3.Connection, branch: str
) -> list[LedgerEvent]:
    """Return what happened to a minority branch, oldest first."""
    return _list_ledger_events(db, "e.subject = ?1", branch)


#: audits of the statement that a capture became
_AUDITED = """
    (
      e.entry IN (SELECT a.entry FROM audits a WHERE a.statement = ?1)
      AND e.event IN ('auditing', 'audited', 'inconclusive', 'settled')
      AND json_extract(e.data, '$.statement') = ?1
    )
    """


def list_events_of_capture(
    db: sqlite3.Connection, capture: str
) -> list[LedgerEvent]:
    """Return what runs decided about *capture*, oldest first: its audits, too, where it is one
    statement of a page.
    """
    where = f"(e.subject = ?1 OR {_JOINED} OR {_AUDITED})"
    return _list_ledger_events(db, where, capture)


def find_last_reason(db: sqlite3.Connection, entry: str) -> str:
    """Return why a run last decided whether *entry* stays in quarantine; empty where none did."""
    row = db.execute(_LAST_REASON, (entry,)).fetchone()
    return "" if row is None else str(row[0])


def _list_ledger_events(
    db: sqlite3.Connection, where: str, value: str
) -> list[LedgerEvent]:
    query = _EVENTS.format(source="events e", where=where)
    return [_decode(row) for row in db.execute(query, (value,))]


def _list_named_events(
    db: sqlite3.Connection, named: str, value: str
) -> list[LedgerEvent]:
    source = _NAMED.format(query=named)
    query = _EVENTS.format(source=source, where="1")
    return [_decode(row) for row in db.execute(query, (value,))]


def _decode(row: Sequence[str]) -> LedgerEvent:
    time, run, operation, event, subject, entry, reason, data = row
    detail = json_text.loads(data)
    detail.pop("capture", None)  # of an event about a branch
    return LedgerEvent(
        time, run, operation, event, subject, entry, reason, detail
    )

"""Audits in the index: one record per entry and audit, created and then closed, never
changed (INV-5). A page that gathers several notes has records of its own, and one per statement.

`audit_log` has the paper's columns and a row per closed record. `audits` says the same and more:
what ended without a result, what was settled, and what an undo keeps from being settled. A record
itself outlives its undo.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping

from companion import json_text
from companion.annotations import TYPE_CHECKING, Literal, get_args
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.storage.results import (
        AuditSummary,
        PastAudit,
        StatementPlace,
    )
    from companion.storage.run_events import RunEvent
    from companion.storage.sqlite import Statement

Result = Literal["degraded", "unchanged", "improved"]
Outcome = Literal["restored", "gravity-reduced", "archived"]
RESULTS: tuple[Result, ...] = get_args(Result)

_CREATE = """
    INSERT INTO audits (record, run, entry, since, state, statement)
    VALUES (?,?,?,?,'created',?)
    ON CONFLICT DO NOTHING
    """
_CLOSE = """
    UPDATE audits
    SET state = 'closed', result = ?, outcome = ?, poor = ?, numbers = ?
    WHERE record = ? AND state = 'created'
    """
_LOG = "INSERT INTO audit_log (entry_id, timestamp, result, outcome) VALUES (?,?,?,?)"
_ADD_INCONCLUSIVE = """
    INSERT INTO audits (record, run, entry, since, state, numbers, statement)
    VALUES (?,?,?,?,'inconclusive',?,?)
    """
_SETTLE = "UPDATE audits SET settled = ? WHERE record = ?"
_CLOSE_BRANCH = """
    INSERT INTO closures (run, branch, record, since)
    VALUES (?,?,?,?)
    ON CONFLICT DO NOTHING
    """
_COLUMNS = """
    a.record, a.run, a.entry, a.since, a.state, a.result, a.outcome, a.poor,
    a.numbers, a.settled, a.undone, a.statement
    """


class AuditRecord(NamedTuple):
    """One audit of one entry, or of one statement on its page."""

    id: str
    run: str
    entry: str
    since: str
    state: str  # created, closed or inconclusive
    result: Result | None
    outcome: Outcome | None
    poor: int  # groups of questions that it led astray
    numbers: Mapping[str, float]
    settled: str | None  # the run that did what follows
    undone: bool  # its run was taken back: it stays, and nothing follows
    statement: str | None  # the capture of the statement; None: the page


# -- rows ------------------------------------------------------------------------------------------


def encode_auditing(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of a record that an audit began."""
    line = event.line
    about = (line["entry"], event.now, line.get("statement"))
    yield _CREATE, (line["audit"], event.run, *about)


def encode_audited(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the rows of a record that an audit closed with a result."""
    line = event.line
    numbers = {**line.get("numbers", {}), "factor": line.get("factor", 1.0)}
    values = (
        line["result"],
        line["outcome"],
        line.get("poor", 0),
        json_text.dumps(numbers, sort_keys=True),
        line["audit"],
    )
    yield _CLOSE, values
    yield _LOG, (line["entry"], event.now, line["result"], line["outcome"])


def encode_inconclusive(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of an audit without a result."""
    entry = event.line["entry"]
    numbers = json_text.dumps(event.line.get("numbers", {}), sort_keys=True)
    statement = event.line.get("statement")
    record = f"{event.run} {entry}"
    if statement is not None:
        record += f" {statement}"
    about = (entry, event.now, numbers, statement)
    yield _ADD_INCONCLUSIVE, (record, event.run, *about)


def encode_settled(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of a record whose consequence a run applied."""
    yield _SETTLE, (event.run, event.line["audit"])


def encode_closed(event: "RunEvent") -> Iterator["Statement"]:
    """Yield the row of a minority branch that an audit closed."""
    line = event.line
    yield _CLOSE_BRANCH, (event.run, line["branch"], line["audit"], event.now)


def encode_undone(event: "RunEvent") -> Iterator["Statement"]:
    """Yield what takes back the consequences of a run's records, or brings them back."""
    values = (int(event.line["outcome"] == "undone"), event.line["run"])
    yield "UPDATE audits SET undone = ? WHERE run = ?", values
    yield "UPDATE closures SET undone = ? WHERE run = ?", values


# -- reads -----------------------------------------------------------------------------------------


def list_audits(db: sqlite3.Connection, entry: str) -> list[AuditRecord]:
    """Return the audits of *entry* as a whole, oldest first."""
    return _select(db, "a.entry = ? AND a.statement IS NULL", entry)


def list_newest_audits(db: sqlite3.Connection) -> dict[str, AuditRecord]:
    """Return the last audit of every entry that ever had one, with a result or without; undone ones
    do not count, nor do those of single statements.
    """
    where = "? = '' AND NOT a.undone AND a.statement IS NULL"
    return {record.entry: record for record in _select(db, where, "")}


def list_newest_results(db: sqlite3.Connection) -> dict[str, AuditRecord]:
    """Return the last audit of every entry that had a result: one that says nothing has no effect
    (OBJ-4). Undone ones do not count, nor do those of single statements.
    """
    where = "a.state = ? AND NOT a.undone AND a.statement IS NULL"
    return {record.entry: record for record in _select(db, where, "closed")}


def list_newest_statement_audits(
    db: sqlite3.Connection,
) -> dict[str, AuditRecord]:
    """Return the last audit of every statement that ever had one, by its capture, with a result or
    without; undone ones do not count.
    """
    where = "? = '' AND NOT a.undone AND a.statement IS NOT NULL"
    return _by_statement(_select(db, where, ""))


def list_newest_statement_results(
    db: sqlite3.Connection,
) -> dict[str, AuditRecord]:
    """Return the last audit with a result of every statement that had one, by its capture; undone
    ones do not count.
    """
    where = "a.state = ? AND NOT a.undone AND a.statement IS NOT NULL"
    return _by_statement(_select(db, where, "closed"))


def list_condemned_statements(db: sqlite3.Connection) -> set[str]:
    """Return the captures of the statements that some audit found answers better without, and was
    not taken back.
    """
    where = "a.outcome = ? AND NOT a.undone AND a.statement IS NOT NULL"
    return {str(record.statement) for record in _select(db, where, "archived")}


def _by_statement(records: list[AuditRecord]) -> dict[str, AuditRecord]:
    return {str(record.statement): record for record in records}


def list_unsettled_audits(db: sqlite3.Connection) -> list[AuditRecord]:
    """Return the closed records of entries and of statements from which nothing followed yet,
    oldest first.
    """
    closed: list[AuditRecord] = []
    for r in _select(db, "a.state = ?", "closed"):
        if r.settled is None and not r.undone:
            closed.append(r)
    return closed


def describe_audits(
    db: sqlite3.Connection,
    entry: str,
    describe: "Callable[[str], StatementPlace]",
) -> "list[PastAudit]":
    """Return the audits of *entry* and its statements, oldest first, as reads show them.

    *describe* names the statement of a capture.
    """
    results: list[PastAudit] = []
    for each in _select(db, "a.entry = ?", entry):
        statement = None
        if each.statement is not None:
            statement = describe(each.statement)
        results.append(
            {
                "record": each.id,
                "run": each.run,
                "since": each.since,
                "result": each.result,
                "outcome": each.outcome,
                "settled": each.settled,
                "undone": each.undone,
                "judged": int(each.numbers.get("judged", 0)),
                "statement": statement,
            }
        )
    return results


def summarize_audits(db: sqlite3.Connection | None) -> "AuditSummary":
    """Return when anything was audited last, how many entries ever were, and how many records wait
    to be settled.
    """
    if db is None:
        return {"last": None, "entries": 0, "to_settle": 0}
    last, entries = db.execute(
        "SELECT max(since), count(DISTINCT entry) FROM audits"
    ).fetchone()
    return {
        "last": last,
        "entries": entries,
        "to_settle": len(list_unsettled_audits(db)),
    }


def _select(
    db: sqlite3.Connection, where: str, value: str
) -> list[AuditRecord]:
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM audits a WHERE {where} ORDER BY a.since, a.run, a.record",
        (value,),
    )
    records: list[AuditRecord] = []
    for row in rows:
        records.append(
            AuditRecord(*row)._replace(
                numbers=json_text.loads(row[8]), undone=bool(row[10])
            )
        )
    return records

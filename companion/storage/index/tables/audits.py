"""What AUDIT recorded, in the index: one record per entry and audit, created and then closed, never
changed (INV-5).

`audit_log` has the paper's columns and a row per closed record. `audits` says the same and more:
what ended without a result, what was settled, and what an undo keeps from being settled. A record
itself outlives its undo.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

if TYPE_CHECKING:
    from companion.storage.ledger_file import RunRecord
    from companion.storage.results import (
        AuditSummary,
        PastAudit,
    )

Result = Literal["degraded", "unchanged", "improved"]
Outcome = Literal["restored", "gravity-reduced", "archived"]
RESULTS: tuple[Result, ...] = get_args(Result)
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

_CREATED = """
    INSERT INTO audits (record, run, entry, since, state)
    VALUES (?,?,?,?,'created')
    ON CONFLICT DO NOTHING
    """
_CLOSED = """
    UPDATE audits
    SET state = 'closed', result = ?, outcome = ?, poor = ?, numbers = ?
    WHERE record = ? AND state = 'created'
    """
_LOGGED = "INSERT INTO audit_log (entry_id, timestamp, result, outcome) VALUES (?,?,?,?)"
_SILENT = """
    INSERT INTO audits (record, run, entry, since, state, numbers)
    VALUES (?,?,?,?,'inconclusive',?)
    """
_SETTLED = "UPDATE audits SET settled = ? WHERE record = ?"
_SHUT = "INSERT INTO closures (run, branch, record, since) VALUES (?,?,?,?) ON CONFLICT DO NOTHING"
_COLUMNS = "a.record, a.run, a.entry, a.since, a.state, a.result, a.outcome, a.poor, a.numbers, a.settled, a.undone"

_Row = tuple[str, tuple[Any, ...]]


class AuditRecord(NamedTuple):
    """One audit of one entry."""

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


def _created(run: "RunRecord", e: Mapping[str, Any]) -> Iterator[_Row]:
    yield _CREATED, (e["audit"], run.id, e["entry"], run.now)


def _closed(run: "RunRecord", e: Mapping[str, Any]) -> Iterator[_Row]:
    numbers = json.dumps(
        {**e.get("numbers", {}), "factor": e.get("factor", 1.0)}, sort_keys=True
    )
    yield (
        _CLOSED,
        (e["result"], e["outcome"], e.get("poor", 0), numbers, e["audit"]),
    )
    yield _LOGGED, (e["entry"], run.now, e["result"], e["outcome"])


def _silent(run: "RunRecord", e: Mapping[str, Any]) -> Iterator[_Row]:
    numbers = json.dumps(e.get("numbers", {}), sort_keys=True)
    yield (
        _SILENT,
        (f"{run.id} {e['entry']}", run.id, e["entry"], run.now, numbers),
    )


def _settled(run: "RunRecord", e: Mapping[str, Any]) -> Iterator[_Row]:
    yield _SETTLED, (run.id, e["audit"])


def _shut(run: "RunRecord", e: Mapping[str, Any]) -> Iterator[_Row]:
    yield _SHUT, (run.id, e["branch"], e["audit"], run.now)


#: the events of AUDIT, but for gravity reduced (`routes`) and states (`shifts`)
EVENTS: Mapping[
    str, Callable[["RunRecord", Mapping[str, Any]], Iterator[_Row]]
] = {
    "auditing": _created,
    "audited": _closed,
    "inconclusive": _silent,
    "settled": _settled,
    "closed": _shut,
}


def undone(flag: int, target: str) -> Iterator[_Row]:
    """Yield the rows by which what follows from a run's records is called off, or back."""
    yield "UPDATE audits SET undone = ? WHERE run = ?", (flag, target)
    yield "UPDATE closures SET undone = ? WHERE run = ?", (flag, target)


def list_audits(db: sqlite3.Connection, entry: str) -> list[AuditRecord]:
    """Return the audits of *entry*, oldest first."""
    return _select(db, "a.entry = ?", entry)


def list_newest_audits(db: sqlite3.Connection) -> dict[str, AuditRecord]:
    """Return the last audit of every entry that ever had one, with a result or without; undone ones
    do not count.
    """
    return {
        record.entry: record
        for record in _select(db, "? = '' AND NOT a.undone", "")
    }


def list_unsettled_audits(db: sqlite3.Connection) -> list[AuditRecord]:
    """Return the closed records from which nothing followed yet, oldest first."""
    return [
        r
        for r in _select(db, "a.state = ?", "closed")
        if r.settled is None and not r.undone
    ]


def describe_audits(db: sqlite3.Connection, entry: str) -> "list[PastAudit]":
    """Return the audits of *entry*, oldest first, as reads show them."""
    return [
        {
            "record": each.id,
            "run": each.run,
            "since": each.since,
            "result": each.result,
            "outcome": each.outcome,
            "settled": each.settled,
            "undone": each.undone,
            "judged": int(each.numbers.get("judged", 0)),
        }
        for each in list_audits(db, entry)
    ]


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
    return [
        AuditRecord(*row)._replace(
            numbers=json.loads(row[8]), undone=bool(row[10])
        )
        for row in rows
    ]

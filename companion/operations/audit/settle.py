"""`settle`: what follows from audits that are on record: gravity given back or taken, states,
branches (MaM §5.8).

It names the audit runs whose records it executes, and only records that are durable already: all
results come before any transition (AUD-4). A record is executed once; of several on one entry the
last counts.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.gravity.measure import weigh_entries
from companion.lifecycle.transitions import Changes, archive_entries, restore_entry
from companion.operations.audit.rules import AUDIT_RULES
from companion.operations.audit.verdict import GRACE, may_close
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, run_inputs
from companion.storage import ledger_file
from companion.storage.index.tables import audits, minority, routing
from companion.storage.index.tables import decay as faded
from companion.storage.index.tables.audits import Record
from companion.storage.index.tables.decay import living_entry
from companion.storage.index.tables.minority import Branch
from companion.values import time as times
from companion.workspace import Workspace

_LISTED = 20


class Step(NamedTuple):
    """One thing that a settle does."""

    subject: str  # an entry, or a branch
    what: str  # restored, gravity-reduced, decaying, archived, closed, or nothing
    lines: list[dict[str, Any]]
    reason: str


def settle(ws: Workspace, *, dry_run: bool = False) -> dict[str, Any]:
    """Do what follows from the audits on record. Raises Busy or TryLater with nothing changed."""
    return run_with_retries(ws, "settle", lambda tonight: _settle(tonight, dry_run=dry_run), None)


def _settle(tonight: Run, *, dry_run: bool) -> dict[str, Any]:
    weigh_entries(tonight)
    now, pending = tonight.moment(), audits.pending(tonight.db)
    mine, theirs = _decaying(tonight.db)
    again = {record.entry for record in pending}
    gone, back = _condemned(tonight.db, {**theirs, **mine}, now, again), _acquitted(mine, pending)
    changes = archive_entries(tonight, {record.entry: _reason(record) for record in gone}, now)
    for record in back:
        entry = living_entry(tonight.db, record.entry)
        if entry is not None:
            restore_entry(tonight, entry, f"{_reason(record)}: answers depend on it", changes)
    steps = [*_steps(tonight.db, pending), *_archived(changes.lines), *_closures(tonight.db)]
    report = {
        "settled": [_shown(tonight.db, each) for each in steps],
        "notes": _notes(tonight, changes),
    }
    lines = [line for step in steps for line in step.lines] + changes.lines
    if dry_run or not lines:
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    changes.store(tonight)
    runs = {record.run for record in (*pending, *gone)}
    inputs = {**run_inputs(tonight, changes.left_out, AUDIT_RULES), "audits": sorted(runs)}
    run = ledger_file.make("settle", now, inputs, lines)
    commit = tonight.publish(run, changes.writes, *_message(steps), author=COMPANION)
    tonight.refold()
    weigh_entries(tonight)  # a reader is to see what was taken, or given back
    return {"run": run.id, "commit": commit, **report, "dry_run": False}


# -- entries ---------------------------------------------------------------------------------------


def _decaying(db: sqlite3.Connection) -> tuple[dict[str, str], dict[str, str]]:
    """Return what a settle set decaying, and when; and what decayed already when one reduced it:
    when that was.
    """
    known, reduced = faded.decaying(db), faded.reduced(db)
    mine = {entry: how.since for entry, how in known.items() if how.operation == "settle"}
    theirs = {
        entry: reduced[entry]
        for entry in known
        if entry in reduced and reduced[entry] > known[entry].since
    }
    return mine, theirs


def _condemned(
    db: sqlite3.Connection, since: Mapping[str, str], now: str, again: Collection[str]
) -> list[Record]:
    """Return the records by which entries are archived now: decaying *since* then, at least for a
    week, and not audited *again*.
    """
    known = audits.newest(db)
    return [
        known[entry]
        for entry, instant in since.items()
        if entry in known
        and entry not in again
        and known[entry].settled is not None
        and known[entry].outcome == "archived"
        and times.days(instant, now) >= GRACE
    ]


def _acquitted(mine: Collection[str], pending: Sequence[Record]) -> list[Record]:
    """Return the records that bring back what an earlier audit had set decaying: answers depend on
    it after all.
    """
    newest = {record.entry: record for record in pending}
    return [
        record
        for entry, record in sorted(newest.items())
        if entry in mine and record.outcome == "restored"
    ]


def _archived(lines: Sequence[Mapping[str, Any]]) -> list[Step]:
    """Tell of what `fading.archive` does; its lines are its own."""
    return [
        Step(line["entry"], "archived", [], line["reason"])
        for line in lines
        if line["e"] == "archived"
    ]


def _notes(tonight: Run, changes: Changes) -> list[str]:
    return [
        *tonight.notes,
        *(f"{path} stays: {why}" for path, why in sorted(changes.left_out.items())),
    ]


def _steps(db: sqlite3.Connection, pending: Sequence[Record]) -> Iterator[Step]:
    newest = {record.entry: record.id for record in pending}
    states = dict(db.execute("SELECT id, state FROM entries"))
    factors, pinned = routing.factors(db), faded.pinned(db)
    for record in pending:
        if newest[record.entry] != record.id:
            yield _nothing(record, "a later audit says what is to follow")
        elif states.get(record.entry, "archived") == "archived":
            yield _nothing(record, "it is archived already")
        elif record.outcome == "archived" and record.entry in pinned:
            yield _nothing(
                record, "it is pinned: its owner keeps it, and was told what the audit found"
            )
        else:
            yield _step(record, states[record.entry], factors.get(record.entry, 1.0))


def _step(record: Record, state: str, factor: float) -> Step:
    left, reason = float(record.numbers.get("factor", factor)), _reason(record)
    lines = [_settled(record, reason)]
    if left != factor:
        told = (
            f"{reason}: {left:.2f} of its gravity is left"
            if left < 1
            else f"{reason}: its gravity is given back"
        )
        lines.append({"e": "reduced", "entry": record.entry, "factor": left, "reason": told})
    what = str(record.outcome)
    if record.outcome == "archived":
        what, why = "decaying", f"{reason}: answers are better without it"
        lines += (
            [{"e": "decaying", "entry": record.entry, "reason": why}] if state == "active" else []
        )
    return Step(record.entry, what, lines, reason)


def _reason(record: Record) -> str:
    return f"audit {record.run}: {record.result}"


def _nothing(record: Record, why: str) -> Step:
    return Step(record.entry, "nothing", [_settled(record, why)], why)


def _settled(record: Record, reason: str) -> dict[str, Any]:
    return {
        "e": "settled",
        "entry": record.entry,
        "audit": record.id,
        "outcome": record.outcome,
        "reason": reason,
    }


# -- branches --------------------------------------------------------------------------------------

_QUIET = (
    "SELECT coalesce(max(joined), ?2), (SELECT count(*) FROM runs r WHERE r.operation = 'consolidate' AND "
    "instr(r.counts, '\"consumed\"') AND r.time > coalesce((SELECT max(joined) FROM branch_members WHERE branch = ?1), "
    "?2)) FROM branch_members WHERE branch = ?1"
)


def _closures(db: sqlite3.Connection) -> Iterator[Step]:
    """Yield the branches that an audit closes (INV-4): nothing of theirs goes, and the ref
    stays.
    """
    known: Mapping[str, Record] = audits.newest(db)
    for branch in minority.branches(db):
        record = known.get(branch.incumbent)
        if (
            branch.state == "open"
            and record is not None
            and record.state == "closed"
            and not record.undone
        ):
            grown, cycles = db.execute(_QUIET, (branch.name, branch.opened)).fetchone()
            if may_close(record.result, record.since, grown, cycles):
                yield _closed(branch, record, cycles)


def _closed(branch: Branch, record: Record, cycles: int) -> Step:
    reason = (
        f"audit {record.run} found its incumbent load-bearing, and it did not grow over {cycles} cycles with input; "
        "its pages and its ref stay"
    )
    line = {
        "e": "closed",
        "branch": branch.name,
        "entry": branch.incumbent,
        "audit": record.id,
        "reason": reason,
    }
    return Step(branch.name, "closed", [line], reason)


def _message(steps: Sequence[Step]) -> tuple[str, str]:
    kinds = [step.what for step in steps]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(sorted(kinds)))
    shown = [f"{step.subject}: {step.what}; {step.reason}" for step in steps[:_LISTED]]
    more = (
        [f"… and {len(steps) - _LISTED} more; the ledger file has them all"]
        if len(steps) > _LISTED
        else []
    )
    return f"settle: {counts}", "\n".join(shown + more)


def _shown(db: sqlite3.Connection, step: Step) -> dict[str, Any]:
    row = db.execute("SELECT title, path FROM entries WHERE id = ?", (step.subject,)).fetchone()
    title, path = row if row is not None else (None, None)
    return {
        "subject": step.subject,
        "title": title,
        "path": path,
        "what": step.what,
        "reason": step.reason,
    }

"""`settle`: act on audits that are on record: gravity, states, statements, branches (MaM §5.8).

A run of settle names the audit runs whose records it acts on, and acts only on records that are
durable already: all results come before any transition (AUD-4). It acts on a record once; of
several records on one entry, or on one statement of a page, the last counts.

Of a page that gathers several notes an audit lets single statements go (CON-17). The page itself
begins to decay only where nothing else stands on it.
"""

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from companion.gravity.measure import weigh_entries
from companion.ledger.dependents.flag import flag_run
from companion.lifecycle.transitions import (
    Changes,
    archive_entries,
    restore_entry,
)
from companion.minority.contested.contested_page import Standing
from companion.minority.contested.read_contested_page import read_contested_page
from companion.operations.audit.consequence import may_close
from companion.operations.audit.due import (
    is_condemned,
    list_archivable,
    list_decaying_by_settle,
    list_reduced_while_decaying,
)
from companion.operations.audit.record.step import (
    Step,
    describe_step,
    write_message,
)
from companion.operations.audit.rules import AUDIT_RULES
from companion.operations.audit.settle_statements import (
    EXCUSED,
    LATER_DECIDES,
    SettledStatement,
    list_reopened,
    settle_statements,
)
from companion.pages.statements import statement_id
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.index.tables import audits, minority, routing
from companion.storage.index.tables.audits import AuditRecord
from companion.storage.index.tables.decay import (
    find_living_entry,
    list_pinned,
)
from companion.storage.index.tables.minority import Branch, measure_quiet
from companion.storage.index.tables.pages.entries import list_states
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.audit.results import (
        SettledStep,
        SettleReport,
        SettleResult,
    )

_FINDINGS = {
    "degraded": "Answers depend on this page",
    "unchanged": "No question asked so far needs this page",
    "improved": "Answers are better without this page",
}


class _Plan(NamedTuple):
    """What follows from the audits on record, and the ids of the runs that made them."""

    now: str
    steps: list[Step]
    changes: Changes
    lines: list[LedgerLine]
    audited: list[str]


def settle(
    ws: Workspace, *, dry_run: bool = False, progress: Progress | None = None
) -> "SettleResult":
    """Act on the audits that are on record. Raises Busy or TryLater with nothing changed."""
    return run_with_retries(
        ws, "settle", lambda run: _settle(run, dry_run=dry_run), progress
    )


def _settle(run: Run, *, dry_run: bool) -> "SettleResult":
    run.progress.begin("weighing pages")
    weigh_entries(run)
    run.progress.begin("settling audits")
    plan = _plan(run)
    report: SettleReport = {
        "settled": [describe_step(run, step) for step in plan.steps],
        "notes": _notes(run, plan.changes),
    }
    if dry_run or not plan.lines:
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    id, commit = _publish(run, plan)
    # so that reads show the gravity that was taken or given back
    weigh_entries(run)
    return {"run": id, "commit": commit, **report, "dry_run": False}


def _plan(run: Run) -> _Plan:
    """Decide what follows from the audits on record; write nothing."""
    now = run.moment()
    records = audits.list_unsettled_audits(run.db)
    pending = [record for record in records if record.statement is None]
    of_statements = [record for record in records if record.statement]
    of_statements += list_reopened(run.db)
    by_settle = list_decaying_by_settle(run.db)
    since = {**list_reduced_while_decaying(run.db), **by_settle}
    archivable = list_archivable(run.db, since, now)
    changes = _archive(run, archivable, now)
    _restore_acquitted(run, by_settle, pending, changes)
    excused = _excused_steps(run, by_settle, changes)
    improved = _list_improved(pending)
    taken = [write.path for write in changes.writes]
    found = settle_statements(run, of_statements, improved, taken, now)
    changes.add(found.changes)
    steps = [
        *_steps(run.db, pending, found.kept, _list_archived(changes)),
        *map(_statement_step, found.settled),
        *_archived_steps(changes.lines, pending),
        *excused,
        *_restored_notes(changes.lines, found.settled),
        *_closures(run),
    ]
    lines = list(chain.from_iterable(step.lines for step in steps))
    lines += changes.lines
    # what rests on a page or a note that answers are better without is looked at by somebody
    lines += flag_run(run, lines, now)
    weighed = (*pending, *of_statements, *archivable, *found.archivable)
    audited = sorted({record.run for record in weighed})
    return _Plan(now, steps, changes, lines, audited)


def _archive(run: Run, archivable: Sequence[AuditRecord], now: str) -> Changes:
    """Return what archives the entries of which the audits *archivable* tell."""
    reasons = {record.entry: _reason(record) for record in archivable}
    return archive_entries(run, reasons, now)


def _list_archived(changes: Changes) -> set[str]:
    """Return the entries that *changes* archive."""
    return {line["entry"] for line in changes.lines if line["e"] == "archived"}


def _restore_acquitted(
    run: Run,
    by_settle: Collection[str],
    pending: Sequence[AuditRecord],
    changes: Changes,
) -> None:
    """Add to *changes* the entries that a later audit found needed again."""
    for record in _acquitted(by_settle, pending):
        entry = find_living_entry(run.db, record.entry)
        if entry is not None:
            restore_entry(run, entry, _reason(record), changes)


def _publish(run: Run, plan: _Plan) -> tuple[str, str]:
    """Publish *plan*; return the ids of the run and of its commit."""
    plan.changes.store(run)
    inputs = make_inputs(run, plan.changes.left_out, AUDIT_RULES)
    inputs["audits"] = plan.audited
    ledger_run = ledger_file.make_run("settle", plan.now, inputs, plan.lines)
    subject, body = write_message(plan.steps)
    commit = run.publish(
        ledger_run, plan.changes.writes, subject, body, author=COMPANION
    )
    run.refold()
    return ledger_run.id, commit


# -- entries ---------------------------------------------------------------------------------------


def _acquitted(
    by_settle: Collection[str], pending: Sequence[AuditRecord]
) -> list[AuditRecord]:
    """Return the audits that restore what an earlier audit had made decaying."""
    newest = {record.entry: record for record in pending}
    records: list[AuditRecord] = []
    for entry, record in sorted(newest.items()):
        if entry in by_settle and record.outcome == "restored":
            records.append(record)
    return records


def _excused_steps(
    run: Run, by_settle: Collection[str], changes: Changes
) -> list[Step]:
    """Restore entries that only audits made decaying that were taken back since (AUD-8)."""
    steps = []
    for id in sorted(by_settle):
        entry = find_living_entry(run.db, id)
        if entry is None or is_condemned(run.db, id):
            continue
        before = len(changes.lines)
        restore_entry(run, entry, EXCUSED, changes)
        if len(changes.lines) > before:
            steps.append(Step(id, "restored", [], EXCUSED))
    return steps


def _restored_notes(
    lines: Sequence[LedgerLine], settled: Sequence[SettledStatement]
) -> Iterator[Step]:
    """Yield a step for each statement that *lines* let stand again, but for those whose audit is
    *settled* by that.
    """
    told = {one.record.statement for one in settled if one.what == "restored"}
    for line in lines:
        if line["e"] != "statement" or line["state"] != "active":
            continue
        if line["capture"] not in told:
            about = (line["reason"], line["capture"])
            yield Step(line["entry"], "restored", [], *about)


def _list_improved(pending: Sequence[AuditRecord]) -> set[str]:
    """Return the entries that answers are better without, by the last record of each."""
    newest = {record.entry: record for record in pending}
    return {
        entry
        for entry, record in newest.items()
        if record.outcome == "archived"
    }


def _archived_steps(
    lines: Sequence[LedgerLine], pending: Sequence[AuditRecord]
) -> list[Step]:
    """Return a step for each entry and statement that is archived; its *lines* are published as
    they are. What is *pending* about such an entry is settled by that.
    """
    steps: list[Step] = []
    for line in lines:
        if line["e"] == "archived":
            settled = [
                _settled(record, line["reason"])
                for record in pending
                if record.entry == line["entry"]
            ]
            entry, reason = line["entry"], line["reason"]
            steps.append(Step(entry, "archived", settled, reason))
        if line["e"] == "statement" and line["state"] == "archived":
            about = (line["reason"], line["capture"])
            steps.append(Step(line["entry"], "archived", [], *about))
    return steps


def _statement_step(settled: SettledStatement) -> Step:
    record = settled.record
    what: SettledStep = "nothing"
    if settled.what == "decaying":
        what = "decaying"
    elif settled.what == "restored":
        what = "restored"
    lines = [_settled(record, settled.reason)]
    return Step(record.entry, what, lines, settled.reason, record.statement)


def _notes(run: Run, changes: Changes) -> list[str]:
    left_out = [
        f"{path} stays: {reason}"
        for path, reason in sorted(changes.left_out.items())
    ]
    return [*run.notes, *left_out]


def _steps(
    db: sqlite3.Connection,
    pending: Sequence[AuditRecord],
    kept: Collection[str],
    gone: Collection[str],
) -> Iterator[Step]:
    """Yield what follows from *pending* records, but for entries that this run archives (*gone*).

    Pages in *kept* stay: other notes stand on them.
    """
    newest = {record.entry: record.id for record in pending}
    states = list_states(db)
    factors = routing.list_factors(db)
    pinned = list_pinned(db)
    for record in pending:
        state = states.get(record.entry, "archived")
        if record.entry in gone:
            continue
        if newest[record.entry] != record.id:
            yield _nothing(record, LATER_DECIDES)
        elif state == "archived":
            yield _nothing(record, "It is archived already.")
        elif record.outcome == "archived" and record.entry in pinned:
            yield _nothing(record, "It is pinned, so it stays.")
        else:
            step = _step(record, state, factors.get(record.entry, 1.0))
            yield _keep_page(step) if record.entry in kept else step


def _step(record: AuditRecord, state: str, factor: float) -> Step:
    left = float(record.numbers.get("factor", factor))
    reason = _reason(record)
    lines = [_settled(record, reason)]
    if left != factor:
        lines.append(_reduced(record, left, factor))
    assert record.outcome is not None  # only a closed record is settled
    if record.outcome != "archived":
        return Step(record.entry, record.outcome, lines, reason)
    if state == "active":
        lines.append({"e": "decaying", "entry": record.entry, "reason": reason})
    return Step(record.entry, "decaying", lines, reason)


def _keep_page(step: Step) -> Step:
    """Return *step* without a decay of the page: other notes stand on it."""
    lines = [line for line in step.lines if line["e"] != "decaying"]
    reason = (
        f"Notes stand on it that answers are not better without. {step.reason}"
    )
    return step._replace(what="gravity-reduced", lines=lines, reason=reason)


def _reduced(record: AuditRecord, left: float, before: float) -> LedgerLine:
    """Return the line of what is *left* of an entry's gravity, where *before* was left so far."""
    change = "Its gravity counts in full again."
    share = ""
    if left < 1:
        change = "Its gravity counts less from now on."
        share = f"{left:.2f} of it is left; "
    audit = f"audit {record.run}: {record.result}"
    return {
        "e": "reduced",
        "entry": record.entry,
        "factor": left,
        "share": round(left / before, 6),
        "reason": f"{_finding(record)}. {change} ({share}{audit})",
    }


def _finding(record: AuditRecord) -> str:
    return _FINDINGS.get(str(record.result), str(record.result))


def _reason(record: AuditRecord) -> str:
    return f"{_finding(record)}. (audit {record.run}: {record.result})"


def _nothing(record: AuditRecord, reason: str) -> Step:
    return Step(record.entry, "nothing", [_settled(record, reason)], reason)


def _settled(record: AuditRecord, reason: str) -> LedgerLine:
    line: LedgerLine = {
        "e": "settled",
        "entry": record.entry,
        "audit": record.id,
        "outcome": record.outcome,
    }
    if record.statement is None:
        return {**line, "reason": reason}
    note = f"Note {statement_id(record.statement)}"
    line["statement"] = record.statement
    return {**line, "reason": f"{note}: {reason}"}


# -- branches --------------------------------------------------------------------------------------


def _closures(run: Run) -> Iterator[Step]:
    """Yield the branches that an audit closes (INV-4): their pages and their refs stay."""
    db = run.db
    newest = audits.list_newest_results(db)
    statements = audits.list_newest_statement_results(db)
    for branch in minority.list_branches(db):
        if branch.state != "open":
            continue
        record = newest.get(branch.incumbent)
        page = read_contested_page(db, run.repo, branch.incumbent)
        if page is not None and page.gathers:
            # that the page is needed does not say which of its statements is
            contested = page.list_same(branch.statement or page.origin)
            record = _find_newest(statements, contested)
        if record is None:
            continue
        grown, cycles = measure_quiet(db, branch)
        if may_close(record.result, record.since, grown, cycles):
            yield _closed(branch, record, cycles)


def _find_newest(
    records: Mapping[str, AuditRecord], standing: Sequence[Standing]
) -> AuditRecord | None:
    """Return the last of the *records* of statements that hold one belief."""
    found = [records[one.capture] for one in standing if one.capture in records]
    return max(found, key=lambda each: (each.since, each.id), default=None)


def _closed(branch: Branch, record: AuditRecord, cycles: int) -> Step:
    thing = "page" if record.statement is None else "note"
    reason = (
        f"Answers depend on the {thing} that this branch contradicts, "
        "and the branch no longer grows. "
        f"Its pages and its ref stay. (no growth in {cycles} cycles with input; audit {record.run})"
    )
    line: LedgerLine = {
        "e": "closed",
        "branch": branch.name,
        "entry": branch.incumbent,
        "audit": record.id,
    }
    if record.statement is not None:
        line["statement"] = record.statement
    return Step(branch.name, "closed", [{**line, "reason": reason}], reason)

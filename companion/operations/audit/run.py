"""`audit`: suspend load-bearing entries one by one, and record what that changes (MaM §5.8).

An entry is suspended in this process only. The run consists of records: all of them are durable in
one commit before `settle` acts on them (AUD-4).
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.gravity.measure import carry_pass_over, weigh_entries
from companion.judges.run_input import comparing_input
from companion.operations.audit import consequence
from companion.operations.audit.choose import (
    Chosen,
    choose_entries,
    resolve_target,
)
from companion.operations.audit.consequence import Consequence
from companion.operations.audit.observe import (
    list_changed_matters,
    list_changes,
    observe,
)
from companion.operations.audit.questions import ask_judge, replay
from companion.operations.audit.questions.ask_judge import (
    Announce,
    Jury,
    Wanted,
)
from companion.operations.audit.questions.judged_answers import Judged
from companion.operations.audit.questions.probes import (
    count_openings_by_name,
    gather_probes,
)
from companion.operations.audit.questions.query_set import Probe
from companion.operations.audit.questions.replay import MATTERS, Replay
from companion.operations.audit.record.finding import Finding
from companion.operations.audit.record.ledger_lines import lines_of
from companion.operations.audit.record.report import make_report, write_message
from companion.operations.audit.rules import AUDIT_RULES
from companion.operations.audit.statements import (
    audit_statements,
)
from companion.operations.audit.verdict import (
    TOP_N,
    Evidence,
    Verdict,
    reach_verdict,
)
from companion.runs.publication import COMPANION
from companion.runs.retry import run_with_retries
from companion.runs.run import Run, make_inputs
from companion.storage import ledger_file
from companion.storage.index import suspension
from companion.storage.index.tables import audits, claims, promotions, routing
from companion.storage.index.tables.audits import AuditRecord
from companion.storage.index.tables.gravity import list_base_gravity
from companion.storage.index.tables.pages.edges import list_dependencies
from companion.storage.index.tables.pages.entries import find_page
from companion.usage.record_in_run import (
    UseRecords,
    as_if_recorded,
    gather_uses,
)
from companion.values.allowance import Allowance
from companion.values.events import LedgerLine
from companion.values.progress import Progress
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.operations.audit.results import (
        AuditResult,
    )


NOBODY = ""  # who replays: no private telling is theirs


def audit(
    ws: Workspace,
    *,
    top: int = TOP_N,
    entries: Sequence[str] = (),
    dry_run: bool = False,
    progress: Progress | None = None,
    announce: Announce | None = None,
    allowance: Allowance | None = None,
) -> "AuditResult":
    """Audit the *top* entries by gravity with those queued or decaying, or just *entries*.

    A dry run asks a language model too: its answers are kept, and the run itself will not ask
    again. *announce* is called before with what that may cost; it spends from *allowance*. Raises
    NothingFound or Ambiguous for a target that names no entry, Busy or TryLater with nothing
    changed.
    """

    def audit_once(run: Run) -> "AuditResult":
        """Run one attempt; a race with another process starts the next."""
        return _audit(run, top, entries, announce, allowance, dry_run=dry_run)

    return run_with_retries(
        ws,
        "audit",
        audit_once,
        progress,
    )


def _audit(
    run: Run,
    top: int,
    targets: Sequence[str],
    announce: Announce | None,
    allowance: Allowance | None,
    *,
    dry_run: bool,
) -> "AuditResult":
    now = run.moment()
    run.progress.begin("weighing pages")
    weigh_entries(run)
    known = audits.list_newest_audits(run.db)
    named = [resolve_target(run, target) for target in targets]
    chosen, skipped = choose_entries(run.db, top, named, known, now)
    used = gather_uses(run)
    questions = _gather_questions(run, chosen, used, now)
    jury = ask_judge.open_jury(run, len(chosen), announce, allowance)
    findings = list(_suspend_each(run, questions, known, now, jury))
    report = make_report(findings, skipped, jury, run.notes)
    lines: list[LedgerLine] = []
    for finding in findings:
        lines += lines_of(finding, now)
    if dry_run or not lines:
        return {"run": None, "commit": None, **report, "dry_run": dry_run}
    inputs = make_inputs(run, {}, AUDIT_RULES)
    inputs["usage"] = used.mark
    inputs["top"] = top
    inputs["entries"] = [each.entry for each in chosen]
    if jury is not None:
        inputs |= comparing_input(jury.comparer, jury.used)
        lines = jury.lines() + lines
    run.progress.begin("writing the record")
    record = ledger_file.make_run("audit", now, inputs, [*used.lines, *lines])
    subject, body = write_message(findings)
    commit = run.publish(record, [], subject, body, author=COMPANION)
    run.refold()
    carry_pass_over(run)
    return {"run": record.id, "commit": commit, **report, "dry_run": False}


# -- one suspension --------------------------------------------------------------------------------


class Questions(NamedTuple):
    """An entry, and what was asked that concerns it."""

    chosen: Chosen
    probes: Sequence[Probe]
    named: int  # times that it was opened by name lately


def _gather_questions(
    run: Run, chosen: Sequence[Chosen], used: UseRecords, now: str
) -> list[Questions]:
    """Return the questions by which each entry is audited; what was asked today counts, too."""
    questions = []
    with as_if_recorded(run, used):
        for each in chosen:
            probes = gather_probes(run, each.entry, each.title)
            named = count_openings_by_name(run.db, each.entry, now)
            questions.append(Questions(each, probes, named))
    return questions


def _suspend_each(
    run: Run,
    questions: Sequence[Questions],
    known: Mapping[str, AuditRecord],
    now: str,
    jury: Jury | None,
) -> Iterator[Finding]:
    db = suspension.open_(run.ws.place.index_db)
    assert db is not None  # the run has folded it
    reader = Workspace(run.ws.place, run.ws.now(), who=NOBODY)
    try:
        again = Replay(reader, db, now)
        factors = routing.list_factors(run.db)
        run.progress.begin("auditing pages", len(questions))
        for each in questions:
            entry = each.chosen.entry
            factor = factors.get(entry, 1.0)
            yield _suspend(run, again, each, known.get(entry), factor, jury)
            run.progress(1)
    finally:
        db.close()


def _suspend(
    run: Run,
    again: Replay,
    asked: Questions,
    last: AuditRecord | None,
    factor: float,
    jury: Jury | None,
) -> Finding:
    """Return what changes while one entry is suspended, and what follows from that.

    *last* is its last audit; *factor* is what audits left of its gravity.
    """
    db = run.db
    chosen, probes, named = asked
    entry = chosen.entry
    told = claims.list_claims_of_entry(again.db, entry)
    keys = replay.list_matters(told, MATTERS)
    wanted: list[Wanted] = []
    judged: Mapping[str, Judged] = {}
    before = observe(again, probes, keys)
    gravity = _rounded_gravity(again.db)
    with again.without(entry):
        after = observe(again, probes, keys)
        lighter = _count_lighter(db, entry, gravity, _rounded_gravity(again.db))
        if jury is not None:
            wanted = jury.wanted(
                again, entry, probes, before.rankings, after.rankings
            )
    if jury is not None:
        judged = jury.judge(again, entry, wanted, before.rankings)
    evidence = Evidence(
        changes=list_changes(entry, probes, before, after),
        matters=list_changed_matters(db, entry, before, after),
        named=named,
        lost=entry in promotions.list_shifts(db),
        since="" if last is None else last.since,
        judged=judged,
        judge="" if jury is None else jury.name,
    )
    verdict = reach_verdict(entry, evidence)
    follows = _follow(db, entry, verdict, factor)
    statements = audit_statements(run, again, entry, probes, before.rankings)
    return Finding(chosen, evidence, verdict, follows, lighter, statements)


def _count_lighter(
    db: sqlite3.Connection,
    entry: str,
    before: Mapping[str, float],
    after: Mapping[str, float],
) -> int:
    """Return how many entries that *entry* links to weigh less without it.

    The weight of all others falls merely because the wiki is smaller then.
    """
    count = 0
    for other in list_dependencies(db, entry):
        if after.get(other, 0.0) < before.get(other, 0.0):
            count += 1
    return count


def _follow(
    db: sqlite3.Connection, entry: str, verdict: Verdict, factor: float
) -> Consequence | None:
    if verdict.result is None:
        return None
    past = audits.list_audits(db, entry)
    page = find_page(db, entry)
    protected = page is not None and page.gravity_protected
    return consequence.decide_consequence(
        verdict.result,
        factor=factor,
        poor_cycles=consequence.count_poor_cycles(verdict.poor, past),
        protected=protected,
    )


def _rounded_gravity(db: sqlite3.Connection) -> dict[str, float]:
    return {
        entry: round(base, 6) for entry, base in list_base_gravity(db).items()
    }

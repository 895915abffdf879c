"""`audit`: suspend load-bearing entries one by one, and record what that changes (MaM §5.8).

An entry is suspended in this process only. The run consists of records: all of them are durable in
one commit before `settle` acts on them (AUD-4).
"""

import hashlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.gravity.measure import carry_pass_over, weigh_entries
from companion.judges.run_input import comparing_input
from companion.minority.beliefs import name_belief
from companion.operations.audit import consequence
from companion.operations.audit.choose import (
    Chosen,
    Skipped,
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
from companion.operations.audit.rules import AUDIT_RULES
from companion.operations.audit.statements import (
    StatementFinding,
    audit_statements,
)
from companion.operations.audit.verdict import (
    TOP_N,
    Change,
    Evidence,
    Verdict,
    reach_verdict,
)
from companion.pages.statements import statement_id
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
        AuditedEntry,
        AuditedStatement,
        AuditReport,
        AuditResult,
        JudgedAnswer,
        QuestionResult,
    )


NOBODY = ""  # who replays: no private telling is theirs
# entries that a commit message names; the ledger file in it has them all
_LISTED = 20


class Finding(NamedTuple):
    """The result of one suspension, and what follows from it."""

    chosen: Chosen
    evidence: Evidence
    verdict: Verdict
    follows: Consequence | None
    lighter: int  # entries that it links to and that weigh less without it
    statements: Sequence[StatementFinding] = ()  # of a page of several


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
    report = _report(findings, skipped, jury, run.notes)
    lines: list[LedgerLine] = []
    for finding in findings:
        lines += _lines(finding, now)
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
    subject, body = _message(findings)
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


# -- the record and the report ---------------------------------------------------------------------


def _lines(finding: Finding, now: str) -> list[LedgerLine]:
    lines = _lines_of_entry(finding, now)
    for statement in finding.statements:
        lines += _lines_of_statement(finding.chosen, statement, now)
    return lines


def _lines_of_entry(finding: Finding, now: str) -> list[LedgerLine]:
    entry = finding.chosen.entry
    verdict = finding.verdict
    numbers = dict(verdict.numbers)
    if verdict.result is None or finding.follows is None:
        return [
            {
                "e": "inconclusive",
                "entry": entry,
                "numbers": numbers,
                "reason": verdict.reason,
            }
        ]
    id = _record_id(now, entry)
    opened = {
        "e": "auditing",
        "entry": entry,
        "audit": id,
        "reason": finding.chosen.why,
    }
    closed = {
        "e": "audited",
        "entry": entry,
        "audit": id,
        "result": verdict.result,
        "outcome": finding.follows.outcome,
        "factor": finding.follows.factor,
        "poor": verdict.poor,
        "numbers": numbers,
        "reason": f"{verdict.reason} {finding.follows.reason}",
    }
    return [opened, closed]


def _lines_of_statement(
    chosen: Chosen, finding: StatementFinding, now: str
) -> list[LedgerLine]:
    """Return the lines of one statement's record; gravity is its page's, and no part of it."""
    about = {"entry": chosen.entry, "statement": finding.capture}
    verdict = finding.verdict
    numbers = dict(verdict.numbers)
    name = f"Note {statement_id(finding.capture)}"
    reason = f"{name}: {verdict.reason}"
    if verdict.result is None or finding.follows is None:
        inconclusive = {"e": "inconclusive", **about, "numbers": numbers}
        return [{**inconclusive, "reason": reason}]
    id = _record_id(now, name_belief(chosen.entry, finding.capture))
    opened = {
        "e": "auditing",
        **about,
        "audit": id,
        "reason": f"{name}: answers used it, and its page was audited.",
    }
    closed = {
        "e": "audited",
        **about,
        "audit": id,
        "result": verdict.result,
        "outcome": finding.follows.outcome,
        "poor": verdict.poor,
        "numbers": numbers,
        "reason": f"{reason} {finding.follows.reason}",
    }
    return [opened, closed]


def _record_id(now: str, name: str) -> str:
    return hashlib.sha256(f"{now} {name}".encode()).hexdigest()[:12]


def _message(findings: Sequence[Finding]) -> tuple[str, str]:
    """Return the subject and the body of the commit; statements stand in the ledger file."""
    counts = Counter(
        finding.verdict.result or "inconclusive" for finding in findings
    )
    subject = ", ".join(
        f"{count} {result}" for result, count in sorted(counts.items())
    )
    lines = []
    for finding in findings[:_LISTED]:
        result = finding.verdict.result or "inconclusive"
        lines.append(
            f"{finding.chosen.entry}: {result}; {finding.verdict.reason}"
        )
    if len(findings) > _LISTED:
        lines.append(
            f"… and {len(findings) - _LISTED} more; the ledger file has them all"
        )
    return f"audit: {subject}", "\n".join(lines)


def _report(
    findings: Sequence[Finding],
    skipped: Sequence[Skipped],
    jury: Jury | None,
    notes: Sequence[str],
) -> "AuditReport":
    return {
        "audited": [_finding_document(finding) for finding in findings],
        "skipped": [each._asdict() for each in skipped],
        "judged": [] if jury is None else jury.tally(),
        "notes": list(notes),
    }


def _finding_document(finding: Finding) -> "AuditedEntry":
    chosen = finding.chosen
    verdict = finding.verdict
    follows = finding.follows
    judged = {each.probe: each for each in finding.evidence.judged.values()}
    return {
        "entry": chosen.entry,
        "title": chosen.title,
        "path": chosen.path,
        "why": chosen.why,
        "result": verdict.result,
        "outcome": None if follows is None else follows.outcome,
        "reason": verdict.reason,
        "follows": None if follows is None else follows.reason,
        "factor": None if follows is None else follows.factor,
        "numbers": dict(verdict.numbers),
        "lighter": finding.lighter,
        "questions": [
            _question_document(change, judged.get(change.probe.id))
            for change in finding.evidence.changes
        ],
        "matters": [matter._asdict() for matter in finding.evidence.matters],
        "statements": list(map(_statement_document, finding.statements)),
    }


def _statement_document(finding: StatementFinding) -> "AuditedStatement":
    verdict = finding.verdict
    follows = finding.follows
    return {
        "statement": finding.place,
        "result": verdict.result,
        "outcome": None if follows is None else follows.outcome,
        "reason": verdict.reason,
        "follows": None if follows is None else follows.reason,
        "numbers": dict(verdict.numbers),
        "questions": [
            _question_document(change, None)
            for change in finding.evidence.changes
        ],
        "matters": [matter._asdict() for matter in finding.evidence.matters],
    }


def _question_document(
    change: Change, judged: Judged | None
) -> "QuestionResult":
    answer: JudgedAnswer | None = None
    if judged is not None:
        answer = {
            "better": judged.better,
            "confidence": judged.confidence,
            "basis": judged.basis,
        }
    return {
        "words": change.probe.words,
        "kind": change.probe.kind,
        "group": change.probe.group,
        "place": change.before,
        "change": round(change.delta, 4),
        "tested": change.tested,
        "missed": list(change.missed),
        "judged": answer,
    }

"""What an audit says of its findings: in its commit, and in its report."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.operations.audit.choose import (
    Skipped,
)
from companion.operations.audit.questions.ask_judge import (
    Jury,
)
from companion.operations.audit.questions.judged_answers import Judged
from companion.operations.audit.record.finding import Finding
from companion.operations.audit.statements import (
    StatementFinding,
)
from companion.operations.audit.verdict import (
    Change,
)

if TYPE_CHECKING:
    from companion.operations.audit.results import (
        AuditedEntry,
        AuditedStatement,
        AuditReport,
        JudgedAnswer,
        QuestionResult,
    )

# entries that a commit message names; the ledger file in it has them all
_LISTED = 20


def write_message(findings: Sequence[Finding]) -> tuple[str, str]:
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


def make_report(
    findings: Sequence[Finding],
    skipped: Sequence[Skipped],
    jury: Jury | None,
    notes: Sequence[str],
) -> "AuditReport":
    """Return the report of an audit: what it found, and what it passed over."""
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

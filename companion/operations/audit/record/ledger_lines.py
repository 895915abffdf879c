"""The lines of the ledger that record a finding."""

import hashlib

from companion.minority.beliefs import name_belief
from companion.operations.audit.choose import (
    Chosen,
)
from companion.operations.audit.record.finding import Finding
from companion.operations.audit.statements import (
    StatementFinding,
)
from companion.pages.statements import statement_id
from companion.values.events import LedgerLine


def lines_of(finding: Finding, now: str) -> list[LedgerLine]:
    """Return the lines of an entry's record, and of its statements'."""
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

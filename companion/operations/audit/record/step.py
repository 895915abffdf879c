"""What a settle does, and what it says of it in its commit and in its report."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.lookup.statements import describe_statement
from companion.minority.beliefs import describe_belief, name_belief
from companion.runs.run import Run
from companion.storage.index.tables.pages.entries import find_entry
from companion.values.events import LedgerLine

if TYPE_CHECKING:
    from companion.operations.audit.results import (
        SettledStep,
        StepResult,
    )

# steps that a commit message names; the ledger file in it has them all
_LISTED = 20


class Step(NamedTuple):
    """One thing that a settle does."""

    subject: str  # an entry, or a branch
    what: "SettledStep"
    lines: list[LedgerLine]
    reason: str
    statement: str | None = None  # the capture, where it is about one statement


def write_message(steps: Sequence[Step]) -> tuple[str, str]:
    """Return the subject and the body of the commit."""
    counts = Counter(step.what for step in steps)
    subject = ", ".join(
        f"{count} {what}" for what, count in sorted(counts.items())
    )
    lines = [
        f"{_name_subject(step)}: {step.what}; {step.reason}"
        for step in steps[:_LISTED]
    ]
    if len(steps) > _LISTED:
        lines.append(
            f"… and {len(steps) - _LISTED} more; the ledger file has them all"
        )
    return f"settle: {subject}", "\n".join(lines)


def _name_subject(step: Step) -> str:
    if step.statement is None:
        return step.subject
    return describe_belief(name_belief(step.subject, step.statement))


def describe_step(run: Run, step: Step) -> "StepResult":
    """Return one step of the report."""
    entry = find_entry(run.db, step.subject)
    statement = None
    if step.statement is not None:
        statement = describe_statement(run.ws, run.db, step.statement)
    return {
        "subject": step.subject,
        "title": None if entry is None else entry.title,
        "path": None if entry is None else entry.path,
        "statement": statement,
        "what": step.what,
        "reason": step.reason,
    }

"""The documents of `audit` and `settle`."""

from typing import Annotated, Literal, TypedDict

from companion.judges.results import TallyResult
from companion.operations.audit.choose import Skipped
from companion.operations.audit.questions.judged_answers import Better
from companion.operations.audit.questions.query_set import Kind
from companion.operations.audit.verdict import Matter
from companion.storage.index.tables.audits import Outcome, Result
from companion.storage.results import StatementPlace
from companion.values.events import JsonDocument
from companion.values.results import Publication

SkippedEntry = Annotated[JsonDocument, Skipped]
MatterResult = Annotated[JsonDocument, Matter]
SettledStep = Literal[
    "restored",
    "gravity-reduced",
    "decaying",
    "archived",
    "closed",
    "nothing",
]


class JudgedAnswer(TypedDict):
    """The answer that a model found better."""

    better: Better
    confidence: float
    basis: str


class QuestionResult(TypedDict):
    """The effect of a suspension on one question."""

    words: str
    kind: Kind
    group: str
    place: int | None
    change: float
    tested: bool
    missed: list[str]
    judged: JudgedAnswer | None


class AuditedStatement(TypedDict):
    """The result of suspending one statement of a page that gathers several."""

    statement: StatementPlace
    result: Result | None
    outcome: Outcome | None
    reason: str
    follows: str | None
    numbers: dict[str, float]
    questions: list[QuestionResult]
    matters: list[MatterResult]


class AuditedEntry(TypedDict):
    """The result of suspending one entry, and then the statements that answers used."""

    entry: str
    title: str
    path: str
    why: str
    result: Result | None
    outcome: Outcome | None
    reason: str
    follows: str | None
    factor: float | None
    numbers: dict[str, float]
    lighter: int
    questions: list[QuestionResult]
    matters: list[MatterResult]
    statements: list[AuditedStatement]


class AuditReport(TypedDict):
    """The results of an audit, without its run and commit."""

    audited: list[AuditedEntry]
    skipped: list[SkippedEntry]
    judged: list[TallyResult]
    notes: list[str]


class AuditResult(Publication, AuditReport):
    """The results of an audit."""

    dry_run: bool


class StepResult(TypedDict):
    """One thing that a settle does."""

    subject: str
    title: str | None
    path: str | None
    # the statement that it concerns on a page of several; null: the page, or a branch
    statement: StatementPlace | None
    what: SettledStep
    reason: str


class SettleReport(TypedDict):
    """The steps of a settle, without its run and commit."""

    settled: list[StepResult]
    notes: list[str]


class SettleResult(Publication, SettleReport):
    """The steps of a settle."""

    dry_run: bool

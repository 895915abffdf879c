"""What `audit` and `settle` print with `--json`."""

from typing import Annotated, Literal, TypedDict

from companion.judges.results import TallyResult
from companion.operations.audit.choose import Skipped
from companion.operations.audit.judged_answers import Better
from companion.operations.audit.query_set import Kind
from companion.operations.audit.verdict import Matter
from companion.storage.index.tables.audits import Outcome, Result
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
    """Which answer a model found better."""

    better: Better
    confidence: float
    basis: str


class QuestionResult(TypedDict):
    """What the suspension did to one question."""

    words: str
    kind: Kind
    group: str
    place: int | None
    change: float
    tested: bool
    missed: list[str]
    judged: JudgedAnswer | None


class AuditedEntry(TypedDict):
    """What the suspension of one entry showed."""

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


class AuditReport(TypedDict):
    """What an audit finds, without its run and commit."""

    audited: list[AuditedEntry]
    skipped: list[SkippedEntry]
    judged: list[TallyResult]
    notes: list[str]


class AuditResult(Publication, AuditReport):
    """What an audit found."""

    dry_run: bool


class StepResult(TypedDict):
    """One thing that a settle does."""

    subject: str
    title: str | None
    path: str | None
    what: SettledStep
    reason: str


class SettleReport(TypedDict):
    """What a settle does, without its run and commit."""

    settled: list[StepResult]
    notes: list[str]


class SettleResult(Publication, SettleReport):
    """What a settle did."""

    dry_run: bool

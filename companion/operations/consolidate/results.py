"""The documents of `consolidate`."""

from typing import Annotated, TypedDict

from companion.comparison.consistency import Related
from companion.judges.results import TallyResult
from companion.minority.results import BranchDecision, Waiting
from companion.values.events import JsonDocument
from companion.values.results import LeftOut, Publication

RelationResult = Annotated[JsonDocument, Related]


class IntegratedCapture(TypedDict):
    """A capture that became part of a page."""

    capture: str
    entry: str
    path: str
    title: str
    bucket: str | None
    quarantined: bool
    relations: list[RelationResult]
    reason: str


class NightReport(TypedDict):
    """The report of a night, without its run and commit."""

    integrated: list[IntegratedCapture]
    waiting: list[Waiting]
    left_out: list[LeftOut]
    counts: dict[str, int]
    notes: list[str]
    branches: list[BranchDecision]
    judged: list[TallyResult]


class ConsolidateResult(Publication, NightReport):
    """The report of a night."""

    dry_run: bool


class BelongsResult(Publication):
    """Where a person said that a note belongs."""

    capture: str
    entry: str
    path: str
    title: str
    moved_from: str | None
    begun: bool
    notes: list[str]


GatheredPage = TypedDict(
    "GatheredPage",
    {
        "capture": str,
        "entry": str,
        "from": str,
        "to": str,
        "into": str,
        "title": str,
        "reason": str,
    },
)


class GatherResult(TypedDict):
    """The preview or the report of gathering an existing wiki."""

    gathered: list[GatheredPage]
    left_out: list[LeftOut]
    counts: dict[str, int]
    runs: list[str]
    confirm: str | None
    notes: list[str]
    dry_run: bool

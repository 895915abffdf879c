"""The documents of `branches` and `quarantine`."""

from typing import Annotated, Literal, TypedDict

from companion.storage.index.history import LedgerEvent, RunPage
from companion.storage.results import (
    StatementPlace,
)
from companion.values.captures import Sighting
from companion.values.events import JsonDocument

SightingResult = Annotated[JsonDocument, Sighting]
EventResult = Annotated[JsonDocument, LedgerEvent]
RunPageResult = Annotated[JsonDocument, RunPage]


class EntryPlace(TypedDict):
    """The place of an entry; None where the index does not know it."""

    id: str | None
    title: str | None
    path: str | None
    state: str | None


class BranchEvent(TypedDict):
    """An event of a branch."""

    time: str
    run: str
    event: str
    reason: str
    pressure: float | None
    threshold: float | None
    undone: bool


class BranchResult(TypedDict):
    """One minority branch with its history."""

    name: str
    ref: str
    incumbent: EntryPlace
    # on the page of the incumbent, where only one of several is contradicted
    statement: StatementPlace | None
    state: Literal["open", "promoted", "closed"]
    opened: str
    entry: EntryPlace | None
    cluster_size: int
    contradictions: int
    cycles_open: int
    pressure: float | None
    threshold: float | None
    commit: str | None
    why: str | None
    history: list[BranchEvent]


class BranchList(TypedDict):
    """Every branch there ever was."""

    branches: list[BranchResult]
    open: int


class MemberResult(TypedDict):
    """A capture that speaks for a branch."""

    capture: str
    entry: str
    path: str
    joined: str
    contradicts: bool
    text: str
    tellings: int
    sources: list[str]
    agents: list[str]


class BranchWithMembers(BranchResult):
    """A branch with its members."""

    members: list[MemberResult]


class FileChange(TypedDict):
    """A file that would change if a branch won."""

    path: str
    change: Literal["added", "changed", "removed"]
    diff: str


class BranchWithFiles(BranchResult):
    """A branch with the files that would change if it won."""

    files: list[FileChange]
    folder: str | None


class QuarantinedEntry(TypedDict):
    """A page in quarantine."""

    id: str
    title: str
    path: str
    since: str | None
    reason: str


class WaitingCapture(TypedDict):
    """A capture that waits for its branch."""

    capture: str
    title: str | None
    incumbent: EntryPlace
    reason: str


class QuarantineResult(TypedDict):
    """The pages and captures that wait, and why."""

    entries: list[QuarantinedEntry]
    extended: list[WaitingCapture]

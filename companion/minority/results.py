"""The parts of documents that describe minority branches."""

from typing import TypedDict

from companion.minority.challenge import Action


class BranchDecision(TypedDict):
    """The decision of a night on one branch."""

    action: Action
    branch: str
    incumbent: str
    # the capture whose statement on the page of the incumbent is contradicted
    statement: str | None
    captures: list[str]
    reason: str
    entry: str | None
    pressure: float | None
    threshold: float | None


class Waiting(TypedDict):
    """A capture that a night did not integrate, and why."""

    capture: str
    reason: str

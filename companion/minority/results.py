"""What a night says of minority branches."""

from typing import TypedDict

from companion.minority.challenge import Action


class BranchDecision(TypedDict):
    """What a night decided on one branch."""

    action: Action
    branch: str
    incumbent: str
    captures: list[str]
    reason: str
    entry: str | None
    pressure: float | None
    threshold: float | None


class Waiting(TypedDict):
    """A capture that a night did not integrate, and why."""

    capture: str
    reason: str

"""The parts of documents that describe runs which left the branch."""

from typing import TypedDict


class HeldRun(TypedDict):
    """A run that left the branch, and how many captures it holds."""

    run: str
    ref: str
    captures: int

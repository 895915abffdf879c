"""The parts of documents that describe judges."""

from typing import TypedDict


class TallyResult(TypedDict):
    """The questions that one judge answered, in numbers and in words."""

    judge: str
    questions: int
    replayed: int
    asked: int
    unanswered: int
    trouble: str | None
    said: str

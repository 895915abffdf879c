"""The document of `--json` when a verb fails."""

from typing import TypedDict


class Failure(TypedDict):
    """An error that ended a command."""

    kind: str
    message: str
    hint: str
    exit_code: int


class ErrorResult(TypedDict):
    """The document of a command that failed."""

    error: Failure

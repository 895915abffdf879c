"""Parts that the results of several verbs share.

Only type checkers and `companion.cli.json_schema` import a `results` module: a document is a plain
dict while the program runs, and a cold start pays for no annotation.
"""

from typing import TypedDict


class Publication(TypedDict):
    """The run that an operation recorded, and its commit; None where it changed nothing."""

    run: str | None
    commit: str | None


class LeftOut(TypedDict):
    """A file that a run did not touch, and why."""

    path: str
    reason: str


class Named(TypedDict):
    """An entry by its name; None where the index does not know it."""

    id: str
    title: str | None
    path: str | None

"""The documents of `adopt` and `undo`."""

from typing import NotRequired, TypedDict

from companion.values.results import LeftOut, Publication

# The functional form, because `from` is a word of Python.
PageChange = TypedDict(
    "PageChange",
    {
        "entry": str,
        "path": str,
        "from": NotRequired[str],
        "reason": NotRequired[str],
    },
)


class AdoptedPages(TypedDict):
    """The pages that a person changed by hand."""

    new: list[PageChange]
    edited: list[PageChange]
    renamed: list[PageChange]
    deleted: list[PageChange]
    left_out: list[LeftOut]
    notes: list[str]


class AdoptResult(Publication, AdoptedPages):
    """The person's changes, and the run that recorded them."""

    dry_run: bool


class UndoneRun(TypedDict):
    """The changes to pages that take a run back."""

    undone: str
    restored: list[str]
    removed: list[str]
    left_out: list[LeftOut]
    notes: list[str]
    dry_run: bool


class UndoResult(Publication, UndoneRun):
    """An undone run, and the run that undid it."""

"""What people made of the facts section of a page, by its lines."""

from collections.abc import Collection
from typing import NamedTuple

from companion.pages.body import split_at_facts


class HandEdits(NamedTuple):
    """A person's edits of the facts section of a page."""

    theirs: set[str]  # lines that are the person's
    gone: set[str]  # lines that they deleted
    wanted: bool  # False: they deleted the whole section


def add_hand_edits(
    edits: HandEdits, was: str, now: str, written: Collection[str]
) -> HandEdits:
    """Return *edits* and what a person made of the section in page *was*.

    A line that companion had *written* there at any time is not the person's: git may have brought
    it back.
    """
    old = split_at_facts(was)
    new = split_at_facts(now)
    deleted = set(old.earlier) - set(new.earlier)
    return HandEdits(
        edits.theirs | list_fact_lines(now).difference(written),
        edits.gone | deleted,
        edits.wanted,
    )


def list_fact_lines(text: str) -> set[str]:
    """Return the lines of the facts section of a page."""
    page = split_at_facts(text)
    return {*page.current, *page.earlier}

"""What people made of the facts section of a page, by its lines."""

from typing import NamedTuple

from companion.pages.body import split_at_facts


class HandEdits(NamedTuple):
    """A person's edits of the facts section of a page."""

    theirs: set[str]  # lines that are the person's
    gone: set[str]  # lines that they deleted
    wanted: bool  # False: they deleted the whole section


def add_hand_edits(edits: HandEdits, was: str, now: str) -> HandEdits:
    """Return *edits* and what a person made of the section in page *was*."""
    old = split_at_facts(was)
    new = split_at_facts(now)
    old_lines = {*old.current, *old.earlier}
    new_lines = {*new.current, *new.earlier}
    deleted = set(old.earlier) - set(new.earlier)
    return HandEdits(
        edits.theirs | (new_lines - old_lines),
        edits.gone | deleted,
        edits.wanted,
    )

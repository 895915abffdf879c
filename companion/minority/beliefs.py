"""Name what a challenger contradicts: an entry, or one statement of a page of several (CON-17).

A branch, its tie to others and its pressure go by this name. A page on which one statement stands
is named by its entry alone. Pure.
"""

from companion.pages.statements import statement_id

_AT = "#^"  # as in a link to a block


def name_belief(entry: str, statement: str | None = None) -> str:
    """Return the name of *entry*, or of the statement on its page that a capture became."""
    if statement is None:
        return entry
    return f"{entry}{_AT}{statement}"


def split_belief(belief: str) -> tuple[str, str | None]:
    """Return the entry of *belief*, and the capture of its statement; None for a whole page."""
    entry, _, statement = belief.partition(_AT)
    return entry, statement or None


def entry_of(belief: str) -> str:
    """Return the entry of *belief*."""
    return split_belief(belief)[0]


def describe_belief(belief: str) -> str:
    """Return *belief* as a reason names it."""
    entry, statement = split_belief(belief)
    if statement is None:
        return entry
    return f"the note {statement_id(statement)} on {entry}"

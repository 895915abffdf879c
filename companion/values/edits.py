"""A person's change of one page, between those who find it and those who record it."""

from typing import NamedTuple


class Edit(NamedTuple):
    """An unstaged change of one page: written or deleted, as the file says when it is read."""

    path: str  # relative to the wiki
    old: str | None  # the blob that the branch has
    mode: int = 0o100644

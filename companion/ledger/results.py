"""Parts of documents that name claims."""

from typing import TypedDict


class ClaimChoice(TypedDict):
    """A claim between which and others a person may choose."""

    id: str
    subject: str
    predicate: str
    object: str
    source: str | None
    capture: str

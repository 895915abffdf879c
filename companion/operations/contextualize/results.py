"""The documents of `contextualize`, and of decisions on locked originals."""

from typing import TypedDict

from companion.storage.index.tables.sources import SourceKind
from companion.values.results import Publication


class ContextualizedSource(TypedDict):
    """A source that a run read and fitted."""

    entry: str
    source: str
    original: str
    title: str
    kind: SourceKind
    media_type: str
    reader: str
    depth: str
    evidence: list[str]
    sentences: int
    kept: int
    dropped: dict[str, int]
    handed: int
    again: bool
    reason: str
    warnings: list[str]


class UnreadSource(TypedDict):
    """An original that could not be read."""

    original: str
    origin: str
    code: str
    reason: str
    hint: str


class LockedSource(TypedDict):
    """An original with secrets that only a reader sees."""

    original: str
    origin: str
    kinds: list[str]


class ContextualizeReport(TypedDict):
    """The report of a pass over the originals."""

    sources: list[ContextualizedSource]
    unread: list[UnreadSource]
    passed_over: list[UnreadSource]  # nothing of their own is in them
    locked: list[LockedSource]
    left: int
    private: int
    notes: list[str]


class ContextualizeResult(Publication, ContextualizeReport):
    """The report of a pass; its run and commit are the last ones."""

    runs: list[str]
    dry_run: bool


class DecisionResult(Publication):
    """The owner's decision on an original with secrets."""

    original: str
    origin: str
    choice: str
    notes: list[str]

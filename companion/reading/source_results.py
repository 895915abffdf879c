"""The documents that describe sources."""

from typing import TypedDict

from companion.storage.index.tables.sources import SourceKind


class SourceReading(TypedDict):
    """One reading of a source."""

    source: str
    original: str
    title: str
    kind: SourceKind
    media_type: str
    depth: str
    url: str | None
    origin: str | None
    read_at: str
    run: str


class SourceOfPage(SourceReading):
    """The source that a page is of, as it was read last."""

    reader: str
    cold: str
    evidence: list[str]
    kept: int
    sentences: int
    dropped: dict[str, int]
    earlier: list[SourceReading]


class ListedSource(SourceReading):
    """A source as it was read last, and the entry that its page is."""

    entry: str


class UnreadOriginalResult(TypedDict):
    """An original that could not be read, and what to do."""

    original: str
    origin: str
    code: str
    reason: str
    hint: str


class LockedOriginalResult(TypedDict):
    """An original with secrets that only a reader sees."""

    original: str
    origin: str
    kinds: list[str]


class SourceList(TypedDict):
    """The sources of a wiki, and what waits."""

    sources: list[ListedSource]
    waiting: int
    unread: list[UnreadOriginalResult]
    passed_over: list[UnreadOriginalResult]  # nothing of their own is in them
    locked: list[LockedOriginalResult]

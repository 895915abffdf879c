"""The documents of `feedback`, and the parts of others that describe use."""

from typing import Literal, TypedDict

Opinion = Literal["good", "bad"]
FeedbackWord = Literal["good", "useful", "bad", "wrong"]
QueryVerb = Literal["search", "ask", "claims"]


class UseResult(TypedDict):
    """The use of one entry, and its utility."""

    accesses: int
    last: str | None
    utility: float
    deviation: float
    evidence: float
    reason: str


class UseSummary(TypedDict):
    """The number of uses on record, and of reads that wait for a run."""

    waiting: int
    entries: int
    queries: int


class ShownEntry(TypedDict):
    """An entry that an answer showed."""

    id: str
    title: str | None


class QueryResult(TypedDict):
    """A question or a search."""

    id: str
    at: str
    verb: QueryVerb
    words: str


class ListedQuery(QueryResult):
    """A query with what its reader thought of it."""

    outcome: Opinion | None
    entries: list[ShownEntry]


class QueryList(TypedDict):
    """The reader's latest queries."""

    queries: list[ListedQuery]


class RecordedFeedback(TypedDict):
    """An opinion as it was recorded."""

    said: FeedbackWord
    outcome: Opinion
    query: QueryResult | None
    entries: list[ShownEntry]

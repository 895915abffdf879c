"""The documents of `search`."""

from typing import NotRequired, TypedDict

from companion.storage.index.search.hits import HitState
from companion.storage.results import CalledEntry, ShiftResult


class Excerpt(TypedDict):
    """Some words of a page or a capture, and where they stand."""

    title: str
    path: str | None
    snippet: str


class HitExcerpt(Excerpt):
    """One search result without the other side of its shift."""

    id: str
    state: HitState
    quarantined: bool
    score: float
    parts: dict[str, float]  # what the score is the sum of, by name
    event_time: str | None
    # of a page that gathers many notes, the one that fits best
    statement: str | None
    when: str | None  # its own day and minute
    link: str | None
    lost: bool  # another statement took its place


class ObjectionResult(TypedDict):
    """A note on an open branch that contradicts a note."""

    against: str  # the capture that it contradicts
    branch: str
    capture: str
    text: str
    told_at: str | None
    source: str | None


class NotUnderstood(TypedDict):
    """A part of a query that was read as plain words, or not at all."""

    text: str
    why: str


class Correction(TypedDict):
    """A word of which nothing was found, and the one that was looked for instead."""

    word: str
    instead: str


class SearchHit(HitExcerpt):
    """One search result."""

    shift: ShiftResult | None


class SearchResult(TypedDict):
    """The hits of a search, the best first."""

    query: str
    plain: bool  # nothing but words was looked for
    words: list[str]  # what the results are shown by
    not_understood: list[NotUnderstood]
    corrected: list[Correction]
    loosened: bool  # nothing has the words of a phrase together: these have them apart
    as_of: str | None
    called: list[CalledEntry]
    results: list[SearchHit]
    warning: NotRequired[str]

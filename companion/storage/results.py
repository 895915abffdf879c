"""Parts of documents that queries of the index give whole."""

from typing import Literal, TypedDict


class StatementPlace(TypedDict):
    """One statement of a page that gathers several."""

    capture: str
    # how it begins; null where no page holds it any more
    words: str | None
    told: str | None


class ShiftResult(TypedDict):
    """The other side of a young shift."""

    other: str
    title: str | None
    role: Literal["old", "new"]
    branch: str
    since: str
    # that lost its place on this page, where the page itself did not
    statement: StatementPlace | None


class CalledEntry(TypedDict):
    """An entry that the user calls by another name."""

    term: str
    entry: str
    title: str
    path: str


class PinnedEntry(TypedDict):
    """A page that its owner pinned."""

    entry: str
    title: str
    path: str


class NearestBranch(TypedDict):
    """The open branch that is nearest to winning."""

    name: str
    against: str
    pressure: float
    threshold: float


class BranchSummary(TypedDict):
    """The number of open branches, and the nearest."""

    open: int
    nearest: NearestBranch | None


class PastAudit(TypedDict):
    """An audit of an entry that is on record, or of one statement on its page."""

    record: str
    run: str
    since: str
    result: Literal["degraded", "unchanged", "improved"] | None
    outcome: Literal["restored", "gravity-reduced", "archived"] | None
    settled: str | None
    undone: bool
    judged: int
    statement: StatementPlace | None


class AuditSummary(TypedDict):
    """The time of the last audit, and the number of records that wait to be settled."""

    last: str | None
    entries: int
    to_settle: int

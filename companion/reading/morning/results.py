"""The document of the morning, and what `status` has of nights and sources."""

from typing import Annotated, TypedDict

from companion.storage.git.remotes_known import OnlyHere
from companion.values.events import JsonDocument

OnlyHereResult = Annotated[JsonDocument, OnlyHere]


class SourceCounts(TypedDict):
    """Originals of external sources that no page has yet."""

    pending: int  # the next night reads them
    unread: int  # no night could read them
    locked: int  # they hold secrets, and wait for their owner


class LastNight(TypedDict):
    """The last night, or the runs of one day where no schedule wakes the companion."""

    # of a schedule (slept, aborted, failed), or by hand
    outcome: str
    started: str
    ended: str
    why: str  # why it ended early; empty where it did not
    runs: list[str]
    did: str  # in plain sentences


class MissedNights(TypedDict):
    """Days in a row whose night was missed for one reason."""

    first: str  # local days
    last: str
    why: str


class NightsSummary(TypedDict):
    """The last night, and the nights missed of the last week."""

    recorded: int  # that no person asked for; 0: no schedule wakes it
    last: LastNight | None
    waits: (
        str  # why it did not sleep when it was woken last; empty where it did
    )
    missed: list[MissedNights]


class WaitingInput(TypedDict):
    """The notes and sources that the next night will look at."""

    captures: int
    held_back: int  # of the captures
    sources: SourceCounts


class LeftForYou(TypedDict):
    """The things that only the owner can do, or should look at."""

    questions: int
    to_settle: int  # audits on record
    to_audit: int
    runs_that_left: int  # the branch, by a reset


class NextStep(TypedDict):
    """A command to try, and what it is good for."""

    command: str
    why: str


class MorningResult(TypedDict):
    """The morning's report to a person. Times are UTC, days are local."""

    wiki: str
    now: str
    entries: int
    last_night: LastNight | None
    waiting: WaitingInput
    left_for_you: LeftForYou
    waits: str  # why there is no night now; empty where there is no record
    missed: list[MissedNights]
    only_here: OnlyHereResult
    notes: list[str]
    next: list[NextStep]

"""The values of a report: only those of the shared index, so nothing told in private."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.sleep.nights import NightRecord
from companion.storage.index.survey import (
    AuditLine,
    DayCount,
    JudgeCount,
    PageStanding,
    Tidiness,
)

#: the sections, in their order: id and title
TITLES = {
    "growth": "Growth",
    "standing": "Gravity and vitality",
    "graph": "The graph",
    "branches": "Beliefs under pressure",
    "beliefs": "Beliefs that changed",
    "audits": "Audits",
    "junk": "Junk",
    "cost": "Cost",
}


class Weighing(NamedTuple):
    """One weighing of a branch."""

    time: str
    event: str  # opened, weighed, promoted, closed …
    pressure: float
    threshold: float
    reason: str


class BranchStory(NamedTuple):
    """A branch, and how its pressure went from one cycle to the next."""

    name: str
    against: str
    state: str  # open, promoted or closed
    opened: str
    why: str
    weighings: tuple[Weighing, ...]


class ChangedBelief(NamedTuple):
    """Something that the wiki believes otherwise than before."""

    subject: str
    before: str
    after: str
    time: str
    why: str


class ReportData(NamedTuple):
    """Everything that one report shows."""

    name: str  # of the wiki
    now: str  # `YYYY-MM-DD HH:MM` by this machine's clock
    as_of: str | None
    runs: int
    days: Sequence[DayCount]
    pages: Sequence[PageStanding]  # the heaviest first
    floor: float | None  # of gravity
    graph_pages: Sequence[PageStanding]
    graph_links: Sequence[tuple[str, str]]  # (dependent, depended upon)
    branches: Sequence[BranchStory]
    beliefs: Sequence[ChangedBelief]
    audits: Sequence[AuditLine]
    tidiness: Tidiness
    told_again: int
    notes: int
    nights: Sequence[NightRecord]
    judges: Sequence[JudgeCount]


def shorten(text: str, most: int) -> str:
    """Return *text* as one line of at most *most* characters that can be seen."""
    seen = "".join(char if char.isprintable() else " " for char in text)
    words = " ".join(seen.split())
    if len(words) <= most:
        return words
    return words[: most - 1].rstrip() + "…"

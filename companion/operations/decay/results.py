"""The documents of `decay`, `recall`, `pin` and `unpin`, and of others what describes vitality."""

from typing import Annotated, TypedDict

from companion.storage.index.tables.decay import FadedCounts
from companion.storage.results import PinnedEntry
from companion.values.events import JsonDocument
from companion.values.results import LeftOut, Publication

FadedSummary = Annotated[JsonDocument, FadedCounts]


class VitalityResult(TypedDict):
    """The five terms of vitality and their sum."""

    recency: float
    frequency: float
    utility: float
    gravity: float
    wear: float
    total: float


class FullText(TypedDict):
    """The place of the whole text of a compressed page."""

    cold: str
    since: str
    distortion: float | None


class ArchivedLink(TypedDict):
    """A link to an archived entry."""

    target: str
    entry: str
    title: str
    superseded_by: str | None


class EntryVitality(TypedDict):
    """The vitality, pin and full text of an entry."""

    vitality: float | None
    terms: VitalityResult | None
    pinned: bool
    full_text: FullText | None


class FlaggedEntry(TypedDict):
    """An entry whose protection changes."""

    entry: str
    path: str | None
    title: str | None
    gravity: float
    effective: float
    reason: str


class DecayedEntry(TypedDict):
    """An entry that a run compresses, archives, restores or keeps."""

    entry: str
    path: str
    title: str
    managed: bool
    vitality: VitalityResult
    distortion: float | None
    reason: str


class FloorResult(TypedDict):
    """The gravity above which an entry does not decay."""

    value: float
    rule: str


class FlagReport(TypedDict):
    """The number of entries weighed, and those whose protection changes."""

    entries: int
    floor: FloorResult
    above: int
    protected: list[FlaggedEntry]
    unprotected: list[FlaggedEntry]


class ShelvedStatement(TypedDict):
    """A statement that lost and went to cold memory, or that misled and went under "Earlier"."""

    capture: str
    entry: str
    path: str
    reason: str


class TransitionReport(TypedDict):
    """The entries that decay, are compressed, archived, restored or kept, and lost statements."""

    decaying: list[DecayedEntry]
    compressed: list[DecayedEntry]
    archived: list[DecayedEntry]
    restored: list[DecayedEntry]
    kept: list[DecayedEntry]
    statements: list[ShelvedStatement]
    misled: list[ShelvedStatement]
    left_out: list[LeftOut]
    decides: str | None


class DecayReport(FlagReport, TransitionReport):
    """The report of a pass, without its run and commit."""

    notes: list[str]


class DecayResult(Publication, DecayReport):
    """The report of a pass."""

    dry_run: bool


class PinnedPage(TypedDict):
    """A page, and whether it is pinned."""

    entry: str
    title: str
    path: str
    pinned: bool
    notes: list[str]


class PinResult(Publication, PinnedPage):
    """A page that was pinned or unpinned, and the run that did it."""


class PinList(TypedDict):
    """The pinned pages."""

    pins: list[PinnedEntry]


class MyselfPage(TypedDict):
    """A page, and whether its owner calls it a self-description."""

    entry: str
    title: str
    path: str
    myself: bool
    notes: list[str]


class MyselfResult(Publication, MyselfPage):
    """A page that was named a self-description or no longer is, and the run that did it."""


class SelfDescription(PinnedEntry):
    """A self-description, and how stable its words were since it was named."""

    since: str | None
    stability: float
    by_hand: int
    by_night: int
    reason: str


class MyselfList(TypedDict):
    """The self-descriptions."""

    pages: list[SelfDescription]


class RecalledEntry(TypedDict):
    """The full text of an entry."""

    entry: str
    title: str
    path: str
    state: str
    cold: str | None
    text: str


class RestoredEntry(TypedDict):
    """The entry that a restoration made whole."""

    restored: str | None
    notes: list[str]
    dry_run: bool


class Restoration(Publication, RestoredEntry):
    """A restoration, and the run that did it."""


class RecallResult(RecalledEntry, Restoration):
    """The full text of an entry, and what restoring it did."""

"""The documents of `show`, `why`, `log`, `status`, `review` and `links`."""

from typing import Annotated, Literal, NotRequired, TypedDict

from companion.gravity.results import GravitySummary, WeightResult
from companion.ledger.results import ClaimChoice
from companion.lookup.find import TargetKind
from companion.operations.decay.results import (
    ArchivedLink,
    EntryVitality,
    FadedSummary,
    VitalityResult,
)
from companion.reading.morning.results import (
    NightsSummary,
    OnlyHereResult,
    SourceCounts,
)
from companion.reading.source_results import LockedOriginalResult, SourceOfPage
from companion.runs.results import HeldRun
from companion.storage.boundary.set_aside import SetAside
from companion.storage.index.history import LedgerEvent, RunPage
from companion.storage.index.tables.pages.entries import EntryState
from companion.storage.index.tables.pages.statements import SubjectKind
from companion.storage.results import (
    AuditSummary,
    BranchSummary,
    PastAudit,
    ShiftResult,
    StatementPlace,
)
from companion.usage.results import UseResult, UseSummary
from companion.values.captures import Sighting
from companion.values.events import JsonDocument
from companion.values.results import Named

SightingResult = Annotated[JsonDocument, Sighting]
EventResult = Annotated[JsonDocument, LedgerEvent]
RunPageResult = Annotated[JsonDocument, RunPage]

# -- recall ----------------------------------------------------------------------------------------


class RecalledPassage(TypedDict):
    """A passage of an original that its page was made of."""

    place: str  # in the terms of the format: "page 3", "lines 10-12", "turn 4"
    start: int  # characters, in the text of the original as it was read
    end: int
    text: str


class RecalledOriginal(TypedDict):
    """An original, its way back, and what was recalled of it."""

    original: str  # sha256 of its bytes
    entry: (
        str | None
    )  # the page that was made of it; None before the first night
    title: str
    media_type: str
    name: str
    size: int  # bytes
    url: str | None
    source: str
    received_at: str
    cold: str | None
    depth: str | None
    blanked: list[
        str
    ]  # kinds of secrets, and members of a container, that are blanks in it
    passages: list[RecalledPassage]
    file: str | None  # that it was written to
    warning: str | None


# -- show ------------------------------------------------------------------------------------------


class FallenSupport(TypedDict):
    """What an entry rests on, or one of its notes, and what fell."""

    flag: str
    reason: str
    path: list[str]
    statement: StatementPlace | None  # the note; None: the whole page


class Neighbour(TypedDict):
    """An entry at the other end of a link."""

    id: str
    title: str
    path: str
    type: str
    weight: float


# The functional form, because `in` is a word of Python.
Links = TypedDict("Links", {"out": list[Neighbour], "in": list[Neighbour]})


class GatheredSubject(TypedDict):
    """The subject that a page gathers."""

    kind: SubjectKind
    key: str


StatementStands = Literal["stands", "lost", "archived"]


class ShownStatement(TypedDict):
    """One note that stands on a page of several."""

    capture: str
    statement: str
    # null for one whose words are in cold memory
    when: str | None
    words: str | None
    state: StatementStands
    by: str | None  # the capture that took its place
    sources: list[str]
    link: str | None
    mentioned_on: list[Named]


class ShownMention(TypedDict):
    """A note that concerns a page and stands on another."""

    capture: str
    statement: str
    when: str
    words: str
    page: Named
    link: str


class CapturePlace(TypedDict):
    """Where the note of a capture stands."""

    page: Named
    # null where the note is all that its page says, or its words left it
    statement: str | None
    when: str | None
    link: str | None
    state: StatementStands
    since: str | None
    by: str | None  # the capture that took its place
    mentioned_on: list[Named]


class ShownEntry(EntryVitality):
    """One entry, whole."""

    kind: Literal["entry"]
    id: str
    path: str
    title: str
    state: EntryState
    commit_hash: str | None
    blob: str
    gravity: float | None
    gravity_protected: bool
    quarantined: bool
    last_accessed: str | None
    cohesion_bucket: str | None
    tombstone: bool
    managed: bool
    since: str | None
    superseded_by: str | None
    successor: str | None
    shift: ShiftResult | None
    weight: WeightResult | None
    usage: UseResult
    rests_on: list[FallenSupport]
    audits: list[PastAudit]
    captures: list[str]
    subject: GatheredSubject | None
    source: SourceOfPage | None
    statements: list[ShownStatement]
    mentions: list[ShownMention]
    links: Links
    unresolved: list[str]
    archived_links: list[ArchivedLink]
    text: str
    warning: NotRequired[str]


class ShownCapture(TypedDict):
    """One capture, as it was given."""

    kind: Literal["capture"]
    id: str
    title: str | None
    path: None
    state: str
    blob: str
    ingested_at: str
    channel: str
    priority: float
    edges: list[str]
    branch: str | None
    entry: str | None
    place: CapturePlace | None
    sightings: list[SightingResult]
    text: str
    warning: NotRequired[str]


# -- why -------------------------------------------------------------------------------------------


class WhyResult(TypedDict):
    """Every decision about an entry, a capture, a run or a branch."""

    target: str
    kind: TargetKind
    id: str
    title: str | None
    events: list[EventResult]
    weight: WeightResult | None
    usage: UseResult | None
    terms: VitalityResult | None
    place: CapturePlace | None
    # the person and the device of each run, where the wiki is of several
    by: NotRequired[dict[str, str]]
    # what other shards of a fleet have of this page; it protects nothing here
    elsewhere: NotRequired[list[str]]
    warning: NotRequired[str]


class NodeResult(TypedDict):
    """An entry, a claim or a name on which something rests."""

    kind: Literal["entry", "statement", "claim", "name"]
    id: str  # of a statement: its capture
    title: str | None
    entry: str | None


class RestResult(NodeResult):
    """One step of the path to what rests on something."""

    how: str


class DependentResult(NodeResult):
    """A node that rests on the target, with the path to it."""

    path: list[RestResult]


class DependentsResult(NodeResult):
    """Everything that rests on an entry or a claim."""

    target: str
    rests: list[DependentResult]
    count: int
    beyond: bool


# -- log and status --------------------------------------------------------------------------------


class RunName(TypedDict):
    """A run by its name."""

    run: str
    operation: str
    time: str


class RunResult(RunName):
    """A run with its commit and the number of its events."""

    commit: str | None
    counts: dict[str, int]
    summary: str
    pages: list[RunPageResult]
    # the person and the device, where the wiki is of several
    by: NotRequired[str]


class LogResult(TypedDict):
    """The newest runs, the newest first."""

    runs: list[RunResult]
    warning: NotRequired[str]


class StoryEvent(TypedDict):
    """Something that happened to a page."""

    time: str
    run: str
    event: str
    # of a note that came, left, lost or was recalled
    capture: str | None
    words: str | None
    page: Named | None  # the other page, where there is one
    reason: str


class PageStory(TypedDict):
    """The history of a page, oldest first."""

    page: Named
    events: list[StoryEvent]
    warning: NotRequired[str]


class StateFolder(TypedDict):
    """The folder of companion's state, and the reason for it."""

    folder: str
    why: str


class GatheredNotes(TypedDict):
    """How many notes stand on how many pages."""

    notes: int
    pages: int
    # notes that hold and stand on pages of several
    statements: int
    lost: int
    on_days: int  # of the statements, on the pages of their days


class StatusResult(TypedDict):
    """The state of the wiki."""

    wiki: str
    branch: str
    head: str | None
    as_of: str | None
    entries: dict[str, int]
    notes_on_pages: GatheredNotes
    gravity: GravitySummary | None
    fading: FadedSummary | None
    set_aside: int
    branches: BranchSummary
    pending: int
    usage: UseSummary
    waiting: int
    sightings: int
    sources: SourceCounts
    held: list[HeldRun]
    runs: int
    last_run: RunName | None
    nights: NightsSummary
    state: StateFolder
    only_here: OnlyHereResult
    leaves_machine: list[str]
    reasoner: str
    to_review: int
    audits: AuditSummary
    to_audit: int
    notes: list[str]


# -- review ----------------------------------------------------------------------------------------


class Quote(TypedDict):
    """The beginning of one of the two texts that a question is about."""

    side: Literal["new", "old"]
    words: str


class QuestionResult(TypedDict):
    """A question, and the answer to it if there is one."""

    id: str
    kind: Literal[
        "contradiction", "doubt", "unsure", "model", "rests on", "disputed"
    ]
    reason: str
    run: str
    entry: Named
    other: Named | None
    capture: str | None
    quotes: list[Quote]  # none where claims are asked about
    claims: list[ClaimChoice]
    answer: str | None
    by: str | None


Side = Literal["new", "old"]


class SideResult(TypedDict):
    """One of the two texts that a question is about."""

    side: Side
    kind: str
    id: str
    title: str | None
    path: str | None
    text: str
    told: (
        str | None
    )  # of a page none: it has several notes, or its owner's words
    sources: list[str]
    dependents: list[Named]


class QuestionWithSides(QuestionResult):
    """A question with both sides."""

    sides: list[SideResult]


class QueuedAudit(TypedDict):
    """An entry that awaits an audit."""

    entry: Named
    row: int
    run: str
    since: str
    reason: str


SetAsideResult = Annotated[JsonDocument, SetAside]


class QuestionList(TypedDict):
    """The questions that await an answer, the entries that await an audit, and what syncs set
    aside.
    """

    items: list[QuestionResult]
    open: int
    queue: list[QueuedAudit]
    locked: list[LockedOriginalResult]
    set_aside: list[SetAsideResult]  # from remotes
    set_aside_count: int  # of all; the list has the first 1,000 of each remote

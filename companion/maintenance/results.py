"""The documents of `init`, `rebuild`, `drop`, `edit`, `open`, `models`, `remote`, `export`,
`import`, `examine`, `doctor`, `erase` and `demo`.
"""

from typing import Annotated, Literal, NamedTuple, NotRequired, TypedDict

from companion.judges.results import TallyResult
from companion.operations.contextualize.results import UnreadSource
from companion.operations.triage.results import RefusedInput
from companion.reading.results import SetAsideResult
from companion.values.events import JsonDocument
from companion.values.results import LeftOut, Named, Publication

# -- init and rebuild ------------------------------------------------------------------------------


class RecordedPages(Publication):
    """The run that recorded the pages of a new wiki, and what it left out."""

    left_out: list[LeftOut]


class InitResult(RecordedPages):
    """A wiki that was made, or the preview of one."""

    wiki: str
    branch: str
    created: bool
    pages: int
    notes: list[str]


class RebuildResult(TypedDict):
    """The size of the new index."""

    entries: int
    edges: int
    runs: int


# -- rename ----------------------------------------------------------------------------------------

RenamedPage = TypedDict("RenamedPage", {"entry": str, "from": str, "path": str})


class RenameResult(Publication):
    """The pages that were renamed, or would be, and those that keep their names."""

    renamed: list[RenamedPage]
    left_out: list[LeftOut]
    notes: list[str]
    dry_run: bool


# -- drop ------------------------------------------------------------------------------------------


class DropResult(TypedDict):
    """A waiting note that was taken back, or that waits again."""

    capture: str
    title: str
    dropped: bool
    dry_run: bool


# -- edit and open ---------------------------------------------------------------------------------


class EditResult(Publication):
    """A page that a person edited, and the run that took it in."""

    page: Named
    changed: bool
    returned_at_once: bool  # the editor may still be open
    notes: list[str]


class OpenResult(TypedDict):
    """A page, and whether an app opened its file."""

    page: Named
    file: str
    opened: bool


# -- models ----------------------------------------------------------------------------------------


ReasonerName = Literal["light", "vectors", "semantic", "llm"]


class Installation(TypedDict):
    """The parts of a reasoner that this machine has."""

    name: ReasonerName
    installed: bool
    trouble: str | None
    model: str
    weights: str
    models: list[str]
    judges: dict[str, str]


class Costs(TypedDict):
    """The cost of a reasoner, in words."""

    download: str
    memory: str
    time: str
    calls: str


class ReasonerResult(Installation, Costs):
    """One reasoner."""

    in_use: bool


class ModelList(TypedDict):
    """The reasoner in use, and all that there are."""

    reasoner: str
    model: str
    max_calls: int
    max_tokens: int
    reasoners: list[ReasonerResult]


class FlaggedContradiction(TypedDict):
    """An entry that a new model contradicts."""

    entry: str
    reason: str


class ReasonerSwitch(TypedDict):
    """The effects of switching the reasoner."""

    reasoner: str
    model: str
    judges: dict[str, str]
    embedded: int
    flagged: list[FlaggedContradiction]
    judged: list[TallyResult]
    notes: list[str]
    dry_run: bool


class SwitchResult(Publication, ReasonerSwitch):
    """A switch of the reasoner, and the run that recorded it."""


# -- remote, export and import ---------------------------------------------------------------------


class RemoteResult(TypedDict):
    """A git remote that carries notes."""

    remote: str
    url: str
    private: bool
    pages: bool  # a sync merges and pushes the branch, too


class DeviceResult(TypedDict):
    """What this device is called where others see its runs; None: it has no name."""

    device: str | None


class PagesExchanged(TypedDict):
    """The number of commits that came in and went out, and why the pages wait for the person."""

    received: int
    sent: int
    left: str | None


class ReceivedNotes(TypedDict):
    """The number of notes that came in."""

    captures: int
    tellings: int


class SentNotes(TypedDict):
    """The number of notes that went out, and their refs."""

    captures: int
    refs: list[str]


class SyncResult(RemoteResult):
    """An exchange of notes with a remote."""

    merged: PagesExchanged | None  # None: pages travel by git alone
    received: ReceivedNotes
    sent: SentNotes
    set_aside: list[SetAsideResult]
    set_aside_count: int  # of all; the list has the first 1,000


class CameBack(TypedDict):
    """A note that a sync had brought."""

    capture: str
    title: str


class ReadByNight(TypedDict):
    """A run that has read notes of a sync, and how many."""

    run: str
    captures: int


class SyncUndoResult(TypedDict):
    """What the last sync with a remote brought, taken back as far as no night has read it."""

    taken_back: list[CameBack]
    read: list[ReadByNight]
    told_since: int  # notes that somebody told again since; they stay
    remote: str
    dry_run: bool


class SettledResult(TypedDict):
    """The settled items that a sync had set aside from a remote."""

    settled: list[SetAsideResult]
    capture: str | None  # of the words, where they were accepted


class ExportCounts(TypedDict):
    """The size of an export."""

    files: int
    pages: int
    runs: int
    captures: int
    tellings: int
    originals: NotRequired[int]  # the first exports had none


class ExportedTrees(TypedDict):
    """The trees of an export, and how much they hold."""

    tree: str
    buffer: str | None
    private: dict[str, str]
    counts: ExportCounts


class ExportResult(ExportedTrees):
    """An export, and the folder that it is in."""

    directory: str


class FormatExport(TypedDict):
    """A memory written in the form of other programs."""

    path: str
    format: Literal[
        "graphml", "json", "dot", "sqlite", "csv", "okf", "html", "github"
    ]
    counts: dict[str, int]


class ImportResult(ExportedTrees):
    """A wiki that an export was made into."""

    wiki: str
    branch: str
    commit: str


# -- examine ---------------------------------------------------------------------------------------


PairKind = Literal["contradicts", "replaces", "repeats"]


class ExaminedNote(TypedDict):
    """A note of another program's memory."""

    capture: str
    text: str
    told: str | None  # as the store has it
    source: str | None
    times: int  # how often the store has it


class ExaminedPair(TypedDict):
    """Two notes of a store, and how the later read one stands to the other."""

    kind: PairKind
    note: ExaminedNote
    other: ExaminedNote


class ExaminedCounts(TypedDict):
    """How many notes and originals were read, and findings of each kind."""

    notes: int
    originals: int
    contradicts: int
    replaces: int
    repeats: int
    told_twice: int
    disputed: int


class ExamineResult(TypedDict):
    """What was found in the memory of another program."""

    examined: list[str]
    pairs: list[ExaminedPair]
    told_twice: list[ExaminedNote]
    disputed: list[str]
    refused: list[RefusedInput]
    passed_over: list[RefusedInput]
    unread: list[UnreadSource]
    counts: ExaminedCounts


# -- doctor ----------------------------------------------------------------------------------------


Severity = Literal["damage", "warning", "note"]


class Finding(NamedTuple):
    """A fault, and what helps."""

    kind: str
    severity: Severity
    what: str
    hint: str


FindingResult = Annotated[JsonDocument, Finding]


class Repair(TypedDict):
    """A fault that was mended."""

    kind: str
    what: str


class DoctorResult(TypedDict):
    """The faults, and the ones that were mended."""

    ok: bool
    findings: list[FindingResult]
    repaired: list[Repair]


# -- erase -----------------------------------------------------------------------------------------


class ErasedWords(TypedDict):
    """Words to erase, by the mark that takes their place."""

    mark: str
    characters: int


class WordsAt(TypedDict):
    """A place that holds the words."""

    where: str
    what: str
    count: int


class Remainder(TypedDict):
    """A place that still holds the words."""

    where: str
    what: str


class ErasureEnd(Publication):
    """The remains of an erasure, and the run that recorded it."""

    remains: list[Remainder]
    notes: list[str]


class EraseResult(ErasureEnd):
    """The preview of an erasure, or what it did."""

    words: list[ErasedWords]
    places: list[WordsAt]
    beyond: list[str]
    confirm: str
    erased: bool


# -- demo ------------------------------------------------------------------------------------------


class DemoStep(TypedDict):
    """One step of the demonstration, with what it printed."""

    now: str
    comment: str
    command: str
    code: int
    output: str


class DemoResult(TypedDict):
    """The whole demonstration."""

    wiki: str | None
    notes: int
    steps: list[DemoStep]
    next: list[str]

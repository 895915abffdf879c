"""The shapes of `--json`, generated from the types of the results that verbs return.

The reference and the tests import this; a command never does. A shape is made of: the name of a
type; words in quotation marks; `|` between alternatives; a list of one shape; an object, in which
`?` ends the key that may be absent and `*` is any key; and `one of` several shapes.
"""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from companion import annotations
from companion.adoption.results import AdoptResult, UndoResult
from companion.answers.results import AskResult, ClaimsResult
from companion.assistants.install.results import AssistantList, InstallResult
from companion.assistants.results import (
    ContextResult,
    SessionResult,
    SessionSwitch,
    UninstallResult,
)
from companion.cli.results import ErrorResult
from companion.federation.results import (
    CardResult,
    LeaveResult,
    PreviewResult,
    SendResult,
    ServeResult,
    UnitFile,
    UnitResult,
)
from companion.federation.results import (
    StatusResult as FederationStatus,
)
from companion.fleet.results import (
    CompareResult,
    DroppedResult,
    FleetAnswers,
    FleetHits,
    ProjectResult,
    WorkResult,
)
from companion.fleet.results import NightResult as FleetNight
from companion.fleet.results import StatusResult as FleetStatus
from companion.lookup.results import SearchResult
from companion.maintenance.results import (
    DemoResult,
    DeviceResult,
    DoctorResult,
    DropResult,
    EditResult,
    EraseResult,
    ExamineResult,
    ExportResult,
    FormatExport,
    ImportResult,
    InitResult,
    ModelList,
    OpenResult,
    RebuildResult,
    RemoteResult,
    RenameResult,
    SettledResult,
    SwitchResult,
    SyncResult,
    SyncUndoResult,
)
from companion.operations.audit.results import AuditResult, SettleResult
from companion.operations.consolidate.results import (
    BelongsResult,
    ConsolidateResult,
    GatherResult,
)
from companion.operations.contextualize.results import (
    ContextualizeResult,
    DecisionResult,
)
from companion.operations.decay.results import (
    DecayResult,
    MyselfList,
    MyselfResult,
    PinList,
    PinResult,
    RecallResult,
)
from companion.operations.triage.results import (
    CaptureResult,
    IngestResult,
    RefusedLine,
)
from companion.reading.branches.results import (
    BranchList,
    BranchWithFiles,
    BranchWithMembers,
    QuarantineResult,
)
from companion.reading.morning.results import MorningResult
from companion.reading.overview.results import (
    DayResult,
    LinkList,
    LinksOfPage,
    PageList,
)
from companion.reading.report.results import ReportResult
from companion.reading.results import (
    DependentsResult,
    LogResult,
    PageStory,
    QuestionList,
    QuestionWithSides,
    RecalledOriginal,
    ShownCapture,
    ShownEntry,
    StatusResult,
    WhyResult,
)
from companion.reading.source_results import SourceList
from companion.sleep.results import ScheduleResult, SleepResult
from companion.usage.results import QueryList, RecordedFeedback
from companion.values.events import JsonDocument
from companion.web.results import WebResult

#: what each verb returns; of several types, one of them
RESULTS: Mapping[str, Any] = {
    "init": InitResult,
    "ingest": IngestResult,
    "add": IngestResult,
    "triage": CaptureResult | RefusedLine,
    "contextualize": ContextualizeResult,
    "sleep": SleepResult,
    "schedule": ScheduleResult,
    "consolidate": ConsolidateResult | GatherResult,
    "decay": DecayResult,
    "audit": AuditResult,
    "settle": SettleResult,
    "recall": RecallResult | RecalledOriginal,
    "restore": RecallResult | RecalledOriginal,
    "pin": PinList | PinResult,
    "unpin": PinResult,
    "myself": MyselfList | MyselfResult,
    "adopt": AdoptResult,
    "undo": UndoResult | DropResult,
    "rename": RenameResult,
    "erase": EraseResult,
    "search": SearchResult | FleetHits,
    "list": PageList,
    "today": DayResult,
    "claims": ClaimsResult,
    "ask": AskResult | FleetAnswers,
    "feedback": QueryList | RecordedFeedback,
    "show": ShownEntry | ShownCapture,
    "drop": DropResult,
    "edit": EditResult,
    "open": OpenResult,
    "links": LinkList | LinksOfPage,
    "log": LogResult | PageStory,
    "why": WhyResult | DependentsResult,
    "morning": MorningResult,
    "web": WebResult,
    "report": ReportResult,
    "status": StatusResult,
    "sources": SourceList,
    "review": QuestionList | QuestionWithSides | BelongsResult | DecisionResult,
    "branches": BranchList | BranchWithMembers | BranchWithFiles,
    "quarantine": QuarantineResult,
    "models": ModelList | SwitchResult,
    "remote": RemoteResult
    | SyncResult
    | SyncUndoResult
    | SettledResult
    | DeviceResult,
    "federation": FederationStatus
    | PreviewResult
    | SendResult
    | UnitResult
    | LeaveResult
    | CardResult
    | UnitFile
    | ServeResult,
    "fleet": FleetNight
    | FleetStatus
    | WorkResult
    | ProjectResult
    | CompareResult
    | DroppedResult,
    "export": ExportResult | FormatExport,
    "import": ImportResult,
    "examine": ExamineResult,
    "doctor": DoctorResult,
    "rebuild": RebuildResult,
    "context": ContextResult,
    "mcp": NoneType,  # its output belongs to the protocol
    "agent": AssistantList | InstallResult | SessionResult | SessionSwitch,
    "uninstall": UninstallResult,
    "demo": DemoResult,
}


def shape_of(hint: Any) -> Any:
    """Return the shape of the documents of one type. Raises TypeError for a type without one."""
    if hint in _LEAVES:
        return _LEAVES[hint]
    if is_typeddict(hint):
        return _object(hint)
    origin, arguments = _take_apart(hint)
    if origin is Annotated:  # a document that `_asdict()` of a named tuple made
        return _object(arguments[1])
    if origin is Literal:
        return " | ".join(f"'{word}'" for word in arguments)
    if origin in (Union, UnionType):
        return _alternatives([shape_of(part) for part in arguments])
    if origin is list:
        return [shape_of(arguments[0])]
    if origin is dict:
        return {"*": shape_of(arguments[1])}
    raise TypeError(f"{hint} has no shape in JSON")


def _take_apart(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """Return what *hint* is made of: its origin and its arguments."""
    if isinstance(hint, type) and issubclass(hint, _LightLiteral):
        return Literal, annotations.get_args(hint)
    return get_origin(hint), get_args(hint)


# what stands for `typing.Literal` where a hot command reads a type
_LightLiteral: Any = annotations.Literal
_LEAVES: Mapping[Any, str] = {
    Any: "any",
    annotations.Any: "any",
    str: "str",
    int: "int",
    float: "float",
    bool: "bool",
    NoneType: "null",
}


def _alternatives(shapes: Sequence[Any]) -> Any:
    if all(isinstance(shape, str) for shape in shapes):
        return " | ".join(shapes)
    # The short alternative first: `null`, then what may be there.
    return {"one of": sorted(shapes, key=lambda shape: shape != "null")}


def _object(kind: Any) -> JsonDocument:
    """Return the shape of a TypedDict, or of a named tuple by its fields."""
    shape: JsonDocument = {}
    for key, hint in get_type_hints(kind, include_extras=True).items():
        if get_origin(hint) is NotRequired:
            shape[f"{key}?"] = shape_of(get_args(hint)[0])
        else:
            shape[key] = shape_of(hint)
    return shape


#: the shape of every verb's document, by the name of the verb
SHAPES: Mapping[str, Any] = {
    name: shape_of(result) for name, result in RESULTS.items()
}
ERROR_SHAPE = shape_of(ErrorResult)

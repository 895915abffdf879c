"""The documents of `ingest` and `triage`."""

from typing import Annotated, Literal, TypedDict

from companion.values.events import JsonDocument
from companion.values.refusals import Refusal

RefusedInput = Annotated[JsonDocument, Refusal]


class CaptureResult(TypedDict):
    """One capture that is durable."""

    id: str
    blob: str
    title: str | None
    status: Literal["captured", "seen"]
    source: str | None
    ingested_at: str


class RefusedLine(TypedDict):
    """A line of a stream that was not taken."""

    status: Literal["refused"]
    origin: str
    kind: str
    reason: str
    hint: str


class MemberCounts(TypedDict):
    """The number of members of a container, by what became of them."""

    kept: int
    known: int
    passed_over: int
    refused: int


class OriginalResult(TypedDict):
    """One external source whose bytes are kept as they came in."""

    id: str
    name: str
    source: str
    media_type: str
    size: int
    status: Literal["kept", "known"]
    url: str | None
    container: str | None
    members: MemberCounts | None
    blanked: list[str]


class IngestCounts(TypedDict):
    """The number of inputs by what became of them.

    Notes are captured or seen before; documents, and the members of containers, are kept or known
    before.
    """

    captured: int
    seen: int
    kept: int
    known: int
    passed_over: int
    refused: int


class IngestResult(TypedDict):
    """The outcome of each input."""

    captures: list[CaptureResult]
    originals: list[OriginalResult]
    passed_over: list[RefusedInput]
    refused: list[RefusedInput]
    counts: IngestCounts
    dry_run: bool

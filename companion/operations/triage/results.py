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


class IngestCounts(TypedDict):
    """The number of inputs that were captured, known already and refused."""

    captured: int
    seen: int
    refused: int


class IngestResult(TypedDict):
    """The outcome of each input."""

    captures: list[CaptureResult]
    refused: list[RefusedInput]
    counts: IngestCounts

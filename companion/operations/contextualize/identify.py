"""Tell which source an original is a version of, and when what it says was so."""

from typing import NamedTuple

from companion.operations.contextualize.read_items import ReadOriginal
from companion.pages import ids
from companion.runs.run import Run
from companion.sources.document import Document
from companion.storage.cold import cold_memory
from companion.storage.cold.cold_memory import Cold
from companion.storage.cold.originals import CONTAINER, Original
from companion.storage.index.tables.sources import (
    Source,
    SourceKind,
    find_first_original,
    find_source,
)


class Identified(NamedTuple):
    """An original that was read, and the source that it is a version of."""

    read: ReadOriginal
    key: str
    entry: str  # of the page that the source has
    kind: SourceKind
    before: Source | None  # how the source was read last
    cold: Cold
    told_at: str  # when it was so, where it says no time (RFC 3339 UTC)


def identify(run: Run, read: ReadOriginal, at: str) -> Identified:
    """Return which source an original is a version of, with the cold object that it becomes at the
    instant *at*.
    """
    item, document = read.item, read.document
    kind = find_kind(document, item)
    key = find_key(run, document, item)
    entry = ids.subject_id("chat" if kind == "chat" else "source", key)
    before = find_source(run.db, key)
    previous = None if before is None else before.cold
    cold = cold_memory.make_cold(item, entry, at, previous=previous)
    told_at = find_told_at(run, document, item, key)
    return Identified(read, key, entry, kind, before, cold, told_at)


def find_kind(document: Document, item: Original) -> SourceKind:
    """Return what an original is, by what was read of it."""
    if item.media_type == CONTAINER:
        return "container"
    if document.turns:
        return "chat"
    return "memories" if document.memories else "document"


def find_key(run: Run, document: Document, item: Original) -> str:
    """Return the identity of the source that *item* is a version of.

    It is what the document says of itself, else its address; a file that changed on disk keeps the
    key of what it was. Everything else is told apart by its bytes, so that two machines with the
    same file have the same source.
    """
    known = find_source(run.db, item.id)
    if known is not None:
        return known.key
    given = document.key or document.url or item.url
    if given is not None:
        return given
    if not _is_numbered(item):
        known = find_source(run.db, item.source)
        if known is not None and known.origin == item.source:
            return known.key
    return f"sha256:{item.id}"


def _is_numbered(item: Original) -> bool:
    """Tell whether an original is a member that its place in a container alone names.

    In a container that grew, another one may have that place.
    """
    name = item.name.rpartition("/")[2]
    return item.container is not None and name.partition(".")[0].isdigit()


def find_told_at(run: Run, document: Document, item: Original, key: str) -> str:
    """Return when what a source says was so, as far as it gives no times itself (RFC 3339 UTC).

    What was published is dated then. A later version of a source is dated when it was fetched, so
    that it follows what the source said before instead of contradicting it.
    """
    first = find_first_original(run.db, key)
    if first not in (None, item.id):
        return item.received_at
    said = document.published_at or item.modified_at or item.received_at
    return min(said, item.received_at)

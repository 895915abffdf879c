"""MemPalace: drawers of its JSONL export; each is a text kept word for word in a room of a wing."""

from companion.sources.document import Document, Memory
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_records
from companion.sources.records.values import (
    BadLine,
    Record,
    changed,
    get_first,
    get_record,
    get_text,
    load_lines,
)

AGENT = "mempalace"
TITLE = "Drawers of MemPalace"
_SIGNS = {"wing", "room", "source_file", "filed_at", "added_by"}


def recognise_export(head: bytes, name: str) -> bool:
    """Tell whether *head* begins drawers of MemPalace."""
    records = find_records(head)
    if not records or not {"id", "document"} <= records[0].keys():
        return False
    return bool(_SIGNS & get_record(records[0], "metadata").keys())


def read_export(content: bytes, name: str) -> Document:
    """Return the drawers of *content*. Raises Unreadable."""
    omissions = Omissions()
    memories: list[Memory] = []
    for line in load_lines(content):
        place = f"line {line.number}"
        if isinstance(line, BadLine):
            omissions.report(place, changed(line.reason))
            continue
        text = get_text(line.record, "document")
        if not text:
            omissions.report(place, changed('"document" was expected'))
            continue
        metadata = get_record(line.record, "metadata")
        memories.append(make_memory(text, metadata, place))
    omissions.check(len(memories))
    return Document(
        title=TITLE,
        memories=tuple(memories),
        site="MemPalace",
        warnings=omissions.sentences(),
    )


def make_memory(text: str, metadata: Record, place: str) -> Memory:
    """Return the drawer *text*, called after its wing and its room."""
    names = (get_text(metadata, "wing"), get_text(metadata, "room"))
    return Memory(
        text,
        read_time(get_first(metadata, "filed_at", "created_at")),
        " / ".join(name for name in names if name) or None,
        get_text(metadata, "added_by") or AGENT,
        place,
    )


READER = Reader(
    "mempalace", 1, ("application/jsonl",), recognise_export, read_export
)

"""The reference memory server of the Model Context Protocol: memory.jsonl, or memory.json before.

Each line is an entity with its observations, or a relation between two of them. Assistants write
them; the file does not say which.
"""

from companion.sources.document import Document, Memory, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_records
from companion.sources.records.values import (
    BadLine,
    Record,
    changed,
    get_first,
    load_lines,
    need_list,
)

_AGENT = "memory server"


def recognise_graph(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a graph of the memory server."""
    records = find_records(head)
    return bool(records) and (
        {"type", "entityType", "observations"} <= records[0].keys()
        or {"type", "from", "to", "relationType"} <= records[0].keys()
    )


def read_graph(content: bytes, name: str) -> Document:
    """Return a memory for each observation and each relation of *content*. Raises Unreadable."""
    omissions = Omissions()
    memories: list[Memory] = []
    for line in load_lines(content):
        place = f"line {line.number}"
        if isinstance(line, BadLine):
            omissions.report(place, changed(line.reason))
            continue
        try:
            memories += _read_record(line.record, place)
        except Unreadable as error:
            omissions.report(place, error)
    omissions.check(len(memories))
    return Document(
        title="Memories of assistants",
        memories=tuple(memories),
        warnings=omissions.sentences(),
    )


def _read_record(record: Record, place: str) -> list[Memory]:
    """Return the memories of one line. Raises Unreadable."""
    if record.get("type") == "relation":
        return [_read_relation(record, place)]
    if record.get("type") != "entity":
        raise changed("an entity or a relation was expected")
    name = get_first(record, "name", "entityName", "id")
    if not name:
        raise changed('"name" was expected to be a text')
    memories: list[Memory] = []
    for text in need_list(record, "observations"):
        if not isinstance(text, str):
            raise changed("an observation was expected to be a text")
        memories.append(Memory(text, None, name, _AGENT, place))
    return memories


def _read_relation(record: Record, place: str) -> Memory:
    """Return a relation as its three words; the server keeps no sentence of it."""
    source = get_first(record, "from", "from_id")
    kind = get_first(record, "relationType", "relation_type")
    target = get_first(record, "to", "to_id")
    if not (source and kind and target):
        raise changed("a relation needs two names and a kind")
    text = f"{source} {kind.replace('_', ' ')} {target}"
    return Memory(text, None, source, _AGENT, place)


READER = Reader(
    "mcp memory", 1, ("application/jsonl",), recognise_graph, read_graph
)

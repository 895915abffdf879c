"""mem0: what `get_all` or its export returned as JSON, and the database of its history.

A memory of mem0 is what a model made of a conversation: its words are that model's. Only a message
that was kept as it stood (`infer=False`) is the person's own.
"""

from companion.sources.document import Document, Memory, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_records,
    get_text,
    load_json,
)

AGENT = "mem0"
_LISTS = ("results", "memories")
_OWN = {"memory", "hash", "created_at", "updated_at", "user_id", "score"}


def recognise_export(head: bytes, name: str) -> bool:
    """Tell whether *head* begins memories of mem0."""
    keys = find_shape(head).keys
    if "memory" in keys and "id" in keys:
        return len(keys & _OWN) >= 2
    if keys & set(_LISTS):
        return b'"memory"' in head and b'"id"' in head
    return False


def read_export(content: bytes, name: str) -> Document:
    """Return the memories of *content*. Raises Unreadable."""
    items, relations = _find_items(load_json(content))
    omissions = Omissions()
    memories: list[Memory] = []
    for number, item in enumerate(items, 1):
        place = f"memory {number}"
        try:
            memories.append(_read_memory(item, place))
        except Unreadable as error:
            omissions.report(place, error)
    omissions.check(len(memories))
    memories += [
        _read_relation(relation, f"relation {number}")
        for number, relation in enumerate(relations, 1)
    ]
    return Document(
        title="Memories of mem0",
        memories=tuple(memories),
        site=AGENT,
        warnings=omissions.sentences(),
    )


def _find_items(value: object) -> tuple[list[object], list[Record]]:
    """Return the memories and the relations of *value*. Raises Unreadable."""
    if isinstance(value, list):
        return value, []
    if not isinstance(value, dict):
        raise changed("a JSON object or array was expected")
    if "memory" in value:
        return [value], []
    for key in _LISTS:
        items = value.get(key)
        if isinstance(items, dict):  # v1.1 of the platform nests them once more
            return _find_items(items)
        if isinstance(items, list):
            return items, get_records(value, "relations")
    raise changed('"results" was expected')


def _read_memory(item: object, place: str) -> Memory:
    """Return the memory *item*. Raises Unreadable."""
    if not isinstance(item, dict):
        raise changed("an object was expected")
    text = get_first(item, "memory", "text", "data")
    if not text:
        raise changed('"memory" was expected to be a text')
    at = item.get("updated_at") or item.get("created_at")
    agent = choose_agent(get_text(item, "role"), get_text(item, "agent_id"))
    return Memory(text, read_time(at), agent=agent, place=place)


def choose_agent(role: str, agent: str) -> str | None:
    """Return who wrote a memory; None for a message of the person that was kept as it stood."""
    return None if role == "user" else agent or AGENT


def _read_relation(relation: Record, place: str) -> Memory:
    """Return a relation between two names as three words; mem0 keeps no sentence of it."""
    parts = (
        get_text(relation, "source"),
        get_first(relation, "relationship", "relation"),
        get_first(relation, "target", "destination"),
    )
    text = " ".join(part.replace("_", " ") for part in parts if part)
    return Memory(text, agent=AGENT, place=place)


READER = Reader("mem0", 1, ("application/json",), recognise_export, read_export)

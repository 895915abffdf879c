"""mem0: history.db, the values that each of its memories has had."""

from companion.sources.document import Document, Memory
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_text,
)
from companion.sources.stores.databases import name_tables, open_database
from companion.sources.stores.mem0 import AGENT, choose_agent

_TABLE = "history"
# names of columns: since 0.1.30 old_memory and new_memory, before prev_value and new_value
_COLUMNS = (
    *("id", "memory_id", "event", "created_at", "updated_at", "timestamp"),
    *("old_memory", "new_memory", "prev_value", "new_value", "role"),
)


def recognise_history(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a history of mem0."""
    return name_tables(head, _TABLE) and b"memory_id" in head


def read_history(content: bytes, name: str) -> Document:
    """Return what each memory last was, without those that were deleted. Raises Unreadable."""
    omissions = Omissions()
    last: dict[str, Record] = {}
    with open_database(content) as database:
        columns = database.columns(_TABLE)
        if not {"memory_id", "event"} <= columns:
            raise changed('the table "history" was expected to have an "event"')
        for row in database.rows(_TABLE, _COLUMNS):
            id = get_text(row.values, "memory_id")
            omissions.count("earlier values", number=id in last)
            last[id] = row.values
        messages = sum(1 for _ in database.rows("messages", ("id",)))
    omissions.count("recent messages", messages)
    memories: list[Memory] = []
    for values in last.values():
        if get_text(values, "event").lower() == "delete":
            omissions.count("deleted memories")
            continue
        memories.append(_read_memory(values, f"memory {len(memories) + 1}"))
    return Document(
        title="Memories of mem0",
        memories=tuple(memories),
        site=AGENT,
        warnings=omissions.sentences(),
    )


def _read_memory(values: Record, place: str) -> Memory:
    text = get_first(values, "new_memory", "new_value")
    at = get_first(values, "updated_at", "created_at", "timestamp")
    agent = choose_agent(get_text(values, "role"), "")
    return Memory(text, read_time(at), agent=agent, place=place)


READER = Reader(
    "mem0 history",
    1,
    ("application/vnd.sqlite3",),
    recognise_history,
    read_history,
)

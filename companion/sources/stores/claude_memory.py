"""Claude: memories.json of an export, what the assistant keeps about the person and projects."""

import re

from companion.sources.document import Document, Memory
from companion.sources.reader import Reader
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    changed,
    get_record,
    get_text,
    load_records,
)

_AGENT = "Claude"
_HEADING = re.compile(r"\*\*[^*\n]+\*\*|#+ .*")


def recognise_memories(head: bytes, name: str) -> bool:
    """Tell whether *head* begins memories of Claude."""
    keys = find_shape(head).keys
    return bool(keys & {"conversations_memory", "project_memories"})


def read_memories(content: bytes, name: str) -> Document:
    """Return a memory for each paragraph of *content*. Raises Unreadable."""
    memories: list[Memory] = []
    account = ""
    for record in load_records(content):
        told = get_text(record, "conversations_memory")
        memories += _split_paragraphs(told, "")
        memories += _read_projects(get_record(record, "project_memories"))
        account = account or get_text(record, "account_uuid")
    if not memories:
        raise changed('"conversations_memory" was expected to be a text')
    return Document(
        title="Memories of Claude",
        memories=tuple(memories),
        key=f"claude-memories:{account}" if account else None,
        site=_AGENT,
    )


def _read_projects(projects: Record) -> list[Memory]:
    memories: list[Memory] = []
    for id in projects:
        memories += _split_paragraphs(get_text(projects, id), f"project {id} ")
    return memories


def _split_paragraphs(text: str, before: str) -> list[Memory]:
    """Return the paragraphs of *text*, each a memory that the assistant wrote; no headings."""
    memories: list[Memory] = []
    for number, part in enumerate(text.split("\n\n"), 1):
        words = part.strip()
        if words and not _HEADING.fullmatch(words):
            place = f"{before}paragraph {number}"
            memories.append(Memory(words, agent=_AGENT, place=place))
    return memories


READER = Reader(
    "claude memories",
    1,
    ("application/json",),
    recognise_memories,
    read_memories,
)

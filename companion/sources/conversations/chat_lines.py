"""Conversations in the common shape of model interfaces: messages with a role and a content.

As JSON lines, as an array, or as an object with `messages`.
"""

from collections.abc import Iterator

from companion.sources.document import Document, Turn, Unreadable
from companion.sources.documents.text import find_title
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_records, find_shape
from companion.sources.records.values import (
    BadLine,
    Record,
    changed,
    get_first,
    get_list,
    get_record,
    get_text,
    load_json,
    load_lines,
    need_list,
)

_OWNER = ("user", "human", "owner")
_ASSISTANT = ("assistant", "ai", "model", "bot")
_UNSAID = {
    "system": "instructions of the program",
    "developer": "instructions of the program",
    "tool": "outputs of tools",
    "function": "outputs of tools",
}
_TIMES = ("timestamp", "time", "created_at", "create_time", "date", "ts", "at")
_NAMES = ("model", "name", "speaker", "author")


def recognise_chat(head: bytes, name: str) -> bool:
    """Tell whether *head* begins messages with a role and a content."""
    shape = find_shape(head)
    if shape.array:
        return {"role", "content"} <= shape.keys
    records = find_records(head)
    if len(records) > 1 or name.lower().endswith(".jsonl"):
        return bool(records) and {"role", "content"} <= records[0].keys()
    return "messages" in shape.keys and b'"role"' in head


def read_chat(content: bytes, name: str) -> Document:
    """Return the conversation *content*. Raises Unreadable."""
    omissions = Omissions()
    whole, messages = _find_messages(content, omissions)
    turns: list[Turn] = []
    for place, message in messages:
        try:
            turn = _read_message(message, omissions)
        except Unreadable as error:
            omissions.report(place or f"message {len(turns) + 1}", error)
            continue
        if turn is not None:
            said = place or f"turn {len(turns) + 1}"
            turns.append(turn._replace(place=said))
    omissions.check(len(turns))
    return Document(
        title=get_first(whole, "title", "name") or find_title(name),
        turns=tuple(turns),
        key=get_first(whole, "conversation_id", "id", "uuid") or None,
        published_at=_find_time(whole) or (turns[0].at if turns else None),
        warnings=omissions.sentences(),
    )


def _find_messages(
    content: bytes, omissions: Omissions
) -> tuple[Record, Iterator[tuple[str, object]]]:
    """Return the object around the messages, and the messages with their places."""
    try:
        value = load_json(content)
    except Unreadable as error:
        if error.code == "encoding" or content.lstrip().startswith(b"["):
            raise
        return {}, _list_lines(content, omissions)
    if isinstance(value, list):
        return {}, (("", item) for item in value)
    if not isinstance(value, dict):
        raise changed("a JSON object was expected")
    if "messages" not in value:
        return {}, iter([("line 1", value)])
    return value, (("", item) for item in need_list(value, "messages"))


def _list_lines(
    content: bytes, omissions: Omissions
) -> Iterator[tuple[str, object]]:
    for line in load_lines(content):
        if isinstance(line, BadLine):
            omissions.report(f"line {line.number}", changed(line.reason))
        else:
            yield f"line {line.number}", line.record


def _read_message(message: object, omissions: Omissions) -> Turn | None:
    """Return the turn that *message* is; None where nobody said it. Raises Unreadable."""
    if not isinstance(message, dict):
        raise changed("an object was expected")
    role = get_text(message, "role").lower()
    if role in _UNSAID:
        omissions.count(_UNSAID[role])
        return None
    text = _find_words(message)
    if not text.strip():
        omissions.count("messages without words")
        return None
    at, speaker = _find_time(message), get_first(message, *_NAMES)
    if role in _OWNER:
        return Turn(get_text(message, "name"), "owner", text, at)
    if role in _ASSISTANT:
        return Turn(speaker or "assistant", "assistant", text, at)
    if not role:
        raise changed('"role" was expected to be a text')
    return Turn(speaker or role, "other", text, at)


def _find_words(message: Record) -> str:
    """Return the words of *message*: a text, or the texts of its blocks. Raises Unreadable."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    if content is None:
        return get_text(message, "text")
    if isinstance(content, dict):
        return get_text(get_record(message, "content"), "text")
    if not isinstance(content, list):
        raise changed('"content" was expected to be a text or an array')
    words: list[str] = []
    for block in get_list(message, "content"):
        if isinstance(block, dict):
            words.append(get_text(block, "text"))
        elif isinstance(block, str):
            words.append(block)
    return "\n\n".join(word for word in words if word)


def _find_time(record: Record) -> str | None:
    for key in _TIMES:
        time = read_time(record.get(key))
        if time:
            return time
    return None


READER = Reader(
    "chat",
    1,
    ("application/jsonl", "application/json"),
    recognise_chat,
    read_chat,
)

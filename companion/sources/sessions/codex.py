"""Codex: the log of a session, ~/.codex/sessions/…/rollout-<time>-<id>.jsonl.

Since September 2025 each line wraps its item in `payload`; before, the first line was the head of
the session and every other line an item.
"""

from typing import NamedTuple

from companion.sources.document import Document, Turn, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_records, find_shape
from companion.sources.records.values import (
    BadLine,
    Line,
    Record,
    changed,
    get_first,
    get_record,
    get_records,
    get_text,
    load_json,
    load_lines,
    need_text,
)
from companion.sources.records.wording import choose_title, first_line
from companion.sources.sessions.injected import find_typed

_WRAPPED = ("session_meta", "response_item", "event_msg", "turn_context")
_SPEAKER = "Codex"
_UNSAID = {
    "reasoning": "thoughts of the model",
    "function_call_output": "outputs of tools",
    "custom_tool_call_output": "outputs of tools",
    "local_shell_call_output": "outputs of tools",
    "compaction": "summaries of the program",
}
_CALLS = (
    "function_call",
    "custom_tool_call",
    "local_shell_call",
    "web_search_call",
)
_TOLD_KEYS = ("command", "cmd", "query", "path", "url", "input")


class Item(NamedTuple):
    """One item of a session, whatever it was wrapped in."""

    place: str
    kind: str  # of the wrapping: response_item, event_msg, …
    value: Record
    at: str | None


def recognise_log(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a log of Codex."""
    first = head.split(b"\n", 1)[0]
    if {"type", "payload"} <= find_shape(first).keys:
        return any(f'"{kind}"'.encode() in first for kind in _WRAPPED)
    records = find_records(head)
    return bool(records) and _is_old_head(records[0])


def _is_old_head(record: Record) -> bool:
    keys = {"id", "timestamp", "instructions"}
    return keys <= record.keys() and "type" not in record


def read_log(content: bytes, name: str) -> Document:
    """Return the session *content*. Raises Unreadable."""
    omissions = Omissions()
    items = _collect_items(content, omissions)
    meta = items[0].value if items else {}
    if not items or items[0].kind != "session_meta":
        raise changed("the first line was expected to be the head of a session")
    turns = _read_turns(items, omissions)
    omissions.check(len(turns))
    id = get_first(meta, "id", "session_id")
    return Document(
        title=choose_title("", turns, _SPEAKER),
        turns=tuple(turns),
        key=f"codex:{id}" if id else None,
        site=_SPEAKER,
        published_at=read_time(meta.get("timestamp")) or items[0].at,
        warnings=omissions.sentences(),
    )


def _collect_items(content: bytes, omissions: Omissions) -> list[Item]:
    items: list[Item] = []
    for line in load_lines(content):
        if isinstance(line, BadLine):
            omissions.say(f"line {line.number} cannot be read: {line.reason}")
        else:
            items.append(_unwrap(line))
    return items


def _unwrap(line: Line) -> Item:
    record, place = line.record, f"line {line.number}"
    at = read_time(record.get("timestamp"))
    kind = get_text(record, "type")
    if isinstance(record.get("payload"), dict):
        return Item(place, kind, get_record(record, "payload"), at)
    if _is_old_head(record):
        return Item(place, "session_meta", record, at)
    return Item(place, "response_item" if kind else "state", record, at)


def _read_turns(items: list[Item], omissions: Omissions) -> list[Turn]:
    answered = any(_is_message(item, "assistant") for item in items)
    asked = any(_is_message(item, "user") for item in items)
    helper = _is_helper(items[0].value)
    speaker = _SPEAKER
    turns: list[Turn] = []
    for item in items:
        if item.kind == "turn_context":
            speaker = get_text(item.value, "model") or speaker
        try:
            turn = _read_item(item, speaker, (asked, answered), omissions)
        except Unreadable as error:
            omissions.report(item.place, error)
            continue
        if turn is None:
            continue
        if helper and turn.role == "owner":
            turn = turn._replace(role="assistant", speaker=_SPEAKER)
        turns.append(turn._replace(place=item.place, at=item.at))
    return turns


def _is_helper(meta: Record) -> bool:
    """Tell whether another agent started the session: nobody typed its questions."""
    source = meta.get("source")
    return meta.get("thread_source") == "subagent" or (
        isinstance(source, dict) and "subagent" in source
    )


def _is_message(item: Item, role: str) -> bool:
    value = item.value
    return (
        item.kind == "response_item"
        and value.get("type") == "message"
        and value.get("role") == role
    )


def _read_item(
    item: Item, speaker: str, said: tuple[bool, bool], omissions: Omissions
) -> Turn | None:
    """Return the turn that *item* is; None where nobody said it. Raises Unreadable."""
    kind = get_text(item.value, "type")
    if item.kind == "event_msg":
        return _read_event(item.value, kind, speaker, said)
    if item.kind == "compacted":
        omissions.count("summaries of the program")
    if item.kind != "response_item":
        return None
    if kind == "message":
        return _read_message(item.value, speaker, omissions)
    if kind in _CALLS:
        return _read_call(item.value, kind)
    if kind in _UNSAID:
        omissions.count(_UNSAID[kind])
    return None


def _read_event(
    event: Record, kind: str, speaker: str, said: tuple[bool, bool]
) -> Turn | None:
    """Return what an event tells, of which the log has no message: most have both."""
    asked, answered = said
    if kind == "user_message" and not asked:
        typed = find_typed(need_text(event, "message"))
        return Turn("", "owner", typed) if typed else None
    if kind == "agent_message" and not answered:
        text = need_text(event, "message")
        return Turn(speaker, "assistant", text) if text else None
    return None


def _read_message(
    message: Record, speaker: str, omissions: Omissions
) -> Turn | None:
    role = need_text(message, "role")
    blocks = get_records(message, "content")
    texts = [get_text(block, "text") for block in blocks]
    if role == "assistant":
        text = _join_paragraphs(texts)
        return Turn(speaker, "assistant", text) if text else None
    if role != "user":
        omissions.count("instructions of the program")
        return None
    kinds = [block.get("type") for block in blocks]
    files = ("image",) * kinds.count("input_image")
    typed = [find_typed(text) for text in texts if text]
    omissions.count("texts of the program", typed.count(""))
    text = _join_paragraphs(typed)
    if not text and not files:
        return None
    return Turn("", "owner", text, attachments=files)


def _join_paragraphs(texts: list[str]) -> str:
    return "\n\n".join(filter(None, texts))


def _read_call(call: Record, kind: str) -> Turn:
    """Return a line that says which tool was used, and for what."""
    tool = get_text(call, "name") or kind.removesuffix("_call")
    line = first_line(_find_told(call))
    return Turn(tool, "tool", line or tool)


def _find_told(call: Record) -> str:
    """Return what a tool was told: its command or its query."""
    given = get_text(call, "arguments")
    told = _load_arguments(given) if given else get_record(call, "action")
    for record in (told, call):
        for key in _TOLD_KEYS:
            value = record.get(key)
            if isinstance(value, list):
                value = " ".join(str(word) for word in value)
            if isinstance(value, str) and value:
                return value
    return given


def _load_arguments(given: str) -> Record:
    try:
        value = load_json(given.encode())
    except (Unreadable, UnicodeEncodeError):
        return {}  # it is shown as it stands
    return value if isinstance(value, dict) else {}


READER = Reader("codex", 1, ("application/jsonl",), recognise_log, read_log)

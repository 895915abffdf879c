"""Claude: one conversation of an export's conversations.json, or of the web page's own answer."""

from companion.sources.document import Document, Turn, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_record,
    get_records,
    get_text,
    load_record,
    need_list,
    need_text,
)
from companion.sources.records.wording import choose_title, first_line

_PAGE = "https://claude.ai/chat/"
_ROOT = "00000000-0000-4000-8000-000000000000"
# kinds of blocks that nobody said, and how the warning calls them
_UNSAID = {
    "thinking": "thoughts of the model",
    "redacted_thinking": "thoughts of the model",
    "tool_result": "outputs of tools",
    "token_budget": "notes of the program",
    "flag": "notes of the program",
}
_PEOPLE = {"human": "owner", "user": "owner", "assistant": "assistant"}
_LINE_KEYS = ("command", "query", "url", "path", "title", "id", "code")


def recognise_conversation(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a conversation of Claude."""
    keys = find_shape(head).keys
    return "chat_messages" in keys and "uuid" in keys


def read_conversation(content: bytes, name: str) -> Document:
    """Return the conversation *content*, its current branch. Raises Unreadable."""
    conversation = load_record(content)
    omissions = Omissions()
    messages = _find_messages(conversation, omissions)
    leaf = get_text(conversation, "current_leaf_message_uuid")
    model = get_text(conversation, "model") or "Claude"
    turns: list[Turn] = []
    for message in find_branch(messages, leaf, omissions):
        try:
            read = _read_message(message, model, omissions)
        except Unreadable as error:
            omissions.report(f"message {get_text(message, 'uuid')}", error)
            continue
        for turn in read:
            turns.append(turn._replace(place=f"turn {len(turns) + 1}"))
    omissions.check(len(turns))
    id = need_text(conversation, "uuid")
    return Document(
        title=choose_title(get_text(conversation, "name"), turns, "Claude"),
        turns=tuple(turns),
        key=f"claude:{id}",
        site="Claude",
        url=_PAGE + id,
        published_at=read_time(conversation.get("created_at")),
        warnings=omissions.sentences(),
    )


def _find_messages(conversation: Record, omissions: Omissions) -> list[Record]:
    messages: list[Record] = []
    for number, item in enumerate(need_list(conversation, "chat_messages"), 1):
        if isinstance(item, dict):
            messages.append(item)
        else:
            omissions.report(
                f"message {number}", changed("an object was expected")
            )
    return messages


def find_branch(
    messages: list[Record], leaf: str, omissions: Omissions
) -> list[Record]:
    """Return the messages from the first to *leaf*, else to the last one.

    Exports without parents are read as they stand. Raises Unreadable where they refer to each
    other in a circle.
    """
    by_id = {get_text(message, "uuid"): message for message in messages}
    parents = [get_text(message, "parent_message_uuid") for message in messages]
    # one line of messages: nothing to choose
    if len(set(parents)) == len(parents) or not any(parents):
        return messages
    current = by_id.get(leaf) or messages[-1]
    branch: list[Record] = []
    seen: set[str] = set()
    while current:
        id = get_text(current, "uuid")
        if id in seen:
            raise changed("the messages refer to each other in a circle")
        seen.add(id)
        branch.append(current)
        parent = get_text(current, "parent_message_uuid")
        if parent not in by_id and parent not in ("", _ROOT):
            # a chain that breaks must not hide what stands before it
            omissions.say("the order of branches is not known; all are read")
            return messages
        current = by_id.get(parent, {})
    branch.reverse()
    _report_others(len(messages) - len(branch), omissions)
    return branch


def _report_others(number: int, omissions: Omissions) -> None:
    if number:
        omissions.say(
            f"only the current branch is read: {number} messages"
            " of earlier versions are not"
        )


def _read_message(
    message: Record, model: str, omissions: Omissions
) -> list[Turn]:
    """Return what was said in *message*, and a line for each tool. Raises Unreadable."""
    is_owner = _is_of_owner(message)
    at = read_time(message.get("created_at"))
    words: list[str] = []
    tools: list[Turn] = []
    for block in get_records(message, "content"):
        _read_block(block, words, tools, omissions)
    text = "\n\n".join(filter(None, words))
    # exports before 2024-11 have no blocks
    text = (text or get_text(message, "text")).strip()
    files = _find_files(message, omissions)
    turns = [turn._replace(at=at) for turn in tools]
    if not text and not files:
        return turns
    if is_owner:
        said = Turn("", "owner", text, at, attachments=files)
    else:
        speaker = get_text(message, "model") or model
        said = Turn(speaker, "assistant", text, at, attachments=files)
    return [said, *turns]


def _is_of_owner(message: Record) -> bool:
    """Tell whether the owner sent *message*. Raises Unreadable for a sender nobody knows."""
    sender = need_text(message, "sender")
    role = _PEOPLE.get(sender)
    if role is None:
        raise changed(f'nobody is known who is called "{sender[:20]}"')
    return role == "owner"


def _read_block(
    block: Record, words: list[str], tools: list[Turn], omissions: Omissions
) -> None:
    """Add what *block* of a message holds."""
    kind = get_text(block, "type")
    if kind == "text":
        words.append(get_text(block, "text"))
    elif kind == "voice_note":
        words.append(get_first(block, "text", "title"))
    elif kind == "tool_use":
        _read_tool(block, words, tools)
    else:
        unknown = f'blocks of the kind "{kind[:40]}"'
        omissions.count(_UNSAID.get(kind, unknown))


def _read_tool(block: Record, words: list[str], tools: list[Turn]) -> None:
    """Add a document that the model wrote beside the conversation, or a line for a tool."""
    tool = get_text(block, "name") or "tool"
    given = get_record(block, "input")
    written = get_text(given, "content")
    if tool == "artifacts" and written:
        words.append("\n\n".join((get_text(given, "title"), written)).strip())
        return
    line = first_line(get_first(given, *_LINE_KEYS))
    tools.append(Turn(tool, "tool", line or tool))


def _find_files(message: Record, omissions: Omissions) -> tuple[str, ...]:
    names: list[str] = []
    for key in ("attachments", "files", "files_v2"):
        for file in get_records(message, key):
            text = get_text(file, "extracted_content")
            omissions.count("texts of attached files", number=bool(text))
            name = get_first(file, "file_name", "file_uuid")
            names.append(name or ("pasted text" if text else ""))
    return tuple(dict.fromkeys(name for name in names if name))


READER = Reader(
    "claude",
    1,
    ("application/json",),
    recognise_conversation,
    read_conversation,
)

"""ChatGPT: one conversation of an export's conversations.json, or of the web page's own answer.

A conversation is a tree: an edited question and an answer asked for again are other branches. The
branch that ends at `current_node` is the one that the person sees, and the one that is read.
"""

from companion.sources.conversations.chatgpt_messages import (
    Settings,
    is_spoken,
    read_message,
)
from companion.sources.document import Document, Turn, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_list,
    get_record,
    get_text,
    load_record,
    need_record,
)
from companion.sources.records.wording import choose_title

_SIGNS = {"current_node", "conversation_id", "create_time", "title"}
_UNTITLED = ("New chat", "New conversation")
_PAGE = "https://chatgpt.com/c/"


def recognise_conversation(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a conversation of ChatGPT."""
    shape = find_shape(head)
    return "mapping" in shape.keys and bool(shape.keys & _SIGNS)


def read_conversation(content: bytes, name: str) -> Document:
    """Return the conversation *content*, its current branch. Raises Unreadable."""
    conversation = load_record(content)
    mapping = need_record(conversation, "mapping")
    omissions = Omissions()
    path = find_branch(mapping, get_text(conversation, "current_node"))
    if not path and mapping:
        raise changed("no message leads to the first one")
    turns = _read_turns(conversation, mapping, path, omissions)
    omissions.check(len(turns))
    id = get_first(conversation, "conversation_id", "id")
    return Document(
        title=choose_title(_find_title(conversation), turns, "ChatGPT"),
        turns=tuple(turns),
        key=f"chatgpt:{id}" if id else None,
        site="ChatGPT",
        url=_PAGE + id if id else None,
        published_at=read_time(conversation.get("create_time")),
        warnings=omissions.sentences(),
    )


def _find_title(conversation: Record) -> str:
    title = get_text(conversation, "title")
    return "" if title in _UNTITLED else title


def find_branch(mapping: Record, leaf: str) -> list[str]:
    """Return the ids of the nodes from the first to *leaf*, or to the newest where it is unknown.

    Raises Unreadable where the nodes go round in a circle.
    """
    node = leaf if leaf in mapping else _find_newest(mapping)
    path: list[str] = []
    seen: set[str] = set()
    while node in mapping:
        if node in seen:
            raise changed("the messages refer to each other in a circle")
        seen.add(node)
        path.append(node)
        node = get_text(get_record(mapping, node), "parent")
    path.reverse()
    return path


def _find_newest(mapping: Record) -> str:
    """Return the node without children whose message is the newest."""
    best, newest = "", ""
    for id in mapping:
        node = get_record(mapping, id)
        if get_list(node, "children"):
            continue
        time = read_time(get_record(node, "message").get("create_time")) or ""
        if not best or time >= newest:
            best, newest = id, time
    return best


def _read_turns(
    conversation: Record,
    mapping: Record,
    path: list[str],
    omissions: Omissions,
) -> list[Turn]:
    model = get_text(conversation, "default_model_slug")
    settings = Settings(model or "ChatGPT", omissions)
    turns: list[Turn] = []
    for id in path:
        node = get_record(mapping, id)
        if node.get("message") is None:
            continue
        place = f"turn {len(turns) + 1}"
        try:
            turn = read_message(need_record(node, "message"), settings)
        except Unreadable as error:
            omissions.report(f"message {id}", error)
            continue
        if turn is not None:
            turns.append(turn._replace(place=place))
    _report_branches(mapping, path, omissions)
    _report_lost(mapping, path, omissions)
    return turns


def _report_branches(
    mapping: Record, path: list[str], omissions: Omissions
) -> None:
    """Say how many messages stand in branches that the person left."""
    current = set(path)
    branches = spoken = 0
    for id in path:
        for child in get_list(get_record(mapping, id), "children"):
            if isinstance(child, str) and child not in current:
                count = _count_spoken(mapping, child)
                branches += count > 0
                spoken += count
    if branches:
        omissions.say(
            f"only the current branch is read: {branches} earlier versions"
            f" with {spoken} messages are not"
        )


def _count_spoken(mapping: Record, start: str) -> int:
    """Count the messages that somebody said in the branch that begins at *start*."""
    count = 0
    waiting, seen = [start], {start}
    while waiting:
        node = get_record(mapping, waiting.pop())
        count += is_spoken(get_record(node, "message"))
        for child in get_list(node, "children"):
            if isinstance(child, str) and child not in seen:
                seen.add(child)
                waiting.append(child)
    return count


def _report_lost(
    mapping: Record, path: list[str], omissions: Omissions
) -> None:
    """Say where the branch that was read does not reach back to the beginning."""
    if not path:
        return
    parent = get_text(get_record(mapping, path[0]), "parent")
    if parent:
        omissions.say(
            "the beginning is missing: its first message answers one that is not in the export"
        )


READER = Reader(
    "chatgpt",
    2,
    ("application/json",),
    recognise_conversation,
    read_conversation,
)

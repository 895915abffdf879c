"""Telegram: one chat as Telegram Desktop exports it, result.json."""

from companion.sources.document import Document, Role, Turn, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_shape
from companion.sources.records.values import (
    Record,
    changed,
    get_first,
    get_list,
    get_text,
    load_record,
    need_list,
)
from companion.sources.records.wording import choose_title

_FILES = ("file_name", "photo", "file")
_NOT_INCLUDED = (
    "(File "  # (File not included. Change data exporting settings …)
)
_MINE = "saved_messages"
_BETWEEN_TWO = "personal_chat"


def recognise_chat(head: bytes, name: str) -> bool:
    """Tell whether *head* begins an export of Telegram Desktop."""
    keys = find_shape(head).keys
    if {"type", "id", "messages"} <= keys:
        return b'"from_id"' in head or b'"actor_id"' in head
    return "chats" in keys and bool(keys & {"personal_information", "about"})


def read_chat(content: bytes, name: str) -> Document:
    """Return the chat *content*. Raises Unreadable."""
    chat = load_record(content)
    if "chats" in chat:
        raise Unreadable(
            "many-items",
            "it holds all chats of an account",
            hint="Ingest the file itself: its chats are then taken one by one.",
        )
    omissions = Omissions()
    turns: list[Turn] = []
    for number, message in enumerate(need_list(chat, "messages"), 1):
        try:
            turn = _read_message(message, chat, omissions)
        except Unreadable as error:
            omissions.report(f"message {number}", error)
            continue
        if turn is not None:
            turns.append(turn._replace(place=f"turn {len(turns) + 1}"))
    omissions.check(len(turns))
    _report_owner(chat, omissions)
    id = chat.get("id")
    return Document(
        title=choose_title(get_text(chat, "name"), turns, "Telegram"),
        turns=tuple(turns),
        key=f"telegram:{id}" if isinstance(id, int) else None,
        site="Telegram",
        published_at=turns[0].at if turns else None,
        warnings=omissions.sentences(),
    )


def _report_owner(chat: Record, omissions: Omissions) -> None:
    if get_text(chat, "type") not in (_MINE, _BETWEEN_TWO):
        omissions.say(
            "the export of a group does not say who you are; everybody is read as another person"
        )


def _read_message(
    message: object, chat: Record, omissions: Omissions
) -> Turn | None:
    """Return the turn that *message* is; None where nobody said it. Raises Unreadable."""
    if not isinstance(message, dict):
        raise changed("an object was expected")
    if get_text(message, "type") != "message":
        omissions.count("notes of the program")
        return None
    text, files = _find_words(message), _find_files(message, omissions)
    if not text.strip() and not files:
        omissions.count("messages without words")
        return None
    at = read_time(message.get("date_unixtime") or message.get("date"))
    role = _find_role(message, chat)
    speaker = get_text(message, "from")
    forwarded = get_text(message, "forwarded_from")
    if forwarded or "forwarded_from" in message:
        return Turn(forwarded or "unknown", "other", text, at, "", files)
    return Turn("" if role == "owner" else speaker, role, text, at, "", files)


def _find_role(message: Record, chat: Record) -> Role:
    """Tell who speaks: a chat between two people has the other one's id."""
    kind = get_text(chat, "type")
    if kind == _MINE:
        return "owner"
    if kind == _BETWEEN_TWO and get_text(message, "from_id"):
        other = f"user{chat.get('id')}"
        return "other" if get_text(message, "from_id") == other else "owner"
    return "other"


def _find_words(message: Record) -> str:
    """Return the words of *message*, which are in pieces where some are formatted."""
    text = message.get("text")
    if isinstance(text, str):
        return text
    words: list[str] = []
    for piece in get_list(message, "text"):
        if isinstance(piece, dict):
            words.append(get_text(piece, "text"))
        elif isinstance(piece, str):
            words.append(piece)
    return "".join(words)


def _find_files(message: Record, omissions: Omissions) -> tuple[str, ...]:
    name = get_first(message, *_FILES)
    if not name:
        return ()
    if name.startswith(_NOT_INCLUDED):
        omissions.count("files that the export left out")
        kind = get_text(message, "media_type")
        return (kind,) if kind else ()
    return (name.rpartition("/")[2],)


READER = Reader("telegram", 1, ("application/json",), recognise_chat, read_chat)

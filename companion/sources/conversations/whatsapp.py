"""WhatsApp: a chat exported as text, from an iPhone or an Android phone, in any language.

The export is made for people: the order of day and month follows the phone's region, times are
those of its clock, and nothing says who the owner is. What is concluded is said in the warnings.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from companion.sources.conversations.whatsapp_lines import (
    Heading,
    choose_order,
    find_instant,
    match_heading,
)
from companion.sources.document import Document, Turn
from companion.sources.documents.text import (
    decode_text,
    find_title,
    is_text,
    say_lines,
)
from companion.sources.reader import Reader
from companion.sources.records.omissions import Omissions
from companion.sources.records.values import changed

_NAMED_AFTER = re.compile(
    r"WhatsApp[ -]Chat (?:with|mit|-) (.+)", re.IGNORECASE
)
# "speakers" of the logs of programs
_LEVELS = ("debug", "info", "warn", "warning", "error", "critical", "trace")
_DELETED = (
    "You deleted this message",
    "Du hast diese Nachricht gelöscht",
    "Eliminaste este mensaje",
    "Vous avez supprimé ce message",
    "Hai eliminato questo messaggio",
    "Você apagou esta mensagem",
)
_ATTACHED = re.compile(r"\u200e?<[^<>:]{2,30}: ([^<>/]+\.\w{2,5})>")
_FILE = re.compile(
    r"\u200e?((?:IMG|VID|PTT|AUD|STK|DOC)-\d{8}-WA\d+\.\w{2,5}) \([^()]+\)"
)
_MARKED_FILE = re.compile(r"\u200e([^/\n]+\.\w{2,5}) \([^()]+\)")
_OMITTED = re.compile(r"\u200e?<[^<>:]{3,40}>")
_EDITED = re.compile(r"\s?\u200e?<This message was edited>$")


class Message(NamedTuple):
    """One message of the file, its lines joined."""

    heading: Heading
    text: str
    first: int  # line, from 1
    last: int


def recognise_chat(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a chat: several lines begin with a time and a name."""
    if not is_text(head):
        return False
    text, _ = decode_text(head[:16_384])
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or match_heading(lines[0]) is None:
        return False
    named = _count_named(lines)
    return named >= 2 or (named == 1 and "whatsapp" in name.lower())


def _count_named(lines: Iterable[str]) -> int:
    """Return how many of *lines* begin a message of a person; levels of a log are no persons."""
    headings = filter(None, map(match_heading, lines))
    speakers = [heading.speaker for heading in headings]
    return sum(bool(one) and one.lower() not in _LEVELS for one in speakers)


def read_chat(content: bytes, name: str) -> Document:
    """Return the chat *content*. Raises Unreadable."""
    omissions = Omissions()
    text, warning = decode_text(content)
    if warning:
        omissions.say(warning)
    lines = text.replace("\r\n", "\n").rstrip().split("\n")
    messages = list(_join_lines(lines))
    if not messages:
        raise changed("no line begins with a time and a name")
    order = choose_order(message.heading for message in messages)
    for sentence in order.doubts:
        omissions.say(sentence)
    said = [message for message in messages if message.heading.speaker]
    omissions.count("notes of the program", len(messages) - len(said))
    owner = find_owner(said, name, omissions)
    turns: list[Turn] = []
    for message in said:
        at = find_instant(message.heading, order.name)
        turn = _read_message(message, at, owner, omissions)
        if turn is not None:
            turns.append(turn)
    omissions.say("the export names no time zone; its times are read as UTC")
    return Document(
        title=_find_title(name, said),
        turns=tuple(turns),
        site="WhatsApp",
        published_at=turns[0].at if turns else None,
        warnings=omissions.sentences(),
    )


def _find_title(name: str, messages: list[Message]) -> str:
    """Return the name of the file; where it is the same for all chats, who speaks in this one."""
    title = find_title(name)
    if title.lower() != "chat":
        return title
    speakers = dict.fromkeys(item.heading.speaker for item in messages)
    return "WhatsApp chat of " + ", ".join(list(speakers)[:3])


def _join_lines(lines: Iterable[str]) -> Iterable[Message]:
    """Yield the messages of *lines*; a line that has no time goes on the one before."""
    current: Heading | None = None
    first = 0
    words: list[str] = []
    for number, line in enumerate(lines, 1):
        heading = match_heading(line)
        if heading is None:
            words.append(line)
            continue
        if current is not None:
            yield Message(current, "\n".join(words), first, number - 1)
        current, first, words = heading, number, [heading.text]
    if current is not None:
        last = first + len(words) - 1
        yield Message(current, "\n".join(words), first, last)


def find_owner(messages: list[Message], name: str, omissions: Omissions) -> str:
    """Return the speaker who is the owner; nothing where that is not known. Say how it is known."""
    for message in messages:
        if message.text.lstrip("\u200e").startswith(_DELETED):
            omissions.say(
                f"{message.heading.speaker} is read as you: the export says"
                " that you deleted a message there"
            )
            return message.heading.speaker
    speakers = list(dict.fromkeys(item.heading.speaker for item in messages))
    named = _NAMED_AFTER.match(find_title(name))
    if named and len(speakers) == 2 and named[1] in speakers:
        speakers.remove(named[1])
        omissions.say(
            f"{speakers[0]} is read as you: the file is named after the other"
        )
        return speakers[0]
    omissions.say(
        "the export does not say who you are; everybody is read as another person"
    )
    return ""


def _read_message(
    message: Message, at: str | None, owner: str, omissions: Omissions
) -> Turn | None:
    """Return the turn that *message* is; None where it has neither words nor a file."""
    text, files = _find_files(message.text, omissions)
    text = _EDITED.sub("", text).strip()
    if text.startswith("\u200e") or text.startswith(_DELETED):
        omissions.count("notes of the program")
        return None
    if not text and not files:
        return None
    speaker = message.heading.speaker
    place = say_lines(message.first, message.last)
    if speaker == owner:
        return Turn("", "owner", text, at, place, files)
    return Turn(speaker, "other", text, at, place, files)


def _find_files(text: str, omissions: Omissions) -> tuple[str, tuple[str, ...]]:
    """Return *text* without its first line where that names a file, and the file."""
    line, _, rest = text.strip(" \n").partition("\n")
    for pattern in (_ATTACHED, _FILE, _MARKED_FILE):
        match = pattern.fullmatch(line.strip())
        if match:
            return rest, (match[1],)
    if _OMITTED.fullmatch(line.strip()):
        omissions.count("files that the export left out")
        return rest, ()
    return text, ()


READER = Reader("whatsapp", 1, ("text/plain",), recognise_chat, read_chat)

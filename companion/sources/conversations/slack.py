"""Slack: the messages of one day in one channel, <channel>/<date>.json of an export."""

import re

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
    load_json,
)

_STAMP = re.compile(r"\d{9,11}\.\d{6}")
_NAMES = ("real_name", "display_name", "name")
# subtypes of messages that somebody wrote
_SAID = (
    "",
    "bot_message",
    "file_share",
    "me_message",
    "thread_broadcast",
    "file_comment",
)


def recognise_day(head: bytes, name: str) -> bool:
    """Tell whether *head* begins the messages of a channel."""
    shape = find_shape(head)
    return {"type", "ts"} <= shape.keys and bool(
        shape.keys & {"user", "bot_id", "user_profile", "subtype"}
    )


def read_day(content: bytes, name: str) -> Document:
    """Return the messages of *content*. Raises Unreadable."""
    value = load_json(content)
    messages = value if isinstance(value, list) else [value]
    omissions = Omissions()
    turns: list[Turn] = []
    for number, message in enumerate(messages, 1):
        try:
            turn = _read_message(message, omissions)
        except Unreadable as error:
            omissions.report(f"message {number}", error)
            continue
        if turn is not None:
            turns.append(turn._replace(place=f"turn {len(turns) + 1}"))
    omissions.check(len(turns))
    omissions.say(
        "the export does not say who you are; everybody is read as another person"
    )
    return Document(
        title=_find_title(name),
        turns=tuple(turns),
        site="Slack",
        published_at=turns[0].at if turns else None,
        warnings=omissions.sentences(),
    )


def _find_title(name: str) -> str:
    """Return the channel and the day that the path *name* says."""
    parts = name.removesuffix(".json").split("/")
    channel = parts[-2] if len(parts) > 1 else "Slack"
    return f"{channel} {parts[-1]}"


def _read_message(message: object, omissions: Omissions) -> Turn | None:
    """Return the turn that *message* is; None where nobody wrote it. Raises Unreadable."""
    if not isinstance(message, dict):
        raise changed("an object was expected")
    if get_text(message, "subtype") not in _SAID:
        omissions.count("notes of the program")
        return None
    stamp = get_text(message, "ts")
    if not _STAMP.fullmatch(stamp):
        raise changed('"ts" was expected to be a time')
    text = get_text(message, "text")
    files = tuple(
        get_first(file, "name", "title", "id")
        for file in get_records(message, "files")
    )
    if not text.strip() and not any(files):
        omissions.count("messages without words")
        return None
    return Turn(
        _find_speaker(message), "other", text, read_time(stamp), "", files
    )


def _find_speaker(message: Record) -> str:
    profile = get_record(message, "user_profile")
    name = get_first(profile, *_NAMES)
    return name or get_first(message, "username", "user", "bot_id")


READER = Reader("slack", 1, ("application/json",), recognise_day, read_day)

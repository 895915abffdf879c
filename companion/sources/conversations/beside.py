"""Files of exports beside the conversations: accounts, feedback, and pages that repeat it all.

These files are known and not read: the error says what they are.
"""

from typing import NamedTuple

from companion.sources.document import Document, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.shapes import find_shape


class Known(NamedTuple):
    """A kind of file that is not read."""

    keys: frozenset[
        str
    ]  # all of them are in the object, or in the first of the array
    reason: str


_KNOWN = (
    Known(
        frozenset({"uuid", "full_name", "email_address"}),
        "the account of a person at Claude: it holds no conversation",
    ),
    Known(
        frozenset({"id", "email", "chatgpt_plus_user"}),
        "the account of a person at ChatGPT: it holds no conversation",
    ),
    Known(
        frozenset({"conversation_id", "rating"}),
        "feedback on answers of ChatGPT; its conversations are in conversations.json",
    ),
    Known(
        frozenset({"conversation_id", "is_anonymous"}),
        "links to shared conversations of ChatGPT, not their words",
    ),
)
# chat.html of ChatGPT: a viewer with the same conversations in a script
_VIEWER = b"var jsonData"
# message_feedback.json and the like, of a person who has none
_EMPTY = (b"[]", b"{}")


def recognise(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a file that stands beside conversations."""
    return bool(_find_reason(head))


def refuse(content: bytes, name: str) -> Document:
    """Raise Unreadable, which says what *content* is."""
    raise Unreadable(
        "no-conversation",
        _find_reason(content[:65_536]),
        hint="Its bytes are kept.",
    )


def _find_reason(head: bytes) -> str:
    if _VIEWER in head:
        return "a page that repeats the conversations of conversations.json"
    if head.strip() in _EMPTY:
        return "it is empty: the export had nothing to put there"
    keys = find_shape(head).keys
    for known in _KNOWN:
        if known.keys <= keys:
            return known.reason
    return ""


READER = Reader(
    "beside conversations",
    1,
    ("application/json", "text/html"),
    recognise,
    refuse,
)

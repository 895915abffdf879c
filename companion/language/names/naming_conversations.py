"""Name a conversation: "Conversation with Anna, 2026-11-22". Pure."""

import re
from collections.abc import Sequence

from companion.language.names.naming import name_subject

# "Moira (agency)", "Onkel Rolf"; not "#team", "chat.txt", "team-3"
_SOMEBODY = re.compile(r"[^\W\d_a-zß-öø-ÿ][^\d_#@/\\:]*")


def name_conversation(
    participants: Sequence[str],
    source: str,
    day: str,
    turns: Sequence[str],
) -> str:
    """Return a title for a conversation of one *day* (2026-11-22).

    It names who took part, else the one thing that it was about, else where it was held. Where that
    is a file or a channel, up to two of its matters stand for what it was about. The day tells two
    of the same people apart.
    """
    people = list(dict.fromkeys(name.strip() for name in participants))
    people = [name for name in people if name]
    if people:
        return f"Conversation with {_list_names(people)}, {day}"
    matters = _list_matters(source, turns)
    if matters:
        return f"Conversation about {_list_names(matters)}, {day}"
    if _is_somebody(source):
        return f"Conversation with {source}, {day}"
    if source:
        return f"Conversation in {source}, {day}"
    return f"Conversation, {day}"


def _list_matters(source: str, turns: Sequence[str]) -> list[str]:
    """Return what a conversation was about; where somebody's name is its *source*, only what most
    of its turns share.
    """
    if not _is_somebody(source):
        # loads a grammar: few nights name a conversation
        from companion.language.names.matters import list_matters

        return list_matters(turns, sources=[source])
    topic = name_subject(turns, sources=[source]) if len(turns) > 1 else None
    return [topic] if topic else []


def _is_somebody(source: str) -> bool:
    """Tell whether a source reads like a name of somebody, and not of a channel or a file."""
    return _SOMEBODY.fullmatch(source) is not None


def _list_names(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} others"
    return f"{', '.join(names[:-1])} and {names[-1]}"

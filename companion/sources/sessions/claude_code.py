"""Claude Code: the log of a session, ~/.claude/projects/<project>/<session>.jsonl.

What the person typed, what the model answered, and a line for each use of a tool. The lines form a
tree: where the person went back and asked otherwise, the branch that goes on is read.
"""

from collections.abc import Iterable
from typing import NamedTuple

from companion.sources.document import Document, Turn, Unreadable
from companion.sources.reader import Reader
from companion.sources.records.instants import read_time
from companion.sources.records.omissions import Omissions
from companion.sources.records.shapes import find_records
from companion.sources.records.values import (
    BadLine,
    Line,
    Record,
    get_first,
    get_record,
    get_text,
    load_lines,
    need_record,
)
from companion.sources.records.wording import choose_title, first_line
from companion.sources.sessions.branches import find_abandoned
from companion.sources.sessions.injected import find_typed

_SPEAKING = ("user", "assistant")
_SIGNS = {"sessionId", "uuid", "parentUuid", "isSidechain"}
_TITLES = ("customTitle", "aiTitle", "summary")
_PLAN_KEYS = ("command", "file_path", "path", "pattern", "query", "url")
_OTHER_KEYS = ("description", "prompt", "skill", "notebook_path")
_SPEAKER = "Claude Code"


class Session(NamedTuple):
    """The settings that the lines of a log share."""

    helper: bool  # the log of a helper, whose "user" is the assistant that started it
    omissions: Omissions


def recognise_log(head: bytes, name: str) -> bool:
    """Tell whether *head* begins a log of Claude Code."""
    for record in find_records(head):
        if record.get("type") in _SPEAKING and len(_SIGNS & record.keys()) > 2:
            return True
        if record.get("type") == "summary" and "leafUuid" in record:
            return True
    return False


def read_log(content: bytes, name: str) -> Document:
    """Return the session *content*. Raises Unreadable."""
    omissions = Omissions()
    lines = _collect_lines(content, omissions)
    spoken = [line for line in lines if line.record.get("type") in _SPEAKING]
    helper = bool(spoken) and all(_is_aside(line.record) for line in spoken)
    session = Session(helper, omissions)
    turns = _read_turns(lines, session)
    omissions.check(len(turns))
    id = _find_id(lines)
    return Document(
        title=choose_title(_find_title(lines), turns, _SPEAKER),
        turns=tuple(turns),
        key=_make_key(id, lines, helper),
        site=_SPEAKER,
        published_at=turns[0].at if turns else None,
        warnings=omissions.sentences(),
    )


def _collect_lines(content: bytes, omissions: Omissions) -> list[Line]:
    lines: list[Line] = []
    for line in load_lines(content):
        if isinstance(line, BadLine):
            omissions.say(f"line {line.number} cannot be read: {line.reason}")
        else:
            lines.append(line)
    return lines


def _is_aside(record: Record) -> bool:
    return record.get("isSidechain") is True


def _find_id(lines: list[Line]) -> str:
    """Return the id of the session; a resumed one has lines of the earlier one before its own."""
    for line in reversed(lines):
        id = get_text(line.record, "sessionId")
        if id and line.record.get("type") in _SPEAKING:
            return id
    return ""


def _make_key(id: str, lines: list[Line], helper: bool) -> str | None:
    agent = next((get_text(line.record, "agentId") for line in lines), "")
    if helper and agent:
        id = f"{id}/{agent}"
    return f"claude-code:{id}" if id else None


def _find_title(lines: list[Line]) -> str:
    """Return the last title that the person or the program gave."""
    found = dict.fromkeys(_TITLES, "")
    for line in lines:
        for key in _TITLES:
            found[key] = get_text(line.record, key) or found[key]
    return get_first({key: found[key] for key in _TITLES}, *_TITLES)


def _read_turns(lines: list[Line], session: Session) -> list[Turn]:
    main = [
        line for line in lines if session.helper or not _is_aside(line.record)
    ]
    session.omissions.count("lines of helpers", len(lines) - len(main))
    abandoned = find_abandoned(_find_nodes(main))
    turns: list[Turn] = []
    left = 0
    for line in main:
        if get_text(line.record, "uuid") in abandoned:
            left += line.record.get("type") in _SPEAKING
            continue
        place = f"line {line.number}"
        try:
            read = _read_line(line.record, session)
        except Unreadable as error:
            session.omissions.report(place, error)
            continue
        turns += [turn._replace(place=place) for turn in read]
    if left:
        session.omissions.say(
            f"only the current branch is read: {left} lines of earlier versions are not"
        )
    return turns


def _find_nodes(lines: Iterable[Line]) -> list[tuple[str, str, bool]]:
    """Return id, parent and "the person typed it" of each line that has an id."""
    nodes: list[tuple[str, str, bool]] = []
    for line in lines:
        record = line.record
        id = get_text(record, "uuid")
        if id:
            parent = get_first(record, "parentUuid", "logicalParentUuid")
            nodes.append((id, parent, _is_typed(record)))
    return nodes


def _is_typed(record: Record) -> bool:
    if record.get("type") != "user" or _is_untold(record):
        return False
    words, results = _split_content(get_record(record, "message"))
    return not results and bool(find_typed(words))


def _is_untold(record: Record) -> bool:
    keys = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
    return any(record.get(key) is True for key in keys)


def _read_line(record: Record, session: Session) -> list[Turn]:
    """Return the turns of one line. Raises Unreadable."""
    kind = get_text(record, "type")
    at = read_time(record.get("timestamp"))
    if kind == "user":
        return _read_user(record, at, session)
    if kind == "assistant":
        return _read_assistant(record, at, session)
    queued = get_record(record, "attachment")
    if queued.get("type") == "queued_command":
        return _read_queued(queued, at, session)
    return []


def _read_user(record: Record, at: str | None, session: Session) -> list[Turn]:
    message = need_record(record, "message")
    words, results = _split_content(message)
    session.omissions.count("outputs of tools", results)
    if _is_untold(record):
        session.omissions.count("texts of the program", number=bool(words))
        return []
    typed = find_typed(words)
    session.omissions.count(
        "texts of the program", number=bool(words) and not typed
    )
    files = _find_files(message)
    if not typed and not files:
        return []
    if session.helper:
        return [Turn(_SPEAKER, "assistant", typed, at, attachments=files)]
    return [Turn("", "owner", typed, at, attachments=files)]


def _read_queued(
    queued: Record, at: str | None, session: Session
) -> list[Turn]:
    """Return what the person typed while the model was at work."""
    origin = get_text(get_record(queued, "origin"), "kind")
    mode = get_text(queued, "commandMode")
    typed = find_typed(get_text(queued, "prompt"))
    if not typed or mode not in ("", "prompt") or origin not in ("", "human"):
        session.omissions.count("texts of the program")
        return []
    return [Turn("", "owner", typed, at)]


def _read_assistant(
    record: Record, at: str | None, session: Session
) -> list[Turn]:
    message = need_record(record, "message")
    model = get_text(message, "model")
    words, _ = _split_content(message)
    if model == "<synthetic>" or record.get("isApiErrorMessage") is True:
        session.omissions.count("errors of the program")
        return []
    turns: list[Turn] = []
    if words:
        turns.append(Turn(model or _SPEAKER, "assistant", words, at))
    for block in _find_blocks(message):
        if block.get("type") == "tool_use":
            turns.append(_read_tool(block, at))
        elif block.get("type") in ("thinking", "redacted_thinking"):
            session.omissions.count("thoughts of the model")
    return turns


def _read_tool(block: Record, at: str | None) -> Turn:
    """Return a line that says which tool was used, and for what."""
    tool = get_text(block, "name") or "tool"
    given = get_record(block, "input")
    line = first_line(get_first(given, *_PLAN_KEYS, *_OTHER_KEYS))
    return Turn(tool, "tool", line or tool, at)


def _find_blocks(message: Record) -> list[Record]:
    content = message.get("content")
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict)]


def _split_content(message: Record) -> tuple[str, int]:
    """Return the words of *message*, and how many results of tools it holds."""
    content = message.get("content")
    if isinstance(content, str):
        return content, 0
    blocks = _find_blocks(message)
    texts = [get_text(b, "text") for b in blocks if b.get("type") == "text"]
    results = sum(block.get("type") == "tool_result" for block in blocks)
    return "\n\n".join(text for text in texts if text), results


def _find_files(message: Record) -> tuple[str, ...]:
    """Return names for the pictures and documents that were pasted."""
    kinds = (get_text(block, "type") for block in _find_blocks(message))
    return tuple(kind for kind in kinds if kind in ("image", "document"))


READER = Reader(
    "claude code", 1, ("application/jsonl",), recognise_log, read_log
)

"""At the end of a session with an assistant: capture what the person typed, as it was typed.

Only a hook that the person agreed to at the installation calls this. No model chooses: every turn
that the person typed becomes a note of theirs, private, through the same door as any other note, so
that secrets are refused. What the assistant said, and what programs put in, stays out. A hook that
runs twice, or after every turn, captures each turn once: a turn has its own time.
"""

import json
import os
from typing import TYPE_CHECKING

from companion.errors import BadInput
from companion.operations.triage.capture import ingest
from companion.sources.read import read_document
from companion.storage.cold.originals import Original
from companion.storage.files import durable
from companion.values.captures import Draft
from companion.workspace import Workspace, state_home

if TYPE_CHECKING:
    from companion.assistants.results import SessionResult, SessionSwitch
    from companion.sources.document import Turn

_FEWEST_WORDS = 4  # of a turn: "yes" and "go on" say nothing later
_MOST_BYTES = 256 * 2**20  # of a log


class NotASession(BadInput):
    """The hook did not hand over a session that can be read."""

    hint = "The assistant calls this; `companion agent off` switches it off."


def capture_session(
    ws: Workspace, assistant: str, given: bytes
) -> "SessionResult":
    """Capture the person's own turns of the session that a hook of *assistant* names in *given*.

    Raises NotASession or Unreadable.
    """
    result: SessionResult = {
        "assistant": assistant,
        "off": is_off(),
        "captured": 0,
        "seen": 0,
        "refused": 0,
        "short": 0,
    }
    if result["off"]:
        return result
    path = _read_path(given)
    content = _read_log(path)
    log = Original(
        id="",
        blob="",
        size=len(content),
        media_type="application/jsonl",
        name=os.path.basename(path),
        source=path,
        received_at=ws.now(),
    )
    # in a process of its own: the log holds what tools fetched from anywhere
    document = read_document(content, log)
    typed = [turn for turn in document.turns if turn.role == "owner"]
    telling = [turn for turn in typed if _tells(turn)]
    drafts = [_make_draft(turn, assistant) for turn in telling]
    counts = ingest(ws, drafts)["counts"]
    result["captured"] = counts["captured"]
    result["seen"] = counts["seen"]
    result["refused"] = counts["refused"]
    result["short"] = len(typed) - len(telling)
    return result


def is_off() -> bool:
    """Tell whether the person switched the capture of sessions off on this machine."""
    return os.path.exists(_mark_path())


def switch_off() -> "SessionSwitch":
    """Capture no session from now on, whatever is installed."""
    path = _mark_path()
    durable.make_dirs(os.path.dirname(path))
    durable.replace(path, b"off\n", mode=0o600)
    return {"sessions": "off"}


def switch_on() -> "SessionSwitch":
    """Capture sessions again where the person agreed to it."""
    if is_off():
        os.unlink(_mark_path())
    return {"sessions": "on"}


def _mark_path() -> str:
    return os.path.join(state_home(), "companion", "sessions.off")


def _read_path(given: bytes) -> str:
    """Return the path of the log that a hook names. Raises NotASession."""
    try:
        asked = json.loads(given)
    except (ValueError, RecursionError) as error:
        raise NotASession("the hook handed over no JSON") from error
    path = asked.get("transcript_path") if isinstance(asked, dict) else None
    if not isinstance(path, str) or not path or "\0" in path:
        raise NotASession("the hook named no log of a session")
    return os.path.expanduser(path)


def _read_log(path: str) -> bytes:
    """Return the bytes of a log. Raises NotASession."""
    if not os.path.isfile(path):
        raise NotASession(f"there is no log at {path}")
    if os.path.getsize(path) > _MOST_BYTES:
        raise NotASession(f"{path} is larger than 256 MiB")
    with open(path, "rb") as file:
        return file.read()


def _tells(turn: "Turn") -> bool:
    return len(turn.text.split()) >= _FEWEST_WORDS


def _make_draft(turn: "Turn", assistant: str) -> Draft:
    return Draft(
        text=turn.text,
        event_time=turn.at,
        channel=assistant,
        scope="private",
        origin=turn.place,
    )

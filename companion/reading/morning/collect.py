"""The morning: how the wiki stands, cut down to what a person wants to know first."""

from typing import TYPE_CHECKING

from companion.reading.morning.advise import advise
from companion.reading.status import describe_wiki
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.morning.results import MorningResult


def collect_morning(ws: Workspace) -> "MorningResult":
    """Return what a person wants to know in the morning."""
    status = describe_wiki(ws)
    nights = status["nights"]
    return {
        "wiki": status["wiki"],
        "now": ws.now(),
        "entries": status["entries"]["active"],
        "last_night": nights["last"],
        "waiting": {
            "captures": status["pending"],
            "held_back": min(status["waiting"], status["pending"]),
            "sources": status["sources"],
        },
        "left_for_you": {
            "questions": status["to_review"],
            "to_settle": status["audits"]["to_settle"],
            "to_audit": status["to_audit"],
            "runs_that_left": len(status["held"]),
        },
        "waits": nights["waits"],
        "missed": nights["missed"],
        "only_here": status["only_here"],
        "notes": status["notes"],
        "next": advise(status),
    }

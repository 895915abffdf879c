"""Choose what to try next, from how the wiki stands; pure."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.values.wording import many

if TYPE_CHECKING:
    from companion.reading.morning.results import NextStep
    from companion.reading.results import StatusResult

#: steps that the morning names
_MOST = 2


def advise(status: "StatusResult") -> "list[NextStep]":
    """Return the few commands that do most for a wiki like this, the most useful first."""
    steps: list[NextStep] = []
    for command, why in _list_steps(status):
        steps.append({"command": command, "why": why})
    return steps[:_MOST]


def _list_first_nights(status: "StatusResult") -> Iterator[tuple[str, str]]:
    if status["pending"] > status["waiting"] or status["sources"]["pending"]:
        yield "companion sleep", "makes pages of what waits"
    yield (
        "companion schedule install",
        "lets it sleep by itself, when it disturbs nobody",
    )


def _list_steps(status: "StatusResult") -> Iterator[tuple[str, str]]:
    questions = status["to_review"]
    if questions:
        yield (
            "companion review",
            f"answers {many(questions, 'question')}, one at a time",
        )
    locked = status["sources"]["locked"]
    if locked:
        sources = many(locked, "source")
        yield (
            "companion review --list",
            f"says how to decide about {sources} with a secret",
        )
    audits = status["audits"]["to_settle"]
    if audits:
        yield "companion settle", f"acts on {many(audits, 'audit')} on record"
    is_empty = not (status["runs"] > 1 or status["pending"])
    if is_empty:
        yield 'companion ingest "a thought"', "captures your first note"
    elif not status["nights"]["recorded"]:
        yield from _list_first_nights(status)
    if status["only_here"]["commits_on_no_remote"] is None and not is_empty:
        yield (
            "companion remote add NAME URL",
            "keeps your notes on another machine, too",
        )
    if status["runs"] > 1:
        yield (
            "companion report --open",
            "shows how your wiki grew, and what it believes now",
        )
        yield "companion ask QUESTION", "answers from your notes"

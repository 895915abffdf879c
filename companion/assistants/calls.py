"""The tools of the server: each calls one room and keeps of its result what an assistant needs."""

from typing import TYPE_CHECKING

from companion.assistants.arguments import Given
from companion.assistants.context import collect_context, describe_passage
from companion.errors import BadInput
from companion.usage.record_read import record_ask, record_search
from companion.values.captures import Draft
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import (
        AnswerResult,
        ConflictSide,
        StepResult,
    )
    from companion.assistants.results import (
        Answer,
        Asked,
        Captured,
        ContextResult,
        Decided,
        Found,
        Rated,
        Reason,
        Search,
        Why,
    )
    from companion.lookup.results import ObjectionResult, SearchHit
    from companion.reading.results import EventResult

CHANNEL = "mcp"
_LONGEST = 300  # characters of an excerpt
_MOST_DECISIONS = 20


class NotCaptured(BadInput):
    """This note was not captured."""


def search(ws: Workspace, given: Given) -> "Search":
    """Find pages and pending notes, and record the read."""
    from companion.lookup.search import search_wiki

    found = search_wiki(ws, given.text("query"), limit=given.count("limit"))
    record_search(ws, found)
    result: Search = {"found": [_describe_hit(hit) for hit in found["results"]]}
    if "warning" in found:
        result["warning"] = found["warning"]
    return result


def _describe_hit(hit: "SearchHit") -> "Found":
    return {
        "id": hit["id"],
        "title": hit["title"],
        "text": hit["snippet"][:_LONGEST],
        "path": hit["path"],
        "state": hit["state"],
        "when": hit["when"] or hit["event_time"],
        "link": hit["link"],
    }


def context(ws: Workspace, given: Given) -> "ContextResult":
    """Pack what is known of a topic, or how the memory stands."""
    return collect_context(
        ws,
        given.optional("topic"),
        as_of=given.optional("as_of"),
        known_at=given.optional("known_at"),
        budget=given.count("budget"),
    )


def ask(ws: Workspace, given: Given) -> "Asked":
    """Answer a question, and record the read."""
    from companion.answers import ask as answers
    from companion.lookup.time_words import read_as_of

    answer = answers.ask(
        ws,
        given.text("question"),
        as_of=read_as_of(ws, given.optional("as_of")),
        budget=given.count("budget"),
    )
    record_ask(ws, answer)
    return {
        "conflict": [_describe_side(one) for one in answer["conflict"]],
        "known": answer["known"],
        "answers": [_describe_answer(one) for one in answer["answers"]],
        "passages": [describe_passage(one) for one in answer["passages"]],
        "objections": [
            _describe_objection(one) for one in answer["objections"]
        ],
        "left_out": answer["left_out"],
    }


def _describe_side(side: "ConflictSide") -> str:
    told = ", ".join(one["told_at"][:10] for one in side["told"])
    return f"{side['matter']}: {side['value']} (told {told})"


def _describe_objection(note: "ObjectionResult") -> str:
    told = " ".join(
        filter(None, (note["source"], (note["told_at"] or "")[:10]))
    )
    return f"{note['text']} ({told})"


def _describe_answer(answer: "AnswerResult") -> "Answer":
    return {
        "value": answer["value"],
        "disputed": answer["disputed"],
        "because": [_describe_step(step) for step in answer["path"]],
    }


def _describe_step(step: "StepResult") -> "Reason":
    told = []
    for source in step["sources"]:
        note = f"{source['told_at'][:10]} {source['capture'][:8]}"
        if source["source"]:
            note += f" by {source['source']}"
        told.append(note)
    claim = f"{step['subject']} · {step['predicate']}: {step['object']}"
    return {"claim": claim, "told": told}


def capture(ws: Workspace, given: Given) -> "Captured":
    """Capture a note in the name of the assistant. Raises NotCaptured."""
    from companion.lookup.time_words import read_told
    from companion.operations.triage.capture import ingest

    draft = Draft(
        text=given.text("text"),
        title=given.optional("title"),
        event_time=read_told(ws, given.optional("event_time")),
        channel=CHANNEL,
        source=given.optional("source"),
        agent=ws.who,
        scope="private" if given.flag("private") else "shared",
    )
    done = ingest(ws, [draft])
    for refusal in done["refused"]:
        hint = refusal["hint"]
        if refusal["kind"] == "secret":
            hint = (
                "Leave the secret out; the person alone may decide to keep it."
            )
        raise NotCaptured(f"not captured: {refusal['reason']}", hint=hint)
    [taken] = done["captures"]
    return {
        "status": taken["status"],
        "id": taken["id"],
        "title": taken["title"],
    }


def why(ws: Workspace, given: Given) -> "Why":
    """Tell the decisions about a page, a note or a run, the newest last."""
    from companion.reading.why import explain_target

    story = explain_target(ws, given.text("target"))
    decisions = [_describe_event(event) for event in story["events"]]
    kept = decisions[-_MOST_DECISIONS:]
    return {
        "id": story["id"],
        "kind": story["kind"],
        "title": story["title"],
        "decisions": kept,
        "left_out": len(decisions) - len(kept),
    }


def _describe_event(event: "EventResult") -> "Decided":
    return {
        "time": event["time"],
        "event": event["event"],
        "reason": event["reason"] or "",
    }


def feedback(ws: Workspace, given: Given) -> "Rated":
    """Record what became of an answer, a search or a page."""
    from companion.usage.feedback import record_feedback

    rated = record_feedback(ws, given.text("verdict"), given.optional("target"))
    return {
        "outcome": rated["outcome"],
        "about": rated["query"]["words"] if rated["query"] else None,
        "pages": [entry["title"] for entry in rated["entries"]],
    }

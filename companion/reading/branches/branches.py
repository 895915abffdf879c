"""`branches`: the notes that contradict a protected page, and how near they are to winning."""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from companion.lookup.index import current_index
from companion.lookup.read_page import read_page_bytes
from companion.lookup.statements import describe_statement
from companion.minority.contested.members import recorded_sightings
from companion.reading.captures import read_capture
from companion.storage.git import layout
from companion.storage.git.repo import MissingObject
from companion.storage.index.history import list_events_of_branch
from companion.storage.index.tables import minority
from companion.storage.index.tables.minority import (
    Branch,
    Member,
    list_undone_runs,
)
from companion.storage.index.tables.pages.entries import find_entry
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.branches.results import (
        BranchEvent,
        BranchList,
        BranchResult,
        BranchWithMembers,
        EntryPlace,
        MemberResult,
    )

_LONGEST_TEXT = 200  # characters of a member that a list shows


class NoSuchBranch(CompanionError):
    """No minority branch of that name."""

    exit_code = 1
    hint = "`companion branches` lists them; the beginning of a name will do."


def list_branches(ws: Workspace) -> "BranchList":
    """Return every branch there ever was, the open ones first, each with its history of
    weighings.
    """
    db = current_index(ws, ws.journal())
    if db is None:
        return {"branches": [], "open": 0}
    branches = minority.list_branches(db)
    branches.sort(key=lambda branch: branch.state != "open")
    return {
        "branches": [describe_branch(ws, db, branch) for branch in branches],
        "open": sum(branch.state == "open" for branch in branches),
    }


def show_branch(ws: Workspace, name: str) -> "BranchWithMembers":
    """Return one branch with its members, their words and who told them. Raises NoSuchBranch."""
    db, branch = find_branch(ws, name)
    members = minority.list_members(db, branch.name)
    return {
        **describe_branch(ws, db, branch),
        "members": [_describe_member(ws, db, member) for member in members],
    }


def find_branch(ws: Workspace, name: str) -> tuple[sqlite3.Connection, Branch]:
    """Return the index, and the branch that *name* or its beginning names. Raises NoSuchBranch."""
    db = current_index(ws, ws.journal())
    wanted = name.removeprefix(minority.REFS).removeprefix("minority/")
    branches = [] if db is None else minority.list_branches(db)
    found = [branch for branch in branches if branch.name == wanted]
    if not found:
        found = [each for each in branches if each.name.startswith(wanted)]
    if db is None or not found:
        raise NoSuchBranch(f"no branch is called {wanted!r}")
    if len(found) > 1:
        raise NoSuchBranch(
            f"{wanted!r} names {len(found)} branches",
            hint="Give more of its name.",
        )
    return db, found[0]


def describe_branch(
    ws: Workspace, db: sqlite3.Connection, branch: Branch
) -> "BranchResult":
    """Return a branch with its history, and the numbers of the last weighing that counts.

    Raises DamagedRef.
    """
    history = _list_history(db, branch.name)
    result: BranchResult = {
        "name": branch.name,
        "ref": branch.ref,
        "incumbent": describe_place(db, branch.incumbent),
        "statement": None,
        "state": branch.state,
        "opened": branch.opened,
        "entry": None,
        "cluster_size": branch.cluster_size,
        "contradictions": branch.contradictions,
        "cycles_open": branch.cycles_open,
        "pressure": None,
        "threshold": None,
        "commit": layout.read_ref(ws.place, branch.ref),
        "why": None,
        "history": history,
    }
    if branch.statement is not None:
        result["statement"] = describe_statement(ws, db, branch.statement)
    if branch.entry is not None:
        result["entry"] = describe_place(db, branch.entry)
    for event in reversed(history):
        if event["threshold"] is not None and not event["undone"]:
            result["pressure"] = event["pressure"]
            result["threshold"] = event["threshold"]
            result["why"] = _shorten_reason(branch, event["reason"])
            break
    if branch.state == "closed":
        result["why"] = _tell_why_closed(history)
    return result


def _tell_why_closed(history: "Sequence[BranchEvent]") -> str | None:
    """Return why a branch was closed: it waits for nothing that its last weighing says."""
    reasons = [
        event["reason"] for event in history if event["event"] == "closed"
    ]
    if not reasons:
        return None
    sentences, _, _ = reasons[-1].partition(" (no growth")
    return sentences


def describe_place(db: sqlite3.Connection, id: str | None) -> "EntryPlace":
    """Return where the entry *id* is; nulls where the index does not know it."""
    entry = find_entry(db, id)
    if entry is None:
        return {"id": id, "title": None, "path": None, "state": None}
    return {
        "id": id,
        "title": entry.title,
        "path": entry.path,
        "state": entry.state,
    }


# -- the history of a branch -----------------------------------------------------------------------


def _list_history(db: sqlite3.Connection, name: str) -> "list[BranchEvent]":
    """Return what happened to a branch, oldest first; a weighing with its two numbers."""
    undone = list_undone_runs(db, name)
    history: list[BranchEvent] = []
    for event in list_events_of_branch(db, name):
        assert event.run is not None  # only the journal's events have none
        history.append(
            {
                "time": event.time,
                "run": event.run,
                "event": event.event,
                "reason": event.reason,
                "pressure": event.detail.get("pressure"),
                "threshold": event.detail.get("threshold"),
                "undone": event.run in undone,
            }
        )
    return history


def _shorten_reason(branch: Branch, reason: str) -> str | None:
    """Return in one line who speaks for a branch, and what is missing or was enough."""
    sentence, numbers, _ = reason.partition(" (pressure ")
    if numbers:
        return sentence
    return _shorten_old_reason(branch, reason)


def _shorten_old_reason(branch: Branch, reason: str) -> str | None:
    """Return the same of a reason as older ledgers have it, with the numbers first."""
    parts = [
        part
        for part in reason.split("; ")
        if not part.startswith(("threshold", "row "))
    ]
    speakers = _find_speakers(parts)
    if not speakers:
        return None
    if branch.state != "open":
        return speakers
    missing = (branch.threshold or 0.0) - (branch.pressure or 0.0)
    needs = parts[-1]
    if missing > 0:
        needs = f"{missing:.2f} short of winning"
    if speakers.startswith("1 independent voice "):
        needs += ", and one voice alone never wins"
    return f"{speakers}; {needs}"


def _find_speakers(parts: Sequence[str]) -> str:
    """Return who speaks for a branch by the *parts* of a reason; empty where none of them says."""
    for part in parts:
        if part.startswith("pressure"):
            return part.partition(": ")[2].partition(" (")[0]
    return ""


# -- members ---------------------------------------------------------------------------------------


def _describe_member(
    ws: Workspace, db: sqlite3.Connection, member: Member
) -> "MemberResult":
    text = without_frontmatter(_read_member(ws, member))
    tellings = recorded_sightings(db, member.capture)
    return {
        "capture": member.capture,
        "entry": member.entry,
        "path": member.path,
        "joined": member.joined,
        "contradicts": member.contradicts,
        "text": " ".join(text.split())[:_LONGEST_TEXT],
        "tellings": len(tellings),
        "sources": _sort_names([telling.source for telling in tellings]),
        "agents": _sort_names([telling.agent for telling in tellings]),
    }


def _sort_names(names: Sequence[str | None]) -> list[str]:
    """Return the *names* that are given, each once."""
    return sorted({name for name in names if name})


def _read_member(ws: Workspace, member: Member) -> str:
    """Return the text of a member: of its page while the branch is open, later of its note; empty
    where neither is here.

    The pages of a branch become one when it wins, and a member that joined in the same night never
    had a page of its own.
    """
    is_page_of_branch = member.path.startswith(minority.FOLDER)
    is_here = bool(ws.journal().capture(member.capture))
    if is_here and not is_page_of_branch:
        return _read_note(ws, member)
    try:
        page = read_page_bytes(ws, member.path, member.blob)
    except MissingObject:
        if is_here:
            return _read_note(ws, member)
        # The note is on another machine; its words are in the entry.
        return ""
    return page.decode("utf-8", "replace")


def _read_note(ws: Workspace, member: Member) -> str:
    capture, _ = read_capture(ws, ws.journal(), member.capture)
    return capture.content.decode("utf-8", "replace")

"""What waits on open branches against what notes say: the other side of an answer (CON-10)."""

import sqlite3
from collections.abc import Collection

from companion.annotations import TYPE_CHECKING
from companion.lookup.read_page import read_page_bytes
from companion.pages.statements import read_opening, statement_id
from companion.storage.index.tables.captures import (
    list_captures_of_entry,
    list_tellings,
)
from companion.storage.index.tables.minority import (
    Branch,
    Member,
    list_branches,
    list_members,
)
from companion.values.wording import without_frontmatter
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import ObjectionResult

_LONGEST_TEXT = 200  # characters of a note


def list_objections(
    ws: Workspace,
    db: sqlite3.Connection,
    captures: Collection[str],
    *,
    until: str | None = None,
) -> "list[ObjectionResult]":
    """Return the notes on open branches that contradict one of *captures*, in the order of their
    joining; with *until* (RFC 3339), those of events until then.
    """
    objections: list[ObjectionResult] = []
    for branch in list_branches(db):
        if branch.state != "open":
            continue
        against = _find_contested(db, branch, captures)
        if against is None:
            continue
        for member in list_members(db, branch.name):
            if not member.contradicts:
                continue
            objection = _describe_objection(ws, db, member, against)
            told = objection["told_at"]
            if until is None or told is None or told <= until:
                objections.append(objection)
    return objections


def list_objections_to_pages(
    ws: Workspace,
    db: sqlite3.Connection,
    entries: Collection[str],
    statements: Collection[str | None],
) -> "list[ObjectionResult]":
    """Return the notes on open branches that contradict one of *statements*, or one of *entries*
    as a whole: a page of one statement.
    """
    captures: dict[str, None] = {}
    for branch in list_branches(db):
        if branch.state != "open":
            continue
        if branch.statement is not None:
            if statement_id(branch.statement) in statements:
                captures[branch.statement] = None
        elif branch.incumbent in entries:
            told = list_captures_of_entry(db, branch.incumbent)
            captures.update(dict.fromkeys(told))
    return list_objections(ws, db, captures) if captures else []


def _find_contested(
    db: sqlite3.Connection, branch: Branch, captures: Collection[str]
) -> str | None:
    """Return the first of *captures* that *branch* is against: a statement, or what a page of one
    statement was made of; None where it is against none.
    """
    contested = [branch.statement]
    if branch.statement is None:
        contested = [*list_captures_of_entry(db, branch.incumbent)]
    return next((one for one in captures if one in contested), None)


def _describe_objection(
    ws: Workspace, db: sqlite3.Connection, member: Member, against: str
) -> "ObjectionResult":
    content = read_page_bytes(ws, member.path, member.blob)
    text = content.decode("utf-8", "replace")
    words = read_opening(text) or without_frontmatter(text)
    tellings = list_tellings(db, member.capture)
    times = [one.get("event_time") or one["seen_at"] for one in tellings]
    sources = [one["source"] for one in tellings if one.get("source")]
    return {
        "against": against,
        "branch": member.branch,
        "capture": member.capture,
        "text": " ".join(words.split())[:_LONGEST_TEXT],
        "told_at": min(times, default=None),
        "source": next(iter(sources), None),
    }

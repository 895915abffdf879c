"""`why --depends`: what rests on an entry or a claim, with the path (LED-12)."""

import sqlite3
from typing import TYPE_CHECKING

from companion.ledger.dependents.follow import (
    LIMIT,
    Dependent,
    Node,
    follow_dependents,
)
from companion.ledger.dependents.index import DependentsIndex
from companion.ledger.private_view import show_to_owner
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index
from companion.lookup.read_page import read_page_bytes
from companion.lookup.statements import describe_statement
from companion.storage import claim_lines
from companion.storage.index import claim_names
from companion.storage.index.tables import claims
from companion.storage.index.tables.captures import (
    find_entry_of_capture,
    list_captures_of_entry,
)
from companion.storage.index.tables.pages.entries import EntryRow, find_title
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.results import (
        DependentResult,
        DependentsResult,
        NodeResult,
        RestResult,
    )


def find_dependents(
    ws: Workspace, target: str, *, most: int = LIMIT
) -> "DependentsResult":
    """Return everything that rests on an entry or a claim, with the path: the *most* nearest.

    Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = show_to_owner(ws, journal, current_index(ws, journal))
    if db is None:
        raise NothingFound(f"not known: {target}")
    node = _find_node(ws, db, target)

    def read(row: EntryRow) -> str:
        content = read_page_bytes(ws, row.path, row.blob)
        return content.decode("utf-8", "replace")

    index = DependentsIndex(db, read)
    cascade = follow_dependents([node], index.on, limit=most)
    rests = [
        _describe_dependent(ws, db, dependent)
        for dependent in cascade.dependents
    ]
    return {
        "target": target,
        **_describe_node(ws, db, node),
        "rests": rests,
        "count": len(rests),
        "beyond": cascade.beyond,
    }


def _find_node(ws: Workspace, db: sqlite3.Connection, target: str) -> Node:
    said = claims.find_claim(db, target.lower())
    if said is not None:
        return Node("claim", said.assertion.id)
    try:
        kind, id = find_target(ws, db, ws.journal(), target)
    except NothingFound:
        name = claim_lines.normalize_name(target)
        if claim_names.select_known_names(db, [name]):
            return Node("name", name)
        raise
    if kind == "entry":
        return Node("entry", id)
    entry = find_entry_of_capture(db, id)
    if entry is None:
        raise NothingFound(
            f"{target} is no page yet",
            hint="`companion consolidate` makes pages.",
        )
    if len(list_captures_of_entry(db, entry)) > 1:
        return Node("statement", id)
    return Node("entry", entry)


def _describe_dependent(
    ws: Workspace, db: sqlite3.Connection, dependent: Dependent
) -> "DependentResult":
    path: list[RestResult] = [
        {**_describe_node(ws, db, rest.node), "how": rest.how}
        for rest in dependent.path
    ]
    return {**_describe_node(ws, db, dependent.node), "path": path}


def _describe_node(
    ws: Workspace, db: sqlite3.Connection, node: Node
) -> "NodeResult":
    if node.kind == "claim":
        said = claims.find_claim(db, node.id)
        assert said is not None
        title = f"{said.subject} {said.predicate}: {said.object}"
        return {
            "kind": "claim",
            "id": node.id,
            "title": title,
            "entry": said.entry or None,
        }
    if node.kind == "name":
        return {"kind": "name", "id": node.id, "title": node.id, "entry": None}
    if node.kind == "statement":
        entry = find_entry_of_capture(db, node.id)
        words = describe_statement(ws, db, node.id)["words"]
        title = f"{find_title(db, entry)}: {words or 'a note that is gone'}"
        return {
            "kind": "statement",
            "id": node.id,
            "title": title,
            "entry": entry,
        }
    return {
        "kind": "entry",
        "id": node.id,
        "title": find_title(db, node.id),
        "entry": node.id,
    }

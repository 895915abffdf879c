"""The other side of what fell to a minority branch lately, as reads show it (CON-10)."""

import sqlite3

from companion.annotations import TYPE_CHECKING
from companion.storage.index.tables.promotions import Side, list_sides
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.storage.results import ShiftResult


def describe_other_side(
    ws: Workspace, db: sqlite3.Connection, entry: str
) -> "ShiftResult | None":
    """Return the other side of an entry: of a young shift, or what replaced it."""
    return describe_side(ws, db, list_sides(db, ws.now()).get(entry))


def describe_side(
    ws: Workspace, db: sqlite3.Connection | None, side: Side | None
) -> "ShiftResult | None":
    """Return *side* as documents have it, with the statement that lost on its page."""
    if side is None:
        return None
    shift: ShiftResult = {
        "other": side.other,
        "title": side.title,
        "role": side.role,
        "branch": side.branch,
        "since": side.since,
        "statement": None,
    }
    if db is not None and side.statement is not None:
        # most searches meet no such page
        from companion.lookup.statements import describe_statement

        shift["statement"] = describe_statement(ws, db, side.statement)
    return shift

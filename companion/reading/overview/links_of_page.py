"""`links TARGET`: what one page links to, what links to it, and what else needs it."""

import sqlite3
from collections.abc import Collection
from typing import TYPE_CHECKING

from companion.ledger.dependents.follow import LIMIT
from companion.lookup.find import NothingFound, find_target
from companion.lookup.index import current_index, stale_warning
from companion.lookup.read_page import read_page_bytes
from companion.reading.entry.dependents import find_dependents
from companion.reading.entry.statements import list_mentions
from companion.storage.index.tables.captures import find_entry_of_capture
from companion.storage.index.tables.pages.edges import list_neighbours
from companion.storage.index.tables.pages.entries import EntryRow, find_entry
from companion.storage.index.tables.pages.links import list_unresolved_targets
from companion.storage.index.tables.pages.statements import (
    list_entries_named_on,
)
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.reading.overview.results import LinksOfPage
    from companion.reading.results import DependentResult, Neighbour
    from companion.values.results import Named

_LINKS = ("link", "embed")


def list_links_of_page(
    ws: Workspace,
    target: str,
    *,
    most: int = LIMIT,
    most_direct: int | None = None,
) -> "LinksOfPage":
    """Return the links of the page that *target* names, direct ones apart from what rests on it:
    of that the *most* nearest, and of the pages that link to it *most_direct* or all.

    Raises NothingFound or Ambiguous.
    """
    journal = ws.journal()
    db = current_index(ws, journal)
    kind, id = find_target(ws, db, journal, target, words=True)
    entry = _find_entry(db, kind, id)
    if db is None or entry is None:
        raise NothingFound(
            f"{target!r} is no page yet",
            hint="`companion consolidate` makes pages.",
        )
    text = read_page_bytes(ws, entry.path, entry.blob).decode(
        "utf-8", "replace"
    )
    incoming = _list_neighbours(db, entry.id, out=False, most=most_direct)
    outgoing = _list_neighbours(db, entry.id, out=True)
    linked = {page["id"] for page in outgoing}
    named = {entry.id, *(page["id"] for page in incoming)}
    rests, beyond = _list_rests(ws, entry.id, named, most)
    found: LinksOfPage = {
        "page": {"id": entry.id, "title": entry.title, "path": entry.path},
        "out": outgoing,
        "unresolved": list_unresolved_targets(db, entry.path),
        "in": incoming,
        "mentions": list_mentions(ws, db, entry, text),
        "names": _list_named(db, entry.id, linked),
        "rests": rests,
        "beyond": beyond,
    }
    warning = stale_warning(ws, db)
    if warning is not None:
        found["warning"] = warning
    return found


def _list_named(
    db: sqlite3.Connection, entry: str, linked: Collection[str]
) -> "list[Named]":
    """Return the pages that notes of *entry* name, those that are *linked* left out."""
    named: list[Named] = []
    for id in list_entries_named_on(db, entry):
        row = find_entry(db, id)
        if row is not None and not row.tombstone and id not in linked:
            named.append({"id": id, "title": row.title, "path": row.path})
    return named


def _list_rests(
    ws: Workspace, entry: str, named: Collection[str], most: int
) -> "tuple[list[DependentResult], bool]":
    """Return what rests on *entry* beside the pages *named*, and whether there is more."""
    # those that link to it are nearest, and all of that many are looked up for nothing
    if len(named) > most:
        return [], True
    dependents = find_dependents(ws, entry, most=most)
    rests = [one for one in dependents["rests"] if one["entry"] not in named]
    return rests, dependents["beyond"]


def _find_entry(
    db: sqlite3.Connection | None, kind: str, id: str
) -> EntryRow | None:
    """Return the entry of a target: of a note that of the page on which it stands."""
    if db is None:
        return None
    if kind == "entry":
        return find_entry(db, id)
    return find_entry(db, find_entry_of_capture(db, id))


def _list_neighbours(
    db: sqlite3.Connection, id: str, *, out: bool, most: int | None = None
) -> "list[Neighbour]":
    neighbours: list[Neighbour] = []
    for each in list_neighbours(db, id, out=out, most=most):
        if each.type not in _LINKS:
            continue
        neighbours.append(
            {
                "id": each.id,
                "title": each.title,
                "path": each.path,
                "type": each.type,
                "weight": each.weight,
            }
        )
    return neighbours

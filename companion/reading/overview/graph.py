"""Pages and the links between them: around one page, or those that most depends on."""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

from companion.lookup.find import NothingFound
from companion.lookup.index import current_index
from companion.storage.index.tables.gravity import (
    list_heaviest,
    list_most_linked,
)
from companion.storage.index.tables.pages.edges import list_neighbours
from companion.storage.index.tables.pages.entries import find_entry
from companion.workspace import Workspace

_LINKS = ("link", "embed")


class GraphNode(NamedTuple):
    """A page in the graph."""

    id: str
    title: str
    gravity: float


class PageGraph(NamedTuple):
    """Pages, and the links among them as pairs of ids."""

    nodes: tuple[GraphNode, ...]
    links: tuple[tuple[str, str], ...]
    left_out: int  # neighbours beyond the limit


def graph_around(ws: Workspace, id: str, *, most: int) -> PageGraph:
    """Return the page of *id* and at most *most* pages that it links to or that link to it.

    Raises NothingFound.
    """
    db = current_index(ws, ws.journal())
    if db is None or find_entry(db, id) is None:
        raise NothingFound(f"there is no entry {id}")
    near = dict.fromkeys(_list_linked(db, id))
    kept = [id, *list(near)[:most]]
    return _describe(db, kept, left_out=max(0, len(near) - most))


def graph_of_heaviest(ws: Workspace, *, most: int) -> PageGraph:
    """Return the *most* pages on which most depends, and the links among them.

    Nights weigh pages only where something is decided by it. What is not weighed yet comes after
    the rest, by how many pages link to it; then the pages that link there.
    """
    db = current_index(ws, ws.journal())
    if db is None:
        return PageGraph((), (), 0)
    ids = dict.fromkeys([*list_heaviest(db, most), *list_most_linked(db, most)])
    for id in [*ids]:
        if len(ids) >= most:
            break
        ids |= dict.fromkeys(_list_linked(db, id))
    return _describe(db, [*ids][:most], left_out=0)


def _list_linked(db: sqlite3.Connection, id: str) -> Iterable[str]:
    for out in (True, False):
        for neighbour in list_neighbours(db, id, out=out):
            if neighbour.type in _LINKS and neighbour.id != id:
                yield neighbour.id


def _describe(
    db: sqlite3.Connection, ids: list[str], *, left_out: int
) -> PageGraph:
    shown = set(ids)
    nodes = []
    links: list[tuple[str, str]] = []
    for id in ids:
        entry = find_entry(db, id)
        if entry is None or entry.tombstone:
            continue
        nodes.append(GraphNode(id, entry.title, entry.gravity or 0.0))
        for neighbour in list_neighbours(db, id, out=True):
            is_link = neighbour.type in _LINKS
            if is_link and neighbour.id in shown and neighbour.id != id:
                links.append((id, neighbour.id))
    return PageGraph(tuple(nodes), tuple(dict.fromkeys(links)), left_out)

"""The graph of dependencies in index.db, and what the gravity pass made of it.

The table `gravity` is derived from the tree like everything here, but only when a night asks for
it: weighing 100,000 entries takes a second, and a reader's catching up must not. So it may speak of
an earlier tree than the rest of the index, and `meta` says of which one; rows of entries keep that
weight until the next pass.
"""

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.storage.index import schema as index

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

#: entries that have gravity: those of the active wiki (MaM §5.6); what is archived has none, and
#: bears none
_VERTICES = (
    "SELECT id, quarantined FROM entries WHERE NOT tombstone AND state <> 'archived' ORDER BY id"
)
_EDGES = "SELECT source, target, weight FROM edges WHERE type = ?"
_JOINED = (
    "SELECT count(*), min(weight), max(weight), group_concat(source, ''), group_concat(target, '') "
    "FROM edges WHERE type = ?"
)
_UNEVEN = "SELECT EXISTS (SELECT 1 FROM entries WHERE length(id) <> ?)"
_WRITE = "INSERT INTO gravity VALUES (?,?,?,?,?,?,?)"
_COLUMNS = "g.centrality, g.unsupported, g.orphaned, g.cut_off, g.factor, g.base"
_STANDING = f"""
SELECT e.id, e.path, e.title, e.gravity_protected, e.last_accessed, {_COLUMNS}
FROM gravity g CROSS JOIN entries e ON e.id = g.entry WHERE NOT e.tombstone AND {{}}
"""
_BEARING = "g.entry IN (SELECT entry FROM protected UNION SELECT entry FROM gravity WHERE round(base, 6) > ?)"


class Graph(NamedTuple):
    """The entries in order of their ids, and the edges between them: parallel arrays of places in
    that order.
    """

    ids: list[str]
    tails: "Array"  # dependents
    heads: "Array"  # depended-upon
    weights: "Array"


class Standing(NamedTuple):
    """What the index holds of one entry's gravity."""

    entry: str
    path: str
    title: str
    flag: bool
    accessed: str | None
    parts: tuple[Any, ...]  # centrality, unsupported, orphaned, cut off
    factor: float
    base: float


def read(db: sqlite3.Connection, kinds: Mapping[str, float]) -> Graph:
    """Return the graph whose edges are of *kinds*, each times its factor.

    What is quarantined depends on nothing: a challenger must not feed its incumbent (GRA-9).
    """
    import numpy as np

    rows = db.execute(_VERTICES).fetchall()
    ids = [id for id, _ in rows]
    columns = [_column(db, kind, factor, ids) for kind, factor in kinds.items()]
    tails, heads, weights = (np.concatenate(column) for column in zip(*columns, strict=True))
    # the last stands for what is no entry
    quarantined = np.array([bool(flag) for _, flag in rows] + [True])
    counts = ~quarantined[tails] & (heads >= 0)
    return Graph(ids, tails[counts], heads[counts], weights[counts])


def without(graph: Graph, entry: str) -> Graph:
    """Return *graph* without one entry and its edges, as `read` would give it."""
    place = bisect_left(graph.ids, entry)
    if graph.ids[place : place + 1] != [entry]:
        return graph
    rest = (graph.tails != place) & (graph.heads != place)
    tails, heads = graph.tails[rest], graph.heads[rest]
    ids = graph.ids[:place] + graph.ids[place + 1 :]
    return Graph(ids, tails - (tails > place), heads - (heads > place), graph.weights[rest])


def _column(
    db: sqlite3.Connection, kind: str, factor: float, ids: Sequence[str]
) -> tuple["Array", "Array", "Array"]:
    """Return the edges of one kind; -1 is the place of what is no entry.

    As a rule, ids are of one length and edges of one weight: then one text holds all ends, and none
    is an object.
    """
    import numpy as np

    count, least, most, sources, targets = db.execute(_JOINED, (kind,)).fetchone()
    if not count:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    names, width = "".join(ids), len(ids[0]) if ids else 0
    even = width and names.isascii() and len(sources) == len(targets) == width * count
    if not even or least != most or db.execute(_UNEVEN, (width,)).fetchone()[0]:
        return _looked_up(db, kind, factor, ids)
    known = np.frombuffer(names.encode(), f"S{width}")
    return _places(known, sources), _places(known, targets), np.full(count, factor * least)


def _places(known: "Array", ends: str) -> "Array":
    """Return the places of *ends*, one after the other, among the sorted *known*: all of one
    length.
    """
    import numpy as np

    asked = np.frombuffer(ends.encode(), known.dtype)
    places = np.minimum(np.searchsorted(known, asked), len(known) - 1)
    return np.where(known[places] == asked, places, -1)


def _looked_up(
    db: sqlite3.Connection, kind: str, factor: float, ids: Sequence[str]
) -> tuple["Array", "Array", "Array"]:
    """Return the same of ids and weights of any kind."""
    import numpy as np

    place = dict(zip(ids, range(len(ids)), strict=True)).get
    rows = db.execute(_EDGES, (kind,)).fetchall()
    tails = np.fromiter((place(row[0], -1) for row in rows), np.int64, len(rows))
    heads = np.fromiter((place(row[1], -1) for row in rows), np.int64, len(rows))
    return tails, heads, factor * np.fromiter((row[2] for row in rows), float, len(rows))


def write(db: sqlite3.Connection, rows: Iterable[Sequence[Any]], about: Mapping[str, Any]) -> None:
    """Keep a pass: (entry, centrality, unsupported, orphaned, cut off, factor, base) each, and what
    it is *about*.

    In the caller's transaction.
    """
    db.execute("DELETE FROM gravity")
    db.executemany(_WRITE, rows)
    db.execute(
        "UPDATE entries SET gravity = g.base FROM gravity g WHERE g.entry = entries.id AND entries.gravity <> g.base"
    )
    db.execute(
        "UPDATE entries SET gravity = 0 WHERE gravity <> 0 AND id NOT IN (SELECT entry FROM gravity)"
    )
    restamp(db, about)


def restamp(db: sqlite3.Connection, about: Mapping[str, Any]) -> None:
    """Say anew what the last pass is about."""
    index.set_meta(db, gravity=json.dumps(about, sort_keys=True))


def about(db: sqlite3.Connection) -> dict[str, Any] | None:
    """Return what the last pass was about (tree, run, floor); None before the first."""
    known = index.meta(db, "gravity")
    return None if known is None else dict(json.loads(known))


def standing(db: sqlite3.Connection, entry: str) -> Standing | None:
    """Return what the last pass made of one entry, by its id; None where it was not weighed."""
    return next(_standings(db, "g.entry = ?", entry), None)


def bearing(db: sqlite3.Connection, floor: float) -> list[Standing]:
    """Return what the last pass made of every entry that is flagged or heavier than *floor*, by
    id.
    """
    return sorted(_standings(db, _BEARING, floor))


def _standings(db: sqlite3.Connection, where: str, value: str | float) -> Iterator[Standing]:
    for id, path, title, flag, accessed, *parts, factor, base in db.execute(
        _STANDING.format(where), (value,)
    ):
        yield Standing(id, path, title, bool(flag), accessed, tuple(parts), factor, base)


def protected(db: sqlite3.Connection) -> set[str]:
    """Return the entries that the ledger holds gravity-protected, those whose page is gone among
    them.
    """
    return {entry for (entry,) in db.execute("SELECT entry FROM protected")}

"""The graph of dependencies in index.db, and what the gravity pass made of it.

The table `gravity` is derived from the tree like everything here, but only when a night asks for
it: weighing 100,000 entries takes a second, and a reader's catching up must not. So it may speak of
an earlier tree than the rest of the index, and `meta` says of which one; rows of entries keep that
weight until the next pass.
"""

import sqlite3
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion import json_text
from companion.annotations import TYPE_CHECKING, Any
from companion.storage.index.schema import read_meta, write_meta
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]

#: entries that have gravity: those of the active wiki (MaM §5.6); what is archived has none, and
#: bears none
_VERTICES = """
    SELECT id, quarantined
    FROM entries
    WHERE NOT tombstone AND state <> 'archived'
    ORDER BY id
    """
#: the pages of sources that a night read
_SOURCES = "SELECT DISTINCT entry FROM readings WHERE NOT undone"
_EDGES = "SELECT source, target, weight FROM edges WHERE type = ?"
_JOINED = """
    SELECT count(*), min(weight), max(weight), group_concat(source, ''),
      group_concat(target, '')
    FROM edges
    WHERE type = ?
    """
_UNEVEN = "SELECT EXISTS (SELECT 1 FROM entries WHERE length(id) <> ?)"
_WRITE = "INSERT INTO gravity VALUES (?,?,?,?,?,?,?)"
_COLUMNS = (
    "g.centrality, g.unsupported, g.orphaned, g.cut_off, g.factor, g.base"
)
_STANDING = f"""
SELECT e.id, e.path, e.title, e.gravity_protected,
  EXISTS (SELECT 1 FROM pages p WHERE p.path = e.path AND p.myself),
  e.last_accessed, {_COLUMNS}
FROM gravity g CROSS JOIN entries e ON e.id = g.entry WHERE NOT e.tombstone AND {{}}
"""
_ABOVE = """
    g.entry IN (
      SELECT entry FROM protected
      UNION
      SELECT entry FROM gravity WHERE round(base, 6) > ?
      UNION
      SELECT e.id FROM pages p JOIN entries e ON e.path = p.path WHERE p.myself
    )
    """


class Graph(NamedTuple):
    """The entries in order of their ids, and the edges between them: parallel arrays of places in
    that order.
    """

    ids: list[str]
    tails: "Array"  # dependents
    heads: "Array"  # depended-upon
    weights: "Array"
    # which ids are pages of sources; None: none is
    sources: "Array | None" = None


class Standing(NamedTuple):
    """One entry's gravity as the index has it."""

    entry: str
    path: str
    title: str
    flag: bool
    myself: bool  # a self-description, which its owner named
    accessed: str | None
    parts: tuple[Any, ...]  # centrality, unsupported, orphaned, cut off
    factor: float
    base: float


def read_graph(db: sqlite3.Connection, kinds: Mapping[str, float]) -> Graph:
    """Return the graph whose edges are of *kinds*, each times its factor.

    What is quarantined depends on nothing: a challenger must not feed its incumbent (GRA-9). Nor
    does the page of a source before some other page rests on it: whoever wrote the source must not
    decide what the person's pages weigh.
    """
    import numpy

    rows = db.execute(_VERTICES).fetchall()
    ids = [id for id, _ in rows]
    columns = [
        _read_edges(db, kind, factor, ids) for kind, factor in kinds.items()
    ]
    tails, heads, weights = (
        numpy.concatenate(column) for column in zip(*columns, strict=True)
    )
    # the last stands for what is no entry
    quarantined = numpy.array([bool(flag) for _, flag in rows] + [True])
    counts = ~quarantined[tails] & (heads >= 0)
    graph = Graph(
        ids,
        tails[counts],
        heads[counts],
        weights[counts],
        _find_sources(db, ids),
    )
    return _without_idle_sources(graph)


def _find_sources(db: sqlite3.Connection, ids: Sequence[str]) -> "Array | None":
    """Return which of *ids* are pages of sources; None where the wiki has no source."""
    import numpy

    entries = {entry for (entry,) in db.execute(_SOURCES)}
    if not entries:
        return None
    return numpy.array([id in entries for id in ids], bool)


def _without_idle_sources(graph: Graph) -> Graph:
    """Return *graph* without what leads from pages of sources on which no other page rests."""
    if graph.sources is None:
        return graph
    idle = graph.sources.copy()
    resting = graph.heads[~graph.sources[graph.tails]]
    idle[resting] = False
    counts = ~idle[graph.tails]
    return graph._replace(
        tails=graph.tails[counts],
        heads=graph.heads[counts],
        weights=graph.weights[counts],
    )


def remove_entry(graph: Graph, entry: str) -> Graph:
    """Return *graph* without one entry and its edges, as `read` would give it."""
    place = bisect_left(graph.ids, entry)
    if graph.ids[place : place + 1] != [entry]:
        return graph
    rest = (graph.tails != place) & (graph.heads != place)
    tails, heads = graph.tails[rest], graph.heads[rest]
    ids = graph.ids[:place] + graph.ids[place + 1 :]
    sources = graph.sources
    if sources is not None:
        import numpy

        sources = numpy.delete(sources, place)
    return _without_idle_sources(
        Graph(
            ids,
            tails - (tails > place),
            heads - (heads > place),
            graph.weights[rest],
            sources,
        )
    )


def remove_edges(graph: Graph, source: str, targets: Sequence[str]) -> Graph:
    """Return *graph* without the edges from *source* to *targets*."""
    import numpy

    places = {id: place for place, id in enumerate(graph.ids)}
    heads = [places[id] for id in targets if id in places]
    gone = (graph.tails == places.get(source, -1)) & numpy.isin(
        graph.heads, heads
    )
    return _without_idle_sources(
        graph._replace(
            tails=graph.tails[~gone],
            heads=graph.heads[~gone],
            weights=graph.weights[~gone],
        )
    )


def _read_edges(
    db: sqlite3.Connection, kind: str, factor: float, ids: Sequence[str]
) -> tuple["Array", "Array", "Array"]:
    """Return (tails, heads, weights) of the edges of one kind; a place of -1 is no entry.

    As a rule, ids are of one length and edges of one weight: then one text holds all ends, and none
    is an object.
    """
    import numpy

    count, least, most, sources, targets = db.execute(
        _JOINED, (kind,)
    ).fetchone()
    if not count:
        return (
            numpy.empty(0, numpy.int64),
            numpy.empty(0, numpy.int64),
            numpy.empty(0),
        )
    names, width = "".join(ids), len(ids[0]) if ids else 0
    even = (
        width
        and names.isascii()
        and len(sources) == len(targets) == width * count
    )
    if not even or least != most or db.execute(_UNEVEN, (width,)).fetchone()[0]:
        return _look_up_edges(db, kind, factor, ids)
    known = numpy.frombuffer(names.encode(), f"S{width}")
    return (
        _find_places(known, sources),
        _find_places(known, targets),
        numpy.full(count, factor * least),
    )


def _find_places(known: "Array", ends: str) -> "Array":
    """Return the places of *ends*, one after the other, among the sorted *known*: all of one
    length.
    """
    import numpy

    asked = numpy.frombuffer(ends.encode(), known.dtype)
    places = numpy.minimum(numpy.searchsorted(known, asked), len(known) - 1)
    return numpy.where(known[places] == asked, places, -1)


def _look_up_edges(
    db: sqlite3.Connection, kind: str, factor: float, ids: Sequence[str]
) -> tuple["Array", "Array", "Array"]:
    """Return the edges of one kind as `_read_edges` does, for ids and weights of any kind."""
    import numpy

    place = dict(zip(ids, range(len(ids)), strict=True)).get
    rows = db.execute(_EDGES, (kind,)).fetchall()
    tails = numpy.fromiter(
        (place(row[0], -1) for row in rows), numpy.int64, len(rows)
    )
    heads = numpy.fromiter(
        (place(row[1], -1) for row in rows), numpy.int64, len(rows)
    )
    return (
        tails,
        heads,
        factor * numpy.fromiter((row[2] for row in rows), float, len(rows)),
    )


def write_gravity(
    db: sqlite3.Connection,
    rows: Iterable[Sequence[Any]],
    about: JsonDocument,
) -> None:
    """Keep a pass: (entry, centrality, unsupported, orphaned, cut off, factor, base) each, and what
    it is *about*.

    In the caller's transaction.
    """
    db.execute("DELETE FROM gravity")
    db.executemany(_WRITE, rows)
    db.execute(
        """
        UPDATE entries
        SET gravity = g.base
        FROM gravity g
        WHERE g.entry = entries.id AND entries.gravity <> g.base
        """
    )
    db.execute(
        """
        UPDATE entries
        SET gravity = 0
        WHERE gravity <> 0 AND id NOT IN (SELECT entry FROM gravity)
        """
    )
    write_pass(db, about)


def write_pass(db: sqlite3.Connection, about: JsonDocument) -> None:
    """Say anew what the last pass is about."""
    write_meta(db, gravity=json_text.dumps(about, sort_keys=True))


def read_pass(db: sqlite3.Connection) -> JsonDocument | None:
    """Return what the last pass was about (tree, run, floor); None before the first."""
    known = read_meta(db, "gravity")
    return None if known is None else dict(json_text.loads(known))


def find_standing(db: sqlite3.Connection, entry: str) -> Standing | None:
    """Return what the last pass made of one entry, by its id; None where it was not weighed."""
    return next(_standings(db, "g.entry = ?", entry), None)


def list_standings_above(
    db: sqlite3.Connection, floor: float
) -> list[Standing]:
    """Return what the last pass made of every entry that is flagged, heavier than *floor* or a
    self-description, by id.
    """
    return sorted(_standings(db, _ABOVE, floor))


def _standings(
    db: sqlite3.Connection, where: str, value: str | float
) -> Iterator[Standing]:
    for row in db.execute(_STANDING.format(where), (value,)):
        id, path, title, flag, myself, accessed, *parts, factor, base = row
        yield Standing(
            id,
            path,
            title,
            bool(flag),
            bool(myself),
            accessed,
            tuple(parts),
            factor,
            base,
        )


def list_protected(db: sqlite3.Connection) -> set[str]:
    """Return the entries that the ledger holds gravity-protected, those whose page is gone among
    them.
    """
    return {entry for (entry,) in db.execute("SELECT entry FROM protected")}


# -- weights of all entries ------------------------------------------------------------------------


def count_weighed(db: sqlite3.Connection) -> tuple[int, int]:
    """Return how many entries have gravity, and how many of them are protected."""
    query = """
        SELECT count(*), coalesce(sum(gravity_protected), 0)
        FROM entries
        WHERE gravity > 0 AND NOT tombstone
        """
    weighed, protected_ = db.execute(query).fetchone()
    return weighed, protected_


def list_base_gravity(db: sqlite3.Connection) -> dict[str, float]:
    """Return the base gravity of every entry, as the last pass has it."""
    return dict(db.execute("SELECT entry, base FROM gravity").fetchall())


def list_heaviest(db: sqlite3.Connection, most: int) -> list[str]:
    """Return the *most* active entries whose base gravity is highest."""
    query = """
        SELECT e.id
        FROM gravity g
        JOIN entries e ON e.id = g.entry
        WHERE NOT e.tombstone
          AND e.state = 'active'
          AND NOT e.quarantined
          AND g.base > 0
        ORDER BY round(g.base, 6) DESC, e.id
        LIMIT ?
        """
    return [entry for (entry,) in db.execute(query, (most,))]


def list_most_linked(db: sqlite3.Connection, most: int) -> list[str]:
    """Return the *most* active entries to which most others link; an embed counts as a link."""
    query = """
        SELECT e.id
        FROM edges x
        JOIN entries e ON e.id = x.target
        WHERE x.type IN ('link', 'embed')
          AND x.source <> x.target
          AND NOT e.tombstone
          AND e.state = 'active'
          AND NOT e.quarantined
        GROUP BY e.id
        ORDER BY count(DISTINCT x.source) DESC, e.id
        LIMIT ?
        """
    return [entry for (entry,) in db.execute(query, (most,))]


def list_loads(db: sqlite3.Connection) -> list[tuple[str, float, float]]:
    """Return (entry, gravity, weight of the edges that lead to it) of every active entry."""
    return db.execute(
        """
        SELECT e.id, e.gravity,
          (
            SELECT coalesce(sum(x.weight), 0)
            FROM edges x
            WHERE x.target = e.id
          )
        FROM entries e
        WHERE e.state = 'active' AND NOT e.tombstone AND NOT e.quarantined
        """
    ).fetchall()

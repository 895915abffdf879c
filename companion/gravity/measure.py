"""Weigh every entry once per tree, and answer reads and nights from the last pass."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence

from companion.annotations import TYPE_CHECKING, Any
from companion.gravity.formula import (
    KINDS,
    SWITCHED_OFF,
    VERSION,
    Floor,
    Parts,
    Weight,
    base_gravity,
    fragmentation_cost,
    protection_floor,
    weigh_entry,
)
from companion.storage.index.schema import find_newest_run
from companion.storage.index.tables import routing
from companion.storage.index.tables.gravity import (
    Graph,
    Standing,
    find_standing,
    list_standings_above,
    read_graph,
    read_pass,
    remove_edges,
    remove_entry,
    write_gravity,
    write_pass,
)
from companion.tuples import NamedTuple
from companion.values.events import JsonDocument
from companion.values.time import days_between

if TYPE_CHECKING:
    from companion.gravity.results import (
        WeightResult,
    )
    from companion.runs.run import Run  # brings git: readers do without

# What the index keeps of a pass besides the weights: its tree, rules, factors and floor.
PassRecord = JsonDocument


class Weighed(NamedTuple):
    """One entry of the last pass."""

    entry: str
    path: str
    title: str
    weight: Weight


class GravityPass(NamedTuple):
    """One pass over one tree: its floor, and the entries that are flagged or above it, by id."""

    floor: Floor
    bearing: tuple[Weighed, ...]


def weigh_entries(
    run: "Run", factors: Mapping[str, float] | None = None
) -> GravityPass:
    """Weigh every entry on the night's snapshot, and return what bears weight.

    A tree that was weighed already is not weighed again. *factors* says what AUDIT left of some
    entries' gravity, in (0, 1] (GRA-8; row 6 of the matrix), 1 for all others; where none are
    given, those of the ledger count. Where the settings go *without* gravity, nothing has any.
    """
    if factors is None:
        factors = routing.list_factors(run.db)
    key: PassRecord = {
        "tree": run.tree,
        "version": VERSION,
        "factors": dict(sorted(factors.items())),
        "without": "gravity" in run.config.without,
    }
    record = read_pass(run.db)
    if record is None or not _agrees(record, key):
        from companion.storage.index.folding import fold

        with fold.transaction(run.db):
            record = _weigh(run.db, key, record)
    return _load_pass(run.db, record, run.ws.now())


def weigh_load_bearing_entries(run: "Run") -> Mapping[str, Weight]:
    """Return every load-bearing entry: it is flagged, or its base gravity is above tonight's floor.

    Only DECAY sets the flag; `consolidate` defends what bears weight whether or not DECAY has run
    since.
    """
    bearing = weigh_entries(run).bearing
    return {weighed.entry: weighed.weight for weighed in bearing}


def carry_pass_over(run: "Run") -> None:
    """Record the last pass as one on the night's tree, which has the same pages and links."""
    record = read_pass(run.db)
    assert record is not None
    newest = find_newest_run(run.db)
    write_pass(run.db, {**record, "tree": run.tree, "as_of": newest})


def describe_gravity(
    db: sqlite3.Connection, entry: str, now: str
) -> "WeightResult | None":
    """Return what the last pass says of one entry; None where it was not weighed yet."""
    record = read_pass(db)
    if record is None:
        return None
    standing = find_standing(db, entry)
    if standing is None:
        return None
    weight = _weight(standing, _floor(record), now)
    described: WeightResult = {
        "centrality": weight.parts.centrality,
        "unsupported": weight.parts.unsupported,
        "orphaned": weight.parts.orphaned,
        "cut_off": weight.parts.cut_off,
        "factor": weight.factor,
        "base": weight.base,
        "effective": weight.effective,
        "days": weight.days,
        "floor": weight.floor,
        "above": weight.above,
        "flag": weight.flag,
        "reason": weight.reason,
        "as_of": record["as_of"],
    }
    if weight.myself:
        described["myself"] = True
    return described


class GraphWithoutEntry:
    """The graph as one connection sees it, read once, without one entry at a time."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._factors = routing.list_factors(db)
        self._graph = read_graph(db, KINDS)

    def without(self, entry: str) -> Iterator[tuple[Any, ...]]:
        """Yield (entry, its parts, factor, base) of every other entry, as a pass over the rest
        would give them.
        """
        rest = remove_entry(self._graph, entry)
        yield from _weigh_graph(rest, self._factors)

    def without_edges(
        self, source: str, targets: Sequence[str]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the same of every entry, where *source* does not link to *targets*."""
        rest = remove_edges(self._graph, source, targets)
        yield from _weigh_graph(rest, self._factors)


def _agrees(record: PassRecord, key: PassRecord) -> bool:
    """Tell whether a pass was made under *key*."""
    return all(record.get(name) == value for name, value in key.items())


def _weigh(
    db: sqlite3.Connection, key: PassRecord, last: PassRecord | None
) -> PassRecord:
    """Weigh the graph and return the record of the pass.

    Where it is the graph of the *last* pass, only its tree is written anew.
    """
    graph = read_graph(db, KINDS)
    digest = _digest(graph)
    record = {**key, "graph": digest, "as_of": find_newest_run(db)}
    same = {**key, "graph": digest}
    del same["tree"]
    if last is not None and _agrees(last, same):
        record = {**last, **record}
        write_pass(db, record)
        return record
    factors = key["factors"]
    if key["without"]:
        factors = dict.fromkeys(graph.ids, SWITCHED_OFF)
    rows = list(_weigh_graph(graph, factors))
    floor = protection_floor([row[-1] for row in rows])
    record["floor"] = floor._asdict()
    write_gravity(db, rows, record)
    return record


def _weigh_graph(
    graph: Graph, factors: Mapping[str, float]
) -> Iterator[tuple[Any, ...]]:
    """Yield (entry, its parts, factor, base) of every entry of *graph*."""
    # brings numpy and rustworkx: a reader does without
    from companion.gravity.topology import measure

    ids = graph.ids
    parts = measure(len(ids), graph.tails, graph.heads, graph.weights)
    left = [factors.get(id, 1.0) for id in ids]
    bases = map(_base, *parts, left)
    yield from zip(ids, *parts, left, bases, strict=True)


def _digest(graph: Graph) -> str:
    """Return a hash of *graph*: graphs with one hash need only one pass."""
    import hashlib  # brings OpenSSL: a read does without

    digest = hashlib.sha256("\n".join(graph.ids).encode())
    for column in (graph.tails, graph.heads, graph.weights):
        digest.update(column.tobytes())
    return digest.hexdigest()


def _base(
    centrality: float,
    unsupported: int,
    orphaned: int,
    cut_off: int,
    factor: float,
) -> float:
    cost = fragmentation_cost(unsupported, orphaned, cut_off)
    return base_gravity(centrality, cost, factor)


def _load_pass(
    db: sqlite3.Connection, record: PassRecord, now: str
) -> GravityPass:
    floor = _floor(record)
    bearing = [
        Weighed(row.entry, row.path, row.title, _weight(row, floor, now))
        for row in list_standings_above(db, floor.value)
    ]
    return GravityPass(floor, tuple(bearing))


def _floor(record: PassRecord) -> Floor:
    return Floor(**record["floor"])


def _weight(standing: Standing, floor: Floor, now: str) -> Weight:
    return weigh_entry(
        Parts(*standing.parts),
        factor=standing.factor,
        days=days_between(standing.accessed, now),
        limit=floor,
        flag=standing.flag,
        myself=standing.myself,
    )

"""The gravity pass, once per tree, and what reads and nights ask of it."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.gravity.formula import (
    KINDS,
    VERSION,
    Floor,
    Parts,
    Weight,
    base_gravity,
    fragmentation_cost,
    protection_floor,
    weigh_entry,
)
from companion.storage.index.history import find_newest_run
from companion.storage.index.tables import gravity as graph
from companion.storage.index.tables import routing
from companion.storage.index.tables.gravity import Standing
from companion.values import time as times

if TYPE_CHECKING:
    from companion.gravity.results import (
        GravitySummary,
        WeightResult,
    )
    from companion.runs.run import Run  # brings git: readers do without

Progress = Callable[[int], None]


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
    tonight: "Run", factors: Mapping[str, float] | None = None
) -> GravityPass:
    """Weigh every entry on the night's snapshot, unless this very tree was weighed already; return
    what bears weight.

    *factors* says what AUDIT left of some entries' gravity, in (0, 1] (GRA-8; row 6 of the matrix),
    1 for all others; where none are given, the ledger does.
    """
    factors = routing.list_factors(tonight.db) if factors is None else factors
    key = {
        "tree": tonight.tree,
        "version": VERSION,
        "factors": dict(sorted(factors.items())),
    }
    known = graph.read_pass(tonight.db)
    if known is None or {name: known[name] for name in key} != key:
        from companion.storage.index import fold

        with fold.transaction(tonight.db):
            known = _weigh(tonight.db, key, known)
    return _passed(tonight.db, known, tonight.ws.now())


def weigh_load_bearing_entries(tonight: "Run") -> Mapping[str, Weight]:
    """Return every load-bearing entry: the flag is set, or its base gravity is above tonight's
    floor.

    The flag alone is DECAY's to set; `consolidate` defends what bears weight whether or not DECAY
    has run since.
    """
    return {each.entry: each.weight for each in weigh_entries(tonight).bearing}


def carry_pass_over(tonight: "Run") -> None:
    """Take the last pass for one on the night's tree, which differs from its own in no page and no
    link.
    """
    known = graph.read_pass(tonight.db)
    assert known is not None
    graph.write_pass(
        tonight.db,
        {**known, "tree": tonight.tree, "as_of": find_newest_run(tonight.db)},
    )


def describe_gravity(
    db: sqlite3.Connection, entry: str, now: str
) -> "WeightResult | None":
    """Return what the last pass says of one entry, as reads show it; None where it was not weighed
    yet.
    """
    known = graph.read_pass(db)
    row = None if known is None else graph.find_standing(db, entry)
    if known is None or row is None:
        return None
    weight = _weight(row, _floor(known), now)
    return {
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
        "as_of": known["as_of"],
    }


def summarise_gravity(
    db: sqlite3.Connection | None,
) -> "GravitySummary | None":
    """Return the floor of the last pass, and how many entries it and the flag protect; None before
    the first.
    """
    known = None if db is None else graph.read_pass(db)
    if db is None or known is None:
        return None
    entries, flagged = graph.count_weighed(db)
    floor = _floor(known)
    return {
        "floor": floor.value,
        "rule": floor.rule,
        "entries": entries,
        "protected": flagged,
        "as_of": known["as_of"],
    }


class GraphWithoutEntry:
    """The graph as one connection sees it, read once, from which one entry at a time is left
    out.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self._left, self._graph = (
            routing.list_factors(db),
            graph.read_graph(db, KINDS),
        )

    def without(self, entry: str) -> Iterator[tuple[Any, ...]]:
        """Yield (entry, its parts, factor, base) of every other entry, as a pass over the rest
        would give them.
        """
        from companion.gravity.topology import (
            measure,  # brings numpy and rustworkx: a reader does without
        )

        ids, *edges = graph.remove_entry(self._graph, entry)
        parts = measure(len(ids), *edges)
        factors = [self._left.get(id, 1.0) for id in ids]
        yield from zip(
            ids, *parts, factors, map(_base, *parts, factors), strict=True
        )


def _weigh(
    db: sqlite3.Connection,
    key: Mapping[str, Any],
    known: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Weigh the graph; or, where it is the one that was weighed last, only say of which tree it is
    now.
    """
    ids, *edges = graph.read_graph(db, KINDS)
    key = {**key, "graph": _digest(ids, edges)}
    if known is not None and all(
        known.get(name) == key[name] for name in key if name != "tree"
    ):
        about = {**known, **key, "as_of": find_newest_run(db)}
        graph.write_pass(db, about)
        return about

    # brings rustworkx: a reader does without
    from companion.gravity.topology import measure

    parts = measure(len(ids), *edges)
    factors = [key["factors"].get(id, 1.0) for id in ids]
    bases = list(map(_base, *parts, factors))
    about = {
        **key,
        "floor": protection_floor(bases)._asdict(),
        "as_of": find_newest_run(db),
    }
    graph.write_gravity(
        db, zip(ids, *parts, factors, bases, strict=True), about
    )
    return about


def _digest(ids: Sequence[str], edges: Sequence[Any]) -> str:
    """Return a hash of a graph: of two with one hash, one pass holds."""
    import hashlib  # brings OpenSSL: a read does without

    digest = hashlib.sha256("\n".join(ids).encode())
    for column in edges:
        digest.update(column.tobytes())
    return digest.hexdigest()


def _base(
    centrality: float,
    unsupported: int,
    orphaned: int,
    cut_off: int,
    factor: float,
) -> float:
    return base_gravity(
        centrality, fragmentation_cost(unsupported, orphaned, cut_off), factor
    )


def _passed(
    db: sqlite3.Connection, known: Mapping[str, Any], now: str
) -> GravityPass:
    floor = _floor(known)
    rows = graph.list_standings_above(db, floor.value)
    return GravityPass(
        floor,
        tuple(
            Weighed(row.entry, row.path, row.title, _weight(row, floor, now))
            for row in rows
        ),
    )


def _floor(known: Mapping[str, Any]) -> Floor:
    return Floor(**known["floor"])


def _weight(row: Standing, floor: Floor, now: str) -> Weight:
    days = times.days(row.accessed, now)
    return weigh_entry(
        Parts(*row.parts),
        factor=row.factor,
        days=days,
        limit=floor,
        flag=row.flag,
    )

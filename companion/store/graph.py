"""The graph of dependencies in index.db, and what the gravity pass made of it.

The table `gravity` is derived from the tree like everything here, but only when a night asks for it: weighing 100,000
entries takes a second, and a reader's catching up must not. So it may speak of an earlier tree than the rest of the
index, and `meta` says of which one; rows of entries keep that weight until the next pass.
"""

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.store import index

#: entries that have gravity: those of the active wiki (MaM §5.6); what is archived has none, and bears none
_VERTICES = "SELECT id, quarantined FROM entries WHERE NOT tombstone AND state <> 'archived' ORDER BY id"
_EDGES = "SELECT source, target, type, weight FROM edges"
_WRITE = "INSERT INTO gravity VALUES (?,?,?,?,?,?,?)"
_COLUMNS = "g.centrality, g.unsupported, g.orphaned, g.cut_off, g.factor, g.base"
_STANDING = f"""
SELECT e.id, e.path, e.title, e.gravity_protected, e.last_accessed, {_COLUMNS}
FROM entries e JOIN gravity g ON g.entry = e.id WHERE NOT e.tombstone
"""


class Graph(NamedTuple):
    """The entries in order of their ids, and the edges between them as places in that order."""

    ids: list[str]
    edges: list[tuple[int, int, float]]  # dependent, depended-upon, weight


class Standing(NamedTuple):
    """What the index holds of one entry's gravity."""

    entry: str
    path: str
    title: str
    flag: bool
    accessed: str | None
    parts: tuple[float, int, int, int]  # centrality, unsupported, orphaned, cut off
    factor: float
    base: float


def read(db: sqlite3.Connection, kinds: Mapping[str, float]) -> Graph:
    """Return the graph whose edges are of *kinds*, each times its factor.

    What is quarantined depends on nothing: a challenger must not feed its incumbent (GRA-9).
    """
    rows = db.execute(_VERTICES).fetchall()
    places = {id: place for place, (id, _) in enumerate(rows)}
    dependents = {id: place for place, (id, quarantined) in enumerate(rows) if not quarantined}
    edges = [
        (dependents[source], places[target], kinds[kind] * weight)
        for source, target, kind, weight in db.execute(_EDGES)
        if kind in kinds and source in dependents and target in places
    ]
    return Graph([id for id, _ in rows], edges)


def write(db: sqlite3.Connection, rows: Iterable[Sequence[Any]], about: Mapping[str, Any]) -> None:
    """Keep a pass: (entry, centrality, unsupported, orphaned, cut off, factor, base) each, and what it is *about*.

    In the caller's transaction.
    """
    db.execute("DELETE FROM gravity")
    db.executemany(_WRITE, rows)
    db.execute(
        "UPDATE entries SET gravity = g.base FROM gravity g WHERE g.entry = entries.id AND entries.gravity <> g.base"
    )
    db.execute("UPDATE entries SET gravity = 0 WHERE gravity <> 0 AND id NOT IN (SELECT entry FROM gravity)")
    restamp(db, about)


def restamp(db: sqlite3.Connection, about: Mapping[str, Any]) -> None:
    """Say anew what the last pass is about."""
    index.set_meta(db, gravity=json.dumps(about, sort_keys=True))


def about(db: sqlite3.Connection) -> dict[str, Any] | None:
    """Return what the last pass was about (tree, run, floor); None before the first."""
    known = index.meta(db, "gravity")
    return None if known is None else dict(json.loads(known))


def standings(db: sqlite3.Connection, entry: str | None = None) -> list[Standing]:
    """Return what the last pass made of every entry, or of one, by id."""
    chosen, values = (" AND e.id = ?", (entry,)) if entry is not None else (" ORDER BY e.id", ())
    return [
        Standing(id, path, title, bool(flag), accessed, (c, u, o, cut), factor, base)
        for id, path, title, flag, accessed, c, u, o, cut, factor, base in db.execute(_STANDING + chosen, values)
    ]


def protected(db: sqlite3.Connection) -> set[str]:
    """Return the entries that the ledger holds gravity-protected, those whose page is gone among them."""
    return {entry for (entry,) in db.execute("SELECT entry FROM protected")}

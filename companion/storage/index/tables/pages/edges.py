"""Edges between entries: what depends on a page, and what it depends on."""

import sqlite3

from companion.tuples import NamedTuple

# a limit that is none
_ALL = -1


class Neighbour(NamedTuple):
    """An entry at the other end of an edge."""

    id: str
    title: str
    path: str
    type: str
    weight: float


def has_edges(db: sqlite3.Connection) -> bool:
    """Tell whether anything in the wiki leads anywhere."""
    return db.execute("SELECT 1 FROM edges LIMIT 1").fetchone() is not None


def has_dependents(db: sqlite3.Connection, entry: str) -> bool:
    """Tell whether any edge leads to *entry*."""
    query = "SELECT 1 FROM edges WHERE target = ? LIMIT 1"
    return db.execute(query, (entry,)).fetchone() is not None


def list_dependents(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the entries that depend on *entry*; who contradicts it does not."""
    query = """
        SELECT DISTINCT source
        FROM edges
        WHERE target = ? AND source <> target AND type <> 'contradicts'
        """
    return [source for (source,) in db.execute(query, (entry,))]


def list_heaviest_dependents(
    db: sqlite3.Connection, entry: str, most: int
) -> list[str]:
    """Return the *most* entries whose edges to *entry* weigh most."""
    query = "SELECT source FROM edges WHERE target = ? ORDER BY weight DESC, source LIMIT ?"
    return [source for (source,) in db.execute(query, (entry, most))]


def list_dependencies(db: sqlite3.Connection, entry: str) -> list[str]:
    """Return the entries that *entry* depends on; what it contradicts is none of them."""
    query = """
        SELECT DISTINCT target
        FROM edges
        WHERE source = ?1 AND target <> ?1 AND type <> 'contradicts'
        """
    return [target for (target,) in db.execute(query, (entry,))]


def list_related(db: sqlite3.Connection, entry: str, most: int) -> list[str]:
    """Return at most *most* entries that depend on *entry* or that it depends on, by id."""
    query = """
        SELECT source
        FROM edges
        WHERE target = ?1 AND type <> 'contradicts'
        UNION
        SELECT target
        FROM edges
        WHERE source = ?1 AND type <> 'contradicts'
        ORDER BY 1
        LIMIT ?2
        """
    return [other for (other,) in db.execute(query, (entry, most))]


def list_neighbours(
    db: sqlite3.Connection,
    entry: str,
    *,
    out: bool,
    most: int | None = None,
) -> list[Neighbour]:
    """Return the entries that edges of *entry* lead to, or without *out* come from, by path: the
    first *most*, or all.
    """
    here, there = ("source", "target") if out else ("target", "source")
    rows = db.execute(
        f"""
        SELECT e.id, e.title, e.path, x.type, x.weight
        FROM edges x
        JOIN entries e ON e.id = x.{there}
        WHERE x.{here} = ?
        ORDER BY e.path, x.type
        LIMIT ?
        """,
        (entry, _ALL if most is None else most),
    )
    return [Neighbour(*row) for row in rows]

"""Results of a search: passages of pages and pending notes, and the order they stand in."""

import sqlite3
from collections.abc import Collection, Iterable

from companion.annotations import Literal
from companion.storage.index.ranking.nearby import Parts
from companion.tuples import NamedTuple

_AT_ONCE = 400  # pages that one query asks for

# the signs of times, from the last to the first
_TURNED = {sign: 127 - sign for sign in range(128)}

HitState = Literal["pending", "active", "decaying", "archived", "minority"]


class Hit(NamedTuple):
    """One result. *path* is None for a pending capture, whose *id* is the capture's."""

    id: str
    title: str | None
    path: str | None
    state: HitState
    score: float
    blob: str
    content: bytes | None
    time: str | None
    quarantined: bool = False
    statement: str = ""  # the note on the page; empty: the page's own words
    parts: Parts = ()  # what the score is the sum of
    speaker: str | None = None  # who told it, where that is on record


def rank(hit: Hit) -> tuple[float, str, str, str]:
    """Order results: the better first, of equals the one told last, then by id."""
    newest_first = (hit.time or "").translate(_TURNED)
    return -round(hit.score, 6), newest_first, hit.id, hit.statement


def keep_best_of_each_page(hits: Iterable[Hit]) -> list[Hit]:
    """Return of *hits*, the best first, the first of each page or capture."""
    best: dict[str, Hit] = {}
    for hit in hits:
        best.setdefault(hit.id, hit)
    return list(best.values())


def find_entry(
    db: sqlite3.Connection, id: str, score: float, why: str
) -> Hit | None:
    """Return an entry as a result of its own, of this score; *why* names what it is for."""
    row = db.execute(
        "SELECT path FROM entries WHERE id = ? AND NOT tombstone", (id,)
    ).fetchone()
    if row is None:
        return None
    return find_hit(db, row[0], score)._replace(parts=((why, score),))


def list_hits(
    db: sqlite3.Connection, places: Iterable[tuple[str, str]]
) -> list[Hit]:
    """Return passages, given by page and note, as results without a score."""
    return [
        find_hit(db, path, 0.0)._replace(statement=statement)
        for path, statement in places
    ]


def find_hit(db: sqlite3.Connection, path: str, score: float) -> Hit:
    """Return a page as a result of this score."""
    return find_hits(db, [path])[path]._replace(score=score)


def find_hits(db: sqlite3.Connection, paths: Collection[str]) -> dict[str, Hit]:
    """Return pages as results without a score, by their paths."""
    asked = list(paths)
    hits = {}
    for first in range(0, len(asked), _AT_ONCE):
        some = asked[first : first + _AT_ONCE]
        marks = ",".join("?" * len(some))
        query = f"""
            SELECT coalesce(e.id, nullif(p.member, ''), p.path), p.title,
              p.path,
              CASE WHEN p.branch IS NULL THEN coalesce(
                e.state, 'active'
              ) ELSE 'minority' END,
              p.blob, coalesce(k.told, e.since), coalesce(e.quarantined, 0)
            FROM pages p
            LEFT JOIN entries e ON e.path = p.path AND e.tombstone = 0
            LEFT JOIN known k ON k.id = e.id
            WHERE p.path IN ({marks})
            """
        for row in db.execute(query, tuple(some)):
            id, title, path, state, blob, time, quarantined = row
            hits[path] = Hit(
                id, title, path, state, 0.0, blob, None, time, bool(quarantined)
            )
    return hits


def put_named_first(
    db: sqlite3.Connection, hits: list[Hit], ids: Collection[str]
) -> list[Hit]:
    """Return *hits* with the entries *ids*, which the user calls so, first (MaM §5.0, row 1)."""
    if not ids:
        return hits
    top = max((hit.score for hit in hits), default=0.0) + 1.0
    named = (_find_named(db, hits, id, top) for id in sorted(ids))
    others = [hit for hit in hits if hit.id not in ids]
    return [hit for hit in named if hit is not None] + others


def _find_named(
    db: sqlite3.Connection, hits: Iterable[Hit], id: str, top: float
) -> Hit | None:
    """Return the best of *hits* on the entry *id*, or the entry itself, with the score *top*."""
    own = sorted((hit for hit in hits if hit.id == id), key=rank)
    if not own:
        return find_entry(db, id, top, "called so")
    best = own[0]
    parts = (*best.parts, ("called so", top - best.score))
    return best._replace(score=top, parts=parts)

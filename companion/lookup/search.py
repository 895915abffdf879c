"""Find pages and pending captures by their words. On the hot path of a search."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.lookup.excerpts import describe_hit, list_shown_words
from companion.lookup.index import (
    current_index,
    find_commit,
    newest_run,
    stale_warning,
)
from companion.lookup.shifts import describe_side
from companion.pages import links
from companion.storage.index import search
from companion.storage.index.pending import find_pending
from companion.storage.index.ranking.meaning import find_trouble
from companion.storage.index.ranking.query import (
    Query,
    Statistics,
    read_query,
    read_statistics,
)
from companion.storage.index.search import Hit
from companion.storage.index.tables import routing
from companion.storage.index.tables.captures import find_outcome
from companion.storage.index.tables.promotions import Side, list_young_sides
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        SearchHit,
        SearchResult,
    )
    from companion.storage.results import (
        CalledEntry,
    )

# how often a search looks again because a night moved the index meanwhile
_ATTEMPTS = 3
# notes of one page that a search by pages looks at, on average
_NOTES = 5


def search_wiki(
    ws: Workspace,
    query: str,
    *,
    limit: int = 10,
    state: str | None = None,
    one_of_each_page: bool = False,
) -> "SearchResult":
    """Return the passages and pending captures that have the words of *query*, the best first.

    A page of many notes has a result for each note that fits, unless *one_of_each_page* is wanted.
    A page whose title or alias is the whole query comes first. With *state*, only those in it.
    """
    # A shell may hand over bytes that are no text.
    query = query.encode("utf-8", "replace").decode()
    journal = ws.journal()
    db = current_index(ws, journal)
    as_of = find_commit(db)
    asked = read_query(db, query)
    stats = read_statistics(db, asked.phrases)
    title_key = links.title_key(query)
    # of a page of many notes only the best counts: others must not take the room
    wide = limit * _NOTES if one_of_each_page else limit
    hits = _find_hits(ws, db, journal, asked, stats, title_key, wide, state)
    for _ in range(_ATTEMPTS):
        found_as_of = as_of
        as_of = find_commit(db)
        if as_of == found_as_of:
            break
        # a night folded its pages in between: what waited may stand on one now
        stats = read_statistics(db, asked.phrases)
        hits = _find_hits(ws, db, journal, asked, stats, title_key, wide, state)
    called: list[CalledEntry] = []
    if state in (None, "active"):
        called = routing.list_mirrored(db, title_key)
    if db is not None:
        hits = put_named_first(db, hits, called)
    hits.sort(key=search.rank)
    if one_of_each_page:
        hits = search.keep_best_of_each_page(hits)
    hits = hits[:limit]
    sides = list_young_sides(db, ws.now())
    if db is not None and state is None and sides:
        hits = _add_other_sides(db, hits, sides)
    results = _describe_hits(ws, db, hits, sides, asked)
    document: SearchResult = {
        "query": query,
        "as_of": newest_run(db),
        "called": called,
        "results": results,
    }
    warnings = (stale_warning(ws, db), _warn_of_vectors(db, asked))
    said = [warning for warning in warnings if warning is not None]
    if said:
        document["warning"] = " ".join(said)
    return document


def _warn_of_vectors(db: sqlite3.Connection | None, asked: Query) -> str | None:
    """Return why a question was searched by its words alone; None where it was not."""
    trouble = find_trouble(db) if db is not None and asked.is_question else None
    if trouble is None:
        return None
    return (
        f"Searched by words alone: {trouble}. `companion rebuild` tries again."
    )


def put_named_first(
    db: sqlite3.Connection, hits: list[Hit], called: "Sequence[CalledEntry]"
) -> list[Hit]:
    """Return *hits* with the entries that the user *called* so ranked first (MaM §5.0, row 1)."""
    if not called:
        return hits
    ids = {entry["entry"] for entry in called}
    top = max((hit.score for hit in hits), default=0.0) + 1.0
    named = []
    for id in sorted(ids):
        own = sorted((hit for hit in hits if hit.id == id), key=search.rank)
        if not own:
            entry = search.find_entry(db, id, top, "called so")
            named += [entry] if entry is not None else []
            continue
        best = own[0]
        parts = (*best.parts, ("called so", top - best.score))
        named.append(best._replace(score=top, parts=parts))
    others = [hit for hit in hits if hit.id not in ids]
    return named + others


def _find_hits(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    asked: Query,
    statistics: Statistics,
    title_key: str,
    limit: int,
    state: str | None,
) -> list[Hit]:
    hits: list[Hit] = []
    if db is not None and state == "archived":
        hits += search.find_tombstones(db, asked, limit)
    if db is not None and state != "pending":
        hits += search.find_passages(
            db, asked, statistics, title_key, limit, state
        )
    if state in (None, "pending"):
        pending = find_pending(
            journal.connection, asked, statistics, limit, ws.who
        )
        hits += [hit for hit in pending if not _is_consumed(db, hit.id)]
    return hits


def _is_consumed(db: sqlite3.Connection | None, capture: str) -> bool:
    return db is not None and find_outcome(db, capture) is not None


def _add_other_sides(
    db: sqlite3.Connection, hits: Sequence[Hit], sides: Mapping[str, Side]
) -> list[Hit]:
    """Return *hits*, each on one side of a young shift followed by the other side (CON-10).

    The other side is shown even where that exceeds the limit.
    """
    shown: list[Hit] = []
    seen = {hit.id for hit in hits}
    for hit in hits:
        shown.append(hit)
        side = sides.get(hit.id)
        other = (
            None
            if side is None
            else search.find_entry(db, side.other, hit.score, "other side")
        )
        if other is not None and other.id not in seen:
            shown.append(other)
            seen.add(other.id)
    return shown


def _describe_hits(
    ws: Workspace,
    db: sqlite3.Connection | None,
    hits: Sequence[Hit],
    sides: Mapping[str, Side],
    asked: Query,
) -> "list[SearchHit]":
    results: list[SearchHit] = []
    words = list_shown_words(asked)
    for hit in hits:
        shown = describe_hit(ws, hit, words)
        shift = describe_side(ws, db, sides.get(hit.id))
        results.append({**shown, "shift": shift})
    return results

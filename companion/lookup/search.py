"""Find pages and pending captures by their words. On the hot path of a search."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.lookup.excerpts import describe_hit
from companion.lookup.index import current_index, newest_run, stale_warning
from companion.pages import links
from companion.storage.index import search as finder
from companion.storage.index.search import Hit
from companion.storage.index.tables import routing
from companion.storage.index.tables.captures import find_outcome
from companion.storage.index.tables.promotions import Side, list_young_sides
from companion.storage.index.terms import split_phrases as phrases_of
from companion.storage.journal.journal import Journal
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.lookup.results import (
        SearchHit,
        SearchResult,
    )
    from companion.storage.results import (
        CalledEntry,
        ShiftResult,
    )


def search_wiki(
    ws: Workspace, query: str, *, limit: int = 10, state: str | None = None
) -> "SearchResult":
    """Return the pages and pending captures that have the words of *query*, the best first.

    A page whose title or alias is the whole query comes first. With *state*, only those in it.
    """
    # A shell may hand over bytes that are no text.
    query = query.encode("utf-8", "replace").decode()
    journal = ws.journal()
    db = current_index(ws, journal)
    title_key = links.title_key(query)
    found = _find(ws, db, journal, query, limit, state)
    called = (
        routing.list_mirrored(db, title_key)
        if state in (None, "active")
        else []
    )
    if db is not None:
        found = put_named_first(db, found, called)
    found.sort(key=finder.rank)
    hits = found[:limit]
    sides = list_young_sides(db, ws.now())
    if db is not None and state is None and sides:
        hits = _with_other_sides(db, hits, sides)
    return _results(ws, db, query, called, hits, sides)


def put_named_first(
    db: sqlite3.Connection, found: list[Hit], called: "Sequence[CalledEntry]"
) -> list[Hit]:
    """Return *found* with the entries that the user *called* so ranked first (MaM §5.0, row 1)."""
    if not called:
        return found
    ids = {each["entry"] for each in called}
    best = max((hit.score for hit in found), default=0.0)
    named = [finder.find_entry(db, id, best + 1.0) for id in sorted(ids)]
    others = [hit for hit in found if hit.id not in ids]
    return [hit for hit in named if hit is not None] + others


def _find(
    ws: Workspace,
    db: sqlite3.Connection | None,
    journal: Journal,
    query: str,
    limit: int,
    state: str | None,
) -> list[Hit]:
    phrases = phrases_of(query)
    statistics = finder.read_statistics(db, phrases)
    found: list[Hit] = []
    if db is not None and state == "archived":
        found += finder.find_tombstones(db, phrases, limit)
        found += finder.find_archived_pages(db, phrases, limit)
    elif db is not None and state != "pending":
        found += finder.find_pages(
            db, phrases, statistics, links.title_key(query), limit, state
        )
    if state in (None, "pending"):
        found += finder.find_pending(
            journal.connection, phrases, statistics, limit, ws.who
        )
        found = [
            hit
            for hit in found
            if hit.path is not None or not _is_consumed(db, hit.id)
        ]
    return found


def _is_consumed(db: sqlite3.Connection | None, capture: str) -> bool:
    return db is not None and find_outcome(db, capture) is not None


def _with_other_sides(
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
            else finder.find_entry(db, side.other, hit.score)
        )
        if other is not None and other.id not in seen:
            shown.append(other)
            seen.add(other.id)
    return shown


def _results(
    ws: Workspace,
    db: sqlite3.Connection | None,
    query: str,
    called: "list[CalledEntry]",
    hits: Sequence[Hit],
    sides: Mapping[str, Side],
) -> "SearchResult":
    words = [word for phrase in phrases_of(query) for word in phrase]
    results: list[SearchHit] = []
    for hit in hits:
        shown = describe_hit(ws, hit, words)
        results.append({**shown, "shift": _other_side(sides.get(hit.id))})
    document: SearchResult = {
        "query": query,
        "as_of": newest_run(db),
        "called": called,
        "results": results,
    }
    warning = stale_warning(ws, db)
    if warning is not None:
        document["warning"] = warning
    return document


def _other_side(side: Side | None) -> "ShiftResult | None":
    if side is None:
        return None
    return {
        "other": side.other,
        "title": side.title,
        "role": side.role,
        "branch": side.branch,
        "since": side.since,
    }

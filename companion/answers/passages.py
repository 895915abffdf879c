"""Find the passages of notes nearest to a question that no claim answers (LED-15).

Three rankings are fused into one: by the question's words, by the names in it, and by its meaning.
A passage is one note, also on a page that gathers many.
"""

import sqlite3
from collections.abc import Hashable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.answers.question import Question
from companion.comparison.nearest import (
    embed_quantised,
    embedder_name,
    find_nearest_stored,
    vectors_path,
)
from companion.lookup.excerpts import (
    cut_snippet,
    link_statement,
    read_page_bytes,
)
from companion.lookup.search import search_wiki
from companion.pages.statements import find_statement, moment_of
from companion.storage.index.tables import claims
from companion.storage.index.tables.entries import find_page
from companion.storage.index.tables.pages import list_sides_with_blobs
from companion.storage.index.tables.statements import (
    find_statement_of_capture,
)
from companion.storage.vectors import Vectors
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import (
        PassageResult,
    )
    from companion.lookup.results import (
        SearchHit,
    )


class _Place(NamedTuple):
    """Where a passage stands."""

    entry: str
    statement: str  # empty: the whole page, or a note that waits


Item = TypeVar("Item", bound=Hashable)

# Cormack, Clarke and Büttcher (SIGIR 2009): how little the first places of one ranking decide alone
SMOOTH = 60
_FALL = 0.6  # of the score before: a greater drop is where what fits ends
MOST = 5
_WIDE = 20  # places of one ranking that count
_SHOWN = 200  # characters of a passage


def find_passages(
    ws: Workspace, db: sqlite3.Connection, question: str, asked: Question
) -> "list[PassageResult]":
    """Return the passages nearest to *question*, best first: by meaning, by its words, and by whom
    it names.

    Raises DamagedRef, IndexDamaged or ModelUnavailable.
    """
    hits = _search_words(ws, asked)
    names = [name for name, _, _ in asked.names]
    rankings = {
        "words": list(hits),
        "names": _list_by_name(db, names),
        "meaning": _list_by_meaning(ws, db, question),
    }
    fused = fuse_rankings(rankings)
    count = count_related([score for _, score, _ in fused])
    passages = []
    for place, _, found_by in fused[:count]:
        passage = _read_passage(ws, db, place, found_by, hits.get(place))
        if passage is not None:
            passages.append(passage)
    return passages


def _search_words(ws: Workspace, asked: Question) -> "dict[_Place, SearchHit]":
    """Return the hits of a search for the telling words of the question, by their places."""
    query = " ".join(slot.word for slot in asked.slots)
    if not query:
        return {}
    results = search_wiki(ws, query, limit=_WIDE)["results"]
    return {_Place(hit["id"], hit["statement"] or ""): hit for hit in results}


def _list_by_name(
    db: sqlite3.Connection, names: Sequence[str]
) -> list["_Place"]:
    """Return the places that tell of those named, the newest telling first."""
    told = []
    for name in names:
        told += claims.list_claims_about(db, name)
    told.sort(
        key=lambda claim: (claim.assertion.told_at, claim.assertion.id),
        reverse=True,
    )
    sides = dict.fromkeys(
        (claim.entry, claim.capture) for claim in told if claim.entry
    )
    places = [_find_place(db, *side) for side in islice(sides, _WIDE)]
    return list(dict.fromkeys(places))


def _find_place(db: sqlite3.Connection, entry: str, capture: str) -> "_Place":
    """Return the place of a note; that of a page of one has no statement."""
    placed = find_statement_of_capture(db, capture) if capture else None
    if placed is None:
        return _Place(entry, "")
    return _Place(placed.entry, placed.id)


def _list_by_meaning(
    ws: Workspace, db: sqlite3.Connection, question: str
) -> list["_Place"]:
    """Return the places whose vectors are nearest; none where no night has made vectors.

    Raises ModelUnavailable if vectors are there and their embedder is not.
    """
    from companion.language.static_vectors import StaticEmbedder

    embedder = StaticEmbedder()
    store = Vectors(vectors_path(ws), embedder_name(embedder))

    def list_places(blobs: Sequence[str]) -> list[_Place]:
        """Return the places that hold one of *blobs*."""
        sides = list_sides_with_blobs(db, blobs)
        return [_find_place(db, *side) for side in sides]

    try:
        if not store.count():
            return []
        asked = {"": embed_quantised(embedder, [question])[0]}
        nearest = find_nearest_stored(asked, store.packs, list_places)
        return nearest.get("", [])
    finally:
        store.close()


def _read_passage(
    ws: Workspace,
    db: sqlite3.Connection,
    place: "_Place",
    found_by: Sequence[str],
    hit: "SearchHit | None",
) -> "PassageResult | None":
    """Return the words at *place*, around those of *hit* where a search found it; None: gone."""
    if hit is not None:
        return {
            "id": place.entry,
            "title": hit["title"],
            "path": hit["path"],
            "text": hit["snippet"][:_SHOWN],
            "statement": hit["statement"],
            "when": hit["when"],
            "link": hit["link"],
            "found_by": [*found_by],
        }
    row = find_page(db, place.entry)
    if row is None:
        return None
    text = read_page_bytes(ws, row.path, row.blob).decode("utf-8", "replace")
    passage: PassageResult = {
        "id": place.entry,
        "title": row.title,
        "path": row.path,
        "text": cut_snippet(text, [])[:_SHOWN],
        "statement": None,
        "when": None,
        "link": None,
        "found_by": [*found_by],
    }
    statement = find_statement(text, place.statement)
    if statement is not None:
        passage["text"] = cut_snippet(statement.words, [])[:_SHOWN]
        passage["statement"] = statement.id
        passage["when"] = moment_of(row.title, statement.when)
        passage["link"] = link_statement(row.path, statement.id)
    return passage


# -- several rankings as one -----------------------------------------------------------------------


def fuse_rankings(
    rankings: Mapping[str, Sequence[Item]],
) -> list[tuple[Item, float, tuple[str, ...]]]:
    """Return (item, score, the rankings it stands in), the best first: the sum of 1 / (60 + place)
    over all rankings.

    An item counts once in a ranking, at its first place. Ties go to the item that more rankings
    have, then by its text.
    """
    scores: dict[Item, float] = {}
    found_by: dict[Item, list[str]] = {}
    for name, ranking in sorted(rankings.items()):
        for place, item in enumerate(dict.fromkeys(ranking), 1):
            scores[item] = scores.get(item, 0.0) + 1 / (SMOOTH + place)
            found_by.setdefault(item, []).append(name)

    def rank(item: Item) -> tuple[float, int, str]:
        """Return what the fused ranking is sorted by."""
        return -round(scores[item], 9), -len(found_by[item]), str(item)

    fused = sorted(scores, key=rank)
    return [(item, scores[item], tuple(found_by[item])) for item in fused]


def count_related(scores: Sequence[float], *, most: int = MOST) -> int:
    """Return how many of *scores*, the best first, belong together: up to the first great fall, at
    most *most*.
    """
    for place in range(1, min(len(scores), most)):
        if scores[place] < _FALL * scores[place - 1]:
            return place
    return min(len(scores), most)

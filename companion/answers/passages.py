"""What notes say of a question that no claim answers: three indices as one ranking, and no answer
claimed (LED-15).
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.answers import rank_fusion
from companion.answers.question import Question
from companion.comparison.nearest import (
    embed_quantised,
    embedder_name,
    find_nearest_stored,
    vectors_path,
)
from companion.lookup.excerpts import cut_snippet, read_page_bytes
from companion.lookup.search import search_wiki
from companion.storage.index.tables import claims
from companion.storage.index.tables.entries import find_page
from companion.storage.index.tables.pages import list_entries_with_blobs
from companion.storage.index.vectors import Vectors
from companion.workspace import Workspace

_WIDE = 20  # places of one ranking that count
_SHOWN = 200  # characters of a passage


def find_passages(
    ws: Workspace, db: sqlite3.Connection, question: str, asked: Question
) -> list[dict[str, Any]]:
    """Return the passages nearest to *question*, best first: by meaning, by its words, and by whom
    it names.
    """
    telling = " ".join(slot.word for slot in asked.slots)
    hits = (
        {
            hit["id"]: hit
            for hit in search_wiki(ws, telling, limit=_WIDE)["results"]
        }
        if telling
        else {}
    )
    rankings = {
        "words": list(hits),
        "names": _by_name(db, (name for name, _, _ in asked.names)),
        "meaning": _by_meaning(ws, db, question),
    }
    fused = rank_fusion.fuse_rankings(rankings)
    kept = fused[: rank_fusion.count_related([score for _, score, _ in fused])]
    return [
        passage
        for id, _, found in kept
        if (passage := _passage(ws, db, hits, id, found)) is not None
    ]


def _by_name(db: sqlite3.Connection, names: Iterable[str]) -> list[str]:
    """Return the entries that tell of those named, the newest telling first."""
    told = [said for name in names for said in claims.of_name(db, name)]
    told.sort(
        key=lambda said: (said.assertion.told_at, said.assertion.id),
        reverse=True,
    )
    return list(dict.fromkeys(said.entry for said in told if said.entry))[
        :_WIDE
    ]


def _by_meaning(
    ws: Workspace, db: sqlite3.Connection, question: str
) -> list[str]:
    """Return the entries whose vectors are nearest, where a night has made vectors and their
    embedder is here.
    """
    from companion.language.static_vectors import StaticEmbedder

    embedder = StaticEmbedder()
    store = Vectors(vectors_path(ws), embedder_name(embedder))

    def bearers(blobs: Sequence[str]) -> list[str]:
        return list_entries_with_blobs(db, blobs)

    try:
        if not store.count():
            return []
        asked = {"": embed_quantised(embedder, [question])[0]}
        return find_nearest_stored(asked, store.packs, bearers).get("", [])
    finally:
        store.close()


def _passage(
    ws: Workspace,
    db: sqlite3.Connection,
    hits: Mapping[str, Any],
    id: str,
    found: Sequence[str],
) -> dict[str, Any] | None:
    hit = hits.get(id)
    if hit is None:
        row = find_page(db, id)
        if row is None:
            return None
        text = read_page_bytes(ws, row.path, row.blob).decode(
            "utf-8", "replace"
        )
        hit = {
            "title": row.title,
            "path": row.path,
            "snippet": cut_snippet(text, []),
        }
    return {
        "id": id,
        "title": hit["title"],
        "path": hit["path"],
        "text": hit["snippet"][:_SHOWN],
        "found_by": [*found],
    }

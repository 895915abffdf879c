"""Find the places near to a question by whom it names, and by its meaning."""

import sqlite3
from collections.abc import Sequence
from itertools import islice

from companion.lookup.notes_by_words import Place
from companion.storage.index.tables import claims
from companion.storage.index.tables.pages.names import list_sides_with_blobs
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
)
from companion.workspace import Workspace


def list_by_name(
    db: sqlite3.Connection, names: Sequence[str], most: int
) -> list[Place]:
    """Return the first *most* places that tell of those named, the newest telling first."""
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
    places = [_find_place(db, *side) for side in islice(sides, most)]
    return list(dict.fromkeys(places))


def _find_place(db: sqlite3.Connection, entry: str, capture: str) -> Place:
    """Return the place of a note; that of a page of one has no statement."""
    placed = find_statement_of_capture(db, capture) if capture else None
    if placed is None:
        return Place(entry, "")
    return Place(placed.entry, placed.id)


def list_by_meaning(
    ws: Workspace, db: sqlite3.Connection, question: str, most: int
) -> list[Place]:
    """Return the *most* places whose vectors are nearest; none where no night has made vectors.

    Raises ModelUnavailable if vectors are there and their embedder is not.
    """
    # most of the time of an answer is loading what meaning needs
    from companion.comparison.nearest import (
        embed_quantised,
        embedder_name,
        find_nearest_stored,
        vectors_path,
    )
    from companion.language.vectors.static_vectors import StaticEmbedder
    from companion.storage.vectors import Vectors

    embedder = StaticEmbedder()
    store = Vectors(vectors_path(ws), embedder_name(embedder))

    def list_places(blobs: Sequence[str]) -> list[Place]:
        """Return the places that hold one of *blobs*."""
        sides = list_sides_with_blobs(db, blobs)
        return [_find_place(db, *side) for side in sides]

    try:
        if not store.count():
            return []
        asked = {"": embed_quantised(embedder, [question])[0]}
        nearest = find_nearest_stored(
            asked, store.packs, list_places, most=most
        )
        return nearest.get("", [])
    finally:
        store.close()

"""What passages are worth for being near to a question in meaning. On the hot path of a search.

The static vectors of the index always serve. Where the settings choose the multilingual vectors,
these serve beside them: they know what is said in another language, and the static ones know names
and rare words better (ADR 423).
"""

import sqlite3
from collections.abc import Collection, Mapping

from companion.storage.index.ranking.meaning import (
    NEAREST,
    measure_nearness,
)
from companion.storage.index.ranking.query import (
    Query,
    Statistics,
    weigh_words,
)
from companion.storage.index.search.matches import Match, find_places
from companion.tuples import NamedTuple


class _Leg(NamedTuple):
    """What one kind of vectors tells."""

    by_model: bool  # the vectors of a model, not those of the index
    least: float  # cosine from which a passage without a word of the question is found
    share: (
        float  # of what the best has by its words, to the one that is nearest
    )
    steepness: float  # the near counts more than in proportion


# ADR 204, ADR 236
_STATIC = _Leg(by_model=False, least=0.2, share=1.0, steepness=1.25)
# beside a model; the mean of all texts is taken off the model's vectors (ADR 303, ADR 423)
_BESIDE = _Leg(by_model=False, least=0.2, share=1.0, steepness=2.0)
_BY_MODEL = _Leg(by_model=True, least=0.12, share=1.25, steepness=2.0)


def add_meaning(
    db: sqlite3.Connection,
    found: list[Match],
    query: Query,
    stats: Statistics,
    state: str | None,
) -> list[Match]:
    """Return *found*, and what is near to the question in meaning, each with what that is worth."""
    best = max((one.score for one in found), default=1.0)
    known = {one.doc for one in found}
    cosines = measure_nearness(db, weigh_words(query, stats), known)
    if query.near is None:
        return _add_leg(db, found, cosines, best, state, _STATIC)
    whole = _add_leg(db, found, cosines, best, state, _BESIDE)
    near = _list_near(query.near, {one.doc for one in whole})
    return _add_leg(db, whole, near, best, state, _BY_MODEL)


def _add_leg(
    db: sqlite3.Connection,
    found: list[Match],
    cosines: Mapping[int, float],
    best: float,
    state: str | None,
    leg: _Leg,
) -> list[Match]:
    """Return *found*, and what is near by *leg*, each with its part of *best*."""
    most = max(cosines.values(), default=0.0)
    if most < leg.least:
        return found
    known = {one.doc for one in found}
    others = [
        doc
        for doc, cosine in cosines.items()
        if doc not in known and cosine >= leg.least
    ]
    whole = [*found, *find_places(db, others, state)]
    share = leg.share * best
    return [
        _come_near(one, leg, share * (cosines[one.doc] / most) ** leg.steepness)
        if one.doc in cosines
        else one
        for one in whole
    ]


def _come_near(one: Match, leg: _Leg, worth: float) -> Match:
    """Return *one* with what it is *worth* by *leg*."""
    if leg.by_model:
        return one._replace(by_model=worth * one.alive)
    return one._replace(near=worth * one.alive)


def _list_near(
    cosines: Mapping[int, float], known: Collection[int]
) -> dict[int, float]:
    """Return the *cosines* above 0 of the passages *known* and of those that are nearest of all."""
    ranked = sorted(cosines, key=lambda doc: (-cosines[doc], doc))
    nearest = ranked[:NEAREST]
    return {
        doc: cosines[doc]
        for doc in {*nearest, *known}
        if cosines.get(doc, 0.0) > 0
    }

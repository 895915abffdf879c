"""Notes that wait for a night, among the passages that answer a question.

A waiting note has no vector yet, and nothing stands around it. So it counts as near as its words
are, by what the passage with most words has beside its own; and told after the first of all, by the
same and with as much of the question, it stands above it (`ranking.later` says so of passages).
On the hot path of a search.
"""

from collections.abc import Sequence

from companion.language.words import snowball
from companion.storage.index.ranking.bm25 import count_phrase
from companion.storage.index.ranking.later import (
    ABOVE,
    CLOSE,
    CLOSE_ABOVE,
    NEARLY,
    asks_what_holds,
)
from companion.storage.index.ranking.query import Query
from companion.storage.index.ranking.spans import are_over
from companion.storage.index.search.hits import Hit, rank
from companion.storage.index.terms import add_parts, split_words

# what a passage has beside its words, and a waiting note has not yet
_NOT_YET = ("meaning", "vectors", "session")


def place_waiting(
    waiting: Sequence[Hit], passages: Sequence[Hit], query: Query
) -> list[Hit]:
    """Return *waiting* with the worth that each has beside *passages*."""
    fullest = max(passages, key=_count_words, default=None)
    if fullest is None or not query.is_question or not _count_words(fullest):
        return list(waiting)
    more = sum(dict(fullest.parts).get(name, 0.0) for name in _NOT_YET)
    share = more / _count_words(fullest)
    placed = [_add(hit, "waiting", share * hit.score) for hit in waiting]
    first = min(passages, key=rank)
    newer = [hit for hit in placed if _says_anew(hit, first, query)]
    if not newer or are_over(query.spans) or not asks_what_holds(query.words):
        return placed
    newest = max(newer, key=lambda hit: (hit.time or "", hit.id))
    gap = max(first.score - newest.score, 0.0)
    lifted = _add(newest, "later", gap + ABOVE * first.score)
    return [lifted if hit is newest else hit for hit in placed]


def _count_words(hit: Hit) -> float:
    return dict(hit.parts).get("words", 0.0)


def _add(hit: Hit, name: str, worth: float) -> Hit:
    parts = (*hit.parts, (name, worth))
    return hit._replace(score=hit.score + worth, parts=parts)


def _says_anew(hit: Hit, first: Hit, query: Query) -> bool:
    """Tell whether *hit* was told after *first*, by the same, and has as much of *query*."""
    if hit.speaker != first.speaker or (hit.time or "") <= (first.time or ""):
        return False
    if _has_all(hit, query):
        return hit.score >= CLOSE_ABOVE * first.score
    has_most = _count_words(hit) >= NEARLY * _count_words(first)
    return has_most and hit.score >= CLOSE * first.score


def _has_all(hit: Hit, query: Query) -> bool:
    """Tell whether a waiting note has each of the telling words of *query*."""
    text = add_parts((hit.content or b"").decode("utf-8", "replace"))
    _, stems = snowball.stem_text(split_words(text), query.languages)
    return all(
        any(count_phrase(stems, one) for one in same)
        for same in query.telling.values()
    )

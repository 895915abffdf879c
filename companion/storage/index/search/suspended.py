"""What a suspended statement leaves of the score of its page (AUD-1)."""

from collections.abc import Sequence

from companion.storage.index.ranking.bm25 import score_bm25
from companion.storage.index.ranking.query import Phrase, Statistics
from companion.storage.index.search.matches import Match
from companion.tuples import NamedTuple


class TextLeft(NamedTuple):
    """The rest of a page's own words while a statement of it is suspended (AUD-1), as stems."""

    path: str
    title: Sequence[str]
    whole: Sequence[str]
    title_left: Sequence[str]
    left: Sequence[str]


def lower(
    found: list[Match],
    left: TextLeft | None,
    phrases: Sequence[Phrase],
    stats: Statistics,
) -> list[Match]:
    """Leave the page of *left* the share of its score that its own words still have."""
    if left is None:
        return found
    whole = score_bm25(left.title, left.whole, phrases, stats)
    rest = score_bm25(left.title_left, left.left, phrases, stats)
    return _scale(found, left.path, rest / whole if whole > 0 else 0.0)


def lower_near(found: list[Match], left: TextLeft | None) -> list[Match]:
    """Leave the page of *left* no meaning: its vector is of all of its words."""
    if left is None:
        return found
    kept = []
    for one in found:
        if one.path == left.path and not one.statement:
            one = one._replace(near=0.0, by_model=0.0)
        if one.worth > 0:
            kept.append(one)
    return kept


def lower_prefixed(
    found: list[Match], left: TextLeft | None, phrases: Sequence[Phrase]
) -> list[Match]:
    """Do the same where words are found by how they begin: by the share of matches."""
    if left is None:
        return found
    beginnings = tuple(phrase[-1] for phrase in phrases)
    whole = _count_beginnings([*left.title, *left.whole], beginnings)
    rest = _count_beginnings([*left.title_left, *left.left], beginnings)
    return _scale(found, left.path, rest / max(whole, 1))


def _scale(found: list[Match], path: str, share: float) -> list[Match]:
    kept = []
    for one in found:
        if one.path == path and not one.statement:
            one = one._replace(score=one.score * share)
        if one.score > 0:
            kept.append(one)
    return kept


def _count_beginnings(words: Sequence[str], beginnings: tuple[str, ...]) -> int:
    return sum(word.startswith(beginnings) for word in words)

"""Room for other conversations among the first results.

What was told in one conversation shares its worth: the best day fills a page of results, and the
one beside it, which may hold the answer, gets no place. So from the eighth place on a passage
counts the less, the more of its day stand above it (Carbonell and Goldstein 1998). Days on which
one person spoke alone are left as they are. On the hot path of a search.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from companion.storage.index.ranking.tellings import Telling

FIRST = 7  # results that stand where they are
# of its worth, what a passage keeps for each one of its day above it (ADR 239)
AGAIN = 0.95


def list_conversations(told: Iterable[Telling]) -> frozenset[str]:
    """Return the days on which several people spoke, of what was found."""
    speakers: dict[str, set[str | None]] = {}
    for one in told:
        speakers.setdefault(one.told_at[:10], set()).add(one.speaker)
    return frozenset(day for day, some in speakers.items() if len(some) > 1)


def spread_days(
    ranked: Sequence[tuple[float, str]], limit: int
) -> list[tuple[int, float]]:
    """Return the places in *ranked* of the first *limit* results, in their order, and what each
    loses.

    *ranked* is the worth of each result, the best first, and the day of its conversation, or "".
    """
    if len(ranked) <= FIRST or len({day for _, day in ranked}) < 2:
        return [(place, 0.0) for place in range(min(limit, len(ranked)))]
    shown = [(place, 0.0) for place in range(FIRST)]
    above = Counter(day for _, day in ranked[:FIRST])
    waiting = _list_by_day(ranked)

    def lower(place: int) -> float:
        worth, day = ranked[place]
        return worth * AGAIN ** above[day] if day and worth > 0 else worth

    while waiting and len(shown) < limit:
        heads = (places[-1] for places in waiting.values())
        best = max(heads, key=lambda place: (lower(place), -place))
        worth, day = ranked[best]
        shown.append((best, worth - lower(best)))
        above[day] += 1
        waiting[day].pop()
        if not waiting[day]:
            del waiting[day]
    return shown[:limit]


def _list_by_day(ranked: Sequence[tuple[float, str]]) -> dict[str, list[int]]:
    """Return the places that follow the first ones, by day, the best last."""
    places: dict[str, list[int]] = {}
    for place in reversed(range(FIRST, len(ranked))):
        places.setdefault(ranked[place][1], []).append(place)
    return places

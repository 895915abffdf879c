"""When something was so: what the times in a sentence say of it together."""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from companion.language.times.calendar import PRECISIONS, format_moment
from companion.language.times.mentions import Mention
from companion.values.claims import Period, Precision


class _Bounds(NamedTuple):
    start: datetime | None
    end: datetime | None


def period_of(
    mentions: Iterable[Mention], *, onset: bool, lasting: bool = False
) -> Period:
    """Return what *mentions* together say of when something was so.

    *onset*: the statement names a beginning ("moved", "joined"), so a plain time is where it starts
    and it goes on from there. *lasting*: it says "has been", so "for two years" reaches to now.
    Where the bounds contradict each other (an end before its beginning), only the first said
    counts.
    """
    period = _Bounds(None, None)
    exact: list[Precision] = []
    for mention in sorted(mentions, key=_order):
        bounds = _bounds(mention, onset=onset, lasting=lasting)
        narrowed = _narrowed(period, bounds)
        if narrowed is not None:
            period = narrowed
            exact.append(mention.stretch.precision)
    if not exact:
        return Period()
    coarsest = min(exact, key=PRECISIONS.index)
    return Period(
        _instant(period.start), _instant(period.end), coarsest, stated=True
    )


def _narrowed(period: _Bounds, bounds: _Bounds) -> _Bounds | None:
    """Return *period* with the *bounds* of another time, None where these say nothing more."""
    start, end = bounds
    if start is None:
        start = period.start
    elif end is None and period.start is not None:
        return None  # it would begin again
    if end is None:
        end = period.end
    if bounds == (None, None) or not _is_within(bounds, period):
        return None
    if start is not None and end is not None and start >= end:
        return None
    return _Bounds(start, end)


def _order(mention: Mention) -> tuple[bool, int]:
    """Order times that bound something before those that only name a time."""
    return mention.role in ("none", "at", "ago"), mention.start


def _is_within(bounds: _Bounds, period: _Bounds) -> bool:
    """Tell whether *bounds* lie within *period*, as far as both are known."""
    if (
        period.start is not None
        and bounds.start is not None
        and bounds.start < period.start
    ):
        return False
    return period.end is None or bounds.end is None or bounds.end <= period.end


def _bounds(mention: Mention, *, onset: bool, lasting: bool) -> _Bounds:
    """Return between which moments something is so by one *mention*."""
    role = mention.role
    start = mention.stretch.start
    end = mention.stretch.end
    if role == "before":
        return _Bounds(None, start)
    if role == "after":
        return _Bounds(end, None)
    if role == "until":
        # "until 2019" lies somewhere in 2019; "until 5 pm" is that moment
        if mention.stretch.precision in ("hour", "minute", "second"):
            return _Bounds(None, start)
        return _Bounds(None, end)
    if role == "duration":
        if lasting:
            return _Bounds(start, None)
        return _Bounds(None, None)
    if onset or role in ("since", "onward", "as_of", "by"):
        return _Bounds(start, None)
    return _Bounds(start, end)


def _instant(moment: datetime | None) -> str | None:
    if moment is None:
        return None
    return format_moment(moment)

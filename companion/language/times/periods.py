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
        begins_again = (
            period.start is not None
            and bounds.start is not None
            and bounds.end is None
        )
        if (
            bounds == (None, None)
            or begins_again
            or not _is_within(bounds, period)
        ):
            continue
        start = period.start if bounds.start is None else bounds.start
        end = period.end if bounds.end is None else bounds.end
        if start is not None and end is not None and start >= end:
            continue
        period = _Bounds(start, end)
        exact.append(mention.found.precision)
    if not exact:
        return Period()
    coarsest = min(exact, key=PRECISIONS.index)
    return Period(
        _instant(period.start), _instant(period.end), coarsest, stated=True
    )


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
    start, end = mention.found.start, mention.found.end
    if mention.role in ("since", "onward", "as_of", "by"):
        return _Bounds(start, None)
    if mention.role == "after":
        return _Bounds(end, None)
    if mention.role == "before":
        return _Bounds(None, start)
    # "until 2019" lies somewhere in 2019; "until 5 pm" is that moment
    if mention.role == "until":
        is_moment = mention.found.precision in ("hour", "minute", "second")
        return _Bounds(None, start if is_moment else end)
    if mention.role == "duration":
        return _Bounds(start if lasting else None, None)
    return _Bounds(start, None if onset else end)


def _instant(moment: datetime | None) -> str | None:
    return None if moment is None else format_moment(moment)

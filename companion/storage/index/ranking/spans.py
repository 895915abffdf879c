"""What was told in a time that a question names, or soon after it: "last week", "in July".

Who tells what happened does so then, or not much later. On the hot path of a search.
"""

from collections.abc import Mapping, Sequence

from companion.storage.index.ranking.tellings import Telling
from companion.tuples import NamedTuple

# of what a passage has, what it gets that was told in a time that the question names
IN_TIME = 0.5
# the same, told as long after that time as it lasts
SOON = 0.25


class Span(NamedTuple):
    """A time: two instants (RFC 3339 UTC), half-open."""

    start: str
    end: str
    goes_on: bool = False  # it is not over yet


def share_of_span(spans: Sequence[Span], told_at: str) -> float:
    """Return what a note that was told at *told_at* gets, of what it has, for *spans*."""
    return max((_share(span, told_at) for span in spans), default=0.0)


def are_over(spans: Sequence[Span]) -> bool:
    """Tell whether *spans* name what is over: who does so wants what was so then."""
    return bool(spans) and not any(span.goes_on for span in spans)


def lift_told_then(
    spans: Sequence[Span],
    worths: Mapping[int, float],
    told: Mapping[int, Telling],
) -> dict[int, float]:
    """Return what each passage of *worths* gets that was told in one of *spans*, or soon after."""
    lifts = {}
    for doc in worths.keys() & told.keys():
        share = share_of_span(spans, told[doc].told_at)
        if share:
            lifts[doc] = share * worths[doc]
    return lifts


def _share(span: Span, told_at: str) -> float:
    if told_at < span.start:
        return 0.0
    if told_at < span.end:
        return IN_TIME
    return SOON if told_at < _find_second_end(span) else 0.0


def _find_second_end(span: Span) -> str:
    """Return when *span* would end if it lasted twice as long."""
    # few queries name a time
    from datetime import datetime

    start, end = map(datetime.fromisoformat, (span.start, span.end))
    return (end + (end - start)).isoformat(timespec="microseconds")

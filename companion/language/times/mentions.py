"""Times that a text names, and what two of them beside each other mean together."""

from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from re import Pattern

from companion.annotations import Literal
from companion.language.times import calendar
from companion.language.times.calendar import Stretch
from companion.tuples import NamedTuple

Role = Literal[
    "since",
    "onward",
    "as_of",
    "until",
    "before",
    "after",
    "by",
    "at",
    "duration",
    "ago",
    "none",
]
Tense = Literal["past", "present", "future"]
_BEGINNING_ROLES = ("since", "onward", "none", "at")
_MAX_BETWEEN = 3  # characters between a day and its hour
_YEARS_AROUND = range(-9, 10)


class Mention(NamedTuple):
    """A time named in a text."""

    start: int  # with the words before it that say what it is for
    end: int
    role: Role
    stretch: Stretch
    loose: bool = False  # said without a year
    # the words that mean another day where they are read on another: "tomorrow", "next week"
    relative: tuple[int, int] | None = None


class _Pair(NamedTuple):
    first: Mention
    second: Mention


def join_ranges(
    mentions: list[Mention],
    text: str,
    joins: Pattern[str],
    now: datetime | None,
) -> list[Mention]:
    """Return the mentions with the second of two joined times as the end of the first.

    "From 2019 to 2021", "2019-2021". *joins* matches what joins two times; *now* is given where the
    present is spoken of.
    """
    joined = list(mentions)
    for at, (first, second) in enumerate(pairwise(mentions)):
        between = text[first.end : second.start]
        if not _are_joined(first, second, between, joins):
            continue
        pair = _in_one_year(_around_now(_Pair(first, second), now))
        joined[at] = pair.first._replace(role="since")
        joined[at + 1] = pair.second._replace(
            role="until", start=pair.first.end
        )
    return joined


def _are_joined(
    first: Mention, second: Mention, between: str, joins: Pattern[str]
) -> bool:
    """Tell whether the words *between* two times make the second one the end of the first."""
    if second.role == "until":
        return not between.strip() or joins.fullmatch(between) is not None
    if first.role not in _BEGINNING_ROLES:
        return False
    return joins.fullmatch(between) is not None


def join_hours(mentions: list[Mention]) -> list[Mention]:
    """Return the mentions with a time of day put onto the day that is named right beside it."""
    joined: list[Mention] = []
    for mention in mentions:
        both = None
        if joined:
            both = _day_with_hour(joined[-1], mention)
        if both is None:
            joined.append(mention)
        else:
            joined[-1] = both
    return joined


def _day_with_hour(last: Mention, mention: Mention) -> Mention | None:
    """Return a day and a time of day as one mention, None where they are not one."""
    if mention.start - last.end > _MAX_BETWEEN or mention.role == "until":
        return None
    day = last.stretch
    hour = mention.stretch
    if hour.precision == "day":
        day = mention.stretch
        hour = last.stretch
    if day.precision != "day" or hour.precision not in ("hour", "minute"):
        return None
    shift = day.start - calendar.around(hour.start, "day").start
    moment = Stretch(hour.start + shift, hour.end + shift, hour.precision)
    role = last.role
    if role == "none":
        role = mention.role
    relative = last.relative or mention.relative
    return Mention(last.start, mention.end, role, moment, relative=relative)


def _around_now(pair: _Pair, now: datetime | None) -> _Pair:
    """Return a pair whose first time began before *now*.

    "From December to February", said in January: what is to end soon began already.
    """
    first, second = pair
    if now is None or first.role != "onward":
        return pair
    if not first.loose or not second.loose:
        return pair
    year_ago = calendar.add(now, -12, "month")
    second = _in_nearest_year(
        second, lambda one: one.end > now and one.start >= year_ago
    )
    begin = second.stretch.start
    first = _in_nearest_year(first, lambda one: one.start <= begin)
    return _Pair(first, second)


def _in_one_year(pair: _Pair) -> _Pair:
    """Return a pair with the year of one for the other: "from May to June 2025"."""
    first, second = pair
    begin = first.stretch.start
    end = second.stretch.start
    if second.loose:
        second = _in_nearest_year(second, lambda one: one.start > begin)
    elif first.loose:
        first = _in_nearest_year(
            first, lambda one: one.start <= end and one.end <= end
        )
    return _Pair(first, second)


def _in_nearest_year(
    mention: Mention, fits: Callable[[Stretch], bool]
) -> Mention:
    """Return the yearless *mention* in the nearest year in which it fits; as it is in none."""
    unit = "day"
    if mention.stretch.precision == "month":
        unit = "month"
    for step in sorted(_YEARS_AROUND, key=lambda step: (abs(step), step)):
        start = calendar.add(mention.stretch.start, 12 * step, "month")
        moved = calendar.around(start, unit)
        if fits(moved):
            return mention._replace(stretch=moved)
    return mention

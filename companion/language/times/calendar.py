"""Calendar arithmetic for valid time: half-open stretches of time as people name them.

Each is as exact as it was said.

Pure: every relative stretch is taken from a moment that is an argument. All moments are naive
datetimes in UTC. Conventions, each the nearest reading that cannot be wrong by more than the
precision it reports: weeks begin on Monday; seasons are the northern meteorological ones and a
winter belongs to the year in which it began; "last X" is the latest X that was over before now's
own X began, "next X" the first that begins after it ends; a season, a quarter or a week is a
stretch of months or days, so its precision is "month" or "day".
"""

import re
from collections.abc import Callable, Iterator
from datetime import MAXYEAR, datetime, timedelta

from companion.tuples import NamedTuple
from companion.values.claims import Precision

# coarse to fine
PRECISIONS: tuple[Precision, ...] = (
    "year",
    "month",
    "day",
    "hour",
    "minute",
    "second",
)
# of a common year; to import `calendar` takes longer than to read a question
_DAYS_OF_MONTH = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
# first month of each
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
_MONTHS = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120}
_SECONDS = {
    "week": 604_800,
    "day": 86_400,
    "hour": 3600,
    "minute": 60,
    "second": 1,
}
_PRECISION: dict[str, Precision] = {
    **{name: name for name in PRECISIONS},
    "decade": "year",
    "quarter": "month",
    "season": "month",
    "week": "day",
    "weekend": "day",
}
_SATURDAY = 5


class Stretch(NamedTuple):
    """A named stretch of time [start, end)."""

    start: datetime
    end: datetime
    precision: Precision


class NoSuchTime(ValueError):
    """The calendar has no such time, or it falls outside the years 0001 to 9999."""


def precision_of(unit: str) -> Precision:
    """Return the precision of a *unit*: second … year, week, weekend, quarter, season, decade."""
    return _PRECISION[unit]


def add(moment: datetime, count: int, unit: str) -> datetime:
    """Return *moment* moved by *count* units; 31 January and 1 month is the last of February.

    Raises NoSuchTime outside the years 0001 to 9999.
    """
    if unit == "weekend":
        unit = "week"
    try:
        if unit in _SECONDS:
            return moment + timedelta(seconds=count * _SECONDS[unit])
        year, month = divmod(
            moment.year * 12 + moment.month - 1 + count * _MONTHS[unit], 12
        )
        return moment.replace(
            year=year,
            month=month + 1,
            day=min(moment.day, _days(year, month + 1)),
        )
    except (OverflowError, ValueError) as error:
        raise NoSuchTime(f"{count} {unit}s from {moment:%Y-%m-%d}") from error


def around(moment: datetime, unit: str) -> Stretch:
    """Return the *unit* in which *moment* lies."""
    start = _floor(moment, unit)
    return Stretch(start, _after(start, unit), precision_of(unit))


def neighbour(moment: datetime, count: int, unit: str) -> Stretch:
    """Return the whole *unit* that lies *count* units from *moment*'s: -1 last, 0 this, 1 next."""
    return around(add(_floor(moment, unit), count, unit), unit)


def year(number: int) -> Stretch:
    """Return the year *number*."""
    return around(_moment(number), "year")


def month(number: int, month_number: int) -> Stretch:
    """Return one month of the year *number*."""
    return around(_moment(number, month_number), "month")


def day(number: int, month_number: int, day_number: int) -> Stretch:
    """Return one day; raises NoSuchTime for a 29 February in a common year."""
    return around(_moment(number, month_number, day_number), "day")


def season(number: int, name: str) -> Stretch:
    """Return a season of the year *number*; its winter runs from December to the next February."""
    return around(_moment(number, SEASONS[name]), "season")


def quarter(number: int, which: int) -> Stretch:
    """Return the quarter *which* (1 to 4) of the year *number*."""
    return around(_moment(number, which * 3 - 2), "quarter")


def clock(
    on: Stretch, hour: int, minute: int | None, second: int | None = None
) -> Stretch:
    """Return a time of day on the day where *on* begins, exactly as far as it was said.

    Raises NoSuchTime if no day has it.
    """
    unit = "second"
    if minute is None:
        unit = "hour"
    elif second is None:
        unit = "minute"
    try:
        moment = on.start.replace(
            hour=hour, minute=minute or 0, second=second or 0
        )
    except ValueError as error:
        raise NoSuchTime(f"{hour}:{minute}") from error
    return around(moment, unit)


def recurring(
    at: datetime,
    find: Callable[[int], Stretch],
    *,
    direction: int,
    strict: bool,
) -> Stretch:
    """Return the occurrence of something that recurs, nearest to *at*.

    *find* gives its occurrence number n, counted from the one in *at*'s own year or week. direction
    -1: the latest that has begun, +1: the first that has not ended; *strict* leaves out the one in
    which *at* lies. Raises NoSuchTime if none is within nine occurrences.
    """
    for number in _occurrences(direction):
        try:
            occurrence = find(number)
        except NoSuchTime:
            continue  # 29 February in a common year: the next candidate
        if occurrence.start <= at < occurrence.end:
            if strict:
                continue
            return occurrence
        if _lies_towards(occurrence, at, direction):
            return occurrence
    raise NoSuchTime("no occurrence near enough")


def _lies_towards(occurrence: Stretch, at: datetime, direction: int) -> bool:
    """Tell whether an *occurrence* is over before *at* (direction -1), or begins after it (+1)."""
    if direction < 0:
        return occurrence.end <= at
    return occurrence.start > at


def month_near(
    at: datetime, number: int, *, direction: int, strict: bool = False
) -> Stretch:
    """Return the month *number* nearest to *at*: "since March" said in February is last year's."""
    return recurring(
        at,
        lambda n: month(at.year + n, number),
        direction=direction,
        strict=strict,
    )


def day_near(
    at: datetime,
    month_number: int,
    day_number: int,
    *,
    direction: int,
    strict: bool = False,
) -> Stretch:
    """Return the day of a year nearest to *at*."""
    return recurring(
        at,
        lambda n: day(at.year + n, month_number, day_number),
        direction=direction,
        strict=strict,
    )


def season_near(
    at: datetime, name: str, *, direction: int, strict: bool = False
) -> Stretch:
    """Return the season nearest to *at*."""
    return recurring(
        at,
        lambda n: season(at.year + n, name),
        direction=direction,
        strict=strict,
    )


def weekday_near(
    at: datetime, number: int, *, direction: int, strict: bool = False
) -> Stretch:
    """Return the weekday *number* (Monday 0) nearest to *at*."""
    monday = _floor(at, "week")
    return recurring(
        at,
        lambda n: around(add(monday, 7 * n + number, "day"), "day"),
        direction=direction,
        strict=strict,
    )


def last_weekend(at: datetime) -> Stretch:
    """Return the weekend in which *at* lies, or the last one before it."""
    weekend = neighbour(at, 0, "weekend")
    if weekend.start > at:
        return neighbour(at, -1, "weekend")
    return weekend


def weekday_of(at: datetime, number: int, weeks: int) -> Stretch:
    """Return the weekday *number* of the week that lies *weeks* from *at*'s.

    "Next Friday" is next week's.
    """
    return around(add(_floor(at, "week"), 7 * weeks + number, "day"), "day")


def format_moment(moment: datetime) -> str:
    """Return a moment as a canonical instant: RFC 3339 in UTC, with microseconds."""
    return moment.isoformat(timespec="microseconds") + "Z"


def parse_moment(instant: str) -> datetime:
    """Return a canonical instant as a moment; raises ValueError if it is none."""
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", instant):
        raise ValueError("an event time is a canonical instant in UTC")
    return datetime.fromisoformat(instant[:-1])


def _occurrences(direction: int) -> Iterator[int]:
    # one beyond, for direction counts from there; 8 years: 1896 to 1904
    for distance in range(-1, 10):
        yield direction * distance


def _floor(moment: datetime, unit: str) -> datetime:
    """Return the beginning of the *unit* in which *moment* lies."""
    moment = moment.replace(microsecond=0)
    if unit == "second":
        return moment
    minute = moment.replace(second=0)
    if unit == "minute":
        return minute
    hour = minute.replace(minute=0)
    if unit == "hour":
        return hour
    midnight = hour.replace(hour=0)
    if unit == "day":
        return midnight
    if unit == "week":
        return add(midnight, -moment.weekday(), "day")
    if unit == "weekend":
        return add(midnight, _SATURDAY - moment.weekday(), "day")
    first = midnight.replace(day=1)
    if unit == "season":
        return add(first, -(moment.month % 3), "month")
    total = moment.year * 12 + moment.month - 1
    year, month = divmod(total - total % _MONTHS[unit], 12)
    return first.replace(year=max(year, 1), month=month + 1)


def _after(start: datetime, unit: str) -> datetime:
    try:
        if unit == "weekend":
            return add(start, 2, "day")
        return add(start, 1, unit)
    except NoSuchTime:
        return datetime.max  # noqa: DTZ901 - the last unit of the calendar ends with the calendar


def _moment(
    year_number: int, month_number: int = 1, day_number: int = 1
) -> datetime:
    try:
        return datetime(year_number, month_number, day_number)  # noqa: DTZ001 - naive is UTC here
    except (ValueError, OverflowError) as error:
        raise NoSuchTime(
            f"{year_number}-{month_number}-{day_number}"
        ) from error


def _days(year_number: int, month_number: int) -> int:
    if not 1 <= year_number <= MAXYEAR:
        raise NoSuchTime(f"the year {year_number}")
    if month_number == 2 and _is_leap(year_number):
        return 29
    return _DAYS_OF_MONTH[month_number - 1]


def _is_leap(year_number: int) -> bool:
    """Tell whether a year of the Gregorian calendar has a day more."""
    if year_number % 100 == 0:
        return year_number % 400 == 0
    return year_number % 4 == 0

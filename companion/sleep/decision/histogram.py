"""When a person usually works: a histogram over the hours of the week, in their local time.

Each hour of the week has the share of recent weeks in which something happened in it. Weeks count
less the older they are. The histogram is computed from the journal when it is needed and stored
nowhere.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

HOURS = 168  # of a week; hour 0 is Monday, 00:00 to 01:00
#: days after which a week counts half
HALF_LIFE = 28.0
#: days that are looked back at
REACH = 84
#: share of weeks from which an hour counts as usual, and below which as free
USUAL = 0.35
FREE = 0.12
#: weeks that the hours of all days stand for, where few weeks are known
_PRIOR = 1.0
#: days of use before anything is predicted
LEAST_DAYS = 4


class Histogram(NamedTuple):
    """The share of weeks with an interaction, for every hour of the week."""

    shares: tuple[float, ...]  # 168 of them, Monday's first hour first
    days: int  # days that it rests on, from the first interaction to today
    used: int = 0  # of these, the days with an interaction

    @property
    def predicts(self) -> bool:
        """Whether enough days are known."""
        return self.used >= LEAST_DAYS and max(self.shares) >= USUAL


def make_histogram(moments: Iterable[datetime], now: datetime) -> Histogram:
    """Return the histogram of *moments*, local wall times without zones, as of *now*.

    A moment after *now* or more than `REACH` days before it counts nothing: a clock that jumped
    once does not move the nights.
    """
    since = now - timedelta(days=REACH)
    hours = {_hour_of(moment) for moment in moments if since <= moment <= now}
    if not hours:
        return Histogram((0.0,) * HOURS, 0)
    first = min(hours).date()
    days = (now.date() - first).days + 1
    present = [0.0] * HOURS
    for hour in hours:
        present[_place(hour)] += _weight(now, hour)
    weights = _weigh_days([first + timedelta(days=n) for n in range(days)], now)
    used = len({hour.date() for hour in hours})
    return Histogram(tuple(_shares(present, weights)), days, used)


def next_usual_hour(usual: Histogram, now: datetime) -> float | None:
    """Return the minutes until the person usually begins; 0 within a usual hour.

    None where no hour of the next two days is usual.
    """
    if not usual.predicts:
        return None
    for ahead, share in enumerate(_shares_from(usual, now, 48)):
        if share >= USUAL:
            return _minutes_until(now, ahead)
    return None


def find_window(
    usual: Histogram,
    now: datetime,
    lasts: float,
    awake: Sequence[float] | None = None,
) -> float | None:
    """Return in how many minutes a night of *lasts* minutes would disturb least.

    That is the middle of the longest free stretch of the day around *now*; 0 where this is past and
    the stretch still has room. With *awake*, the share of weeks in which the machine ran in each
    hour, only hours count in which it usually runs: a laptop that is closed at night sleeps at
    noon. None where nothing is predicted or no stretch is long enough.
    """
    if not usual.predicts:
        return None
    stretches = _free_stretches(usual, now, awake)
    fitting = [s for s in stretches if s.end - max(s.start, 0.0) > lasts]
    if not fitting:
        return None
    best = max(fitting, key=lambda s: (min(s.end - s.start, 480.0), -s.start))
    middle = best.start + (best.end - best.start - lasts) / 2
    return max(0.0, middle)


class _Stretch(NamedTuple):
    start: float  # minutes from now; negative where it has begun
    end: float


def _list_free_hours(
    usual: Histogram, begin: datetime, awake: Sequence[float] | None
) -> list[bool]:
    """Return for each of 48 hours from *begin* whether it is free."""
    free = []
    for ahead, share in enumerate(_shares_from(usual, begin, 48)):
        place = (_place(begin) + ahead) % HOURS
        is_awake = awake is None or awake[place] >= USUAL
        free.append(share < FREE and is_awake)
    return free


def _free_stretches(
    usual: Histogram, now: datetime, awake: Sequence[float] | None
) -> list[_Stretch]:
    """Return the free stretches that end within the next day, the first one first."""
    begin = now - timedelta(hours=18)
    stretches: list[_Stretch] = []
    opened: float | None = None
    # what is free to the end is closed there
    free = [*_list_free_hours(usual, begin, awake), False]
    for ahead, is_free in enumerate(free):
        starts = _minutes_until(begin, ahead, whole=True) - 18 * 60
        if is_free and opened is None:
            opened = starts
        if not is_free and opened is not None:
            stretches.append(_Stretch(opened, starts))
            opened = None
    return [s for s in stretches if s.end > 0 and s.start < 24 * 60]


def _shares_from(
    usual: Histogram, now: datetime, hours: int
) -> Iterable[float]:
    first = _place(now)
    return (usual.shares[(first + ahead) % HOURS] for ahead in range(hours))


def _minutes_until(now: datetime, ahead: int, *, whole: bool = False) -> float:
    """Return the minutes from *now* to the hour that is *ahead* hours later.

    The present hour has begun: 0, or with *whole* the minutes since, below 0.
    """
    minutes = ahead * 60.0 - now.minute - now.second / 60
    return minutes if whole else max(0.0, minutes)


def _hour_of(moment: datetime) -> datetime:
    return moment.replace(minute=0, second=0, microsecond=0)


def _place(moment: datetime) -> int:
    return moment.weekday() * 24 + moment.hour


def _weight(now: datetime, moment: datetime) -> float:
    age = (now - moment).total_seconds() / 86_400
    return float(0.5 ** (max(0.0, age) / HALF_LIFE))


def _weigh_days(days: Iterable[date], now: datetime) -> list[float]:
    """Return the weight that each weekday has, Monday first."""
    weights = [0.0] * 7
    for day in days:
        noon = datetime.combine(day, time(12))
        weights[day.weekday()] += _weight(now, noon)
    return weights


def _shares(present: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Return the share of each hour of the week, drawn towards that hour of all days."""
    total = sum(weights)
    shares = []
    for place, weight in enumerate(present):
        day, hour = divmod(place, 24)
        same_hour = sum(present[hour::24]) / total
        known = weights[day] + _PRIOR
        share = (weight + _PRIOR * same_hour) / known
        shares.append(min(1.0, share))
    return shares

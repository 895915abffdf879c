"""Instants as text: RFC 3339 in UTC with microseconds, fixed width, so that strings sort as
times.
"""

import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from companion.errors import CompanionError
from companion.tuples import NamedTuple

_SHAPE = (
    r"(?P<year>[0-9]{4,})"
    r"(?:-(?P<month>[0-9]{2})"
    r"(?:-(?P<day>[0-9]{2})"
    r"(?:[Tt ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})"
    r"(?::(?P<second>[0-9]{2})(?:[.,](?P<fraction>[0-9]+))?)?"
    r" ?(?P<zone>[Zz]|[+-][0-9]{2}(?::?[0-9]{2})?)?)?)?)?"
)
# years between the clock and everything known here, from which one of the two is wrong: wikis are
# left alone for years, and a receiver whose count of weeks begins anew is out by nineteen
DOUBT = 15
# this program is younger: a clock before it is wrong
MADE = "2026-01-01T00:00:00.000000Z"
LATEST = "9999-12-31T23:59:59.999999Z"  # after every instant that anybody tells
# no spelling of an instant is longer; a whole note given by mistake is not worth parsing
_LONGEST = 64
# the farthest that a clock on land is from UTC
_FARTHEST_OFFSET = 14 * 60  # minutes
_PARTS = ("fraction", "second", "minute", "day", "month", "year")


class BadTime(CompanionError):
    """This is not a date or time that companion can read."""

    exit_code = 2
    hint = (
        "Write 2026-03-01, 2026-03-01T14:30 or 2026-03-01T14:30:00+01:00; without a zone it is"
        " UTC."
    )


def parse_instant(text: str) -> str:
    """Return *text* as an instant, `YYYY-MM-DDTHH:MM:SS.ffffffZ` (27 characters, UTC).

    Read are a year, month or day (its first moment), minutes, seconds, fractions (beyond the sixth
    digit cut off), `T`, `t` or a space, and `Z`, `z`, `+01:00`, `+0100` or `+01`; no zone means
    UTC, for a clock that nobody named must not depend on the machine. `24:00` ends a day. A leap
    second, 23:59:60 in UTC, becomes 23:59:59.999999. Anything else, and what falls outside the
    years 0001-9999, raises `BadTime`, whose message never quotes *text*: it may be a secret in the
    wrong field.
    """
    parts = _match(text).groupdict()
    year, month, day = (
        int(parts["year"]),
        int(parts["month"] or 1),
        int(parts["day"] or 1),
    )
    if not 1 <= year <= 9999:
        raise BadTime("the year must be from 0001 to 9999")
    try:
        midnight = datetime(year, month, day, tzinfo=UTC)
    except ValueError as error:
        raise BadTime(
            f"there is no day {year:04}-{month:02}-{day:02}"
        ) from error
    return _shift(
        midnight,
        _clock(parts),
        _offset(parts["zone"]),
        leap=parts["second"] == "60",
    )


def precision(text: str) -> str:
    """Return how exactly *text* names a time: year, month, day, minute, second or fraction."""
    parts = _match(text).groupdict()
    return next(part for part in _PARTS if parts[part])


def find_utc_offset(text: str) -> int | None:
    """Return the UTC offset that the time *text* names, in minutes; None where it names none, UTC
    itself or one that is not plausible. Raises BadTime.
    """
    offset = _offset(_match(text)["zone"])
    return check_utc_offset(offset // timedelta(minutes=1))


def check_utc_offset(minutes: int) -> int | None:
    """Return *minutes* where they are a UTC offset to record: not 0, and at most 14 hours.

    None stands for UTC, so that the telling of a clock in UTC and one of an unknown zone, which are
    filed alike, are also written alike.
    """
    if 0 < abs(minutes) <= _FARTHEST_OFFSET:
        return minutes
    return None


def local_day(instant: str, utc_offset: int | None) -> str:
    """Return the day of *instant*, `YYYY-MM-DD`, by a clock *utc_offset* minutes east of UTC."""
    return _shift_clock(instant, utc_offset)[:10]


def local_minute(instant: str, utc_offset: int | None) -> str:
    """Return *instant* to the minute, `YYYY-MM-DD HH:MM`, by a clock *utc_offset* minutes east of
    UTC.
    """
    return _shift_clock(instant, utc_offset)[:16].replace("T", " ")


def local_moment(instant: str, utc_offset: int | None) -> str:
    """Return *instant* as `local_minute` does, and of a time that was told as a day its day alone.

    A day is told as its first instant in UTC, without an offset.
    """
    minute = local_minute(instant, utc_offset)
    if utc_offset is None and instant[10:].strip("T0:.Z") == "":
        return minute[:10]
    return minute


def format_instant(moment: datetime) -> str:
    """Return *moment*, which must carry a zone (else `ValueError`), as a canonical instant."""
    if moment.tzinfo is None:
        raise ValueError("a moment without a zone is not an instant")
    try:
        moment = moment.astimezone(UTC)
    except OverflowError as error:
        raise BadTime(
            "in UTC this moment is outside the years 0001 to 9999"
        ) from error
    return _text(moment)


def after(instant: str) -> str:
    """Return the canonical instant one microsecond later. Raises BadTime."""
    try:
        return _text(
            datetime.fromisoformat(instant[:-1]) + timedelta(microseconds=1)
        )
    except OverflowError as error:
        raise BadTime("time ends with the year 9999") from error


def next_transaction(clock: str, last: str | None) -> str:
    """Return the next transaction time, `max(clock, last + 1 µs)`: a clock set back never reorders
    the past.
    """
    return clock if last is None or clock > last else after(last)


class Moment(NamedTuple):
    """When something is recorded, and when it is taken to have been so where nobody says."""

    transaction: str
    # another instant than *transaction* where the clock, or what was recorded before, is doubtful
    event: str


def moment(
    clock: str,
    last: str | None,
    trusted: str | None = None,
    given: str | None = None,
) -> Moment:
    """Return the next transaction time, and the default event time, at *clock*.

    *last* is the newest transaction time, *trusted* another time that is known to have been. A
    clock `DOUBT` years ahead of both, and of the year of this program, is not believed: nothing of
    it is recorded, for one note of 2099 would come after all others for good. Somebody who gives an
    event time (*given*) within a day of the clock confirms it. A clock as far behind *last* is
    believed where this program existed by then: what was recorded before it was wrong. Else
    `next_transaction`.
    """
    known = max(last or "", trusted or "")
    is_doubtful = known != "" and is_far(clock, max(known, MADE))
    if is_doubtful and not _confirms(given, clock):
        event = after(known)
        return Moment(after(event), event)
    transaction = next_transaction(clock, last)
    return Moment(
        transaction,
        clock if clock >= MADE and is_far(transaction, clock) else transaction,
    )


def is_far(instant: str, other: str) -> bool:
    """Tell whether *instant* is `DOUBT` years or more after *other*."""
    return (
        instant > f"{int(other[:4]) + DOUBT:04}{other[4:]}"
        and int(other[:4]) + DOUBT <= 9999
    )


def days_between(since: str | None, until: str) -> float:
    """Return the days from *since* to *until*, rounded so that machines agree; 0 where *since* is
    unknown or later.
    """
    if since is None:
        return 0.0
    passed = datetime.fromisoformat(until) - datetime.fromisoformat(since)
    return max(0.0, round(passed.total_seconds() / 86400, 4))


def reached(now: str, told: Iterable[str]) -> str:
    """Return the instant at which what was *told* at these instants is asked: *now*, or the last of
    them.

    Now is never before what was told, for a clock may have been set back; a telling that `is_far`
    moves nothing.
    """
    return max(
        [now, *(instant for instant in told if not is_far(instant, now))]
    )


def _shift_clock(instant: str, minutes: int | None) -> str:
    """Return *instant* by another clock; by UTC's where the year would leave 0001-9999."""
    if minutes is None:
        return instant
    try:
        return _text(
            datetime.fromisoformat(instant[:-1]) + timedelta(minutes=minutes)
        )
    # The first and the last hours of the calendar have no other clock.
    except OverflowError:
        return instant


def _confirms(given: str | None, clock: str) -> bool:
    if given is None:
        return False
    apart = datetime.fromisoformat(given[:-1]) - datetime.fromisoformat(
        clock[:-1]
    )
    return abs(apart) <= timedelta(days=1)


def _match(text: str) -> re.Match[str]:
    found = re.fullmatch(_SHAPE, text) if len(text) <= _LONGEST else None
    if found is None:
        raise BadTime
    return found


def _clock(parts: dict[str, str | None]) -> timedelta:
    """The time of day as a distance from midnight; second 60 is checked once the zone is known."""
    hour, minute, second = (
        int(parts[name] or 0) for name in ("hour", "minute", "second")
    )
    micro = int((parts["fraction"] or "")[:6].ljust(6, "0"))
    ends_day = (hour, minute, second, micro) == (24, 0, 0, 0)
    if not ends_day and (hour > 23 or minute > 59 or second > 60):
        raise BadTime(
            f"there is no time of day {hour:02}:{minute:02}:{second:02}"
        )
    if second == 60:
        second, micro = 59, 999_999
    return timedelta(
        hours=hour, minutes=minute, seconds=second, microseconds=micro
    )


def _offset(zone: str | None) -> timedelta:
    if zone is None or zone in "Zz":
        return timedelta()
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    if hours > 23 or minutes > 59:
        raise BadTime(f"there is no offset {zone}")
    offset = timedelta(hours=hours, minutes=minutes)
    return -offset if zone[0] == "-" else offset


def _shift(
    midnight: datetime, clock: timedelta, offset: timedelta, *, leap: bool
) -> str:
    try:
        moment = midnight + (clock - offset)
    except OverflowError as error:
        raise BadTime(
            "in UTC this time is outside the years 0001 to 9999"
        ) from error
    if leap and (moment.hour, moment.minute) != (23, 59):
        raise BadTime("a leap second is 23:59:60 in UTC")
    return _text(moment)


def _text(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"

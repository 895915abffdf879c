"""Dates with their year and hours of a day, by the parts that a phrase of a text has."""

from companion.language.times import calendar
from companion.language.times.calendar import NoSuchTime, Stretch

Fields = dict[str, str | None]  # the groups of a phrase, by their names


def read_date(fields: Fields, month: int, day_first: str) -> Stretch:
    """Return the time of a date with its year; *month* is that of its name, 0 where it has none.

    *day_first* is "yes" where 3/4 is in April. Raises NoSuchTime.
    """
    year = read_number(fields, "y")
    if fields.get("q"):
        return calendar.quarter(year, read_number(fields, "q"))
    if fields.get("first"):
        first = read_number(fields, "first")
        return _slashed(year, first, read_number(fields, "other"), day_first)
    number = month or read_number(fields, "m")
    if not fields.get("d"):
        return calendar.month(year, number)
    on = calendar.day(year, number, read_number(fields, "d"))
    if not fields.get("H"):
        return on
    second = None
    if fields.get("S"):
        second = read_number(fields, "S")
    moment = calendar.clock(
        on, read_number(fields, "H"), read_number(fields, "M"), second
    )
    return _in_utc(moment, fields.get("zone"))


def _slashed(year: int, first: int, other: int, day_first: str) -> Stretch:
    """Return the day of 3/4/2026; where the language does not say which, only the year."""
    if first == other:
        return calendar.day(year, first, first)
    if first > 12 or day_first == "yes":
        return calendar.day(year, other, first)
    if other > 12:
        return calendar.day(year, first, other)
    return calendar.year(year)


def _in_utc(moment: Stretch, zone: str | None) -> Stretch:
    if not zone:
        return moment
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    if zone[0] == "+":
        minutes = -minutes
    start = calendar.add(moment.start, minutes, "minute")
    end = calendar.add(moment.end, minutes, "minute")
    return Stretch(start, end, moment.precision)


def read_clock(fields: Fields, on: Stretch) -> Stretch:
    """Return a time of day on the day *on*; raises `NoSuchTime` for "13 pm"."""
    hour = int(fields["H"] or fields["H24"] or fields["hour"] or 0)
    half = fields["half"]
    if half:
        if not 1 <= hour <= 12:
            raise NoSuchTime(f"{hour} {half}")
        hour %= 12
        if half.lower().startswith("p"):
            hour += 12
    minute = fields["M"] or fields["M24"]
    if minute:
        return calendar.clock(on, hour, int(minute))
    return calendar.clock(on, hour, None)


def read_number(fields: Fields, name: str) -> int:
    """Return the number in a field; 0 where it is empty."""
    return int(fields[name] or 0)

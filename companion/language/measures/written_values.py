"""Find the value that a note writes: "81.2 kg", "132/85", "8 km in 44:10"."""

import re
from typing import NamedTuple

from companion.language.lexicon import Unit
from companion.language.measure_words import (
    MeasureWords,
    kind_of,
)

_N = r"\d+(?:[.,]\d+)*"
_UNIT = r"µg/m³|°\s?[CF]?|%|[^\W\d_]+/[^\W\d_]+|[^\W\d_]+"
# in this order: a clock is no two numbers, and "6h40" no number with a unit
_VALUE = re.compile(
    rf"(?<![\w.,:/#+-])(?:"
    rf"(?P<clock>\d{{1,2}}:\d\d(?::\d\d)?)"
    rf"|(?P<hours>\d{{1,2}})\s?(?P<hour>[^\W\d_]+)\s?(?:and |und )?"
    rf"(?P<minutes>\d{{1,2}})"
    rf"|(?P<first>\d{{2,3}})\s?(?P<pair>/|[^\W\d_]+)\s?(?P<second>\d{{2,3}})"
    rf"|(?P<number>-?{_N})"
    rf")(?:\s?(?P<unit>{_UNIT}))?(?![\w/])"
)
_NUMBER = re.compile(
    rf"(?<![\w.,:/#+-])(?P<number>-?{_N})"
    rf"(?:\s?(?P<unit>{_UNIT}))?(?![\w/])"
)


class WrittenValue(NamedTuple):
    text: str
    numbers: tuple[float, ...]
    kind: str
    unit: str
    start: int
    end: int


def find_value(text: str, known: MeasureWords) -> WrittenValue | None:
    """Return the one value in *text*, or a distance and its time; None for none or several."""
    values: list[WrittenValue] = []
    for match in _matches(text, known):
        value = _value_at(match, known)
        if value is None:
            return None
        values.append(value)
    values = _without_clock_times(values, text)
    if len(values) == 1:
        return values[0]
    if len(values) == 2:
        return _distance_in_time(values[0], values[1], text)
    return None


def _matches(text: str, known: MeasureWords) -> list[re.Match[str]]:
    """Return the places of numbers; where words between two of them join nothing, the first."""
    matches: list[re.Match[str]] = []
    at = 0
    while match := _VALUE.search(text, at):
        hour = (match["hour"] or "").lower()
        pair = (match["pair"] or "/").lower()
        joined = not hour or hour in known.hours
        joined = joined and (pair == "/" or pair in known.pairs)
        if not joined:
            match = _NUMBER.search(text, match.start())
            if match is None:
                break
        matches.append(match)
        at = match.end()
    return matches


def _value_at(match: re.Match[str], known: MeasureWords) -> WrittenValue | None:
    groups = match.groupdict()
    unit = _unit(groups["unit"] or "", known)
    end = match.end()
    symbol = groups["unit"] or ""
    if unit is None:
        end = _end_of_number(match)
        symbol = ""
    if unit is None and match.start("unit") == end:
        return None  # letters right behind a number that are no unit: "7th"
    told = match.string[match.start() : end]
    if groups.get("clock"):
        seconds = _seconds(groups["clock"])
        return WrittenValue(
            told, (seconds,), "clock", symbol, match.start(), end
        )
    if groups.get("hours"):
        if symbol and symbol.lower() not in known.minutes:
            return None
        seconds = 3600.0 * int(groups["hours"]) + 60 * int(groups["minutes"])
        return WrittenValue(told, (seconds,), "time", "h", match.start(), end)
    if groups.get("pair"):
        numbers = (float(groups["first"]), float(groups["second"]))
        return WrittenValue(told, numbers, "pair", symbol, match.start(), end)
    number = _number(groups["number"])
    if unit is None:
        return WrittenValue(told, (number,), "", "", match.start(), end)
    factor = unit.factor
    return WrittenValue(
        told, (number * factor,), kind_of(unit), symbol, match.start(), end
    )


def _end_of_number(match: re.Match[str]) -> int:
    """Return where a number ends whose next word is no unit."""
    if match["unit"] is None:
        return match.end()
    return match.start() + len(
        match.group()[: match.start("unit") - match.start()].rstrip()
    )


def _unit(symbol: str, known: MeasureWords) -> Unit | None:
    """Return the unit of a *symbol*, whose case counts where the symbol is known as written."""
    symbol = symbol.replace(" ", "")
    if symbol.lower() not in known.units:
        return None
    return known.exact_units.get(symbol, known.units[symbol.lower()])


def _seconds(clock: str) -> float:
    """Return the seconds of "44:10" or "1:02:03"; of two numbers alone the first are minutes."""
    seconds = 0.0
    for part in clock.split(":"):
        seconds = 60 * seconds + int(part)
    return seconds


def _number(told: str) -> float:
    """Return the number that *told* writes; three digits behind a lone sign are thousands.

    "80,9" and "80.9" are one number, "10.250" and "9,812" count steps, "0.125" is a fraction.
    """
    negative = told.startswith("-")
    digits = told.lstrip("-")
    signs = re.findall(r"[.,]", digits)
    if signs:
        whole, _, rest = digits.rpartition(signs[-1])
        grouped = len(rest) == 3 and whole.strip("0.,") != ""
        if len(set(signs)) == 1 and (grouped or len(signs) > 1):
            digits = re.sub(r"[.,]", "", digits)
        else:
            digits = re.sub(r"[.,]", "", whole) + "." + rest
    number = float(digits)
    if negative:
        return -number
    return number


def _without_clock_times(
    values: list[WrittenValue], text: str
) -> list[WrittenValue]:
    """Return *values* without the times of day at which they were told: "at 7:10"."""
    kept: list[WrittenValue] = []
    for value in values:
        before = text[: value.start].rstrip().rpartition(" ")[2].lower()
        if value.kind == "clock" and before in ("at", "um"):
            continue
        kept.append(value)
    return kept


def _distance_in_time(
    distance: WrittenValue, time: WrittenValue, text: str
) -> WrittenValue | None:
    """Return "8 km in 44:10" as one value of two numbers."""
    if distance.kind != "length" or time.kind not in ("clock", "time"):
        return None
    between = text[distance.end : time.start].split()
    if not between or between[-1].lower() not in (",", "in", "/", "\u2013"):
        return None
    told = f"{distance.text} {between[-1]} {time.text}"
    if len(between) == 1:
        told = text[distance.start : time.end]
    numbers = (*distance.numbers, *time.numbers)
    return WrittenValue(
        told, numbers, "length", distance.unit, distance.start, time.end
    )

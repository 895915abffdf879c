"""Lines of a WhatsApp export that begin a message: its time as the phone wrote it, and the name."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from companion.sources.records.instants import read_time

Order = Literal["day first", "month first", "year first"]
Numbers = tuple[int, int, int]

_MARKS = "[\u200e\u200f\u202a-\u202e\ufeff]*"
_SPACE = "[ \u00a0\u202f]"
_DATE = r"(?P<a>\d{1,4})(?P<mark>[./-])(?P<b>\d{1,2})(?P=mark)(?P<c>\d{1,4})"
_HALF = rf"(?:{_SPACE}?(?P<half>[AaPp])\.?{_SPACE}?[Mm]\.?)?"
_CLOCK = r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)"
_WORD = rf",?{_SPACE}(?:klo |um |at )?"
# [31.12.24, 23:59:01] Anna: text
_IPHONE = re.compile(
    rf"{_MARKS}\[{_DATE}{_WORD}{_CLOCK}(?:[:.](?P<second>\d\d))?{_HALF}\]"
    rf"{_SPACE}{_MARKS}(?P<rest>.*)"
)
# 31.12.24, 23:59 - Anna: text
_ANDROID = re.compile(
    rf"{_MARKS}{_DATE}{_WORD}{_CLOCK}(?P<second>){_HALF}{_SPACE}[-\u2013]{_SPACE}"
    r"(?P<rest>.*)"
)
_SPEAKER = re.compile(r"([^:\u200e\"“”]{1,100}): (.*)", re.DOTALL)


class Heading(NamedTuple):
    """The first line of a message."""

    numbers: Numbers  # of the date, in the order of the phone
    mark: str  # between them
    clock: tuple[int, int, int]  # hour, minute, second
    half: str  # a or p of a clock with twelve hours, else nothing
    speaker: str  # nothing: a note of the program
    text: str


class DateOrder(NamedTuple):
    """How the dates of an export are to be read, and what is doubtful about it."""

    name: Order
    doubts: tuple[str, ...] = ()


def match_heading(line: str) -> Heading | None:
    """Return what *line* begins; None where it goes on the message before."""
    match = _IPHONE.match(line) or _ANDROID.match(line)
    if match is None:
        return None
    numbers = (int(match["a"]), int(match["b"]), int(match["c"]))
    second = int(match["second"] or 0)
    clock = (int(match["hour"]), int(match["minute"]), second)
    said = _SPEAKER.match(match["rest"] + " ")
    half = (match["half"] or "").lower()
    if said is None:
        return Heading(numbers, match["mark"], clock, half, "", match["rest"])
    text = said[2].removesuffix(" ")
    return Heading(numbers, match["mark"], clock, half, said[1], text)


def choose_order(headings: Iterable[Heading]) -> DateOrder:
    """Return the order of day, month and year that all *headings* agree with.

    A number over 12 is no month. Else messages must follow each other in time. Else the region
    that writes such dates decides, and the doubt is said.
    """
    listed = list(headings)
    certain = _order_by_numbers(listed) or _order_by_sequence(listed)
    if certain is not None:
        return DateOrder(certain)
    if all(item.mark == "." for item in listed):
        return DateOrder("day first")  # no region writes 12.31.24
    american = all(item.half and item.mark == "/" for item in listed)
    name: Order = "month first" if american else "day first"
    return DateOrder(
        name, (f"dates are read with the {name}; nothing in them decides it",)
    )


def _order_by_numbers(headings: Sequence[Heading]) -> Order | None:
    """Return the order that a number too large for a month or a day shows, if one does."""
    first = max((heading.numbers[0] for heading in headings), default=0)
    second = max((heading.numbers[1] for heading in headings), default=0)
    if first > 31:
        return "year first"
    if first > 12:
        return "day first"
    return "month first" if second > 12 else None


def _order_by_sequence(headings: list[Heading]) -> Order | None:
    """Return the only order by which the messages follow each other in time, if there is one."""
    days = _is_rising(headings, "day first")
    if days == _is_rising(headings, "month first"):
        return None
    return "day first" if days else "month first"


def _is_rising(headings: list[Heading], order: Order) -> bool:
    times = [find_instant(heading, order) or "" for heading in headings]
    return all(one <= next for one, next in pairwise(times))


def find_instant(heading: Heading, order: Order) -> str | None:
    """Return the time of *heading*, its clock taken for UTC; None where there is no such day."""
    first, second, third = heading.numbers
    year, month, day = {
        "day first": (third, second, first),
        "month first": (third, first, second),
        "year first": (first, second, third),
    }[order]
    if year < 100:
        year += 2000
    hour, minute, seconds = heading.clock
    if heading.half:
        hour = hour % 12 + 12 * (heading.half == "p")
    date = f"{year:04}-{month:02}-{day:02}"
    return read_time(f"{date}T{hour:02}:{minute:02}:{seconds:02}")

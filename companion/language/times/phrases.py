"""Reading times out of sentences by phrases, which are data per language.

Each time is as exact as it was said.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from companion.language.detect import LanguageData, read_language_data
from companion.language.times import calendar
from companion.language.times.calendar import NoSuchTime, Stretch
from companion.language.times.mentions import (
    Mention,
    Role,
    Tense,
    join_hours,
    join_ranges,
)

# in every language; a letter after % is a field, as strftime names them
_NUMERIC = (
    r"%Y-%m-%d[T ]%H:%M(?::%S(?:\.\d+)?)? ?(?:Z|UTC|(?P<zone>[+-]\d\d:?\d\d))?",
    r"%Y-%m-%d",
    r"%Y/%m/%d",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.%Y",
    r"(?P<first>\d{1,2})/(?P<other>\d{1,2})/%Y",
    r"%Y-%m",
    r"Q(?P<q>[1-4])[ /-]%Y",
)
_FIELDS = {"%Y": r"(?P<y>\d{4})"} | {
    f"%{name}": rf"(?P<{name}>\d{{2}})" for name in "mdHMS"
}
# four digits that may be a year, and are no part of an amount, a time or a date
_YEAR = r"(?<![\w.,/:$€£#])(?<!\D-)(?P<y>1[0-9]{3}|20[0-9]{2})(?![\w/:%$€£]|[.,]\d|-\d{1,2}(?!\d))"
# "5 pm", "17:30", "17:30 Uhr", "17 Uhr"
_CLOCK = (
    r"(?P<H>\d{1,2})(?::(?P<M>\d{2}))? ?(?P<half>[ap]\.?m\.?)"
    r"|(?P<H24>\d{1,2}):(?P<M24>\d{2})(?: ?Uhr)?|(?P<hour>\d{1,2}) Uhr"
)
# the field of a phrase, and the list of words that it may be
_LISTED_FIELDS = {
    "month": "months",
    "weekday": "weekdays",
    "season": "seasons",
    "unit": "units",
    "dayword": "days",
    "relative": "relative",
}
_LISTS = (*_LISTED_FIELDS.values(), "numbers")
_WEEK = timedelta(days=7)
_ROLE_WITHIN = 40  # characters before a time in which its role is said
# characters beside a time in which it may be joined to another
_JOINED_WITHIN = 30

Fields = dict[str, str | None]  # the groups of a phrase, by their names


class _Form(NamedTuple):
    """One form of a time phrase."""

    kind: str
    pattern: re.Pattern[str]


class _Joins(NamedTuple):
    """How a language joins two times, and shows that a word is one."""

    between: re.Pattern[str]  # "to" of "2019 to 2021"
    year_before: re.Pattern[str]  # "2019 to" right before
    year_behind: re.Pattern[str]  # "to 2021" right behind
    time_before: re.Pattern[str]
    time_behind: re.Pattern[str]
    onward: re.Pattern[str]  # "on" of "from March on"


class _Place(NamedTuple):
    """From where a time is seen."""

    at: datetime
    role: Role
    tense: Tense


class TimeReader:
    """Times in one language."""

    def __init__(self, raw: LanguageData) -> None:
        """Take the words of *raw*, the table `data/<language>/time.toml`."""
        self._options = raw["options"]
        self._lists = {name: _lower_keys(raw[name]) for name in _LISTS}
        clock = _Form("clock", re.compile(_CLOCK, re.IGNORECASE))
        whole = [*_numeric_forms(), *self._spoken_forms(raw["forms"]), clock]
        self._forms = [*whole, _Form("year", re.compile(_YEAR))]
        self._scan = _scan_pattern(self._forms)
        self._role_before = re.compile(_role_pattern(raw), re.IGNORECASE)
        self._roles = {
            word: role for role, words in raw["roles"].items() for word in words
        }
        self._joins = _joins(raw["words"], _either(self._lists["months"]))

    def mentions(
        self, text: str, at: datetime, *, tense: Tense = "present"
    ) -> list[Mention]:
        """Return the times that *text* names, in order and not overlapping, seen from *at*."""
        found: list[Mention] = []
        for match in self._scan.finditer(text):
            form = self._forms[int(str(match.lastgroup)[1:])]
            role, start = self._role(text, match.start())
            if not self._is_time(form, match, role):
                continue
            mention = self._mention(form, match, _Place(at, role, tense))
            if mention is not None:
                found.append(mention._replace(start=start))
        now = at if tense == "present" else None
        return join_hours(join_ranges(found, text, self._joins.between, now))

    def _mention(
        self, form: _Form, match: re.Match[str], place: _Place
    ) -> Mention | None:
        """Return the mention of the time at *match*, None where the calendar has no such time."""
        fields = _fields(form, match)
        if fields is None:
            return None
        try:
            stretch = self._seen_from(form, fields, place)
        except NoSuchTime:
            return None  # "30 February" is no time; the words stay words
        role = place.role
        if role in ("none", "at") and form.kind in ("duration", "ago"):
            role = "duration" if form.kind == "duration" else "ago"
        end = match.end()
        if role in ("since", "onward", "as_of"):
            onward = self._joins.onward.match(match.string, end)
            end = onward.end() if onward else end  # "from March on"
        loose = form.kind == "near" and not fields.get("weekday")
        return Mention(match.start(), end, role, stretch, loose=loose)

    def _seen_from(self, form: _Form, fields: Fields, place: _Place) -> Stretch:
        """Return the time that *fields* say, seen from *place*; raises `NoSuchTime`."""
        stretch = self._stretch(form.kind, fields, place.at, _direction(place))
        spoken_now = place.tense == "present" and place.role in (
            "onward",
            "as_of",
        )
        if form.kind != "near" or not spoken_now:
            return stretch
        coming = self._stretch(form.kind, fields, place.at, 1)
        return coming if _means_coming(place, stretch, coming) else stretch

    # -- which words are a time -------------------------------------------------------------------

    def _is_time(self, form: _Form, match: re.Match[str], role: Role) -> bool:
        """Tell whether the words at *match* mean a time."""
        if form.kind == "year":
            return role != "none" or self._is_paired_year(match)
        words = match.group()
        if form.kind == "clock":
            return role != "none" or ":" in words or not words[-1].isdigit()
        if (
            form.kind == "near"
            and role in ("none", "onward")
            and self._is_name(match)
        ):
            return False
        # a lone word that is also a verb is a month only behind a preposition, or with a capital
        if role != "none" or words[0].isupper():
            return True
        return words.lower() not in self._options["needs_capital"]

    def _is_paired_year(self, match: re.Match[str]) -> bool:
        """Tell whether another year is joined to a lone number."""
        text = match.string
        start = match.start()
        before = self._joins.year_before.search(
            text, max(0, start - _JOINED_WITHIN), start
        )
        return bool(before or self._joins.year_behind.match(text, match.end()))

    def _is_name(self, match: re.Match[str]) -> bool:
        """Tell whether a month is somebody's name: "borrowed from Jan".

        Beside another time it is a month, and in "from Jan on".
        """
        if match.group().rstrip(".").lower() not in self._options["names"]:
            return False
        text, start, end = match.string, match.start(), match.end()
        before = text[max(0, start - _JOINED_WITHIN) : start]
        behind = text[end : end + _JOINED_WITHIN]
        joins = self._joins
        joined = joins.time_before.search(before) or joins.time_behind.match(
            behind
        )
        return not joined and not joins.onward.match(text, end)

    def _role(self, text: str, start: int) -> tuple[Role, int]:
        """Return the role of the time at *start*, and where the words begin that say it."""
        match = self._role_before.search(
            text, max(0, start - _ROLE_WITHIN), start
        )
        if match is None:
            return "none", start
        if match["role"] is None:
            return "none", match.start()
        return self._roles[_folded(match["role"])], match.start()

    # -- which time it is -------------------------------------------------------------------------

    def _stretch(
        self, kind: str, fields: Fields, at: datetime, direction: int
    ) -> Stretch:
        """Return the time of a phrase of one *kind*; *direction* -1 is the last, +1 the next."""
        if kind in ("numeric", "date"):
            return _absolute(
                fields, self._month(fields), self._options["day_first"]
            )
        if kind in ("ago", "duration", "ahead"):
            count = self._count(fields.get("n"))
            unit = self._listed("unit", fields) or ""
            return calendar.neighbour(
                at, count if kind == "ahead" else -count, unit
            )
        if kind == "day":
            return calendar.neighbour(
                at, self._listed("dayword", fields), "day"
            )
        if kind in ("year", "decade"):
            return calendar.around(calendar.year(_int(fields, "y")).start, kind)
        if kind == "clock":
            return _clock(fields, calendar.around(at, "day"))
        if kind == "season":
            return calendar.season(
                _int(fields, "y"), self._listed("season", fields)
            )
        if kind == "rel-year":
            return self._in_relative_year(fields, at)
        if kind == "relative":
            return self._relative(fields, at)
        return self._near(fields, at, direction)

    def _in_relative_year(self, fields: Fields, at: datetime) -> Stretch:
        """Return the time of "March last year", "3 March of this year"."""
        year = at.year + int(self._listed("relative", fields))
        month = self._month(fields) or 0
        if fields.get("d"):
            return calendar.day(year, month, _int(fields, "d"))
        return calendar.month(year, month)

    def _relative(self, fields: Fields, at: datetime) -> Stretch:
        """Return the time of "last week", "next Friday", "this summer", "last March"."""
        step = int(self._listed("relative", fields))
        unit = self._listed("unit", fields)
        if unit:
            return calendar.neighbour(at, step, unit)
        if fields.get("weekday"):
            number = int(self._listed("weekday", fields))
            if step < 0:
                return calendar.weekday_near(
                    at, number, direction=-1, strict=True
                )
            return calendar.weekday_of(at, number, step)
        if fields.get("season"):
            name = self._listed("season", fields)
            if not step:
                return calendar.season(at.year, name)
            return calendar.season_near(at, name, direction=step, strict=True)
        month = self._month(fields)
        assert month is not None
        if not step:
            return calendar.month(at.year, month)
        return calendar.month_near(at, month, direction=step, strict=True)

    def _near(self, fields: Fields, at: datetime, direction: int) -> Stretch:
        """Return the nearest time of "Friday", "summer", "3 March", "March"."""
        if fields.get("weekday"):
            number = int(self._listed("weekday", fields))
            return calendar.weekday_near(at, number, direction=direction)
        if fields.get("season"):
            name = self._listed("season", fields)
            return calendar.season_near(at, name, direction=direction)
        month = self._month(fields)
        assert month is not None
        if fields.get("d"):
            return calendar.day_near(
                at, month, _int(fields, "d"), direction=direction
            )
        return calendar.month_near(at, month, direction=direction)

    def _listed(self, field: str, fields: Fields) -> Any:
        """Return what the word of a *field* stands for, None where the phrase has none."""
        return self._lists[_LISTED_FIELDS[field]].get(
            _folded(fields.get(field))
        )

    def _month(self, fields: Fields) -> int | None:
        month: int | None = self._listed("month", fields)
        return month

    def _count(self, words: str | None) -> int:
        word = _folded(words)
        return (
            int(word)
            if word.isdigit()
            else int(self._lists["numbers"].get(word, 0))
        )

    def _spoken_forms(self, forms: list[dict[str, str]]) -> Iterator[_Form]:
        """Yield the language's own forms; a word in braces stands for one of its lists."""
        fields = {
            field: f"(?P<{field}>{_either(self._lists[name])})"
            for field, name in _LISTED_FIELDS.items()
        }
        fields["y"] = _FIELDS["%Y"]
        fields["d"] = r"(?P<d>\d{1,2})"
        fields["n"] = rf"(?P<n>\d{{1,4}}|{_either(self._lists['numbers'])})"
        for form in forms:
            pattern = re.sub(
                r"\{(\w+)\}", lambda match: fields[match[1]], form["is"]
            )
            yield _Form(form["kind"], re.compile(pattern, re.IGNORECASE))


@lru_cache(maxsize=8)
def time_reader(language: str) -> TimeReader:
    """Return the reader of *language*, made once."""
    return TimeReader(read_language_data(language, "time"))


def _fields(form: _Form, match: re.Match[str]) -> Fields | None:
    """Return the groups of a phrase, None where its form does not fit after all."""
    if form.kind == "year":
        return {"y": match.group()}
    parts = form.pattern.fullmatch(match.group())
    return None if parts is None else parts.groupdict()


def _direction(place: _Place) -> int:
    """Return which way a time without a year lies: -1 before, +1 after."""
    if place.tense == "past" or place.role in ("ago", "duration"):
        return -1
    if place.tense == "future" or place.role in ("until", "by", "before"):
        return 1
    return -1


def _means_coming(place: _Place, last: Stretch, coming: Stretch) -> bool:
    """Tell whether "from March", said in the present, means the coming one.

    A speaker who means the last one says "since". The nearer one is meant; with "from" also what
    lies later in this year, and always the coming weekday.
    """
    if coming.start - last.start <= _WEEK:
        return True
    if place.role == "onward" and coming.start.year == place.at.year:
        return True
    return coming.start - place.at <= place.at - last.start


def _absolute(fields: Fields, month: int | None, day_first: str) -> Stretch:
    """Return the time of a date with its year."""
    year = _int(fields, "y")
    if fields.get("q"):
        return calendar.quarter(year, _int(fields, "q"))
    if fields.get("first"):
        return _slashed(
            year, _int(fields, "first"), _int(fields, "other"), day_first
        )
    number = month or _int(fields, "m")
    if not fields.get("d"):
        return calendar.month(year, number)
    on = calendar.day(year, number, _int(fields, "d"))
    if not fields.get("H"):
        return on
    second = _int(fields, "S") if fields.get("S") else None
    moment = calendar.clock(on, _int(fields, "H"), _int(fields, "M"), second)
    return _in_utc(moment, fields.get("zone"))


def _slashed(year: int, first: int, other: int, day_first: str) -> Stretch:
    """Return the day of 3/4/2026; where the language does not say which, only the year."""
    if first == other:
        return calendar.day(year, first, first)
    if first > 12 or day_first == "yes":
        return calendar.day(year, other, first)
    return (
        calendar.day(year, first, other) if other > 12 else calendar.year(year)
    )


def _in_utc(moment: Stretch, zone: str | None) -> Stretch:
    if not zone:
        return moment
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    shift = -minutes if zone[0] == "+" else minutes
    start = calendar.add(moment.start, shift, "minute")
    return Stretch(
        start, calendar.add(moment.end, shift, "minute"), moment.precision
    )


def _clock(fields: Fields, on: Stretch) -> Stretch:
    """Return a time of day on the day *on*; raises `NoSuchTime` for "13 pm"."""
    hour = int(fields["H"] or fields["H24"] or fields["hour"] or 0)
    minute = fields["M"] or fields["M24"]
    half = fields["half"]
    if half:
        if not 1 <= hour <= 12:
            raise NoSuchTime(f"{hour} {half}")
        hour = hour % 12 + (12 if half.lower().startswith("p") else 0)
    return calendar.clock(on, hour, int(minute) if minute else None)


def _int(fields: Fields, name: str) -> int:
    return int(fields[name] or 0)


def _numeric_forms() -> Iterator[_Form]:
    for shape in _NUMERIC:
        pattern = re.sub(r"%[YmdHMS]", lambda match: _FIELDS[match[0]], shape)
        yield _Form("numeric", re.compile(pattern, re.IGNORECASE))


def _scan_pattern(forms: list[_Form]) -> re.Pattern[str]:
    """Return a pattern that finds any of *forms*; the last one, a year, has its own edges."""
    *whole, year = [_without_names(form.pattern) for form in forms]
    parts = [
        f"(?P<f{n}>(?<![\\w-])(?:{form})(?![\\w]))"
        for n, form in enumerate(whole)
    ]
    return re.compile(
        "|".join([*parts, f"(?P<f{len(whole)}>{year})"]), re.IGNORECASE
    )


def _role_pattern(raw: LanguageData) -> str:
    """Return what stands before a time and says what it is for: "since early"."""
    roles = _either(_flat(raw["roles"].values()))
    fill = _either(raw["words"]["fill"])
    return rf"(?<![\w-])(?:(?P<role>{roles})\s+)?(?:(?:{fill})\s+)*$"


def _joins(words: dict[str, list[str]], month: str) -> _Joins:
    join = f"(?:{_either(words['join'])})"
    return _Joins(
        between=_ignoring_case(rf"\s*{join}\s*"),
        year_before=_ignoring_case(rf"\d{{4}}\s*{join}\s*$"),
        year_behind=_ignoring_case(rf"\s*{join}\s*\d{{4}}(?!\w)"),
        time_before=_ignoring_case(rf"(?:{month}|\d)\.?\s*{join}\s*$"),
        time_behind=_ignoring_case(rf"\s*{join}\s*(?:{month}|\d)"),
        onward=_ignoring_case(rf"\s+(?:{_either(words['onward'])})(?!\w)"),
    )


def _ignoring_case(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _flat(lists: Iterable[list[str]]) -> Iterator[str]:
    for words in lists:
        yield from words


def _lower_keys(table: dict[str, Any]) -> dict[str, Any]:
    return {name.lower(): value for name, value in table.items()}


def _without_names(pattern: re.Pattern[str]) -> str:
    """Return the source of *pattern* with unnamed groups."""
    return re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern)


def _either(words: Iterable[str]) -> str:
    """Return a pattern for one of *words*, the longest first."""
    ordered = sorted(words, key=len, reverse=True)
    return "|".join(re.escape(word).replace("\\ ", r"\s+") for word in ordered)


def _folded(words: str | None) -> str:
    """Return *words* in lower case with single spaces; "" for None."""
    return " ".join((words or "").lower().split())

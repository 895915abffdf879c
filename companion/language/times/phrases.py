"""Reading times out of sentences: phrases, kept as data per language, become valid time with the
precision as said.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

from companion.language.detect import data
from companion.language.times import calendar as times
from companion.language.times.calendar import NoSuchTime, Stretch
from companion.values.claims import Period, Precision

Role = Literal[
    "since", "onward", "as_of", "until", "before", "after", "by", "at", "duration", "ago", "none"
]
Tense = Literal["past", "present", "future"]
_NUMERIC = (  # in every language; a letter after % is a field, as strftime names them
    r"%Y-%m-%d[T ]%H:%M(?::%S(?:\.\d+)?)? ?(?:Z|UTC|(?P<zone>[+-]\d\d:?\d\d))?",
    r"%Y-%m-%d",
    r"%Y/%m/%d",
    r"(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.%Y",
    r"(?P<first>\d{1,2})/(?P<other>\d{1,2})/%Y",
    r"%Y-%m",
    r"Q(?P<q>[1-4])[ /-]%Y",
)
_FIELDS = {"%Y": r"(?P<y>\d{4})"} | {f"%{name}": rf"(?P<{name}>\d{{2}})" for name in "mdHMS"}
_YEAR = r"(?<![\w.,/:$€£#])(?<!\D-)(?P<y>1[0-9]{3}|20[0-9]{2})(?![\w/:%$€£]|[.,]\d|-\d{1,2}(?!\d))"
_CLOCK = (
    r"(?P<H>\d{1,2})(?::(?P<M>\d{2}))? ?(?P<half>[ap]\.?m\.?)"
    r"|(?P<H24>\d{1,2}):(?P<M24>\d{2})(?: ?Uhr)?|(?P<hour>\d{1,2}) Uhr"
)


_WEEK = timedelta(days=7)


class Mention(NamedTuple):
    """A time named in a text."""

    start: int  # with the words before it that say what it is for
    end: int
    role: Role
    found: Stretch
    loose: bool = False  # said without a year


class _Form(NamedTuple):
    kind: str
    pattern: re.Pattern[str]


class Reader:
    """Times in one language."""

    def __init__(self, language: str) -> None:
        self._words = data(language, "time")
        self._lists = {
            name: {key.lower(): value for key, value in self._words[name].items()}
            for name in ("months", "weekdays", "seasons", "units", "days", "relative", "numbers")
        }
        self._forms = [
            *_numeric(),
            *self._spoken(),
            _Form("clock", re.compile(_CLOCK, re.IGNORECASE)),
        ]
        self._scan = re.compile(
            "|".join(
                f"(?P<f{n}>(?<![\\w-])(?:{_bare(form.pattern)})(?![\\w]))"
                for n, form in enumerate(self._forms)
            )
            + f"|(?P<f{len(self._forms)}>{_bare(re.compile(_YEAR))})",
            re.IGNORECASE,
        )
        self._forms.append(_Form("year", re.compile(_YEAR)))
        self._before = re.compile(self._role_pattern(), re.IGNORECASE)
        joins, month = _either(self._words["words"]["join"]), _either(self._lists["months"])
        self._joins = re.compile(rf"\s*(?:{joins})\s*", re.IGNORECASE)
        self._beside = re.compile(rf"\d{{4}}\s*(?:{joins})\s*$", re.IGNORECASE)
        self._follows = re.compile(rf"\s*(?:{joins})\s*\d{{4}}(?!\w)", re.IGNORECASE)
        self._from_other = re.compile(rf"(?:{month}|\d)\.?\s*(?:{joins})\s*$", re.IGNORECASE)
        self._to_other = re.compile(rf"\s*(?:{joins})\s*(?:{month}|\d)", re.IGNORECASE)
        self._onward = re.compile(
            rf"\s+(?:{_either(self._words['words']['onward'])})(?!\w)", re.IGNORECASE
        )
        self._roles = {word: role for role, words in self._words["roles"].items() for word in words}

    def mentions(self, text: str, at: datetime, *, tense: Tense = "present") -> list[Mention]:
        """Return the times that *text* names, in order and not overlapping, seen from *at*."""
        found: list[Mention] = []
        for match in self._scan.finditer(text):
            form = self._forms[int(str(match.lastgroup)[1:])]
            role, start = self._role(text, match.start())
            if form.kind == "year" and role == "none" and not self._paired(text, match):
                continue  # a lone number is a year only where a preposition or another year says so
            if form.kind == "near" and role in ("none", "onward") and self._is_name(text, match):
                continue
            mention = self._read(form, match, role, start, at, tense)
            if mention is not None:
                found.append(mention)
        return _with_clocks(self._ranges(text, found, at if tense == "present" else None), text)

    def _read(
        self, form: _Form, match: re.Match[str], role: Role, start: int, at: datetime, tense: Tense
    ) -> Mention | None:
        parts = form.pattern.fullmatch(match.group()) if form.kind != "year" else match
        if parts is None or not self._means_time(form, match.group(), role):
            return None
        fields = parts.groupdict() if form.kind != "year" else {"y": match.group()}
        try:
            stretch = self._stretch(form.kind, fields, at, _direction(role, tense))
            if form.kind == "near" and role in ("onward", "as_of") and tense == "present":
                coming = self._stretch(form.kind, fields, at, 1)
                stretch = coming if _is_coming(role, stretch, coming, at) else stretch
        except NoSuchTime:
            return None  # "30 February" is no time; the words stay words
        own: Role = role
        if role in ("none", "at") and form.kind in ("duration", "ago"):
            own = "duration" if form.kind == "duration" else "ago"
        end = match.end()
        if role in ("since", "onward", "as_of") and (on := self._onward.match(match.string, end)):
            end = on.end()  # "from March on"
        return Mention(
            start, end, own, stretch, loose=form.kind == "near" and not fields.get("weekday")
        )

    def _paired(self, text: str, match: re.Match[str]) -> bool:
        before = self._beside.search(text, max(0, match.start() - 30), match.start())
        return bool(before or self._follows.match(text, match.end()))

    def _is_name(self, text: str, match: re.Match[str]) -> bool:
        """ "Borrowed from Jan": a month that people are called by is one only beside another, or
        "from Jan on".
        """
        if match.group().rstrip(".").lower() not in self._words["options"]["names"]:
            return False
        onward = self._onward.match(text, match.end())
        before, after = (
            text[max(0, match.start() - 30) : match.start()],
            text[match.end() : match.end() + 30],
        )
        return not (onward or self._from_other.search(before) or self._to_other.match(after))

    def _means_time(self, form: _Form, said: str, role: Role) -> bool:
        """A lone word that is also a verb is a month only where a preposition says so, or a
        capital.
        """
        if form.kind == "year":
            return True
        if form.kind == "clock":
            return role != "none" or ":" in said or not said[-1].isdigit()
        return (
            role != "none"
            or said.lower() not in self._words["options"]["needs_capital"]
            or said[0].isupper()
        )

    def _stretch(self, kind: str, part: dict[str, Any], at: datetime, direction: int) -> Stretch:
        number = self._number(part.get("n"))
        unit = self._lists["units"].get(_low(part.get("unit")), "")
        month = self._lists["months"].get(_low(part.get("month")))
        if kind in ("numeric", "date"):
            return _absolute(part, month, self._words["options"]["day_first"])
        if kind in ("ago", "duration", "ahead"):
            return times.neighbour(at, number if kind == "ahead" else -number, unit)
        if kind == "day":
            return times.neighbour(at, self._lists["days"][_low(part["dayword"])], "day")
        if kind in ("year", "decade"):
            return times.around(times.year(int(part["y"])).start, kind)
        if kind == "clock":
            return _clock(part, times.around(at, "day"))
        if kind == "season":
            return times.season(int(part["y"]), self._lists["seasons"][_low(part["season"])])
        if kind == "rel-year":
            year = at.year + int(self._lists["relative"][_low(part["relative"])])
            return (
                times.day(year, month or 0, int(part["d"]))
                if part.get("d")
                else times.month(year, month or 0)
            )
        if kind == "relative":
            return self._relative(part, unit, month, at)
        return self._near(part, month, at, direction)

    def _relative(
        self, part: dict[str, Any], unit: str, month: int | None, at: datetime
    ) -> Stretch:
        step = int(self._lists["relative"][_low(part["relative"])])
        if unit:
            return times.neighbour(at, step, unit)
        if part.get("weekday"):
            number = int(self._lists["weekdays"][_low(part["weekday"])])
            if step < 0:
                return times.weekday_near(at, number, direction=-1, strict=True)
            return times.weekday_of(at, number, step)
        if part.get("season"):
            name = self._lists["seasons"][_low(part["season"])]
            return (
                times.season_near(at, name, direction=step, strict=True)
                if step
                else times.season(at.year, name)
            )
        assert month is not None
        return (
            times.month_near(at, month, direction=step, strict=True)
            if step
            else times.month(at.year, month)
        )

    def _near(
        self, part: dict[str, Any], month: int | None, at: datetime, direction: int
    ) -> Stretch:
        if part.get("weekday"):
            return times.weekday_near(
                at, int(self._lists["weekdays"][_low(part["weekday"])]), direction=direction
            )
        if part.get("season"):
            return times.season_near(
                at, self._lists["seasons"][_low(part["season"])], direction=direction
            )
        assert month is not None
        if part.get("d"):
            return times.day_near(at, month, int(part["d"]), direction=direction)
        return times.month_near(at, month, direction=direction)

    def _number(self, said: str | None) -> int:
        word = _low(said)
        return int(word) if word.isdigit() else int(self._lists["numbers"].get(word, 0))

    def _spoken(self) -> Iterator[_Form]:
        names = {
            "month": "months",
            "weekday": "weekdays",
            "season": "seasons",
            "unit": "units",
            "dayword": "days",
            "relative": "relative",
        }
        fields = {
            field: f"(?P<{field}>{_either(self._lists[name])})" for field, name in names.items()
        }
        fields |= {
            "y": _FIELDS["%Y"],
            "d": r"(?P<d>\d{1,2})",
            "n": rf"(?P<n>\d{{1,4}}|{_either(self._lists['numbers'])})",
        }
        for form in self._words["forms"]:
            pattern = re.sub(r"\{(\w+)\}", lambda match: fields[match[1]], form["is"])
            yield _Form(form["kind"], re.compile(pattern, re.IGNORECASE))

    def _role_pattern(self) -> str:
        roles = _either(word for words in self._words["roles"].values() for word in words)
        fill = _either(self._words["words"]["fill"])
        return rf"(?<![\w-])(?:(?P<role>{roles})\s+)?(?:(?:{fill})\s+)*$"

    def _role(self, text: str, start: int) -> tuple[Role, int]:
        window = max(0, start - 40)
        match = self._before.search(text, window, start)
        if match is None:
            return "none", start
        if match["role"] is None:
            return "none", match.start()
        return self._roles[" ".join(match["role"].lower().split())], match.start()

    def _ranges(self, text: str, found: list[Mention], now: datetime | None) -> list[Mention]:
        """ "From 2019 to 2021", "2019-2021": the second of two joined times is where the first one
        ends.

        *now* is given where the present is spoken of.
        """
        for n, (first, second) in enumerate(pairwise(found)):
            between = text[first.end : second.start]
            joined = self._joins.fullmatch(between) or (
                not between.strip() and second.role == "until"
            )
            if joined and (
                first.role in ("since", "onward", "none", "at") or second.role == "until"
            ):
                first, second = _one_year(*_around_now(first, second, now))
                found[n] = first._replace(role="since")
                found[n + 1] = second._replace(role="until", start=first.end)
        return found


def period_of(
    mentions: Iterable[Mention], at: datetime, *, onset: bool, lasting: bool = False
) -> Period:
    """Return what *mentions* together say of when something was so.

    *onset*: the statement names a beginning ("moved", "joined"), so a plain time is where it starts
    and it goes on from there. *lasting*: it says "has been", so "for two years" reaches to now.
    Where the bounds contradict each other (an end before its beginning), only the first said
    counts.
    """
    start: datetime | None = None
    end: datetime | None = None
    exact: list[Precision] = []
    for mention in sorted(mentions, key=lambda one: (one.role in ("none", "at", "ago"), one.start)):
        low, high = _bounds(mention, onset=onset, lasting=lasting)
        within = (start is None or low is None or low >= start) and (
            end is None or high is None or high <= end
        )
        if (low is None and high is None) or not within:
            continue
        new_start, new_end = start if low is None else low, end if high is None else high
        if (new_start is not None and new_end is not None and new_start >= new_end) or (
            exact and low and high is None and start
        ):
            continue
        start, end = new_start, new_end
        exact.append(mention.found.precision)
    if not exact:
        return Period()
    coarsest = min(exact, key=times.PRECISIONS.index)
    return Period(_instant(start), _instant(end), coarsest, stated=True)


@lru_cache(maxsize=8)
def time_reader(language: str) -> Reader:
    """Return the reader of *language*, made once."""
    return Reader(language)


def _around_now(first: Mention, second: Mention, now: datetime | None) -> tuple[Mention, Mention]:
    """ "From December to February", said in January: what is to end soon began before now."""
    if now is None or first.role != "onward" or not (first.loose and second.loose):
        return first, second
    second = _moved(
        second, lambda one: one.end <= now, lambda one: one.start >= times.add(now, -12, "month")
    )
    return _moved(first, lambda one: one.start > second.found.start, lambda one: True), second


def _one_year(first: Mention, second: Mention) -> tuple[Mention, Mention]:
    """ "From May to June 2025": where one of two joined times has no year, the other's decides."""
    if first.loose and not second.loose:
        return _moved(
            first,
            lambda one: one.start > second.found.start,
            lambda one: one.end <= second.found.start,
        ), second
    if second.loose:
        return first, _moved(
            second,
            lambda one: one.start < first.found.start,
            lambda one: one.start > first.found.start,
        )
    return first, second


def _moved(
    mention: Mention, beyond: Callable[[Stretch], bool], good: Callable[[Stretch], bool]
) -> Mention:
    """Return the yearless *mention* in the year nearest to where it is not *beyond* the other
    bound.
    """
    unit = "month" if mention.found.precision == "month" else "day"
    years = sorted(range(-9, 10), key=lambda step: (abs(step), step))
    moved = [
        times.around(times.add(mention.found.start, 12 * step, "month"), unit) for step in years
    ]
    return next(
        (mention._replace(found=one) for one in moved if good(one) and not beyond(one)), mention
    )


def _instant(moment: datetime | None) -> str | None:
    return None if moment is None else times.format_moment(moment)


def _bounds(
    mention: Mention, *, onset: bool, lasting: bool
) -> tuple[datetime | None, datetime | None]:
    start, end = mention.found.start, mention.found.end
    if mention.role in ("since", "onward", "as_of", "by"):
        return start, None
    if mention.role == "after":
        return end, None
    if mention.role == "before":
        return None, start
    if mention.role == "until":  # "until 2019" lies somewhere in 2019; "until 5 pm" is that moment
        return None, start if mention.found.precision in ("hour", "minute", "second") else end
    if mention.role == "duration":
        return (start, None) if lasting else (None, None)
    return (start, None) if onset else (start, end)


def _direction(role: Role, tense: Tense) -> int:
    """Which way a time without a year lies."""
    if tense == "past" or role in ("ago", "duration"):
        return -1
    if tense == "future" or role in ("until", "by", "before"):
        return 1
    return -1


def _is_coming(role: Role, gone: Stretch, coming: Stretch, at: datetime) -> bool:
    """Tell whether "from March", said in the present, means the coming one: who means the last one
    says "since".

    The nearer one is meant; with "from" also what lies later in this year, and always the coming
    weekday.
    """
    weekday = coming.start - gone.start <= _WEEK
    later = role == "onward" and coming.start.year == at.year
    return weekday or later or coming.start - at <= at - gone.start


def _absolute(part: dict[str, Any], month: int | None, day_first: str) -> Stretch:
    year = int(part["y"])
    if part.get("q"):
        return times.quarter(year, int(part["q"]))
    if part.get("first"):
        return _slashed(year, int(part["first"]), int(part["other"]), day_first)
    number = month or int(part["m"])
    if not part.get("d"):
        return times.month(year, number)
    on = times.day(year, number, int(part["d"]))
    if not part.get("H"):
        return on
    moment = times.clock(
        on, int(part["H"]), int(part["M"]), int(part["S"]) if part.get("S") else None
    )
    return _in_utc(moment, part.get("zone"))


def _slashed(year: int, first: int, other: int, day_first: str) -> Stretch:
    """3/4/2026 is two days; where the language does not say which, only the year is certain."""
    if first == other:
        return times.day(year, first, first)
    if first > 12 or day_first == "yes":
        return times.day(year, other, first)
    return times.day(year, first, other) if other > 12 else times.year(year)


def _in_utc(moment: Stretch, zone: str | None) -> Stretch:
    if not zone:
        return moment
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    shift = -minutes if zone[0] == "+" else minutes
    return Stretch(
        times.add(moment.start, shift, "minute"),
        times.add(moment.end, shift, "minute"),
        moment.precision,
    )


def _clock(part: dict[str, Any], on: Stretch) -> Stretch:
    hour = int(part["H"] or part["H24"] or part["hour"])
    minute = part["M"] or part["M24"]
    if part["half"]:
        if not 1 <= hour <= 12:
            raise NoSuchTime(f"{hour} {part['half']}")
        hour = hour % 12 + (12 if part["half"].lower().startswith("p") else 0)
    return times.clock(on, hour, int(minute) if minute else None)


def _with_clocks(found: list[Mention], text: str) -> list[Mention]:
    """Put a time of day onto the day that is named right beside it."""
    kept: list[Mention] = []
    for mention in found:
        last = kept[-1] if kept else None
        if (
            last is None
            or mention.start - last.end > 3
            or {last.found.precision, mention.found.precision} & {"year", "month"}
        ):
            kept.append(mention)
            continue
        fine, coarse = (mention, last) if mention.found.precision != "day" else (last, mention)
        if (
            fine.found.precision not in ("hour", "minute")
            or coarse.found.precision != "day"
            or mention.role == "until"
        ):
            kept.append(mention)
            continue
        shift = coarse.found.start - times.around(fine.found.start, "day").start
        moved = Stretch(fine.found.start + shift, fine.found.end + shift, fine.found.precision)
        role = last.role if last.role != "none" else mention.role
        kept[-1] = Mention(last.start, mention.end, role, moved)
    return kept


def _numeric() -> Iterator[_Form]:
    for shape in _NUMERIC:
        text = re.sub(r"%[YmdHMS]", lambda match: _FIELDS[match[0]], shape)
        yield _Form("numeric", re.compile(text, re.IGNORECASE))


def _bare(pattern: re.Pattern[str]) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern.pattern)


def _either(words: Iterable[str]) -> str:
    return "|".join(
        re.escape(word).replace("\\ ", r"\s+") for word in sorted(words, key=len, reverse=True)
    )


def _low(said: str | None) -> str:
    return " ".join((said or "").lower().split())

"""Reading times out of sentences by phrases, which are data per language.

Each time is as exact as it was said.
"""

import re
from datetime import datetime, timedelta
from functools import cached_property, lru_cache

from companion.annotations import Any
from companion.language.detect import LanguageData, read_language_data
from companion.language.times import calendar
from companion.language.times.calendar import NoSuchTime, Stretch
from companion.language.times.dates import (
    Fields,
    read_clock,
    read_date,
    read_number,
)
from companion.language.times.mentions import (
    Mention,
    Role,
    Tense,
    join_hours,
    join_ranges,
)
from companion.language.times.phrase_patterns import (
    Form,
    Joins,
    build_forms,
    joins_of,
    role_pattern,
    scan_pattern,
)
from companion.language.times.telling import (
    LISTED_FIELDS,
    list_telling_words,
    may_name_time,
    read_lists,
)
from companion.language.words.stop_words import STOP_WORDS
from companion.patterns import lazy
from companion.tuples import NamedTuple

_WEEK = timedelta(days=7)
# kinds of phrases that are counted from the day on which they are said
_RELATIVE = ("day", "relative", "ago")
_LONG_UNITS = ("week", "month", "year")
_ROLE_WITHIN = 40  # characters before a time in which its role is said
# characters beside a time in which it may be joined to another
_JOINED_WITHIN = 30
# behind which another sentence, or a line of a list, begins; and nothing at all
_ENDED = lazy(r"(?:^|[^\W\d]{4}\.|[\d!?:;*\n-])$")
_OWNS = ("'s", "\u2019s")  # "today's special"
_NEXT_WORD = lazy(r" ([a-zäöüß]+)")


class _Place(NamedTuple):
    """From where a time is seen."""

    at: datetime
    role: Role
    tense: Tense


class TimeReader:
    """Times in one language."""

    def __init__(self, raw: LanguageData, little: frozenset[str]) -> None:
        """Take the words of *raw*, the table `data/<language>/time.toml`, and the *little* words of
        the language.
        """
        self._raw = raw
        self._little = little
        self._options = raw["options"]
        self._lists = read_lists(raw)
        self._telling = list_telling_words(self._lists)
        self._roles = _role_by_word(raw["roles"])

    # Compiling these costs more than all else that a question needs, and few name a time.

    @cached_property
    def _forms(self) -> list[Form]:
        return build_forms(self._raw, self._lists)

    @cached_property
    def _scan(self) -> re.Pattern[str]:
        return scan_pattern(self._forms)

    @cached_property
    def _role_before(self) -> re.Pattern[str]:
        return role_pattern(self._raw)

    @cached_property
    def _joins(self) -> Joins:
        return joins_of(self._raw["words"], self._lists["months"])

    def mentions(
        self, text: str, at: datetime, *, tense: Tense = "present"
    ) -> list[Mention]:
        """Return the times that *text* names, in order and not overlapping, seen from *at*."""
        if not self._may_name_time(text):
            return []
        mentions: list[Mention] = []
        for match in self._scan.finditer(text):
            form = self._forms[int(str(match.lastgroup)[1:])]
            role, start = self._role(text, match.start())
            if not self._is_time(form, match, role, start):
                continue
            seen = self._tense_at(form, match, start, tense)
            mention = self._mention(form, match, _Place(at, role, seen))
            if mention is not None:
                mentions.append(mention._replace(start=start))
        now = None
        if tense == "present":
            now = at
        ranges = join_ranges(mentions, text, self._joins.between, now)
        return join_hours(ranges)

    def _tense_at(
        self, form: Form, match: re.Match[str], start: int, tense: Tense
    ) -> Tense:
        """Return the tense in which a time is seen: a day that something was booked *for* lies
        ahead.
        """
        before = match.string[start : match.start()].lower().split()
        if form.kind != "near" or before[:1] == []:
            return tense
        if before[0] not in self._options.get("target", ()):
            return tense
        names_day = match.group()[:1].isdigit() or match.group()[-1:].isdigit()
        return "future" if names_day else tense

    def _may_name_time(self, text: str) -> bool:
        return may_name_time(text, self._telling)

    def _mention(
        self, form: Form, match: re.Match[str], place: _Place
    ) -> Mention | None:
        """Return the mention of the time at *match*, None where the calendar has no such time."""
        fields = _fields(form, match)
        if fields is None:
            return None
        try:
            stretch = self._seen_from(form, fields, place)
        except NoSuchTime:
            return None  # "30 February" is no time; the words stay words
        end = match.end()
        if place.role in ("since", "onward", "as_of"):
            onward = self._joins.onward.match(match.string, end)
            if onward is not None:
                end = onward.end()  # "from March on"
        if match.string[end : end + 2] in _OWNS:
            end += 2
        role = _role_of_form(form, place.role)
        loose = form.kind == "near" and not fields.get("weekday")
        relative = match.span() if self._moves(form, match, fields) else None
        return Mention(match.start(), end, role, stretch, loose, relative)

    def _moves(self, form: Form, match: re.Match[str], fields: Fields) -> bool:
        """Tell whether a time is another one where it is read on another day: "tomorrow", and
        neither "the next day", which is counted from another one, nor "last minute".
        """
        if form.kind not in _RELATIVE or match.group().lower().startswith(
            "the "
        ):
            return False
        unit = self._listed("unit", fields)
        return form.kind == "ago" or unit in (None, *_LONG_UNITS)

    def _seen_from(self, form: Form, fields: Fields, place: _Place) -> Stretch:
        """Return the time that *fields* say, seen from *place*; raises `NoSuchTime`."""
        if form.kind == "weekend":
            if place.tense != "past":
                raise NoSuchTime("every weekend, or the next")
            return calendar.last_weekend(place.at)
        if form.kind != "near":
            return self._stretch(form.kind, fields, place.at)
        stretch = self._near(fields, place.at, _direction(place))
        if place.tense != "present" or place.role not in ("onward", "as_of"):
            return stretch
        coming = self._near(fields, place.at, 1)
        if _means_coming(place, stretch, coming):
            return coming
        return stretch

    # -- which words are a time -------------------------------------------------------------------

    def _is_time(
        self, form: Form, match: re.Match[str], role: Role, start: int
    ) -> bool:
        """Tell whether the words at *match* mean a time; *start* is where those begin that say for
        what.
        """
        if form.kind == "near" and self._says_what_kind(match, start):
            return False
        if form.kind in _RELATIVE and _is_named_so(match, role):
            return False  # "am Morgen", "Peter Morgen"
        if role == "none":
            return self._is_time_alone(form, match)
        may_be_name = role == "onward" and form.kind == "near"
        return not may_be_name or not self._is_name(match)

    def _says_what_kind(self, match: re.Match[str], start: int) -> bool:
        """Tell whether a season or month only says what kind of thing follows: "about the summer
        dress".
        """
        before = match.string[start : match.start()].lower().split()
        if not before or before[0] not in self._options.get("attributive", ()):
            return False
        following = _NEXT_WORD.match(match.string, match.end())
        if following is None or match.group()[:1].isdigit():
            return False
        return following[1] not in self._little

    def _is_time_alone(self, form: Form, match: re.Match[str]) -> bool:
        """Tell whether words mean a time although no word before them says so."""
        words = match.group()
        if form.kind == "year":
            return self._is_paired_year(match)
        if form.kind == "clock":
            return ":" in words or not words[-1].isdigit()
        if form.kind == "near" and self._is_name(match):
            return False
        # a lone word that is also a verb is a month only behind a preposition, or with a capital
        if words[0].isupper():
            return True
        return words.lower() not in self._options["needs_capital"]

    def _is_paired_year(self, match: re.Match[str]) -> bool:
        """Tell whether another year is joined to a lone number."""
        text = match.string
        start = match.start()
        first = max(0, start - _JOINED_WITHIN)
        if self._joins.year_before.search(text, first, start):
            return True
        return self._joins.year_behind.match(text, match.end()) is not None

    def _is_name(self, match: re.Match[str]) -> bool:
        """Tell whether a month is somebody's name: "borrowed from Jan".

        Beside another time it is a month, and in "from Jan on".
        """
        if match.group().rstrip(".").lower() not in self._options["names"]:
            return False
        text = match.string
        start = match.start()
        end = match.end()
        joins = self._joins
        if joins.onward.match(text, end):
            return False
        before = text[max(0, start - _JOINED_WITHIN) : start]
        if joins.time_before.search(before):
            return False
        behind = text[end : end + _JOINED_WITHIN]
        return joins.time_behind.match(behind) is None

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

    def _stretch(self, kind: str, fields: Fields, at: datetime) -> Stretch:
        """Return the time of a phrase of one *kind*, but "near"; raises `NoSuchTime`."""
        if kind in ("numeric", "date"):
            day_first = self._options["day_first"]
            return read_date(fields, self._month(fields), day_first)
        if kind in ("ago", "duration", "ahead"):
            return self._counted(kind, fields, at)
        if kind == "day":
            days = self._listed("dayword", fields)
            return calendar.neighbour(at, days, "day")
        if kind in ("year", "decade"):
            return calendar.around(
                calendar.year(read_number(fields, "y")).start, kind
            )
        if kind == "clock":
            return read_clock(fields, calendar.around(at, "day"))
        if kind == "season":
            season = self._listed("season", fields)
            return calendar.season(read_number(fields, "y"), season)
        if kind == "rel-year":
            return self._in_relative_year(fields, at)
        return self._relative(fields, at)

    def _counted(self, kind: str, fields: Fields, at: datetime) -> Stretch:
        """Return the time of "two weeks ago", "for two years", "in three days"."""
        count = self._count(fields.get("n"))
        if kind != "ahead":
            count = -count
        unit = self._listed("unit", fields) or ""
        return calendar.neighbour(at, count, unit)

    def _in_relative_year(self, fields: Fields, at: datetime) -> Stretch:
        """Return the time of "March last year", "3 March of this year"."""
        year = at.year + int(self._listed("relative", fields))
        month = self._month(fields)
        if fields.get("d"):
            return calendar.day(year, month, read_number(fields, "d"))
        return calendar.month(year, month)

    def _relative(self, fields: Fields, at: datetime) -> Stretch:
        """Return the time of "last week", "next Friday", "this summer", "last March"."""
        step = int(self._listed("relative", fields))
        unit = self._listed("unit", fields)
        if unit:
            return calendar.neighbour(at, step, unit)
        if fields.get("weekday"):
            weekday = int(self._listed("weekday", fields))
            if step >= 0:
                return calendar.weekday_of(at, weekday, step)
            return calendar.weekday_near(at, weekday, direction=-1, strict=True)
        if step:
            return self._near(fields, at, step, strict=True)
        season = self._listed("season", fields)
        if season:
            return calendar.season(at.year, season)
        return calendar.month(at.year, self._month(fields))

    def _near(
        self,
        fields: Fields,
        at: datetime,
        direction: int,
        *,
        strict: bool = False,
    ) -> Stretch:
        """Return the nearest time of "Friday", "summer", "3 March", "March".

        *direction* -1 is the last, +1 the next; *strict* leaves out the one that is now.
        """
        weekday = self._listed("weekday", fields)
        if weekday is not None:
            return calendar.weekday_near(
                at, int(weekday), direction=direction, strict=strict
            )
        season = self._listed("season", fields)
        if season is not None:
            return calendar.season_near(
                at, season, direction=direction, strict=strict
            )
        month = self._month(fields)
        if fields.get("d") and not strict:
            return calendar.day_near(
                at, month, read_number(fields, "d"), direction=direction
            )
        return calendar.month_near(
            at, month, direction=direction, strict=strict
        )

    def _listed(self, field: str, fields: Fields) -> Any:
        """Return what the word of a *field* stands for, None where the phrase has none."""
        return self._lists[LISTED_FIELDS[field]].get(_folded(fields.get(field)))

    def _month(self, fields: Fields) -> int:
        """Return the number of the month that is named, 0 where none is."""
        return int(self._listed("month", fields) or 0)

    def _count(self, words: str | None) -> int:
        word = _folded(words)
        if word.isdigit():
            return int(word)
        return int(self._lists["numbers"].get(word, 0))


@lru_cache(maxsize=8)
def time_reader(language: str) -> TimeReader:
    """Return the reader of *language*, made once."""
    little = STOP_WORDS.get(language, frozenset())
    return TimeReader(read_language_data(language, "time"), little)


def _is_named_so(match: re.Match[str], role: Role) -> bool:
    """Tell whether a word like "tomorrow" has a capital within its sentence: it is a name."""
    if not match.group()[0].isupper():
        return False
    before = match.string[: match.start()].rstrip()
    return role != "none" or not _ENDED.search(before)


def _fields(form: Form, match: re.Match[str]) -> Fields | None:
    """Return the groups of a phrase, None where its form does not fit after all."""
    if form.kind == "year":
        return {"y": match.group()}
    parts = form.pattern.fullmatch(match.group())
    if parts is None:
        return None
    return parts.groupdict()


def _role_of_form(form: Form, role: Role) -> Role:
    """Return the role that a phrase has by itself where no word before it says one."""
    if role not in ("none", "at"):
        return role
    if form.kind == "duration":
        return "duration"
    if form.kind == "ago":
        return "ago"
    return role


def _direction(place: _Place) -> int:
    """Return which way a time without a year lies: -1 before, +1 after."""
    if place.tense == "past" or place.role in ("ago", "duration", "since"):
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


def _role_by_word(words: dict[Role, list[str]]) -> dict[str, Role]:
    """Return the role that each word before a time gives it."""
    roles: dict[str, Role] = {}
    for role, beginnings in words.items():
        roles.update(dict.fromkeys(beginnings, role))
    return roles


def _folded(words: str | None) -> str:
    """Return *words* in lower case with single spaces; "" for None."""
    return " ".join((words or "").lower().split())

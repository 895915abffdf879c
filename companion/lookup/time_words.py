"""Read a time as a person types it: written out, or words such as "yesterday" or "vor 3 Wochen".

Words are read by the clock of this machine's zone. Their word lists are loaded only where a time is
not written out: a capture never needs them.
"""

from datetime import datetime, timedelta

from companion.tuples import NamedTuple
from companion.values.claims import split_words
from companion.values.time import (
    BadTime,
    local_day,
    parse_instant,
    precision,
)
from companion.workspace import Workspace, find_local_offset

LANGUAGES = ("en", "de", "es", "fr", "it", "nl")
_HINT = (
    'Write "yesterday", "last friday", "3 weeks ago" or "gestern"; or 2026-03-01,'
    " 2026-03-01T14:30 (UTC) or 2026-03-01T14:30:00+01:00."
)
_LONGEST = 64  # characters of a time in words
_NOW = "now"
_TICK = timedelta(microseconds=1)
# of a time in a question: it says when something was so, or was told
_OPEN_ROLES = ("since", "onward", "after")
_ROLES = (*_OPEN_ROLES, "none", "at", "ago")


class TimeSpan(NamedTuple):
    """A stretch of time, half-open: two instants (RFC 3339 UTC)."""

    start: str
    end: str


class TimedWords(NamedTuple):
    """A question with the time that it names, and without it."""

    span: TimeSpan
    rest: str


class _Named(NamedTuple):
    """A stretch as words name it, by the local clock."""

    start: datetime
    end: datetime
    precision: str


def read_span(ws: Workspace, text: str) -> TimeSpan:
    """Return the time that *text* names; a date without a zone is one of this machine's zone.

    Raises BadTime.
    """
    if text.strip().lower() == _NOW:
        return TimeSpan(ws.now(), ws.now())
    named = _read_words(ws, text) or _read_written(text)
    if named is None:
        instant = parse_instant(text)
        return TimeSpan(instant, instant)
    return TimeSpan(_to_utc(named.start), _to_utc(named.end))


def read_as_of(ws: Workspace, text: str | None) -> str | None:
    """Return the instant at which an answer is wanted: the last one of what words name, or now
    where that lies in it. A time that is written out stays as it is. Raises BadTime.
    """
    if text is None or _is_written(text):
        return text
    span = read_span(ws, text)
    if span.start <= ws.now() <= span.end:
        return ws.now()
    return _instant(datetime.fromisoformat(span.end) - _TICK)


def read_told(ws: Workspace, text: str | None) -> str | None:
    """Return the time *text* as a telling takes it: of a day its date, of a month or a year that.

    A time that is written out stays as it is. Raises BadTime.
    """
    if text is None or _is_written(text):
        return text
    if text.strip().lower() == _NOW:
        return ws.now()
    named = _read_words(ws, text)
    if named is None:
        raise _refusal(text)
    date = named.start.date().isoformat()
    length = {"year": 4, "month": 7, "day": 10}.get(named.precision)
    if length is not None:
        return date[:length]
    return _to_utc(named.start)


def find_time(ws: Workspace, question: str) -> TimedWords | None:
    """Return the time over by now, or going on, that *question* names first; None: it names none.

    "On Monday" is the last one, "in May" the last May; "since May" ends now.
    """
    from companion.language.times.phrases import time_reader
    from companion.language.words.question_words import question_language

    now = ws.now()
    language = question_language(split_words(question))
    reader = time_reader(language)
    for mention in reader.mentions(question, _read_clock(now), tense="past"):
        if mention.role not in _ROLES:
            continue
        span = TimeSpan(*map(_to_utc, mention.stretch[:2]))
        if mention.role in _OPEN_ROLES:
            span = TimeSpan(span.start, max(span.start, now))
        if span.start >= now:
            continue
        rest = f"{question[: mention.start]} {question[mention.end :]}"
        return TimedWords(span, rest)
    return None


def find_today(ws: Workspace) -> TimeSpan:
    """Return this day, by the clock of this machine's zone."""
    now = ws.now()
    start = datetime.fromisoformat(local_day(now, find_local_offset(now)))
    return TimeSpan(_to_utc(start), _to_utc(start + timedelta(days=1)))


def _is_written(text: str) -> bool:
    """Tell whether *text* is a time that is written out."""
    try:
        parse_instant(text)
    except BadTime:
        return False
    return True


def _refusal(text: str) -> BadTime:
    """Return the error that says what is wrong with *text*, without repeating it."""
    try:
        parse_instant(text)
    except BadTime as error:
        return BadTime(str(error), hint=_HINT)
    return BadTime(hint=_HINT)


def _read_written(text: str) -> _Named | None:
    """Return the day, month or year *text*; None for a time with an hour. Raises BadTime."""
    if not _is_written(text):
        raise _refusal(text)
    exact = precision(text)
    if exact not in ("year", "month", "day"):
        return None
    from companion.language.times import calendar

    start = calendar.parse_moment(parse_instant(text))
    return _Named(*calendar.around(start, exact))


def _read_words(ws: Workspace, text: str) -> _Named | None:
    """Return the time that the words *text* name in one of the languages; None where they do
    not.
    """
    words = " ".join(text.split())
    if not words or len(words) > _LONGEST or _is_written(text):
        return None
    from companion.language.times.phrases import time_reader

    at = _read_clock(ws.now())
    for language in LANGUAGES:
        mentions = time_reader(language).mentions(words, at, tense="past")
        for mention in mentions:
            if (mention.start, mention.end) == (0, len(words)):
                return _Named(*mention.stretch)
    return None


def _read_clock(now: str) -> datetime:
    """Return the instant *now* as a clock of this machine's zone shows it."""
    from companion.language.times import calendar

    offset = timedelta(minutes=find_local_offset(now) or 0)
    return calendar.parse_moment(now) + offset


def _to_utc(local: datetime) -> str:
    """Return the instant at which a clock of this machine's zone shows *local*."""
    instant = _instant(local)
    # The offset at that reading of the clock may be another than an hour before or after it.
    for _ in range(2):
        offset = timedelta(minutes=find_local_offset(instant) or 0)
        instant = _instant(local - offset)
    return instant


def _instant(moment: datetime) -> str:
    naive = moment.replace(tzinfo=None)
    return naive.isoformat(timespec="microseconds") + "Z"

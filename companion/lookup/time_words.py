"""Read a time as a person types it: written out, or words such as "yesterday" or "vor 3 Wochen".

Words are read by the clock of this machine's zone. Their word lists are loaded only where a time is
not written out: a capture never needs them.
"""

from datetime import datetime, timedelta

from companion.annotations import TYPE_CHECKING, Literal
from companion.lookup.query.times import Named
from companion.storage.index.ranking.spans import Span
from companion.tuples import NamedTuple
from companion.values.time import (
    BadTime,
    local_day,
    parse_instant,
    precision,
)
from companion.workspace import Workspace, find_local_offset

if TYPE_CHECKING:
    from companion.language.times.mentions import Mention

LANGUAGES = ("en", "de", "es", "fr", "it", "nl")
_HINT = (
    'Write "yesterday", "last friday", "3 weeks ago" or "gestern"; or 2026-03-01,'
    " 2026-03-01T14:30 (UTC) or 2026-03-01T14:30:00+01:00."
)
_LONGEST = 64  # characters of a time in words
_NOW = "now"
_TICK = timedelta(microseconds=1)
# what is said of a time that does not begin with it: "until March", "for two weeks"
_NO_SPAN = ("until", "before", "by", "duration")
# what goes on from it until now: "since March"
_ONWARD = ("since", "onward", "after")
# words of a duration that say how long something went on, and not in which time
_LASTING = ("for ", "seit ", "depuis ", "pendant ", "desde ", "durante ")
# words that begin such a time and mean the time itself: "notes from last month"
_OF_IT = ("from ", "von ", "vom ")


class _Named(NamedTuple):
    """A stretch as words name it, by the local clock."""

    start: datetime
    end: datetime
    precision: str


def read_span(ws: Workspace, text: str) -> Span:
    """Return the time that *text* names; a date without a zone is one of this machine's zone.

    Raises BadTime.
    """
    if text.strip().lower() == _NOW:
        return Span(ws.now(), ws.now())
    named = _read_words(ws, text) or _read_written(text)
    if named is None:
        instant = parse_instant(text)
        return Span(instant, instant)
    return Span(_to_utc(named.start), _to_utc(named.end))


def list_named(
    ws: Workspace, text: str, language: str, is_over: bool
) -> list[Named]:
    """Return the times that *text* names in *language*, those that have begun; where it *is_over*,
    "in July" is the last one.
    """
    from companion.language.times import calendar
    from companion.language.times.phrases import time_reader

    now = ws.now()
    offset = timedelta(minutes=find_local_offset(now) or 0)
    at = calendar.parse_moment(now) + offset
    tense: Literal["past", "present"] = "past" if is_over else "present"
    found = []
    for mention in time_reader(language).mentions(text, at, tense=tense):
        words = text[mention.start : mention.end].lower()
        is_counted_back = _is_counted_back(mention, words)
        if mention.role in _NO_SPAN and not is_counted_back:
            continue
        start = _to_utc(mention.stretch.start)
        end = _to_utc(mention.stretch.end)
        onward = mention.role in _ONWARD and not words.startswith(_OF_IT)
        onward = onward or is_counted_back
        if onward:
            end = max(now, end)
        if start <= now:
            span = Span(start, end, end >= now)
            is_placed = mention.role != "none"
            begin, stop = mention.start, mention.end
            found.append(Named(span, begin, stop, is_placed, onward))
    return found


def _is_counted_back(mention: "Mention", words: str) -> bool:
    """Tell whether the *words* of a time count back from now: "in the last 3 months", but not "for
    two weeks".
    """
    return mention.role == "duration" and not words.startswith(_LASTING)


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


def find_today(ws: Workspace) -> Span:
    """Return this day, by the clock of this machine's zone."""
    now = ws.now()
    start = datetime.fromisoformat(local_day(now, find_local_offset(now)))
    return Span(_to_utc(start), _to_utc(start + timedelta(days=1)))


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
    from companion.language.times import calendar
    from companion.language.times.phrases import time_reader

    now = ws.now()
    offset = timedelta(minutes=find_local_offset(now) or 0)
    at = calendar.parse_moment(now) + offset
    for language in LANGUAGES:
        mentions = time_reader(language).mentions(words, at, tense="past")
        for mention in mentions:
            if (mention.start, mention.end) == (0, len(words)):
                return _Named(*mention.stretch)
    return None


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

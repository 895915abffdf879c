"""Times as exports write them, as instants: RFC 3339 in UTC with microseconds."""

import re
from datetime import UTC, datetime, timedelta

from companion.values.time import BadTime, format_instant, parse_instant

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS = re.compile(r"-?\d{1,19}(?:\.\d+)?")
# seconds after which a count must be of milliseconds: the year 5138
_LAST_SECOND = 100_000_000_000


def read_time(value: object) -> str | None:
    """Return the time *value*, a text or seconds or milliseconds since 1970; None if it is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _count_from_1970(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _DIGITS.fullmatch(text) and len(text) > 8:
        return _count_from_1970(float(text))
    try:
        return parse_instant(text.replace(" UTC", "Z"))
    except BadTime:
        return None


def _count_from_1970(count: float) -> str | None:
    seconds = count / 1000 if abs(count) > _LAST_SECOND else count
    try:
        return format_instant(_EPOCH + timedelta(seconds=seconds))
    except (OverflowError, ValueError, BadTime):
        return None

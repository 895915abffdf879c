"""Times as a person reads them: by the clock of this machine."""

from companion.values.time import local_minute
from companion.workspace import find_local_offset

_MINUTE = 16  # characters
_DAY = 10


def minute_of(instant: str | None) -> str:
    """Return an instant to the minute; what is none stays as it is."""
    if not instant or not instant.endswith("Z"):
        return (instant or "")[:_MINUTE].replace("T", " ")
    return local_minute(instant, find_local_offset(instant))


def day_of(instant: str | None) -> str:
    """Return the day of an instant."""
    return minute_of(instant)[:_DAY]

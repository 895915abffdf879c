"""Find the nights that were missed, and why; pure.

The night of a day lasts from its eve at 18:00 until 18:00, by the clock of this machine: one that
begins before midnight belongs to the morning after it.
"""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta

from companion.sleep.nights import AWAKE, SLEPT, WAITED, NightRecord
from companion.tuples import NamedTuple

#: days that are looked back on
DAYS = 7
_EVE = timedelta(hours=6)
_NOTHING = "Nothing woke the companion: the machine was off, or no schedule is installed."
# what kept a night away, said afterwards: the record says it as it was at that moment
_KEPT_AWAY = {
    "in use": "You were using it.",
    "keyboard in use": "Somebody was at the keyboard.",
    "busy": "The processor was busy with other work.",
    "hot": "The machine was hot.",
    "on battery": "The machine ran on its battery.",
    "battery low": "The battery was too low.",
    "disk full": "The disk was nearly full.",
    "failed lately": "The night before had failed.",
    "session near": "There was too little time before you usually begin.",
    "planned": "Nothing woke it again at the quieter time for which it waited.",
}
# reasons to wait that miss nothing: there was no work, or another machine did it
_HARMLESS = frozenset({"nothing due", "leased"})


class Missed(NamedTuple):
    """Days in a row whose night was missed for one reason."""

    first: date
    last: date
    why: str


def find_missed(
    records: Sequence[NightRecord], today: date, days: int = DAYS
) -> list[Missed]:
    """Return the nights missed of the last *days*, the oldest first.

    *records* are the oldest first. Nothing is missed before the first of them. The night of *today*
    may still come; it counts where something kept it from coming.
    """
    if not records:
        return []
    reasons: dict[date, NightRecord] = {}
    slept = set()
    for record in records:
        day = day_of(record)
        reasons[day] = record
        if record.outcome == SLEPT or _is_harmless(record):
            slept.add(day)
    first = max(today - timedelta(days=days - 1), day_of(records[0]))
    missed = []
    for day in _days_between(first, today):
        if day in slept or (day == today and day not in reasons):
            continue
        missed.append((day, _explain(reasons.get(day))))
    return _join(missed)


def day_of(record: NightRecord) -> date:
    """Return the day whose morning comes after the night of *record*."""
    return (datetime.fromisoformat(record.ended) + _EVE).date()


def _is_harmless(record: NightRecord) -> bool:
    return record.outcome == WAITED and record.kind in _HARMLESS


def _days_between(first: date, last: date) -> Iterable[date]:
    day = first
    while day <= last:
        yield day
        day += timedelta(days=1)


def _explain(record: NightRecord | None) -> str:
    if record is None:
        return _NOTHING
    if record.outcome == WAITED and record.kind in _KEPT_AWAY:
        return _KEPT_AWAY[record.kind]
    # of a day that is over, not of now
    return record.why.removeprefix(AWAKE).lstrip()


def _join(days: Iterable[tuple[date, str]]) -> list[Missed]:
    """Return *days* with those in a row joined that have one reason."""
    joined: list[Missed] = []
    for day, why in days:
        last = joined[-1] if joined else None
        follows = last is not None and day - last.last == timedelta(days=1)
        if last is not None and follows and why == last.why:
            joined[-1] = last._replace(last=day)
        else:
            joined.append(Missed(day, day, why))
    return joined

"""How evidence ages: by the days on which the wiki was read, not by the calendar.

Whoever comes back after three months finds what the wiki knows of its pages as they left it.
"""

from collections.abc import Iterable

HALF_LIFE_DAYS = 180.0  # of use


def remain(days: int) -> float:
    """Return what is left, in (0, 1], of evidence that is as many *days* of use old."""
    return float(2.0 ** (-max(0, days) / HALF_LIFE_DAYS))


def weigh_days(days: Iterable[str]) -> dict[str, float]:
    """Return what evidence of each day of use (`YYYY-MM-DD`) counts; of the last, 1."""
    newest_first = sorted(set(days), reverse=True)
    return {day: remain(age) for age, day in enumerate(newest_first)}

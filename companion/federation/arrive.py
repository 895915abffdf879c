"""Compare signals that came in with the pages here: lines of the wiki's own file. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.federation.sums.groups import subtract_own
from companion.federation.sums.noise import STATES, estimate
from companion.federation.sums.sketch import (
    WORDS,
    Sheet,
    Signal,
    find_places,
    read_topic,
)
from companion.federation.unit import Unit
from companion.routing.peers import Heard, after_weeks

# the state's place in a noisy sheet
_HELD, _OPEN, _WON = range(len(STATES))


class Own(NamedTuple):
    """One topic of this wiki, and what it told of it."""

    key: str
    entry: str
    told: Signal | None


def match_release(
    sheet: Sheet,
    topics: Iterable[Own],
    unit: Unit,
    *,
    week: int,
    tolerated: int,
    now: str,
) -> list[Heard]:
    """Return what the sum of a round says of this wiki's *topics*, without what it told itself."""

    def read(topic: Own) -> Signal:
        found = read_topic(sheet, topic.key, unit.salt, week)
        return subtract_own(found, topic.told)

    return _make_lines(topics, read, unit, tolerated, week, now)


def match_noise(
    sheets: Sequence[Sheet],
    topics: Iterable[Own],
    unit: Unit,
    *,
    week: int,
    now: str,
) -> list[Heard]:
    """Return what noisy *sheets* of others say of this wiki's topics, where noise alone does not
    explain it.
    """

    def read(topic: Own) -> Signal:
        bucket = find_places(topic.key, unit.salt, week)[0] // WORDS
        found = [
            estimate(sheets, bucket, state, unit.profile.epsilon)
            for state in range(len(STATES))
        ]
        numbers = []
        for one in found:
            numbers.append(round(one.members) if one.is_sure else 0)
        return Signal(
            owners=sum(numbers), open=numbers[_OPEN], won=numbers[_WON]
        )

    # each sheet counts once whatever it holds: a liar is one member
    tolerated = max(0, len(sheets) // unit.profile.least - 1)
    return _make_lines(topics, read, unit, tolerated, week, now)


def _make_lines(
    topics: Iterable[Own],
    read: Callable[[Own], Signal],
    unit: Unit,
    tolerated: int,
    week: int,
    now: str,
) -> list[Heard]:
    lines = []
    for topic in topics:
        signal = read(topic)
        if signal.owners:
            line = _make_line(topic, signal, unit, now)
            line = line._replace(tolerated=tolerated)
            lines.append(line.count_week(week, line.margin))
    return lines


def _make_line(topic: Own, signal: Signal, unit: Unit, now: str) -> Heard:
    """Return the line of a *signal*, as one that no group of liars made."""
    profile = unit.profile
    return Heard(
        unit=unit.id,
        entry=topic.entry,
        seen=now,
        until=after_weeks(now, profile.life),
        owners=signal.owners,
        gravity=signal.gravity,
        authority=signal.authority,
        open=signal.open,
        won=signal.won,
        lost=signal.lost,
        tolerated=0,
        members=1.0,
        trust=profile.trust,
        prior=profile.prior,
        office=profile.authority,
    )


def merge_heard(
    known: Iterable[Heard],
    fresh: Sequence[Heard],
    unit: str,
    week: int,
    now: str,
) -> list[Heard]:
    """Return the lines that count from now on: *fresh* ones in place of older ones of one entry.

    *fresh* is all that a *unit* released in a *week*. What expired is left out. A voice that goes
    on keeps the day on which it was heard first. Each week counts once for or against a word: of
    what a unit told before, and does not tell now, it counts against.
    """
    kept: dict[tuple[str, str], Heard] = {}
    for one in known:
        if one.left(now):
            kept[one.unit, one.entry] = one
    told = {one.entry for one in fresh}
    for key, one in kept.items():
        if one.unit == unit and one.entry not in told and one.week < week:
            kept[key] = one.count_week(week, -1.0)
    for one in fresh:
        before = kept.get((unit, one.entry))
        if before is not None:
            one = _continue_line(before, one)
        kept[unit, one.entry] = one
    return sorted(kept.values())


def _continue_line(before: Heard, one: Heard) -> Heard:
    """Return *one* as what follows on *before*, which the same unit told of the same entry."""
    counted = before
    if one.week > before.week:
        counted = before.count_week(one.week, one.margin)
    one = one._replace(
        week=counted.week, weeks=counted.weeks, mean=counted.mean
    )
    if one == counted._replace(seen=one.seen, until=one.until):
        one = one._replace(seen=before.seen, until=max(one.until, before.until))
    return one


def fade_leavers(
    known: Iterable[Heard],
    unit: str,
    before: Sequence[str],
    after: Sequence[str],
) -> list[Heard]:
    """Return *known* with what a *unit* said counting only for those of *before* who stay *after*.

    Whoever leaves takes his share along at once; the rest ends when it expires.
    """
    stay = len(set(before) & set(after)) / len(before) if before else 1.0
    faded = []
    for one in known:
        if one.unit == unit:
            one = one._replace(members=round(one.members * stay, 6))
        faded.append(one)
    return faded


def describe_origin(unit: Unit) -> Mapping[str, object]:
    """Return whose signals a round had, for the record: unit, and the keys of its members."""
    return {
        "unit": unit.id,
        "roster": f"{unit.roster:016x}",
        "members": [one.fingerprint for one in unit.members],
    }

"""Measure how much tellings weigh against an incumbent, and how much it takes to replace it
(MaM §5.5, §5.7).

The paper asks for accumulation over cycles and names source diversity and spread in time as
defences against correlated noise; numbers it leaves to the implementation. Ours come from planted
cliques (`python -m tests.bench pressure`).

A voice is a source; where none is named, an author; where neither is, the owner. A voice counts
once, by its heaviest telling: trust · usefulness · age, halving in a year. Whoever repeats himself
renews what he said and adds nothing. Who only repeats another's words is counted as that other
(`wordings`), before anything here. Then three sums are made, and the least of them is the pressure:

- of the voices that one author brought, each further one counts half of the one before;
- of the voices of one day, the first three count 1, 0.7 and 0.35, and others nothing;
- the same for the day on which a telling was seen, whatever time it names.

A voice stands where it was heard first. So a later telling moves no voice, removes none and makes
none lighter; every sum is of weights in falling order times shares in falling order, which rises
with each weight; and so does the least of three. No later telling lowers the pressure (CON-15), and
a repetition raises it no higher than it was when its voices were fresh (TRI-8).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from companion.values.wording import comparable_name, many

OWNER = "the owner"  # who speaks where neither a source nor an agent is named


class Telling(NamedTuple):
    """One telling of a capture that contradicts an incumbent."""

    capture: str
    event_time: str  # RFC 3339 UTC: when it was so
    seen_at: str  # RFC 3339 UTC: when it was told
    agent: str
    source: str
    channel: str
    trust: float = 1.0  # of its source class; ordinary is 1
    useful: float = 0.5  # in [0, 1]; 0.5 is unknown


@dataclass(frozen=True)
class Policy:
    """The numbers of pressure and threshold; the defaults are the experiment's."""

    half_life: float = 365.0  # days until a telling weighs half
    # share of the one before for each further voice that the same author brought
    author: float = 0.49
    # shares of the voices of one day, the heaviest first; those after the last count nothing
    crowd: tuple[float, ...] = (1.0, 0.7, 0.35)
    # what one voice counts at most, whoever it is and however often it speaks
    alone: float = 1.50
    # of its weight where what it leads to was never of use
    useless: float = 0.90
    # threshold of an incumbent without gravity at friction 1
    base: float = 1.32
    rise: float = 0.60  # what full gravity adds to it
    # False in an experiment that goes without promotion (MaM §7, Predictions 3 and 4)
    promotes: bool = True


class Pressure(NamedTuple):
    """The weight of a set of tellings, in voices, with the numbers that add up to it."""

    value: float
    voices: int  # distinct ones
    days: int  # distinct days on which they were heard first (UTC)
    parts: tuple[tuple[str, float], ...]  # they sum to the value
    reason: str


class Threshold(NamedTuple):
    """The pressure that must be exceeded to replace an incumbent."""

    value: float
    reason: str


class Voice(NamedTuple):
    """Somebody who speaks, as he counts."""

    first: Telling  # decides on its day and its author
    fresh: float  # what its heaviest telling would weigh today
    plain: float  # what it weighs, without what trust adds
    bonus: float  # what trust above the ordinary adds
    age: float  # of its heaviest telling, in days
    trust: float  # of that

    @property
    def weight(self) -> float:
        """Return what it weighs alone."""
        return self.plain + self.bonus


DEFAULT = Policy()


def measure_pressure(
    tellings: Iterable[Telling], *, now: str, policy: Policy = DEFAULT
) -> Pressure:
    """Return the weight of *tellings* at *now* (RFC 3339 UTC); their order does not matter."""
    voices = list_voices(tellings, now=now, policy=policy)
    total = sum(one.weight for one in voices)
    sums = {
        "brought by one author": _sum_by_author(voices, policy),
        "told of one day": _sum_by_day(voices, _event_day, policy),
        "seen on one day": _sum_by_day(voices, _seen_day, policy),
    }
    least = min(sums, key=lambda name: (sums[name], name))
    value = min(total, sums[least])
    alone = 0.0
    if len(voices) < 2:
        alone = max(0.0, value - policy.alone)
    fresh = sum(one.fresh for one in voices)
    parts = _nonzero_parts(
        {
            "independent voices": fresh,
            "age": total - fresh,
            least: value - total,
            "one voice alone": -alone,
        }
    )
    value = round(value - alone, 6)
    reason = _describe(value, voices, parts)
    reason += _describe_age(voices, policy) + _describe_trust(voices)
    days = {_event_day(one) for one in voices}
    return Pressure(value, len(voices), len(days), parts, reason)


def measure_threshold(
    effective_gravity: float, friction: float, policy: Policy = DEFAULT
) -> Threshold:
    """Return the pressure that must be exceeded: friction · (base + rise · effective gravity).

    It rises strictly with both. The effective gravity counts, not the base one (ROW-5): what nobody
    has read for long is easier to overturn, though it never decays (DEC-2).
    """
    gravity = min(1.0, max(0.0, effective_gravity))
    value = round(friction * (policy.base + policy.rise * gravity), 6)
    return Threshold(
        value,
        f"threshold {value:.2f} = friction {friction:.2f} x ({policy.base:.2f} + "
        f"{policy.rise:.2f} x effective gravity {gravity:.3f})",
    )


def list_voices(
    tellings: Iterable[Telling], *, now: str, policy: Policy = DEFAULT
) -> list[Voice]:
    """Return who speaks in *tellings*, each once, in the order in which they were heard first."""
    told: defaultdict[str, list[Telling]] = defaultdict(list)
    for telling in tellings:
        told[voice_of(telling)].append(telling)
    voices = [_weigh_voice(some, now, policy) for some in told.values()]
    return sorted(voices, key=lambda one: told_order(one.first))


def told_order(telling: Telling) -> tuple[str, Telling]:
    """Return what tellings are sorted by, the first one told first."""
    return telling.seen_at, telling


def voice_of(telling: Telling) -> str:
    """Return who speaks: the source, the author if no source is named, or else the owner."""
    return (
        comparable_name(telling.source)
        or comparable_name(telling.agent)
        or OWNER
    )


def _weigh_voice(
    tellings: Sequence[Telling], now: str, policy: Policy
) -> Voice:
    first = min(tellings, key=told_order)
    weighed = [_weigh(first, one, now, policy) for one in tellings]
    heaviest = max(weighed, key=lambda one: (one.weight, -one.age))
    # each part by itself: none may fall because a telling is heavier in the other
    return heaviest._replace(
        fresh=max(one.fresh for one in weighed),
        plain=max(one.plain for one in weighed),
        bonus=max(one.bonus for one in weighed),
    )


def _weigh(first: Telling, telling: Telling, now: str, policy: Policy) -> Voice:
    """Return a voice by one of its tellings."""
    elapsed = _parse_time(now) - _parse_time(_counts_from(telling))
    age = max(0.0, elapsed.total_seconds() / 86_400)
    useful = policy.useless + (1 - policy.useless) * telling.useful
    left = math.pow(0.5, age / policy.half_life)
    fresh = round(telling.trust * useful, 9)
    weight = round(fresh * left, 9)
    plain = round(min(1.0, telling.trust) * useful * left, 9)
    return Voice(first, fresh, plain, weight - plain, age, telling.trust)


def _counts_from(telling: Telling) -> str:
    """Return the time of a telling: its event time, but no later than when it was told."""
    return min(telling.event_time, telling.seen_at)


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _event_day(voice: Voice) -> str:
    return _counts_from(voice.first)[:10]


def _seen_day(voice: Voice) -> str:
    return voice.first.seen_at[:10]


def _sum_by_author(voices: Sequence[Voice], policy: Policy) -> float:
    """Return the weight of *voices*, less for those that one author brought."""
    brought: defaultdict[str, list[Voice]] = defaultdict(list)
    total = 0.0
    for one in voices:
        author = comparable_name(one.first.agent)
        if author:
            brought[author].append(one)
        else:
            total += one.weight
    for some in brought.values():
        shares = [math.pow(policy.author, n) for n in range(len(some))]
        total += _sum_shares(some, shares)
    return total


def _sum_by_day(
    voices: Sequence[Voice], day_of: Callable[[Voice], str], policy: Policy
) -> float:
    """Return the weight of *voices*, less for those that were heard on one day."""
    by_day: defaultdict[str, list[Voice]] = defaultdict(list)
    for one in voices:
        by_day[day_of(one)].append(one)
    return sum(_sum_shares(some, policy.crowd) for some in by_day.values())


def _sum_shares(voices: Sequence[Voice], shares: Sequence[float]) -> float:
    """Return what *voices* weigh by *shares*, the heaviest first; trust adds to one of them only.

    *shares* fall, so that the sum rises with every weight.
    """
    plain = sorted((one.plain for one in voices), reverse=True)
    bonus = max(one.bonus for one in voices)
    return bonus + sum(map(math.prod, zip(plain, shares, strict=False)))


def _nonzero_parts(
    parts: Mapping[str, float],
) -> tuple[tuple[str, float], ...]:
    rounded = [(name, round(number, 6)) for name, number in parts.items()]
    return tuple(part for part in rounded if part[1])


def _describe(
    value: float,
    voices: Sequence[Voice],
    parts: Sequence[tuple[str, float]],
) -> str:
    days = sorted({_event_day(one) for one in voices})
    when = many(len(days), "day")
    if len(days) > 1:
        within = _parse_time(days[-1]) - _parse_time(days[0])
        when += f" within {within.days + 1}"
    words = f"pressure {value:.2f}: {many(len(voices), 'independent voice')} on {when}"
    terms = "; ".join(f"{name} {number:+.2f}" for name, number in parts)
    return f"{words} ({terms})" if terms else words


def _describe_age(voices: Sequence[Voice], policy: Policy) -> str:
    """Return how old the oldest voice is, and what is left of it; empty where all are of today."""
    oldest = max((one.age for one in voices), default=0.0)
    if oldest < 1:
        return ""
    left = math.pow(0.5, oldest / policy.half_life)
    return f"; the oldest was told {many(int(oldest), 'day')} ago and counts {left:.2f}"


def _describe_trust(voices: Sequence[Voice]) -> str:
    """Return how many voices weigh more or less because of who they are, in words."""
    classes = Counter(one.trust for one in voices)
    del classes[1.0]
    return "".join(
        f"; {count} told by trust {trust:.2f}"
        for trust, count in sorted(classes.items())
    )

"""Measure how much tellings weigh against an incumbent, and how much it takes to replace it
(MaM §5.5, §5.7).

The paper asks for accumulation over cycles and names source diversity and spread in time as
defences against correlated noise; numbers it leaves to the implementation. Ours come from planted
cliques (`python -m tests.bench pressure`).

Each telling weighs trust · cohesion · usefulness · age, halving in a year. A voice is a source;
where none is named, an author; where neither is, the owner. What repeats another telling counts a
fraction of that: the same voice again, the same wording from another, another source through the
same author. What is left of one day counts little more than two voices, and one voice alone less
than any incumbent's threshold. So pressure is bounded in the repetitions and grows without bound in
the voices. It is a function of the set of tellings and of now: no state, no order; what accumulates
over cycles is the set.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush
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
    # mean support by the other members, in [0, 1]; nobody speaks against one that is alone
    cohesion: float = 1.0
    useful: float = 0.5  # in [0, 1]; 0.5 is unknown
    # the group of near-identical wordings it belongs to; empty: its own capture
    echo: str = ""


@dataclass(frozen=True)
class Policy:
    """The numbers of pressure and threshold; the defaults are the experiment's."""

    half_life: float = 365.0  # days until a telling weighs half
    # share of its weight left for each telling of the same voice that counts before it
    again: float = 0.10
    # for each other voice that the same author brought before it
    author: float = 0.49
    # for each telling of the same wording that counts before it
    echo: float = 0.25
    crowd: float = 2.4  # what one day's tellings count at most; above 1
    # what one voice counts at most, whoever it is and however often it speaks
    alone: float = 1.50
    incohesive: float = 0.75  # of its weight where no other member supports it
    # of its weight where what it leads to was never of use
    useless: float = 0.90
    # threshold of an incumbent without gravity at friction 1
    base: float = 1.32
    rise: float = 0.60  # what full gravity adds to it


class Pressure(NamedTuple):
    """The weight of a set of tellings, in voices, with the numbers that add up to it."""

    value: float
    voices: int  # distinct ones that do not only repeat another's wording
    echoes: int  # tellings that only repeat another's wording
    days: int  # distinct days of telling (UTC)
    parts: tuple[tuple[str, float], ...]  # they sum to the value
    reason: str


class Threshold(NamedTuple):
    """The pressure that must be exceeded to replace an incumbent."""

    value: float
    reason: str


class Counted(NamedTuple):
    """One telling as it was counted."""

    telling: Telling
    weight: float  # before anything it repeats
    again: int  # tellings of its voice counted before it
    brought: int  # other voices that its author brought before it
    echoed: int  # tellings of its wording counted before it
    share: float  # what it adds, before its day's bound


DEFAULT = Policy()


def measure_pressure(
    tellings: Sequence[Telling], *, now: str, policy: Policy = DEFAULT
) -> Pressure:
    """Return the weight of *tellings* at *now* (RFC 3339 UTC); their order does not matter."""
    counted = count_tellings(tellings, now=now, policy=policy)
    voices = [one for one in counted if not one.again and not one.echoed]
    echoes = [one for one in counted if one.echoed and not one.again]
    by_day = _sum_by_day(counted)
    crowded = sum(
        share - _bound_day(share, policy.crowd) for share in by_day.values()
    )
    total = sum(by_day.values()) - crowded
    alone = 0.0
    if len(voices) < 2:
        alone = max(0.0, total - policy.alone)
    value = round(total - alone, 6)
    repeated = _sum_shares(one for one in counted if one.again)
    parts = _nonzero_parts(
        {
            "independent voices": _sum_shares(voices),
            "told again by the same voice": repeated,
            "in the same words from others": _sum_shares(echoes),
            "crowded into one day": -crowded,
            "one voice alone": -alone,
        }
    )
    reason = _describe(value, voices, by_day, parts)
    reason += _describe_trust(counted)
    return Pressure(value, len(voices), len(echoes), len(by_day), parts, reason)


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


def count_tellings(
    tellings: Sequence[Telling], *, now: str, policy: Policy = DEFAULT
) -> list[Counted]:
    """Return every telling with its share, the heaviest first.

    A repetition is measured against what weighs more. Of equal weight, one that few others resemble
    goes first: two voices must not become one because a third quotes them both. For the same reason
    a known voice in words that another had used before goes last, however new it is: it must not
    take the place of what it repeats (CON-15).
    """
    weights = {
        telling: _weight(telling, now, policy) for telling in set(tellings)
    }
    everyone = _Tally(tellings)
    joining = _find_joining(tellings)
    waiting = []
    for n, telling in enumerate(tellings):
        alike = everyone.count_alike(telling)
        key = (telling in joining, -weights[telling], alike, telling)
        waiting.append((key, n))
    heapify(waiting)
    counted: list[Counted] = []
    seen = _Tally(())
    # A share only ever falls: a stale one at the top is found by measuring it once more.
    while waiting:
        (joins, _, alike, telling), n = heappop(waiting)
        latest = _count_one(telling, weights[telling], seen, policy)
        key = (joins, -round(latest.share, 9), alike, telling)
        if waiting and (key, n) > waiting[0]:
            heappush(waiting, (key, n))
            continue
        counted.append(latest)
        seen.add(telling)
    return counted


def _find_joining(tellings: Iterable[Telling]) -> set[Telling]:
    """Return what known voices said in words that another voice had used before them."""
    speakers: defaultdict[str, set[str]] = defaultdict(set)
    known: set[str] = set()
    joining = set()
    for telling in sorted(set(tellings), key=_told_order):
        voice = voice_of(telling)
        said_by = speakers[echo_of(telling)]
        if voice in known and said_by and voice not in said_by:
            joining.add(telling)
        known.add(voice)
        said_by.add(voice)
    return joining


def _told_order(telling: Telling) -> tuple[str, Telling]:
    return telling.seen_at, telling


def _count_one(
    telling: Telling, weight: float, seen: "_Tally", policy: Policy
) -> Counted:
    again = seen.count_same_voice(telling)
    brought = seen.count_other_voices_of_author(telling)
    echoed = seen.count_same_words(telling)
    # an author who names several trusted sources is believed more once
    if brought:
        weight /= max(1.0, telling.trust)
    share = (
        weight
        * policy.again**again
        * policy.author**brought
        * policy.echo**echoed
    )
    return Counted(telling, weight, again, brought, echoed, share)


def _weight(telling: Telling, now: str, policy: Policy) -> float:
    age = _parse_time(now) - _parse_time(_counts_from(telling))
    days = max(0.0, age.total_seconds() / 86_400)
    cohesion = policy.incohesive + (1 - policy.incohesive) * telling.cohesion
    useful = policy.useless + (1 - policy.useless) * telling.useful
    fresh = math.pow(0.5, days / policy.half_life)
    return round(telling.trust * cohesion * useful * fresh, 9)


class _Tally:
    """Tellings counted so far, by who spoke, who brought it, and in which words."""

    def __init__(self, tellings: Sequence[Telling]) -> None:
        self.voices: Counter[str] = Counter()
        self.words: Counter[str] = Counter()
        self.authors: defaultdict[str, set[str]] = defaultdict(set)
        for telling in tellings:
            self.add(telling)

    def add(self, telling: Telling) -> None:
        """Count *telling*."""
        voice = voice_of(telling)
        self.voices[voice] += 1
        self.words[echo_of(telling)] += 1
        self.authors[comparable_name(telling.agent)].add(voice)

    def count_same_voice(self, telling: Telling) -> int:
        """Return how many tellings have the voice of *telling*."""
        return self.voices[voice_of(telling)]

    def count_other_voices_of_author(self, telling: Telling) -> int:
        """Return how many other voices the author of *telling* brought."""
        author = comparable_name(telling.agent)
        if not author:
            return 0
        return len(self.authors[author] - {voice_of(telling)})

    def count_same_words(self, telling: Telling) -> int:
        """Return how many tellings have the wording of *telling*."""
        return self.words[echo_of(telling)]

    def count_alike(self, telling: Telling) -> int:
        """Return how many tellings resemble *telling*, once for each way in which they do."""
        return (
            self.count_same_voice(telling)
            + self.count_other_voices_of_author(telling)
            + self.count_same_words(telling)
        )


def voice_of(telling: Telling) -> str:
    """Return who speaks: the source, the author if no source is named, or else the owner."""
    return (
        comparable_name(telling.source)
        or comparable_name(telling.agent)
        or OWNER
    )


def echo_of(telling: Telling) -> str:
    """Return the group of wordings that a telling belongs to."""
    return telling.echo or telling.capture


def _counts_from(telling: Telling) -> str:
    """Return the time of a telling: its event time, but no later than when it was told."""
    return min(telling.event_time, telling.seen_at)


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _sum_by_day(counted: Sequence[Counted]) -> dict[str, float]:
    by_day: defaultdict[str, float] = defaultdict(float)
    for one in counted:
        by_day[_counts_from(one.telling)[:10]] += one.share
    return by_day


def _bound_day(share: float, bound: float) -> float:
    """Return how much of a day's *share* counts: one voice in full, more ever less, below *bound*.

    Rising and concave from 0, so that a further telling never lowers anything.
    """
    if share <= 1:
        return share
    return 1 + (bound - 1) * (1 - math.exp((1 - share) / (bound - 1)))


def _sum_shares(counted: Iterable[Counted]) -> float:
    return sum(one.share for one in counted)


def _nonzero_parts(
    parts: Mapping[str, float],
) -> tuple[tuple[str, float], ...]:
    rounded = [(name, round(number, 6)) for name, number in parts.items()]
    return tuple(part for part in rounded if part[1])


def _describe(
    value: float,
    voices: Sequence[Counted],
    by_day: Collection[str],
    parts: Sequence[tuple[str, float]],
) -> str:
    days = sorted(by_day)
    when = many(len(days), "day")
    if len(days) > 1:
        within = _parse_time(days[-1]) - _parse_time(days[0])
        when += f" within {within.days + 1}"
    words = f"pressure {value:.2f}: {many(len(voices), 'independent voice')} on {when}"
    terms = "; ".join(f"{name} {number:+.2f}" for name, number in parts)
    return f"{words} ({terms})" if terms else words


def _describe_trust(counted: Sequence[Counted]) -> str:
    """Return how many tellings weigh more or less because of who told them, in words."""
    classes = Counter(one.telling.trust for one in counted)
    del classes[1.0]
    return "".join(
        f"; {count} told by trust {trust:.2f}"
        for trust, count in sorted(classes.items())
    )

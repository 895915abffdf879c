"""Minority pressure: what tellings against an incumbent weigh together, and what they must outweigh
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
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from companion.values.wording import comparable_name, many

OWNER = "the owner"  # who speaks where neither a source nor an agent is named


class Member(NamedTuple):
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
    """What a set of tellings weighs, in voices, with the numbers that add up to it."""

    value: float
    voices: int  # distinct ones that do not only repeat another's wording
    echoes: int  # tellings that only repeat another's wording
    days: int  # distinct days of telling (UTC)
    parts: tuple[tuple[str, float], ...]  # they sum to the value
    reason: str


class Threshold(NamedTuple):
    """What pressure must exceed."""

    value: float
    reason: str


class Counted(NamedTuple):
    """One telling as it was counted."""

    member: Member
    weight: float  # before anything it repeats
    again: int  # tellings of its voice counted before it
    brought: int  # other voices that its author brought before it
    echoed: int  # tellings of its wording counted before it
    share: float  # what it adds, before its day's bound


DEFAULT = Policy()


def pressure(
    members: Sequence[Member], *, now: str, policy: Policy = DEFAULT
) -> Pressure:
    """Return what *members* weigh together at *now* (RFC 3339 UTC), at least 0; the same in any
    order.
    """
    counted = count(members, now=now, policy=policy)
    voices = [each for each in counted if not each.again and not each.echoed]
    again = [each for each in counted if each.again]
    echoes = [each for each in counted if each.echoed and not each.again]
    by_day: defaultdict[str, float] = defaultdict(float)
    for each in counted:
        by_day[_told(each.member)[:10]] += each.share
    crowded = sum(
        share - _one_day(share, policy.crowd) for share in by_day.values()
    )
    total = sum(by_day.values()) - crowded
    alone = max(0.0, total - policy.alone) if len(voices) < 2 else 0.0
    parts = (
        ("independent voices", _sum(voices)),
        ("told again by the same voice", _sum(again)),
        ("in the same words from others", _sum(echoes)),
        ("crowded into one day", -crowded),
        ("one voice alone", -alone),
    )
    rounded = tuple(
        (name, round(number, 6)) for name, number in parts if round(number, 6)
    )
    value = round(total - alone, 6)
    return Pressure(
        value,
        len(voices),
        len(echoes),
        len(by_day),
        rounded,
        _words(value, voices, by_day, rounded) + _trusted(counted),
    )


def threshold(
    effective_gravity: float, friction: float, policy: Policy = DEFAULT
) -> Threshold:
    """Return what must be exceeded to overturn an incumbent: friction · (base + rise · effective
    gravity).

    It rises strictly with both. The effective gravity counts, not the base one (ROW-5): what nobody
    has read for long is easier to overturn, though it never decays (DEC-2).
    """
    gravity = min(1.0, max(0.0, effective_gravity))
    value = round(friction * (policy.base + policy.rise * gravity), 6)
    words = f"friction {friction:.2f} x ({policy.base:.2f} + {policy.rise:.2f} x effective gravity {gravity:.3f})"
    return Threshold(value, f"threshold {value:.2f} = {words}")


def count(
    members: Sequence[Member], *, now: str, policy: Policy = DEFAULT
) -> list[Counted]:
    """Return every telling with its share, the heaviest first: what repeats is measured against
    what weighs more.

    Of equal weight, one that few others resemble goes first: two voices must not become one because
    a third quotes them both.
    """
    weights = {each: _weight(each, now, policy) for each in set(members)}
    alike = _Tally(members).alike
    waiting = [
        ((-weights[each], alike(each), each), n)
        for n, each in enumerate(members)
    ]
    heapify(waiting)
    found: list[Counted] = []
    seen = _Tally(())
    # a share only ever falls, so that a stale one at the top is found out by looking again
    while waiting:
        (_, many, member), n = heappop(waiting)
        fresh = _counted(member, weights[member], seen, policy)
        key = (-round(fresh.share, 9), many, member)
        if waiting and (key, n) > waiting[0]:
            heappush(waiting, (key, n))
            continue
        found.append(fresh)
        seen.add(member)
    return found


def _counted(
    member: Member, weight: float, seen: "_Tally", policy: Policy
) -> Counted:
    again, brought, echoed = (
        seen.again(member),
        seen.brought(member),
        seen.echoed(member),
    )
    # an author who names several trusted sources is believed more once
    if brought:
        weight /= max(1.0, member.trust)
    share = (
        weight
        * policy.again**again
        * policy.author**brought
        * policy.echo**echoed
    )
    return Counted(member, weight, again, brought, echoed, share)


def _weight(member: Member, now: str, policy: Policy) -> float:
    age = max(
        0.0, (_instant(now) - _instant(_told(member))).total_seconds() / 86_400
    )
    cohesion = policy.incohesive + (1 - policy.incohesive) * member.cohesion
    useful = policy.useless + (1 - policy.useless) * member.useful
    return round(
        member.trust
        * cohesion
        * useful
        * math.pow(0.5, age / policy.half_life),
        9,
    )


class _Tally:
    """Tellings counted so far, by who spoke, who brought it, and in which words."""

    def __init__(self, members: Sequence[Member]) -> None:
        self.voices: Counter[str] = Counter()
        self.words: Counter[str] = Counter()
        self.authors: defaultdict[str, set[str]] = defaultdict(set)
        for member in members:
            self.add(member)

    def add(self, member: Member) -> None:
        self.voices[voice(member)] += 1
        self.words[echo_of(member)] += 1
        self.authors[comparable_name(member.agent)].add(voice(member))

    def again(self, member: Member) -> int:
        return self.voices[voice(member)]

    def brought(self, member: Member) -> int:
        author = comparable_name(member.agent)
        return len(self.authors[author] - {voice(member)}) if author else 0

    def echoed(self, member: Member) -> int:
        return self.words[echo_of(member)]

    def alike(self, member: Member) -> int:
        return self.again(member) + self.brought(member) + self.echoed(member)


def voice(member: Member) -> str:
    """Return who speaks in a telling: its source, its author where none is named, its owner where
    neither is.
    """
    return (
        comparable_name(member.source) or comparable_name(member.agent) or OWNER
    )


def echo_of(member: Member) -> str:
    """Return the group of wordings a telling belongs to."""
    return member.echo or member.capture


def _told(member: Member) -> str:
    """Return when a telling counts from: a time of its own, but none ahead of its being told."""
    return min(member.event_time, member.seen_at)


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _one_day(share: float, bound: float) -> float:
    """Return what one day's tellings count: up to one voice in full, then less and less, below
    *bound* in all.

    Rising and concave from 0, so that a further telling never lowers anything.
    """
    return (
        share
        if share <= 1
        else 1 + (bound - 1) * (1 - math.exp((1 - share) / (bound - 1)))
    )


def _sum(counted: Sequence[Counted]) -> float:
    return sum(each.share for each in counted)


def _words(
    value: float,
    voices: Sequence[Counted],
    by_day: dict[str, float],
    parts: Sequence[tuple[str, float]],
) -> str:
    days = sorted(by_day)
    when = many(len(days), "day")
    if len(days) > 1:
        when += f" within {(_instant(days[-1]) - _instant(days[0])).days + 1}"
    told = "; ".join(f"{name} {number:+.2f}" for name, number in parts)
    who = many(len(voices), "independent voice")
    return f"pressure {value:.2f}: {who} on {when}" + (
        f" ({told})" if told else ""
    )


def _trusted(counted: Sequence[Counted]) -> str:
    """Say which tellings weigh more or less because of who told them."""
    classes = Counter(
        each.member.trust for each in counted if each.member.trust != 1.0
    )
    told = (
        f"{count} told by trust {trust:.2f}"
        for trust, count in sorted(classes.items())
    )
    return "".join(f"; {words}" for words in told)

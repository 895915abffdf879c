"""AUDIT: whether an entry is still needed, from what its suspension changes, and what follows from
that (MaM §5.8).

A verdict is paired: the same questions, answered with the entry and without it. Whether the changes
could be chance is asked of every way in which their signs might have fallen (Fisher's randomisation
test, exact): that takes sizes into account, needs no normal distribution and no dice. Silence is no
evidence: *unchanged* must be shown, too, by questions in which the entry led and that went as well
without it. What is not shown is *inconclusive*, so that the quiet foundation that nobody asks for
stands (pitfall of every audit that counts accesses).

An entry that stands above others in a list, and is passed over, costs a glance. That alone never
archives: *improved* takes consequences, that is answers that the user called bad, matters on which
several others say otherwise, or a branch that presses. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from companion.operations.audit import judged_answers
from companion.operations.audit.judged_answers import Judged
from companion.operations.audit.query_set import EARLIER, Kind, Probe, is_tested, performance
from companion.routing import matrix
from companion.routing.matrix import Conflict
from companion.values.wording import many

VERSION = "audit-2"

Result = Literal["degraded", "unchanged", "improved"]
Outcome = Literal["restored", "gravity-reduced", "archived"]

TOP_N = 10  # entries, by gravity
EVERY = 30  # days between two audits of an entry that nobody asks for
DEGRADES = 0.05  # chance at which a loss is taken for one
# questions that need an entry, twice as many as do better without it, from which it is load-bearing
# anyway
NEEDED = 5
IMPROVES = 0.1  # chance at which what was said of answers speaks against an entry
OPPOSED = 0.2  # chance at which what was held out is taken to say the opposite
LEAST_CHANGE = 0.02  # of performance, below which a question is answered as before
# independent ones that an improvement needs; from which a cycle's outcomes are poor, too
CONSEQUENCES = 3
SPARED = 0.1  # share of questions that might need an entry that is called unneeded
SURE = 0.05  # chance that more of them do
LOST = 3  # questions that are enough where the entry lost its place already
HALVED, OVERRIDDEN = 0.5, 0.25  # what one bad audit leaves of gravity, and what row 6 does
LEAST = 0.01  # of gravity's factor: a factor of 0 could never be given back
GRACE = 7  # days that an entry is decaying by AUDIT before it is archived
GROWTH = 6  # N of INV-4: cycles with input in which a branch did not grow
SEVERAL = 2  # voices that say otherwise, from which a matter is contradicted
_STEPS = 20  # of a change, in the exact test


class Change(NamedTuple):
    """What the suspension did to one question."""

    probe: Probe
    before: int | None  # the entry's place among the results, from 1
    delta: float  # performance without it less performance with it, in [-2, 2]
    tested: bool
    missed: tuple[str, ...] = ()  # useful entries, itself among them, that were found with it only


class Matter(NamedTuple):
    """What becomes of one matter in the claim ledger without what the entry states of it."""

    key: str
    kind: Literal["same", "needed", "contradicted"]
    voices: int = 0  # that say otherwise


class Evidence(NamedTuple):
    """All that one suspension showed."""

    changes: Sequence[Change]
    matters: Sequence[Matter] = ()
    named: int = 0  # times that it was opened by name lately, so that no question says what for
    lost: bool = False  # another entry took its place
    since: str = ""  # the last audit: older outcomes were weighed then
    judged: Mapping[str, Judged] = {}  # groups of which nobody spoke, and a language model did
    judge: str = ""  # which model


class Vote(NamedTuple):
    """What one group of questions that ask the same says."""

    group: str
    kind: Kind | Literal["ledger"]
    delta: float
    tested: bool
    poor: bool  # a consequence of the entry's being there
    spoken: bool  # somebody said what they thought
    # without the entry something useful is not found: more than that what stood above moved
    needed: bool
    said: float = 0.0  # of the change, what a model says


class Verdict(NamedTuple):
    """What an audit found. *result* None: inconclusive."""

    result: Result | None
    reason: str
    numbers: Mapping[str, float]
    poor: int  # groups that it led astray since the last audit


class Consequence(NamedTuple):
    """What follows from a result."""

    outcome: Outcome
    factor: float  # of gravity, from then on
    reason: str


def change(entry: str, probe: Probe, before: Sequence[str], after: Sequence[str]) -> Change:
    """Return what the rankings *before* and *after* the suspension of *entry* make of *probe*."""
    delta = probe.weight * (performance(probe, after) - performance(probe, before))
    # not what another opening followed
    wanted = {each for each, value in probe.useful.items() if value > EARLIER}
    missed = tuple(sorted(wanted & set(before) - set(after)))
    place = before.index(entry) + 1 if entry in before else None
    return Change(probe, place, round(delta, 6), is_tested(entry, probe, before), missed)


def judge(entry: str, evidence: Evidence) -> Verdict:
    """Return the verdict on *entry*; every one carries its reason, an inconclusive one what it
    lacks.
    """
    votes = _votes(entry, evidence)
    held = [vote for vote in votes if vote.kind == "held out"]
    counted = [vote for vote in votes if vote.kind != "held out" and (vote.tested or vote.delta)]
    mean, apart, poor = _mean(counted), _mean(held), sum(vote.poor for vote in votes)
    # What was held out may back an accusation, and never makes one; what confirms a belief must do
    # without it.
    against = counted + held if mean > 0 and apart > 0 else counted
    worse, better = (
        chance([-v.delta for v in counted]),
        chance([v.delta for v in against if v.spoken]),
    )
    numbers = {
        "tested": sum(vote.tested for vote in votes),
        "needed": sum(map(_is_needed, votes)),
        "better": sum(vote.delta >= LEAST_CHANGE for vote in votes),
        "mean": round(mean, 4),
        "held_out": round(apart, 4),
        "chance": round(min(worse, better), 6),
        "consequences": poor,
        **judged_answers.numbers(evidence.judged.values()),
    }
    needed = numbers["needed"]
    # it may lead astray elsewhere, and is needed here
    plainly = needed >= NEEDED and needed >= 2 * numbers["better"]
    result: Result | None = None
    if mean < 0 and (worse <= DEGRADES or plainly):
        result, why = "degraded", "answers depend on it"
    elif mean > 0 and better <= IMPROVES and poor >= CONSEQUENCES:
        result, why = "improved", f"it led astray {many(poor, 'time')}"
    elif (lacking := _lacking(evidence, votes)) is None:
        result, why = "unchanged", "nothing that is asked needs it"
    else:
        why = lacking
    if result in ("degraded", "improved") and _is_opposed(result, mean, counted, held):
        result, why = None, "what was held out says the opposite"
    if result == "degraded" and _is_in_the_way(counted) and not _is_spoken(counted):
        result, why = None, "only silence speaks for it, and the model against it"
    return Verdict(result, _told(evidence, result, numbers, why), numbers, _lately(entry, evidence))


def _told(evidence: Evidence, result: Result | None, numbers: Mapping[str, float], why: str) -> str:
    """Return the reason in words: what was asked, what came of it, and what stands in the way or
    follows.
    """
    if not numbers["tested"]:
        return why
    needed, better = int(numbers["needed"]), int(numbers["better"])
    said = f"of {many(int(numbers['tested']), 'question')} {_some(needed, 'needs', 'need')} it and "
    said += f"{_some(better, 'is', 'are')} better without it"
    if numbers["mean"]:
        apart = f", held out {numbers['held_out']:+.2f}" if numbers["held_out"] else ""
        by_chance = "under 0.001" if numbers["chance"] < 0.001 else f"{numbers['chance']:.3f}"
        said += f" (on average {numbers['mean']:+.2f}{apart}{f', by chance {by_chance}' if result else ''})"
    return "; ".join(
        filter(None, (said, judged_answers.told(evidence.judge, evidence.judged.values()), why))
    )


def _some(count: int, one: str, more: str) -> str:
    return f"{count or 'none'} {one if count <= 1 else more}"


def _is_needed(vote: Vote) -> bool:
    # where a model says otherwise it is an open question
    return vote.needed and vote.delta <= -LEAST_CHANGE


def _is_opposed(result: Result, mean: float, counted: Sequence[Vote], held: Sequence[Vote]) -> bool:
    """Tell whether what was held out says the opposite of *result*, so much so that both together
    do not bear it.
    """
    sign = 1 if mean > 0 else -1
    against = [-sign * vote.delta for vote in held]
    if sum(against) <= 0 or chance(against) > OPPOSED:
        return False
    both = [sign * vote.delta for vote in (*counted, *held) if vote.spoken or result == "degraded"]
    return sum(both) <= 0 or chance(both) > (IMPROVES if result == "improved" else DEGRADES)


def _is_in_the_way(votes: Sequence[Vote]) -> bool:
    """Tell whether the answers that a model judged are better without the entry."""
    said = [vote.said for vote in votes]
    return sum(said) > 0 and chance(said) <= OPPOSED


def _is_spoken(votes: Sequence[Vote]) -> bool:
    """Tell whether those who said what they thought would confirm an entry by themselves."""
    return chance([-vote.delta for vote in votes if vote.spoken]) <= DEGRADES


def _lately(entry: str, evidence: Evidence) -> int:
    """Return how many groups of questions the entry led astray since its last audit."""
    found = sum(
        _is_poor(entry, each) and each.probe.at > evidence.since
        for each in _firsts(evidence.changes)
    )
    return found + sum(matter.kind == "contradicted" for matter in evidence.matters)


def follow(result: Result, *, factor: float, poor_cycles: int, protected: bool) -> Consequence:
    """Return what follows from *result* for an entry of which audits left *factor* (AUD-5; row 6 of
    the matrix).

    *poor_cycles* are the audits, this one among them, that found poor outcomes.
    """
    override = matrix.route(
        Conflict("audit", protected=protected or factor < 1, poor_audits=poor_cycles)
    )
    if result == "improved":
        left = _left(factor * OVERRIDDEN)
        return Consequence(
            "archived",
            left,
            f"answers are better without it: decaying, then archived; {_kept(left)}",
        )
    if override is not None:
        left = _left(factor * OVERRIDDEN)
        return Consequence("gravity-reduced", left, f"{override.reason}; {_kept(left)}")
    if result == "unchanged":
        left = _left(factor * HALVED)
        return Consequence("gravity-reduced", left, f"dead weight: {_kept(left)}")
    back = "; what earlier audits took is given back" if factor < 1 else ""
    return Consequence("restored", 1.0, f"load-bearing, its gravity is confirmed{back}")


def may_close(incumbent: str | None, audited: str, grown: str, quiet_cycles: int) -> bool:
    """Tell whether a branch may be closed (INV-4): its incumbent was last audited *degraded*, after
    the branch last grew, and the branch did not grow over six cycles that had input. *audited* and
    *grown* are instants.
    """
    return incumbent == "degraded" and audited > grown and quiet_cycles >= GROWTH


def is_poor(count: int) -> bool:
    """Tell whether an audit that saw *count* groups led astray counts as a cycle with poor
    outcomes.
    """
    return count >= CONSEQUENCES


def chance(deltas: Sequence[float]) -> float:
    """Return the exact chance, in (0, 1], that the sum of *deltas* would be as large if each sign
    were a coin's.
    """
    sizes = [size for delta in deltas if (size := round(abs(delta) * _STEPS))]
    observed = sum(round(delta * _STEPS) for delta in deltas)
    # All sums at once: a polynomial whose coefficients are slots of one long integer.
    slot, ways = len(sizes) + 2, 1
    for size in sizes:
        ways += ways << size * slot
    tail = ways >> (observed + sum(sizes)) // 2 * slot
    return float(tail % ((1 << slot) - 1) / 2 ** len(sizes))


def most_needed(tested: int, needed: int) -> float:
    """Return the chance to see so few of *tested* questions need an entry that a share of `SPARED`
    needs.
    """
    term = (1 - SPARED) ** tested
    total = term
    for k in range(1, needed + 1):
        term *= (tested - k + 1) / k * SPARED / (1 - SPARED)
        total += term
    return total


def _mean(votes: Sequence[Vote]) -> float:
    return sum(vote.delta for vote in votes) / len(votes) if votes else 0.0


def _votes(entry: str, evidence: Evidence) -> list[Vote]:
    groups: dict[tuple[bool, str], list[Change]] = {}
    for each in evidence.changes:
        groups.setdefault((each.probe.kind == "challenge", each.probe.group), []).append(each)
    votes = [
        _vote(entry, name, found, None if challenge else evidence.judged.get(name))
        for (challenge, name), found in groups.items()
    ]
    return votes + [
        Vote(
            each.key,
            "ledger",
            float(each.kind == "contradicted"),
            True,
            each.kind == "contradicted",
            True,
            False,
        )
        for each in evidence.matters
        if each.kind == "contradicted" or (each.kind == "same" and evidence.lost)
    ]


def _vote(entry: str, group: str, found: Sequence[Change], judged: Judged | None) -> Vote:
    delta, said = sum(each.delta for each in found) / len(found), judged_answers.change(judged)
    poor = delta > 0 and any(_is_poor(entry, each) for each in found)
    tested, spoken = any(each.tested for each in found), any(each.probe.spoken for each in found)
    needed = said < 0 or (delta <= -LEAST_CHANGE and any(each.missed for each in found))
    return Vote(group, found[0].probe.kind, delta + said, tested, poor, spoken, needed, said)


def _is_poor(entry: str, each: Change) -> bool:
    return entry in each.probe.harmful and each.delta > 0


def _firsts(changes: Sequence[Change]) -> list[Change]:
    """Return one change of each group, a poor one where there is one."""
    first: dict[str, Change] = {}
    for each in sorted(changes, key=lambda c: (-c.delta, c.probe.id)):
        first.setdefault(each.probe.group, each)
    return list(first.values())


def _lacking(evidence: Evidence, votes: Sequence[Vote]) -> str | None:
    """Return what stands in the way of calling an entry unneeded."""
    needed = sum(matter.kind == "needed" for matter in evidence.matters)
    tested, losses = sum(vote.tested for vote in votes), sum(vote.needed for vote in votes)
    if needed and not evidence.lost:
        return f"what rests on it asks for {many(needed, 'matter')} that nobody else tells, and nobody asked yet"
    # who opens it by name needs it, too
    tested, needs = tested + evidence.named, losses + evidence.named
    if not tested:
        return "no question on record touches it"
    enough = tested >= LOST and not needs if evidence.lost else most_needed(tested, needs) <= SURE
    if not enough:
        by_name = f"it was opened {_times(evidence.named)} by name, and " if evidence.named else ""
        many_need_it = losses and most_needed(tested, 0) <= SURE
        return by_name + (
            "too many need it to call it unneeded"
            if many_need_it
            else "too little was asked to tell"
        )
    return None


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _left(factor: float) -> float:
    return round(max(LEAST, factor), 6)


def _kept(factor: float) -> str:
    return f"{factor:.2f} of its gravity is left"

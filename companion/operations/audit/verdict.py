"""Decide whether an entry is still needed, from what its suspension changes (MaM §5.8).

A verdict compares pairs: the same questions, answered with the entry and without it. Whether the
changes could be chance is computed over every way in which their signs might have fallen (Fisher's
randomisation test, exact): it takes sizes into account and needs neither a normal distribution nor
random numbers. Silence is no evidence. *Unchanged* needs evidence, too: questions in which the entry
led, and that went as well without it. Everything else is *inconclusive*, so that a page that others
rest on, and that nobody asks for, stays.

An entry that stands above others in a list, and is passed over, costs a reader little. That alone
never archives an entry: *improved* needs consequences, that is answers that the user called bad,
matters on which several voices contradict it, or a branch whose pressure is high. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from companion.operations.audit import judged_answers
from companion.operations.audit.judged_answers import Judged
from companion.operations.audit.query_set import (
    EARLIER,
    Kind,
    Probe,
    is_tested,
    performance,
)
from companion.routing import matrix
from companion.routing.matrix import Conflict
from companion.storage.index.tables.audits import Outcome, Result
from companion.values.wording import many, times_in_words

VERSION = "audit-2"


TOP_N = 10  # entries, by gravity
EVERY = 30  # days between two audits of an entry that nobody asks for
DEGRADES = 0.05  # chance at which a loss is taken for one
# questions that need an entry, twice as many as do better without it, from which it is load-bearing
# anyway
NEEDED = 5
# chance at which what was said of answers speaks against an entry
IMPROVES = 0.1
OPPOSED = 0.2  # chance at which what was held out is taken to say the opposite
# of performance, below which a question is answered as before
LEAST_CHANGE = 0.02
# independent ones that an improvement needs; from which a cycle's outcomes are poor, too
CONSEQUENCES = 3
# share of questions that might need an entry that is called unneeded
SPARED = 0.1
SURE = 0.05  # chance that more of them do
LOST = 3  # questions that are enough where the entry lost its place already
# what one bad audit leaves of gravity, and what row 6 does
HALVED, OVERRIDDEN = 0.5, 0.25
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
    # useful entries, itself among them, that were found with it only
    missed: tuple[str, ...] = ()


class Matter(NamedTuple):
    """What becomes of one matter in the claim ledger without what the entry states of it."""

    key: str
    kind: Literal["same", "needed", "contradicted"]
    voices: int = 0  # that say otherwise


class Evidence(NamedTuple):
    """All that one suspension showed."""

    changes: Sequence[Change]
    matters: Sequence[Matter] = ()
    # times that it was opened by name lately, so that no question says what for
    named: int = 0
    lost: bool = False  # another entry took its place
    since: str = ""  # the last audit: older outcomes were weighed then
    # groups of which nobody spoke, and a language model did
    judged: Mapping[str, Judged] = {}
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


def change(
    entry: str, probe: Probe, before: Sequence[str], after: Sequence[str]
) -> Change:
    """Return what the rankings *before* and *after* the suspension of *entry* make of *probe*."""
    delta = probe.weight * (
        performance(probe, after) - performance(probe, before)
    )
    # not what another opening followed
    wanted = {each for each, value in probe.useful.items() if value > EARLIER}
    missed = tuple(sorted(wanted & set(before) - set(after)))
    place = before.index(entry) + 1 if entry in before else None
    return Change(
        probe, place, round(delta, 6), is_tested(entry, probe, before), missed
    )


def judge(entry: str, evidence: Evidence) -> Verdict:
    """Return the verdict on *entry*, with its reason; an inconclusive one says what is missing."""
    votes = _votes(entry, evidence)
    held = [vote for vote in votes if vote.kind == "held out"]
    counted = [
        vote
        for vote in votes
        if vote.kind != "held out" and (vote.tested or vote.delta)
    ]
    mean = _mean(counted)
    apart = _mean(held)
    consequences = sum(vote.poor for vote in votes)
    # Questions that were held out may add to a finding against the entry, and never make one; a
    # finding that confirms the entry must do without them.
    against = counted + held if mean > 0 and apart > 0 else counted
    worse = chance([-vote.delta for vote in counted])
    better = chance([vote.delta for vote in against if vote.spoken])
    numbers = {
        "tested": sum(vote.tested for vote in votes),
        "needed": sum(_is_needed(vote) for vote in votes),
        "better": sum(vote.delta >= LEAST_CHANGE for vote in votes),
        "mean": round(mean, 4),
        "held_out": round(apart, 4),
        "chance": round(min(worse, better), 6),
        "consequences": consequences,
        **judged_answers.numbers(evidence.judged.values()),
    }
    result = _result(mean, numbers, worse, better)
    if result is not None:
        sentence = _sentence(result, consequences)
    else:
        missing = _lacking(evidence, votes)
        result = "unchanged" if missing is None else None
        sentence = missing or "No question asked so far needs this page."
    if result in ("degraded", "improved") and _is_opposed(
        result, mean, counted, held
    ):
        result = None
        sentence = (
            "Not decided: the questions that were held out say the opposite."
        )
    if (
        result == "degraded"
        and _is_in_the_way(counted)
        and not _is_spoken(counted)
    ):
        result = None
        sentence = "Not decided: nobody rated these answers, and the model says the opposite."
    reason = _explain(evidence, result, numbers, sentence)
    return Verdict(result, reason, numbers, _lately(entry, evidence))


def _result(
    mean: float, numbers: Mapping[str, float], worse: float, better: float
) -> Result | None:
    """Return "degraded" or "improved" where the questions show it.

    *worse* and *better* are the chances that the changes mean nothing.
    """
    needed = numbers["needed"]
    # it may lead astray elsewhere, and is needed here
    is_needed_plainly = needed >= NEEDED and needed >= 2 * numbers["better"]
    if mean < 0 and (worse <= DEGRADES or is_needed_plainly):
        return "degraded"
    if (
        mean > 0
        and better <= IMPROVES
        and numbers["consequences"] >= CONSEQUENCES
    ):
        return "improved"
    return None


def _sentence(result: Result, consequences: int) -> str:
    if result == "degraded":
        return "Answers depend on this page."
    return f"This page led answers astray {times_in_words(consequences)}."


def _explain(
    evidence: Evidence,
    result: Result | None,
    numbers: Mapping[str, float],
    sentence: str,
) -> str:
    """Return *sentence*, and in parentheses the numbers behind it."""
    if not numbers["tested"]:
        return sentence
    needed = _count_with_verb(int(numbers["needed"]), "needs", "need")
    better = _count_with_verb(int(numbers["better"]), "is", "are")
    tested = many(int(numbers["tested"]), "question")
    parts = [f"of {tested} {needed} it and {better} better without it"]
    if numbers["mean"]:
        parts.append(_explain_mean(result, numbers))
    parts.append(judged_answers.told(evidence.judge, evidence.judged.values()))
    return f"{sentence} ({'; '.join(filter(None, parts))})"


def _explain_mean(result: Result | None, numbers: Mapping[str, float]) -> str:
    words = f"on average {numbers['mean']:+.2f}"
    if numbers["held_out"]:
        words += f", held out {numbers['held_out']:+.2f}"
    if result is None:
        return words
    by_chance = (
        "under 0.001"
        if numbers["chance"] < 0.001
        else f"{numbers['chance']:.3f}"
    )
    return f"{words}, by chance {by_chance}"


def _count_with_verb(count: int, one: str, more: str) -> str:
    return f"{count or 'none'} {one if count <= 1 else more}"


def _is_needed(vote: Vote) -> bool:
    # where a model says otherwise it is an open question
    return vote.needed and vote.delta <= -LEAST_CHANGE


def _is_opposed(
    result: Result, mean: float, counted: Sequence[Vote], held: Sequence[Vote]
) -> bool:
    """Return whether the questions that were held out say the opposite of *result*.

    They do where both together would not show the result any more.
    """
    sign = 1 if mean > 0 else -1
    against = [-sign * vote.delta for vote in held]
    if sum(against) <= 0 or chance(against) > OPPOSED:
        return False
    votes = [
        vote
        for vote in (*counted, *held)
        if vote.spoken or result == "degraded"
    ]
    both = [sign * vote.delta for vote in votes]
    limit = IMPROVES if result == "improved" else DEGRADES
    return sum(both) <= 0 or chance(both) > limit


def _is_in_the_way(votes: Sequence[Vote]) -> bool:
    """Tell whether the answers that a model judged are better without the entry."""
    said = [vote.said for vote in votes]
    return sum(said) > 0 and chance(said) <= OPPOSED


def _is_spoken(votes: Sequence[Vote]) -> bool:
    """Tell whether those who said what they thought would confirm an entry by themselves."""
    return chance([-vote.delta for vote in votes if vote.spoken]) <= DEGRADES


def _lately(entry: str, evidence: Evidence) -> int:
    """Return how many groups of questions the entry led astray since its last audit."""
    led_astray = 0
    for change in _firsts(evidence.changes):
        if change.probe.at > evidence.since and _is_poor(entry, change):
            led_astray += 1
    contradicted = sum(
        matter.kind == "contradicted" for matter in evidence.matters
    )
    return led_astray + contradicted


def follow(
    result: Result, *, factor: float, poor_cycles: int, protected: bool
) -> Consequence:
    """Return what follows from *result* for an entry of which audits left *factor* (AUD-5).

    *poor_cycles* are the audits, this one among them, that found poor outcomes; row 6 of the matrix
    decides by them.
    """
    is_protected = protected or factor < 1
    override = matrix.route(
        Conflict("audit", protected=is_protected, poor_audits=poor_cycles)
    )
    if result == "improved":
        left = _left(factor * OVERRIDDEN)
        reason = f"Answers are better without it: it decays, then it is archived; {_kept(left)}."
        return Consequence("archived", left, reason)
    if override is not None:
        left = _left(factor * OVERRIDDEN)
        return Consequence(
            "gravity-reduced", left, f"{override.reason}; {_kept(left)}."
        )
    if result == "unchanged":
        left = _left(factor * HALVED)
        return Consequence(
            "gravity-reduced", left, f"Its weight is halved: {_kept(left)}."
        )
    reason = "Its gravity is confirmed."
    if factor < 1:
        reason = "Its gravity is confirmed, and what earlier audits took is given back."
    return Consequence("restored", 1.0, reason)


def may_close(
    incumbent: str | None, audited: str, grown: str, quiet_cycles: int
) -> bool:
    """Return whether a branch may be closed (INV-4).

    Its incumbent must last have been audited *degraded*, after the branch last grew, and the branch
    must not have grown over six cycles that had input. *audited* and *grown* are instants.
    """
    return (
        incumbent == "degraded" and audited > grown and quiet_cycles >= GROWTH
    )


def is_poor(count: int) -> bool:
    """Return whether an audit in which *count* groups were led astray is one with poor outcomes."""
    return count >= CONSEQUENCES


def chance(deltas: Sequence[float]) -> float:
    """Return the exact chance, in (0, 1], that random signs give at least the sum of *deltas*."""
    steps = [round(delta * _STEPS) for delta in deltas]
    observed = sum(steps)
    sizes = [abs(step) for step in steps if step]
    # All sums at once: a polynomial whose coefficients are slots of one long integer.
    slot = len(sizes) + 2
    ways = 1
    for size in sizes:
        ways += ways << size * slot
    tail = ways >> (observed + sum(sizes)) // 2 * slot
    return float(tail % ((1 << slot) - 1) / 2 ** len(sizes))


def most_needed(tested: int, needed: int) -> float:
    """Return the chance that at most *needed* of *tested* questions need an entry, if a share of
    `SPARED` does.
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
    """Return one vote for each group of questions, and for each matter that says something."""
    groups: dict[tuple[bool, str], list[Change]] = {}
    for change in evidence.changes:
        key = (change.probe.kind == "challenge", change.probe.group)
        groups.setdefault(key, []).append(change)
    votes = []
    for (is_challenge, name), changes in groups.items():
        judged = None if is_challenge else evidence.judged.get(name)
        votes.append(_vote(entry, name, changes, judged))
    for matter in evidence.matters:
        is_contradicted = matter.kind == "contradicted"
        if is_contradicted or (matter.kind == "same" and evidence.lost):
            votes.append(_ledger_vote(matter.key, is_contradicted))
    return votes


def _ledger_vote(key: str, is_contradicted: bool) -> Vote:
    return Vote(
        group=key,
        kind="ledger",
        delta=float(is_contradicted),
        tested=True,
        poor=is_contradicted,
        spoken=True,
        needed=False,
    )


def _vote(
    entry: str, group: str, found: Sequence[Change], judged: Judged | None
) -> Vote:
    delta = sum(change.delta for change in found) / len(found)
    said = judged_answers.change(judged)
    is_missed = delta <= -LEAST_CHANGE and any(
        change.missed for change in found
    )
    return Vote(
        group=group,
        kind=found[0].probe.kind,
        delta=delta + said,
        tested=any(change.tested for change in found),
        poor=delta > 0 and any(_is_poor(entry, change) for change in found),
        spoken=any(change.probe.spoken for change in found),
        needed=said < 0 or is_missed,
        said=said,
    )


def _is_poor(entry: str, each: Change) -> bool:
    return entry in each.probe.harmful and each.delta > 0


def _firsts(changes: Sequence[Change]) -> list[Change]:
    """Return one change of each group, a poor one where there is one."""
    first: dict[str, Change] = {}
    for each in sorted(changes, key=lambda c: (-c.delta, c.probe.id)):
        first.setdefault(each.probe.group, each)
    return list(first.values())


def _lacking(evidence: Evidence, votes: Sequence[Vote]) -> str | None:
    """Return, as a sentence, what is missing to call an entry unneeded; None where nothing is."""
    needed = sum(matter.kind == "needed" for matter in evidence.matters)
    if needed and not evidence.lost:
        return f"Not decided: pages that build on it need {many(needed, 'fact')} only it states."
    # a reader who opens it by name needs it, too
    tested = sum(vote.tested for vote in votes) + evidence.named
    losses = sum(vote.needed for vote in votes)
    needs = losses + evidence.named
    if not tested:
        return "Too few questions asked to judge this page: none concerns it."
    if _is_shown_unneeded(evidence, tested, needs):
        return None
    by_name = (
        f" It was opened {times_in_words(evidence.named)} by name."
        if evidence.named
        else ""
    )
    if losses and most_needed(tested, 0) <= SURE:
        return (
            f"Too many questions need this page to call it unneeded.{by_name}"
        )
    return f"Too few questions asked to judge this page.{by_name}"


def _is_shown_unneeded(evidence: Evidence, tested: int, needs: int) -> bool:
    if evidence.lost:
        return tested >= LOST and not needs
    return most_needed(tested, needs) <= SURE


def _left(factor: float) -> float:
    return round(max(LEAST, factor), 6)


def _kept(factor: float) -> str:
    return f"{factor:.2f} of its gravity is left"

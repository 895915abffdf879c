"""Decide whether an entry is still needed, from what its suspension changes (MaM §5.8).

A verdict compares pairs: the same questions, answered with the entry and without it. Whether the
changes could be chance is computed over every way in which their signs might have fallen (Fisher's
randomisation test, exact): it takes sizes into account and needs neither a normal distribution nor
random numbers. Silence is no evidence. *Unchanged* needs evidence, too: questions in which the
entry led, and that went as well without it. Everything else is *inconclusive*, so that a page that
others rest on, and that nobody asks for, stays.

An entry that stands above others in a list, and is passed over, costs a reader little. That alone
never archives an entry: *improved* needs consequences, that is answers that the user called bad,
matters on which several voices contradict it, or a branch whose pressure is high. Pure.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from companion.operations.audit import explain_verdict
from companion.operations.audit.consequence import CONSEQUENCES
from companion.operations.audit.questions import judged_answers
from companion.operations.audit.questions.judged_answers import Judged
from companion.operations.audit.questions.query_set import (
    EARLIER,
    Kind,
    Probe,
    is_tested,
    score_ranking,
)
from companion.storage.index.tables.audits import Result
from companion.values.wording import many, times_in_words

VERSION = "audit-4"

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
# share of questions that might need an entry that is called unneeded
SPARED = 0.1
SURE = 0.05  # chance that more of them do
LOST = 3  # questions that are enough where the entry lost its place already
SEVERAL = 2  # voices that say otherwise, from which a matter is contradicted
_STEPS = 20  # of a change, in the exact test


# of what is audited: the page of an entry, or one of the notes on it
Thing = Literal["page", "note"]


class Change(NamedTuple):
    """The effect of the suspension on one question."""

    probe: Probe
    before: int | None  # the entry's place among the results, from 1
    delta: float  # performance without it less performance with it, in [-2, 2]
    tested: bool
    # useful entries, itself among them, that were found with it only
    missed: tuple[str, ...] = ()


class Matter(NamedTuple):
    """One matter in the claim ledger, without what the entry states of it."""

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
    thing: Thing = "page"


class Vote(NamedTuple):
    """The effect on one group of questions that ask the same."""

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
    """The finding of an audit. *result* None: inconclusive."""

    result: Result | None
    reason: str
    numbers: Mapping[str, float]
    poor: int  # groups that it led astray since the last audit


class _Ballot(NamedTuple):
    """The votes on an entry, parted into those that decide and those that were held out."""

    votes: Sequence[Vote]
    counted: Sequence[Vote]
    held_out: Sequence[Vote]

    def mean(self) -> float:
        """Return the mean change of the questions that decide."""
        return _mean(self.counted)

    def chance_of_loss(self) -> float:
        """Return the chance that the questions look this bad without the entry by accident."""
        return chance_of_sum([-vote.delta for vote in self.counted])

    def chance_of_gain(self) -> float:
        """Return the chance that the answers look this good without the entry by accident.

        Questions that were held out may add to a finding against the entry, and never make one; a
        finding that confirms the entry must do without them.
        """
        votes = [*self.counted]
        if self.mean() > 0 and _mean(self.held_out) > 0:
            votes += self.held_out
        return chance_of_sum([vote.delta for vote in votes if vote.spoken])


def compare_rankings(
    entry: str, probe: Probe, before: Sequence[str], after: Sequence[str]
) -> Change:
    """Return what the rankings *before* and *after* the suspension of *entry* make of *probe*."""
    gain = score_ranking(probe, after) - score_ranking(probe, before)
    # not what another opening followed
    useful = {other for other, value in probe.useful.items() if value > EARLIER}
    missed = useful & set(before) - set(after)
    return Change(
        probe=probe,
        before=before.index(entry) + 1 if entry in before else None,
        delta=round(probe.weight * gain, 6),
        tested=is_tested(entry, probe, before),
        missed=tuple(sorted(missed)),
    )


def reach_verdict(entry: str, evidence: Evidence) -> Verdict:
    """Return the verdict on *entry*, with its reason; an inconclusive one says what is missing."""
    ballot = _part_votes(_votes(entry, evidence))
    numbers = _count(ballot, evidence)
    result = _find_effect(ballot, numbers)
    if result is None:
        missing = _missing_evidence(evidence, ballot.votes)
        sentence = missing or explain_verdict.describe_unneeded(evidence.thing)
        if missing is None:
            result = "unchanged"
    else:
        sentence = explain_verdict.describe_result(
            result, int(numbers["consequences"]), evidence.thing
        )
        objection = _objection(result, ballot)
        if objection is not None:
            result = None
            sentence = objection
    reason = explain_verdict.explain_verdict(
        sentence,
        numbers,
        evidence.judge,
        evidence.judged,
        decided=result is not None,
    )
    return Verdict(result, reason, numbers, _count_led_astray(entry, evidence))


def _part_votes(votes: Sequence[Vote]) -> _Ballot:
    held_out: list[Vote] = []
    counted: list[Vote] = []
    for vote in votes:
        if vote.kind == "held out":
            held_out.append(vote)
        elif vote.tested or vote.delta:
            counted.append(vote)
    return _Ballot(votes, counted, held_out)


def _count(ballot: _Ballot, evidence: Evidence) -> dict[str, float]:
    """Return the numbers behind a verdict, as the ledger has them."""
    votes = ballot.votes
    chance_of_sum = min(ballot.chance_of_loss(), ballot.chance_of_gain())
    return {
        "tested": sum(vote.tested for vote in votes),
        "needed": sum(_is_needed(vote) for vote in votes),
        "better": sum(vote.delta >= LEAST_CHANGE for vote in votes),
        "mean": round(ballot.mean(), 4),
        "held_out": round(_mean(ballot.held_out), 4),
        "chance": round(chance_of_sum, 6),
        "consequences": sum(vote.poor for vote in votes),
        **judged_answers.count_judged(evidence.judged.values()),
    }


def _find_effect(
    ballot: _Ballot, numbers: Mapping[str, float]
) -> Result | None:
    """Return "degraded" or "improved" where the questions show it; else None."""
    if ballot.mean() < 0:
        needed = numbers["needed"]
        # it may lead astray elsewhere, and is needed here
        is_plainly_needed = needed >= NEEDED and needed >= 2 * numbers["better"]
        if is_plainly_needed or ballot.chance_of_loss() <= DEGRADES:
            return "degraded"
    has_consequences = numbers["consequences"] >= CONSEQUENCES
    if ballot.mean() <= 0 or not has_consequences:
        return None
    return "improved" if ballot.chance_of_gain() <= IMPROVES else None


def _objection(result: Result, ballot: _Ballot) -> str | None:
    """Return, as a sentence, what speaks against *result*; None where nothing does."""
    if _is_opposed(result, ballot):
        return explain_verdict.OPPOSED_BY_HELD_OUT
    if result == "degraded" and _is_contradicted_by_model(ballot.counted):
        return explain_verdict.OPPOSED_BY_MODEL
    return None


def _is_contradicted_by_model(votes: Sequence[Vote]) -> bool:
    """Tell whether only silent readers confirm the entry, and a model says the opposite."""
    if not _is_in_the_way(votes):
        return False
    losses = [-vote.delta for vote in votes if vote.spoken]
    return chance_of_sum(losses) > DEGRADES


def _is_in_the_way(votes: Sequence[Vote]) -> bool:
    """Tell whether the answers that a model judged are better without the entry."""
    said = [vote.said for vote in votes]
    return chance_of_sum(said) <= OPPOSED


def _is_needed(vote: Vote) -> bool:
    # where a model says otherwise it is an open question
    return vote.needed and vote.delta <= -LEAST_CHANGE


def _is_opposed(result: Result, ballot: _Ballot) -> bool:
    """Tell whether the questions that were held out say the opposite of *result*.

    They do where both together would not show the result any more.
    """
    sign = 1 if ballot.mean() > 0 else -1
    against = [-sign * vote.delta for vote in ballot.held_out]
    if chance_of_sum(against) > OPPOSED:
        return False
    votes = [*ballot.counted, *ballot.held_out]
    limit = DEGRADES
    if result == "improved":
        votes = [vote for vote in votes if vote.spoken]
        limit = IMPROVES
    both = [sign * vote.delta for vote in votes]
    return chance_of_sum(both) > limit


def _count_led_astray(entry: str, evidence: Evidence) -> int:
    """Return how many groups of questions the entry led astray since its last audit."""
    count = sum(matter.kind == "contradicted" for matter in evidence.matters)
    for change in _one_of_each_group(evidence.changes):
        if change.probe.at > evidence.since and _is_poor(entry, change):
            count += 1
    return count


def _one_of_each_group(changes: Sequence[Change]) -> list[Change]:
    """Return one change of each group, a poor one where there is one."""
    first: dict[str, Change] = {}
    for change in sorted(changes, key=lambda c: (-c.delta, c.probe.id)):
        first.setdefault(change.probe.group, change)
    return list(first.values())


# -- votes -----------------------------------------------------------------------------------------


def _mean(votes: Sequence[Vote]) -> float:
    if not votes:
        return 0.0
    return sum(vote.delta for vote in votes) / len(votes)


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
    entry: str, group: str, changes: Sequence[Change], judged: Judged | None
) -> Vote:
    delta = sum(change.delta for change in changes) / len(changes)
    said = judged_answers.judged_change(judged)
    is_missed = any(change.missed for change in changes)
    is_poor = any(_is_poor(entry, change) for change in changes)
    return Vote(
        group=group,
        kind=changes[0].probe.kind,
        delta=delta + said,
        tested=any(change.tested for change in changes),
        poor=delta > 0 and is_poor,
        spoken=any(change.probe.spoken for change in changes),
        needed=said < 0 or (delta <= -LEAST_CHANGE and is_missed),
        said=said,
    )


def _is_poor(entry: str, change: Change) -> bool:
    return entry in change.probe.harmful and change.delta > 0


# -- what is missing -------------------------------------------------------------------------------


def _missing_evidence(evidence: Evidence, votes: Sequence[Vote]) -> str | None:
    """Return, as a sentence, what is missing to call an entry unneeded; None where nothing is."""
    this = f"this {evidence.thing}"
    too_few = f"Too few questions asked to judge {this}"
    needed = sum(matter.kind == "needed" for matter in evidence.matters)
    if needed and not evidence.lost:
        return f"Not decided: pages that build on it need {many(needed, 'fact')} only it states."
    # a reader who opens it by name needs it, too
    tested = sum(vote.tested for vote in votes) + evidence.named
    losses = sum(vote.needed for vote in votes)
    if not tested:
        return f"{too_few}: none concerns it."
    if _is_shown_unneeded(evidence, tested, losses + evidence.named):
        return None
    sentence = f"{too_few}."
    if losses and chance_of_so_few(tested, 0) <= SURE:
        sentence = f"Too many questions need {this} to call it unneeded."
    return sentence + _tell_openings(evidence.named)


def _tell_openings(named: int) -> str:
    """Return how often an entry was opened by name, as a sentence to add; "" for never."""
    if not named:
        return ""
    return f" It was opened {times_in_words(named)} by name."


def _is_shown_unneeded(evidence: Evidence, tested: int, needs: int) -> bool:
    if evidence.lost:
        return tested >= LOST and not needs
    return chance_of_so_few(tested, needs) <= SURE


# -- chances ---------------------------------------------------------------------------------------


def chance_of_sum(deltas: Sequence[float]) -> float:
    """Return the exact chance, in (0, 1], that random signs give at least the sum of *deltas*.

    This is Fisher's randomisation test for pairs.
    """
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


def chance_of_so_few(tested: int, needed: int) -> float:
    """Return the chance that at most *needed* of *tested* questions need an entry, if a share of
    `SPARED` does.
    """
    term = (1 - SPARED) ** tested
    total = term
    for k in range(1, needed + 1):
        term *= (tested - k + 1) / k * SPARED / (1 - SPARED)
        total += term
    return total

"""Group captures and branches into positions, weigh them, and decide which wins (MaM §5.5, §5.7).

A group or a position holds what supports each other, and never two rivals.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from companion.minority.beliefs import describe_belief
from companion.minority.challenge import (
    Action,
    Challenger,
    Cycle,
    Decision,
    JoinedCapture,
    OpenBranch,
    list_captures,
    note_of,
)
from companion.minority.clusters import Tie
from companion.minority.pressure import (
    Pressure,
    Telling,
    Threshold,
    measure_pressure,
    measure_threshold,
)
from companion.minority.wordings import credit_voices
from companion.routing import matrix
from companion.routing.matrix import Conflict, Routing
from companion.values.wording import many

Position = Sequence[OpenBranch]  # branches that press together, oldest first


class Group:
    """Open branches, and captures outside any, that support each other."""

    def __init__(
        self, branches: Sequence[OpenBranch], loose: Sequence[Challenger]
    ) -> None:
        self.branches = list(branches)
        self.loose = list(loose)
        self.captures = {one.capture for one in loose}
        self.captures.update(list_captures(branches))

    def find_common_incumbents(self) -> set[str] | None:
        """Return the incumbents that all of it contradicts; None if all of it only supports."""
        contradicted = [
            set(one.incumbents) for one in self.loose if one.incumbents
        ]
        contradicted += [{branch.incumbent} for branch in self.branches]
        if not contradicted:
            return None
        return set.intersection(*contradicted)

    def merge(self, other: "Group") -> None:
        """Take in all of *other*."""
        self.branches += other.branches
        self.loose += other.loose
        self.captures |= other.captures


_MayMerge = Callable[[Tie, Group, Group], bool]


def group_challengers(
    challengers: Sequence[Challenger],
    branches: Sequence[OpenBranch],
    ties: Sequence[Tie],
) -> list[Group]:
    """Return *challengers* with the captures they support, and the branch they belong to, if any.

    A group has one open branch at most. What contradicts nothing joins no group by likeness alone.
    """
    supporters = {one.capture for one in challengers if not one.incumbents}

    def may_merge(tie: Tie, one: Group, other: Group) -> bool:
        """Tell whether all of both groups may challenge one incumbent in one branch."""
        if one.branches and other.branches:
            return False
        if tie.alike and not supporters.isdisjoint((tie.one, tie.other)):
            return False
        ours = one.find_common_incumbents()
        theirs = other.find_common_incumbents()
        return ours is None or theirs is None or bool(ours & theirs)

    groups = [Group([branch], ()) for branch in branches]
    groups += [Group((), [challenger]) for challenger in challengers]
    return _merge_groups(groups, ties, may_merge)


def group_positions(
    branches: Sequence[OpenBranch], ties: Sequence[Tie]
) -> list[list[OpenBranch]]:
    """Return the branches on one incumbent, those that press together in one list, oldest first.

    They were opened apart because nothing tied them yet. Neither is closed for it. A branch without
    members presses for nothing and is left out.
    """
    groups = [Group([branch], ()) for branch in branches if branch.members]
    merged = _merge_groups(groups, ties, lambda tie, one, other: True)
    place = {branch.name: n for n, branch in enumerate(branches)}
    merged.sort(key=lambda group: min(place[b.name] for b in group.branches))
    return [
        sorted(group.branches, key=lambda branch: branch.age_key)
        for group in merged
    ]


def weigh_captures(
    captures: Sequence[JoinedCapture],
    incumbent: str,
    cycle: Cycle,
    peer: tuple[Telling, str] | None = None,
) -> Pressure:
    """Return what *captures* weigh together against *incumbent*, with the voice of a *peer*."""
    notes = [note_of(one) for one in captures]
    first = cycle.first_tellings.get(incumbent, {})
    tellings = list(credit_voices(notes, first, cycle.known))
    if peer is None:
        return measure_pressure(tellings, now=cycle.now, policy=cycle.policy)
    telling, words = peer
    pressure = measure_pressure(
        [*tellings, telling], now=cycle.now, policy=cycle.policy
    )
    return pressure._replace(reason=f"{pressure.reason}; {words}")


def decide_open_branches(
    branches: Sequence[OpenBranch], cycle: Cycle
) -> list[Decision]:
    """Return whether each open branch wins; per incumbent at most one position does in a cycle."""
    decisions: list[Decision] = []
    for incumbent in sorted({branch.incumbent for branch in branches}):
        rivals = [one for one in branches if one.incumbent == incumbent]
        positions = group_positions(rivals, cycle.ties)
        decisions += _decide_rival_positions(positions, cycle)
    return decisions


def route_evidence(
    incumbent: str,
    voices: int,
    cycles: int,
    cycle: Cycle,
    *,
    harmful: bool,
) -> tuple[Routing, Threshold]:
    """Return the row of the matrix for evidence against *incumbent*, and the threshold it sets."""
    conflict = Conflict("evidence", True, voices, cycles, harmful=harmful)
    routing = matrix.route(conflict)
    # the matrix has a row for any evidence against what is protected
    assert routing is not None
    known = cycle.incumbents[incumbent]
    gravity = known.effective + known.prior
    threshold = measure_threshold(gravity, routing.friction, cycle.policy)
    if known.prior:
        reason = f"{threshold.reason}; {known.prior_reason}"
        threshold = threshold._replace(reason=reason)
    return routing, threshold


def explain_wait(
    pressure: Pressure,
    threshold: Threshold,
    *,
    cycles: int,
    now: int,
    opened: int,
) -> str:
    """Return why a position does not win in cycle *now*; empty if it does."""
    if pressure.value <= threshold.value:
        return _explain_low_pressure(pressure.voices, threshold.value)
    if now <= opened:
        return (
            "Has enough independent sources; it can win from the next cycle on."
        )
    if cycles < matrix.MULTI:
        return "Has enough independent sources, but all told in one cycle; it needs a second."
    return ""


def _decide_rival_positions(
    positions: Sequence[Position], cycle: Cycle
) -> list[Decision]:
    # of several positions, nobody can tell for which one others speak
    heard = cycle.peers if len(positions) == 1 else {}
    judged = [
        (position, _judge_position(position, cycle, heard))
        for position in positions
    ]
    winning = [pair for pair in judged if pair[1].action == "promote"]
    decisions: list[Decision] = []
    if not winning:
        for position, decision in judged:
            decisions += _decide_each_branch(position, decision)
        return decisions
    won, winner = max(winning, key=_rank_winner)
    decisions += _decide_each_branch(won, winner)
    for position, decision in judged:
        if position is not won:
            decisions += [
                _follow(branch, winner, decision) for branch in position
            ]
    return decisions


def _rank_winner(pair: tuple[Position, Decision]) -> tuple[float, int, str]:
    position, decision = pair
    assert decision.pressure is not None and decision.threshold is not None
    margin = round(decision.pressure.value - decision.threshold.value, 6)
    return margin, -position[0].opened, decision.branch


def _judge_position(
    position: Position,
    cycle: Cycle,
    heard: Mapping[str, tuple[Telling, str]],
) -> Decision:
    """Return the decision on one position, under the name of its oldest branch."""
    oldest = position[0]
    members: list[JoinedCapture] = []
    for branch in position:
        members += branch.members
    counting = _list_counting(members)
    settled = _explain_settled(members, counting)
    peer = heard.get(oldest.incumbent) if counting else None
    weighed = weigh_captures(counting, oldest.incumbent, cycle, peer)
    pressure = _mention_agreement(weighed, members)
    name = describe_belief(oldest.incumbent)
    decision = Decision(
        action="hold",
        branch=oldest.name,
        incumbent=oldest.incumbent,
        captures=(),
        reason=f"Waits: nothing stands at {name} that it could replace. "
        f"({pressure.reason})",
        pressure=pressure,
    )
    if oldest.incumbent not in cycle.incumbents:
        return decision
    captures = tuple(member.capture for member in members)
    cycles = {member.cycle for member in counting}
    for branch in position:
        cycles.update(branch.cycles)
    return _compare_with_threshold(
        replace(decision, captures=captures),
        pressure,
        cycle,
        settled=settled,
        opened=oldest.opened,
        cycles=len(cycles),
        harmful=any(member.harmful for member in counting),
    )


def _compare_with_threshold(
    decision: Decision,
    pressure: Pressure,
    cycle: Cycle,
    *,
    settled: str,
    opened: int,
    cycles: int,
    harmful: bool,
) -> Decision:
    """Return *decision* as a promotion if *pressure* suffices, or with why it has to wait.

    *settled* says why nothing is left to wait for; empty where something is.
    """
    routing, threshold = route_evidence(
        decision.incumbent, pressure.voices, cycles, cycle, harmful=harmful
    )
    sentence = settled or explain_wait(
        pressure, threshold, cycles=cycles, now=cycle.number, opened=opened
    )
    action: Action = "hold"
    if not sentence and not cycle.policy.promotes:
        sentence = "Would win, but companion.yaml goes without promotion."
    elif not sentence:
        action = "promote"
        sentence = f"Wins with {many(pressure.voices, 'independent source')}."
    if action == "hold" and cycle.incumbents[decision.incumbent].is_gone:
        sentence = f"The page that it contradicts is gone. {sentence}"
    told_in = f"told in {many(cycles, 'cycle')}"
    return replace(
        decision,
        action=action,
        reason=f"{sentence} ({pressure.reason}; {threshold.reason}; {told_in})",
        threshold=threshold,
        routing=routing,
    )


def _list_counting(members: Sequence[JoinedCapture]) -> list[JoinedCapture]:
    """Return the members that count: those with which the incumbent did not come to agree.

    Who only supports others counts while any of those contradicts. The branch stays open either way
    (INV-4).
    """
    if not any(member.agrees for member in members):
        return list(members)
    opposed = [member for member in members if not member.agrees]
    if all(member.supports for member in opposed):
        return []
    return opposed


def _explain_settled(
    members: Sequence[JoinedCapture], counting: Sequence[JoinedCapture]
) -> str:
    """Return why a position waits for nothing: a person settled what it was about."""
    if counting or not members:
        return ""
    return "Settled: its owner edited the page, and nothing contradicts it any more."


def _mention_agreement(
    pressure: Pressure, members: Sequence[JoinedCapture]
) -> Pressure:
    """Return *pressure* with the number of members that its reason leaves out."""
    agreeing = sum(member.agrees for member in members)
    if not agreeing:
        return pressure
    words = (
        f"; {agreeing} of {len(members)} members contradict it no more, "
        "for its owner edited it"
    )
    return pressure._replace(reason=pressure.reason + words)


def _decide_each_branch(
    position: Position, decision: Decision
) -> list[Decision]:
    """Return, for every branch of a position, what was decided under its oldest one's name."""
    first, *others = position
    decisions = [replace(decision, captures=list_captures([first]))]
    reason = (
        f"Counted together with minority/{first.name}, which it supports. "
        f"{decision.reason}"
    )
    for branch in others:
        decisions.append(
            replace(
                decision,
                branch=branch.name,
                captures=list_captures([branch]),
                after=first.name,
                reason=reason,
            )
        )
    return decisions


def _follow(branch: OpenBranch, winner: Decision, own: Decision) -> Decision:
    return replace(
        own,
        action="follow",
        branch=branch.name,
        captures=list_captures([branch]),
        reason=f"minority/{winner.branch} won; "
        "this branch stays open and now contradicts its entry.",
        after=winner.branch,
    )


def _explain_low_pressure(voices: int, needed: float) -> str:
    """Return the sentence on a branch whose pressure stays below *needed*.

    A fresh, ordinary source weighs about 1, so that the threshold is about the sources it takes.
    """
    wanted = max(2, round(needed))
    if voices < wanted:
        return f"Needs about {wanted} independent sources; has {voices}. Waiting on its branch."
    return (
        f"Has {voices} independent sources, but they are too old or repeat each other. "
        "Waiting on its branch."
    )


def _merge_groups(
    groups: list[Group], ties: Sequence[Tie], may_merge: _MayMerge
) -> list[Group]:
    """Merge *groups* along *ties*, the strongest support first, unless two captures are rivals."""
    group_of: dict[str, Group] = {}
    for group in groups:
        group_of.update(dict.fromkeys(group.captures, group))
    rivals = _list_rivals(ties)
    for tie in sorted(ties, key=lambda t: (-t.support, t.one, t.other)):
        one = group_of.get(tie.one)
        other = group_of.get(tie.other)
        if tie.support <= 0 or one is None or other is None or one is other:
            continue
        if _are_rivals(one.captures, other.captures, rivals):
            continue
        if may_merge(tie, one, other):
            one.merge(other)
            groups.remove(other)
            group_of.update(dict.fromkeys(other.captures, one))
    return groups


def _list_rivals(ties: Sequence[Tie]) -> Mapping[str, set[str]]:
    """Return, for each capture, those that it excludes."""
    rivals: defaultdict[str, set[str]] = defaultdict(set)
    for tie in ties:
        if tie.rival:
            rivals[tie.one].add(tie.other)
            rivals[tie.other].add(tie.one)
    return rivals


def _are_rivals(
    ours: Collection[str],
    theirs: set[str],
    rivals: Mapping[str, set[str]],
) -> bool:
    return any(not theirs.isdisjoint(rivals[id]) for id in ours if id in rivals)

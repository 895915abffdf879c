"""CONSOLIDATE's fourth phase: minority branches, and when one of them wins (MaM §5.5, §5.7,
Appendix A).

A lone contradiction of a protected incumbent is a candidate, a cluster is a signal, one voice
repeated is neither. Either opens a branch; a lone one beside a cluster that the same run opens, and
that it does not support, waits in the extended buffer (CON-13: Traces 1 and 2 both hold). A branch
grows by whatever supports it, and wins where the pressure of all its members exceeds the threshold
of its incumbent, with tellings of at least two cycles, in a later one than opened it (ROW-5).
Nothing here closes a branch (INV-4), and no capture is dropped (CON-5).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from companion.minority import clusters, pressure
from companion.minority.clusters import Tie
from companion.minority.pressure import Member, Pressure, Threshold
from companion.routing import matrix as routing
from companion.routing.matrix import Conflict, Routing
from companion.values.wording import many

Action = Literal["open", "grow", "extend", "hold", "promote", "follow"]
Origin = Literal["tonight", "extended", "quarantine"]


class Challenger(NamedTuple):
    """A capture outside any branch that contradicts an incumbent."""

    capture: str
    # entries it contradicts, the dearest contradiction first
    incumbents: tuple[str, ...]
    # one for each sighting, at least one; cohesion and echo are filled in here
    tellings: tuple[Member, ...]
    text: str  # the words that contradict, for near-identical wording
    origin: Origin = "tonight"
    harmful: bool = False  # an external signal flags what it says (ROW-3)


class Incumbent(NamedTuple):
    """An entry under challenge."""

    id: str
    slug: str  # of its page: a branch is named after it
    base: float  # gravity, in [0, 1]
    effective: float  # gravity by time since last access, in [0, 1]
    protected: bool


class Joined(NamedTuple):
    """A member of an open branch."""

    capture: str
    cycle: int  # in which it joined
    tellings: tuple[Member, ...]
    text: str
    harmful: bool = False
    # it contradicted its incumbent, whose owner edited it since: it does so no more
    agrees: bool = False
    # it never contradicted it, and speaks for those who do
    supports: bool = False


class Branch(NamedTuple):
    """An open branch as the index knows it."""

    name: str
    incumbent: str
    opened: int  # the cycle that opened it
    members: tuple[Joined, ...]
    # others in which tellings of its members came in
    cycles: tuple[int, ...] = ()


@dataclass(frozen=True)
class Decision:
    """One verdict of phase 4, with its reason in words and numbers."""

    action: Action
    branch: str  # "" for the extended buffer
    incumbent: str
    # that this decision moves; for promote and hold, all members
    captures: tuple[str, ...]
    reason: str
    pressure: Pressure | None = None
    threshold: Threshold | None = None
    routing: Routing | None = None
    # follow: the branch that won; its entry becomes the incumbent
    after: str = ""
    members: tuple[Member, ...] = ()  # as they were weighed


def plan(
    challengers: Iterable[Challenger],
    branches: Iterable[Branch],
    ties: Sequence[Tie],
    incumbents: Mapping[str, Incumbent],
    *,
    cycle: int,
    now: str,
    policy: pressure.Policy = pressure.DEFAULT,
) -> tuple[Decision, ...]:
    """Decide, touching nothing, what becomes of every challenger and every open branch in this
    *cycle*.

    *ties* are phase 1's findings among all of them, members of branches included (`clusters.ties`);
    *incumbents* knows every entry that a branch or a challenger names, as far as it is still
    active. Decisions come in this order: grow, open, extend, then for every open branch hold,
    promote or follow. Quarantined captures that support nothing, and what contradicts nothing
    protected, get none: they go where cohesion sends them.
    """
    standing = sorted(branches, key=lambda each: (each.opened, each.name))
    concerned = {id for id, each in incumbents.items() if each.protected} | {
        each.incumbent for each in standing
    }
    loose = [_concerning(each, concerned) for each in sorted(challengers)]
    phase = _Phase(incumbents, ties, cycle, now, policy)
    groups = _groups(loose, standing, ties)
    grown = [
        _grown(group.branch, group.loose, cycle)
        for group in groups
        if group.branch is not None
    ]
    pressed = phase.press(grown)
    fallen = {each.incumbent for each in pressed if each.action == "promote"}
    opened = phase.open(
        [group.loose for group in groups if group.branch is None], grown, fallen
    )
    grew = [
        phase.grew(group.branch, group.loose)
        for group in groups
        if group.branch is not None and group.loose
    ]
    return (*grew, *opened, *pressed)


def _concerning(
    challenger: Challenger, concerned: Collection[str]
) -> Challenger:
    """Keep what phase 4 deals with; what contradicts only others may still support a branch."""
    return challenger._replace(
        incumbents=tuple(id for id in challenger.incumbents if id in concerned)
    )


def _grown(branch: Branch, loose: Sequence[Challenger], cycle: int) -> Branch:
    return branch._replace(members=(*branch.members, *_joined(loose, cycle)))


def _joined(loose: Sequence[Challenger], cycle: int) -> tuple[Joined, ...]:
    return tuple(
        Joined(each.capture, cycle, each.tellings, each.text, each.harmful)
        for each in loose
    )


class Group:
    """Captures that support each other, with the open branch they belong to, if any."""

    def __init__(
        self, branch: Branch | None, loose: Sequence[Challenger]
    ) -> None:
        self.branch = branch
        self.loose = list(loose)
        self.captures = {each.capture for each in loose} | (
            {m.capture for m in branch.members} if branch else set()
        )

    def against(self) -> set[str] | None:
        """Return the incumbents that all of it contradicts; None where it only supports."""
        named = [set(each.incumbents) for each in self.loose if each.incumbents]
        if self.branch is not None:
            named.append({self.branch.incumbent})
        return set.intersection(*named) if named else None

    def takes(self, other: "Group", rivals: Collection[frozenset[str]]) -> bool:
        """Tell whether the two may be one: not two branches, one incumbent, and nobody excludes
        anybody.
        """
        ours, theirs = self.against(), other.against()
        return (
            (self.branch is None or other.branch is None)
            and (ours is None or theirs is None or bool(ours & theirs))
            and not any(
                frozenset((a, b)) in rivals
                for a in self.captures
                for b in other.captures
            )
        )

    def take(self, other: "Group") -> None:
        self.branch = self.branch or other.branch
        self.loose += other.loose
        self.captures |= other.captures


def _groups(
    loose: Sequence[Challenger], branches: Sequence[Branch], ties: Sequence[Tie]
) -> list[Group]:
    """Let captures join what they support, the strongest support first, never across a rivalry (MaM
    §5.5, phase 1).
    """
    groups = [
        *(Group(branch, ()) for branch in branches),
        *(Group(None, (each,)) for each in loose),
    ]
    # contradict nothing themselves
    only = {each.capture for each in loose if not each.incumbents}
    place = {capture: group for group in groups for capture in group.captures}
    rivals = {frozenset((tie.one, tie.other)) for tie in ties if tie.rival}
    for tie in sorted(
        ties, key=lambda each: (-each.support, each.one, each.other)
    ):
        one, other = place.get(tie.one), place.get(tie.other)
        if (
            tie.support <= 0
            or one is None
            or other is None
            or one is other
            or not one.takes(other, rivals)
        ):
            continue
        if tie.alike and {tie.one, tie.other} & only:
            continue
        one.take(other)
        groups.remove(other)
        place.update(dict.fromkeys(other.captures, one))
    return groups


class _Phase:
    """Phase 4 of one cycle."""

    def __init__(
        self,
        incumbents: Mapping[str, Incumbent],
        ties: Sequence[Tie],
        cycle: int,
        now: str,
        policy: pressure.Policy,
    ) -> None:
        self.incumbents, self.cycle, self.now, self.policy = (
            incumbents,
            cycle,
            now,
            policy,
        )
        self.ties = ties
        self.support = {
            frozenset((tie.one, tie.other)): tie.support
            for tie in ties
            if not tie.rival
        }

    def weigh(
        self, joined: Sequence[Joined]
    ) -> tuple[Pressure, tuple[Member, ...]]:
        """Return the pressure of *joined*, and the members with the cohesion and the echo group
        they had in it.
        """
        cohesion = clusters.cohesion(
            [each.capture for each in joined], self.support
        )
        told = {each.capture: _first(each.tellings) for each in joined}
        echo = clusters.echoes(
            {each.capture: each.text for each in joined}, told, self.ties
        )
        members = tuple(
            telling._replace(
                cohesion=cohesion[each.capture], echo=echo[each.capture]
            )
            for each in joined
            for telling in each.tellings
        )
        return pressure.pressure(
            members, now=self.now, policy=self.policy
        ), members

    def grew(self, branch: Branch, loose: Sequence[Challenger]) -> Decision:
        captures = tuple(each.capture for each in loose)
        held = {member.capture for member in branch.members}
        strongest = max(
            (
                tie
                for tie in self.ties
                if {tie.one, tie.other} & held
                and {tie.one, tie.other} & set(captures)
            ),
            key=lambda tie: (tie.support, tie.one, tie.other),
        )
        reason = (
            f"{_name_supporters(captures)} this branch. ({len(held) + len(captures)} members; "
            f"closest support {strongest.support:.2f}: {strongest.reason}"
            ")"
        )
        return Decision("grow", branch.name, branch.incumbent, captures, reason)

    def press(self, branches: Sequence[Branch]) -> list[Decision]:
        """Decide for every open branch whether it wins; at most one position per incumbent does in
        a cycle.
        """
        said: list[Decision] = []
        for incumbent in sorted({branch.incumbent for branch in branches}):
            rivals = [
                branch for branch in branches if branch.incumbent == incumbent
            ]
            said += self._press_one(self._positions(rivals))
        return said

    def _press_one(
        self, positions: Sequence[Sequence[Branch]]
    ) -> list[Decision]:
        judged = [(position, self._judge(position)) for position in positions]
        winning = [
            (position, each)
            for position, each in judged
            if each.action == "promote"
        ]
        if not winning:
            return [
                each
                for position, held in judged
                for each in self._spread(position, held)
            ]
        won, winner = max(
            winning,
            key=lambda pair: (
                _margin(pair[1]),
                -pair[0][0].opened,
                pair[1].branch,
            ),
        )
        said = self._spread(won, winner)
        for position, each in judged:
            if position is not won:
                said += [
                    self._follow(branch, winner, each) for branch in position
                ]
        return said

    def _positions(self, branches: Sequence[Branch]) -> list[list[Branch]]:
        """Group the branches on one incumbent that support each other and exclude nothing of each
        other.

        They were opened apart because nothing tied them yet. Neither is closed for it: they press
        together.
        """
        place = {
            member.capture: [branch]
            for branch in branches
            for member in branch.members
        }
        among = [
            tie for tie in self.ties if tie.one in place and tie.other in place
        ]
        rivals = {frozenset((tie.one, tie.other)) for tie in among if tie.rival}
        made = {branch.name: [branch] for branch in branches}
        for branch in branches:
            place.update(
                dict.fromkeys(
                    (member.capture for member in branch.members),
                    made[branch.name],
                )
            )
        for tie in sorted(
            among, key=lambda each: (-each.support, each.one, each.other)
        ):
            one, other = place[tie.one], place[tie.other]
            if tie.support <= 0 or one is other:
                continue
            if not any(
                frozenset((a, b)) in rivals
                for a in _captures(one)
                for b in _captures(other)
            ):
                one += other
                place.update(dict.fromkeys(_captures(other), one))
        unique = {id(each): each for each in place.values()}
        return [
            sorted(each, key=lambda branch: (branch.opened, branch.name))
            for each in unique.values()
        ]

    def _judge(self, position: Sequence[Branch]) -> Decision:
        """Weigh one position under the name of its oldest branch."""
        first = position[0]
        every = [member for branch in position for member in branch.members]
        members, agree = _counting(every)
        weighed, as_weighed = self.weigh(members)
        weighed = weighed._replace(reason=f"{weighed.reason}{agree}")
        if first.incumbent not in self.incumbents:
            reason = f"Waits: nothing stands at {first.incumbent} that it could replace. ({weighed.reason})"
            return Decision(
                "hold",
                first.name,
                first.incumbent,
                (),
                reason,
                weighed,
                members=as_weighed,
            )
        cycles = {member.cycle for member in members}.union(
            *(branch.cycles for branch in position)
        )
        conflict = Conflict(
            "evidence",
            True,
            weighed.voices,
            len(cycles),
            harmful=any(m.harmful for m in members),
        )
        routing_, needed = self._needed(first.incumbent, conflict)
        why = _why_not(weighed, needed, len(cycles), self.cycle, first.opened)
        action: Action = "hold" if why else "promote"
        verdict = (
            why or f"Wins with {many(weighed.voices, 'independent source')}."
        )
        captures = tuple(member.capture for member in every)
        details = f"{weighed.reason}; {needed.reason}; told in {many(len(cycles), 'cycle')}"
        reason = f"{verdict} ({details})"
        return Decision(
            action,
            first.name,
            first.incumbent,
            captures,
            reason,
            weighed,
            needed,
            routing_,
            members=as_weighed,
        )

    def _needed(
        self, incumbent: str, conflict: Conflict
    ) -> tuple[Routing, Threshold]:
        routed = routing.route(conflict)
        # the matrix has a row for any evidence against what is protected
        assert routed is not None
        return routed, pressure.threshold(
            self.incumbents[incumbent].effective, routed.friction, self.policy
        )

    def _spread(
        self, position: Sequence[Branch], said: Decision
    ) -> list[Decision]:
        """Say of every branch of a position what was decided for it under its oldest one's name."""
        first, *others = position
        also = [
            replace(
                said,
                branch=branch.name,
                captures=_captures([branch]),
                after=first.name,
                reason=f"Counted together with minority/{first.name}, which it supports. {said.reason}",
            )
            for branch in others
        ]
        return [replace(said, captures=_captures([first])), *also]

    def _follow(
        self, branch: Branch, winner: Decision, own: Decision
    ) -> Decision:
        reason = f"minority/{winner.branch} won; this branch stays open and now contradicts its entry."
        return replace(
            own,
            action="follow",
            branch=branch.name,
            captures=_captures([branch]),
            reason=reason,
            after=winner.branch,
        )

    def open(
        self,
        groups: Sequence[Sequence[Challenger]],
        branches: Sequence[Branch],
        fallen: Collection[str],
    ) -> list[Decision]:
        """Open branches for what no branch takes; a lone contradiction beside a new cluster waits
        (CON-13).
        """
        weighed = [
            (group, incumbent, *self.weigh(_joined(group, self.cycle)))
            for group in groups
            if (incumbent := self._incumbent(group))
        ]
        fresh = {
            incumbent
            for _, incumbent, pressed, _ in weighed
            if pressed.voices > 1 and incumbent not in fallen
        }
        standing = {
            branch.incumbent for branch in branches if len(branch.members) > 1
        }
        opened: list[Decision] = []
        extended: list[Decision] = []
        for group, incumbent, pressed, members in weighed:
            why = self._must_wait(
                group, incumbent, pressed.voices > 1, fresh, standing, fallen
            )
            if why:
                captures = tuple(each.capture for each in group)
                extended.append(
                    Decision(
                        "extend",
                        "",
                        incumbent,
                        captures,
                        f"Waits: {why}. ({pressed.reason})",
                        pressed,
                    )
                )
            elif pressed.voices > 1 or any(
                each.origin != "quarantine" for each in group
            ):
                opened.append(self._opened(group, incumbent, pressed, members))
        return sorted(opened, key=lambda each: each.branch) + sorted(
            extended, key=lambda each: each.captures
        )

    def _incumbent(self, group: Sequence[Challenger]) -> str | None:
        """Return the heaviest protected incumbent that all of *group* contradicts, or at least one
        of it.
        """
        anyone = {id for each in group for id in each.incumbents}
        for against in (Group(None, group).against() or set(), anyone):
            found = [
                each
                for id in against
                if (each := self.incumbents.get(id)) is not None
                and each.protected
            ]
            if found:
                return min(found, key=lambda each: (-each.base, each.id)).id
        return None

    def _must_wait(
        self,
        group: Sequence[Challenger],
        incumbent: str,
        cluster: bool,
        fresh: Collection[str],
        standing: Collection[str],
        fallen: Collection[str],
    ) -> str | None:
        if incumbent in fallen:
            return f"{incumbent} was replaced in this cycle; the next one compares it with the replacement"
        if cluster:
            return None
        if incumbent in fresh:
            return f"it supports no member of the cluster that opens a branch on {incumbent} in this cycle"
        if incumbent in standing and all(
            each.origin == "extended" for each in group
        ):
            return f"it still supports no branch on {incumbent}"
        return None

    def _opened(
        self,
        group: Sequence[Challenger],
        incumbent: str,
        pressed: Pressure,
        members: tuple[Member, ...],
    ) -> Decision:
        founder = min(
            group, key=lambda each: (_first(each.tellings), each.capture)
        )
        name = f"{self.incumbents[incumbent].slug[:40].rstrip('-')}-{founder.capture[:8]}"
        conflict = Conflict(
            "evidence",
            True,
            pressed.voices,
            1,
            harmful=any(each.harmful for each in group),
        )
        routed, needed = self._needed(incumbent, conflict)
        kind = (
            "Several sources contradict"
            if pressed.voices > 1
            else "One source contradicts"
        )
        details = f"{pressed.reason}; {needed.reason}; {routed.reason}"
        waits = _why_not(pressed, needed, 1, self.cycle, self.cycle)
        reason = f"{kind} a protected entry. {waits} ({details})"
        captures = tuple(each.capture for each in group)
        return Decision(
            "open",
            name,
            incumbent,
            captures,
            reason,
            pressed,
            needed,
            routed,
            members=members,
        )


def _counting(members: Sequence[Joined]) -> tuple[list[Joined], str]:
    """Return the members that count, and words about those that do not: the incumbent came to agree
    with them.

    Who only supports others counts while any of those contradicts. The branch stays open either way
    (INV-4).
    """
    agree = sum(member.agrees for member in members)
    opposed = any(not (member.agrees or member.supports) for member in members)
    counting = [member for member in members if opposed and not member.agrees]
    told = (
        f"; {agree} of {len(members)} members contradict it no more, for its owner edited it"
        if agree
        else ""
    )
    return counting if agree else list(members), told


def _why_not(
    weighed: Pressure, needed: Threshold, cycles: int, now: int, opened: int
) -> str:
    """Return why a position does not win in this cycle; empty where it does."""
    if weighed.value <= needed.value:
        return _too_few(weighed.voices, needed.value)
    if now <= opened:
        return (
            "Has enough independent sources; it can win from the next cycle on."
        )
    if cycles < routing.MULTI:
        return "Has enough independent sources, but all told in one cycle; it needs a second."
    return ""


def _too_few(voices: int, needed: float) -> str:
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


def _margin(decision: Decision) -> float:
    assert decision.pressure is not None and decision.threshold is not None
    return round(decision.pressure.value - decision.threshold.value, 6)


def _captures(branches: Iterable[Branch]) -> tuple[str, ...]:
    return tuple(
        member.capture for branch in branches for member in branch.members
    )


def _first(tellings: Sequence[Member]) -> str:
    return min(min(each.event_time, each.seen_at) for each in tellings)


def _name_supporters(captures: Sequence[str]) -> str:
    return (
        "One capture supports"
        if len(captures) == 1
        else f"{len(captures)} captures support"
    )

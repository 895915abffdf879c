"""Decide what becomes of contradictions of protected entries: CONSOLIDATE's fourth phase (MaM §5.5,
§5.7, Appendix A).

A lone contradiction of a protected incumbent is a candidate, a cluster is a signal, one voice
repeated is neither. Either opens a branch. A lone one beside a cluster that the same run opens, and
that it does not support, waits in the extended buffer (CON-13: Traces 1 and 2 both hold). A branch
grows by whatever supports it. It wins where the pressure of all its members exceeds the threshold
of its incumbent, with tellings of at least two cycles, in a later one than opened it (ROW-5).
Nothing here closes a branch (INV-4), and no capture is dropped (CON-5). Pure.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.minority.beliefs import describe_belief, split_belief
from companion.minority.challenge import (
    Challenger,
    Cycle,
    Decision,
    Incumbent,
    OpenBranch,
    join_captures,
    note_of,
)
from companion.minority.clusters import Tie
from companion.minority.positions import (
    Group,
    decide_open_branches,
    explain_wait,
    group_challengers,
    route_evidence,
    weigh_captures,
)
from companion.minority.pressure import (
    DEFAULT,
    Policy,
    Pressure,
    Telling,
    voice_of,
)
from companion.minority.wordings import Note, find_first_tellings


def plan_branches(
    challengers: Iterable[Challenger],
    branches: Iterable[OpenBranch],
    ties: Sequence[Tie],
    incumbents: Mapping[str, Incumbent],
    *,
    cycle: int,
    now: str,
    policy: Policy = DEFAULT,
    known: Iterable[str] = (),
    peers: Mapping[str, tuple[Telling, str]] | None = None,
) -> tuple[Decision, ...]:
    """Return what becomes of every challenger and every open branch in this *cycle*.

    *ties* are phase 1's findings among all of them, members of branches included; *incumbents* has
    every entry that a branch or a challenger names, as far as it is still active; *known* are the
    voices that told something of their own elsewhere; *peers* has the one voice of other people's
    wikis against an incumbent, which joins its only position and opens none. Decisions come in
    this order: grow, open, extend, then for every open branch hold, promote or follow. Quarantined
    captures that support nothing, and what contradicts nothing protected, get none: they go where
    cohesion sends them.
    """
    standing = sorted(branches, key=lambda branch: branch.age_key)
    concerned = {one.id for one in incumbents.values() if one.protected}
    concerned.update(branch.incumbent for branch in standing)
    loose = [_keep_concerned(one, concerned) for one in sorted(challengers)]
    this_cycle = Cycle(
        cycle,
        now,
        incumbents,
        ties,
        policy,
        _find_first_tellings(loose, standing, ties),
        frozenset(known),
        peers or {},
    )

    grown: list[OpenBranch] = []
    grow: list[Decision] = []
    candidates: list[Group] = []
    for group in group_challengers(loose, standing, ties):
        if not group.branches:
            candidates.append(group)
            continue
        branch = group.branches[0]
        grown.append(branch.add(join_captures(group.loose, cycle)))
        if group.loose:
            grow.append(_grow_branch(branch, group.loose, ties))
    pressed = decide_open_branches(grown, this_cycle)
    opened = _place_candidates(candidates, grown, pressed, this_cycle)
    return (*grow, *opened, *pressed)


def list_repeating_sources(
    challengers: Iterable[Challenger],
    branches: Iterable[OpenBranch],
    ties: Sequence[Tie],
) -> set[str]:
    """Return the sources of tellings whose words somebody else told before."""
    loose, standing = list(challengers), list(branches)
    notes = [note_of(one) for one in loose]
    for branch in standing:
        notes += map(note_of, branch.members)
    sources = set()
    for first in _find_first_tellings(loose, standing, ties).values():
        for note in notes:
            origin = first.get(note.capture, note.first)
            for telling in note.tellings:
                if voice_of(telling) != voice_of(origin):
                    sources.add(telling.source)
    return sources - {""}


def _find_first_tellings(
    loose: Sequence[Challenger],
    branches: Sequence[OpenBranch],
    ties: Sequence[Tie],
) -> dict[str, dict[str, Telling]]:
    """Return, by what is contradicted, the first telling of the words of each note about it.

    Those who contradict nothing may come to support any branch.
    """
    matters: defaultdict[str, list[Note]] = defaultdict(list)
    for branch in branches:
        matters[branch.incumbent] += map(note_of, branch.members)
    for one in loose:
        for incumbent in one.incumbents:
            matters[incumbent].append(note_of(one))
    supporting = [note_of(one) for one in loose if not one.incumbents]
    return {
        incumbent: find_first_tellings([*notes, *supporting], ties)
        for incumbent, notes in matters.items()
    }


def _keep_concerned(
    challenger: Challenger, concerned: Collection[str]
) -> Challenger:
    """Return *challenger* with the incumbents that phase 4 deals with.

    A capture that contradicts only others may still support a branch.
    """
    kept = tuple(id for id in challenger.incumbents if id in concerned)
    return challenger._replace(incumbents=kept)


def _grow_branch(
    branch: OpenBranch, joining: Sequence[Challenger], ties: Sequence[Tie]
) -> Decision:
    captures = tuple(one.capture for one in joining)
    members = {member.capture for member in branch.members}
    between = [
        tie
        for tie in ties
        if not members.isdisjoint(tie[:2])
        and not set(captures).isdisjoint(tie[:2])
    ]
    closest = max(between, key=lambda tie: (tie.support, tie.one, tie.other))
    count = len(members) + len(captures)
    details = f"{count} members; closest support {closest.support:.2f}: {closest.reason}"
    supporters = "One capture supports"
    if len(captures) > 1:
        supporters = f"{len(captures)} captures support"
    reason = f"{supporters} this branch. ({details})"
    return Decision("grow", branch.name, branch.incumbent, captures, reason)


class _Candidate(NamedTuple):
    """A group outside any branch that contradicts a protected incumbent."""

    group: Sequence[Challenger]
    incumbent: str
    pressure: Pressure

    @property
    def is_cluster(self) -> bool:
        """Tell whether several independent voices speak."""
        return self.pressure.voices > 1


def _list_joined(branches: Iterable[OpenBranch]) -> set[str]:
    """Return the incumbents of the branches that have two members or more."""
    joined = [branch for branch in branches if len(branch.members) > 1]
    return {branch.incumbent for branch in joined}


def _place_candidates(
    groups: Sequence[Group],
    branches: Sequence[OpenBranch],
    pressed: Sequence[Decision],
    cycle: Cycle,
) -> list[Decision]:
    """Return the branches that *groups* open, and then the captures that have to wait.

    A lone contradiction beside a new cluster waits (CON-13). *pressed* are the decisions on open
    *branches*.
    """
    replaced = {one.incumbent for one in pressed if one.action == "promote"}
    candidates = _list_candidates(groups, cycle)
    clustered = {one.incumbent for one in candidates if one.is_cluster}
    clustered -= replaced
    standing = _list_joined(branches)
    opened: list[Decision] = []
    extended: list[Decision] = []
    for one in candidates:
        why = _explain_extension(one, clustered, standing, replaced)
        if why is not None:
            extended.append(_extend(one, why))
        elif one.is_cluster or not _is_in_quarantine(one.group):
            opened.append(_open_branch(one, cycle))
    opened.sort(key=lambda decision: decision.branch)
    extended.sort(key=lambda decision: decision.captures)
    return opened + extended


def _list_candidates(groups: Sequence[Group], cycle: Cycle) -> list[_Candidate]:
    candidates = []
    for group in groups:
        incumbent = _find_incumbent(group, cycle.incumbents)
        if incumbent is not None:
            captures = join_captures(group.loose, cycle.number)
            pressure = weigh_captures(captures, incumbent, cycle)
            candidates.append(_Candidate(group.loose, incumbent, pressure))
    return candidates


def _find_incumbent(
    group: Group, incumbents: Mapping[str, Incumbent]
) -> str | None:
    """Return the heaviest protected incumbent that *group* contradicts, at best all of it."""
    contradicted: set[str] = set()
    for one in group.loose:
        contradicted.update(one.incumbents)
    for ids in (group.find_common_incumbents() or set(), contradicted):
        known = [incumbents[id] for id in ids if id in incumbents]
        protected = [one for one in known if one.protected]
        if protected:
            return min(protected, key=lambda one: (-one.base, one.id)).id
    return None


def _explain_extension(
    candidate: _Candidate,
    clustered: Collection[str],
    standing: Collection[str],
    replaced: Collection[str],
) -> str | None:
    """Return why *candidate* has to wait in the extended buffer; None if it opens a branch."""
    incumbent = candidate.incumbent
    name = describe_belief(incumbent)
    if incumbent in replaced:
        return (
            f"{name} was replaced in this cycle; "
            "the next one compares it with the replacement"
        )
    if candidate.is_cluster:
        return None
    if incumbent in clustered:
        return (
            "it supports no member of the cluster that opens a branch on "
            f"{name} in this cycle"
        )
    waited = all(one.origin == "extended" for one in candidate.group)
    if waited and incumbent in standing:
        return f"it still supports no branch on {name}"
    return None


def _is_in_quarantine(group: Sequence[Challenger]) -> bool:
    return all(one.origin == "quarantine" for one in group)


def _extend(candidate: _Candidate, why: str) -> Decision:
    pressure = candidate.pressure
    return Decision(
        action="extend",
        branch="",
        incumbent=candidate.incumbent,
        captures=tuple(one.capture for one in candidate.group),
        reason=f"Waits: {why}. ({pressure.reason})",
        pressure=pressure,
    )


def _open_branch(candidate: _Candidate, cycle: Cycle) -> Decision:
    group, incumbent, pressure = candidate
    founder = min(group, key=lambda one: (one.first_told, one.capture))
    slug = cycle.incumbents[incumbent].slug[:40].rstrip("-")
    routing, threshold = route_evidence(
        incumbent,
        pressure.voices,
        1,
        cycle,
        harmful=any(one.harmful for one in group),
    )
    sources = "Several sources contradict"
    if not candidate.is_cluster:
        sources = "One source contradicts"
    what = "a protected entry"
    if split_belief(incumbent)[1] is not None:
        what = "one statement of a protected page"
    waits = explain_wait(
        pressure, threshold, cycles=1, now=cycle.number, opened=cycle.number
    )
    details = f"{pressure.reason}; {threshold.reason}; {routing.reason}"
    return Decision(
        action="open",
        branch=f"{slug}-{founder.capture[:8]}",
        incumbent=incumbent,
        captures=tuple(one.capture for one in group),
        reason=f"{sources} {what}. {waits} ({details})",
        pressure=pressure,
        threshold=threshold,
        routing=routing,
    )

"""Group captures and branches that support each other and are no rivals (MaM §5.5, phase 1)."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence

from companion.minority.challenge import Challenger, OpenBranch, list_captures
from companion.minority.clusters import Tie


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

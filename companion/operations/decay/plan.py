"""Decide which entries decay, and which are protected from it (MaM §5.3, §7.5).

`plan_flags` decides the gravity-protected flag, which only DECAY and AUDIT may set (OBJ-2).
`plan_decay` decides on an entry in two steps (DEC-6). An entry whose vitality is below the first
threshold becomes *decaying*, and its page is compressed. A decaying entry whose vitality is below
the second threshold is *archived*, once it has been decaying for as many days of use as every
decision waits. An entry that is used again is restored. No entry decays whose base gravity is above
the floor, whatever its vitality (DEC-2).

What took the place of another page stays as long as that one does: whoever still opens the old page
is led on to it, and what fell must not be all that is left.

An entry that misleads again and again takes both steps whatever its vitality (DEC-7): the reads
that it misled must not be what keeps it (MaM §2.4). Above the floor it is AUDIT's to judge. Of a
page of several statements those fade that misled (CON-17): what they did is not counted against it.
Pure.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion.gravity.formula import Floor, Weight, explain_base_gravity
from companion.operations.decay.vitality import PRESENT
from companion.values.decay.decay_policy import Policy, Terms
from companion.values.decisions import Verdict

VERSION = "decay-6"
# times that an entry was called bad, and the utility, from which it misleads again and again
MISLEADS, HARMFUL = 5, -0.3


class Candidate(NamedTuple):
    """An entry whose vitality is low, or that is decaying."""

    entry: str
    state: str  # active or decaying
    since: str | None  # when it became decaying
    # the operation that made it decaying: decay, consolidate (it lost to a branch) or settle
    set_by: str | None
    reduced: bool  # AUDIT has reduced its gravity since
    managed: bool  # companion wrote its page, and every line that is there
    whole: bool  # its page is not compressed
    pinned: bool
    # it gathers a day, and its owner wrote lines of their own there
    diary: bool
    # why CONSOLIDATE still needs its words as they are, as a sentence
    evidence: str | None
    base: float  # gravity; effective gravity has no part in what is protected
    terms: Terms  # of its vitality now
    then: float  # its vitality at the instant that decides
    utility: float = 0.0  # in [-1, 1], 0 where no outcome is known
    bad: float = 0.0  # times that its reads were called so
    myself: bool = False  # its owner says there who they are (OBJ-6)
    # the title of the page whose place it took, while that is in the wiki
    replaced: str | None = None


def plan_flags(
    weights: Mapping[str, Weight], floor: Floor, flagged: Collection[str]
) -> list[Verdict]:
    """Return which entries become gravity-protected and which no longer are, by id.

    *flagged* are protected so far. The flag follows base gravity and nothing else: neither time nor
    use changes it (GRA-5, GRA-6).
    """
    verdicts = []
    for entry, weight in weights.items():
        if weight.above != (entry in flagged):
            verdicts.append(_change_flag(entry, weight, floor))
    for entry in flagged:
        if entry not in weights:
            verdicts.append(_remove_flag(entry, floor))
    return sorted(verdicts, key=lambda verdict: verdict.subject)


def _change_flag(entry: str, weight: Weight, floor: Floor) -> Verdict:
    gravity = explain_base_gravity(weight.parts, weight.factor, weight.base)
    limit = f"the floor {floor.value:.2f}: {floor.rule}"
    data = {"gravity": round(weight.base, 6), "floor": floor.value}
    if weight.myself:
        reason = f"Protected: its owner says there who they are. ({gravity})"
        return Verdict(entry, "protected", reason, data)
    if weight.above:
        reason = (
            f"Protected: other pages depend on it. ({gravity} is above {limit})"
        )
        return Verdict(entry, "protected", reason, data)
    reason = f"No longer protected: too little depends on it. ({gravity} is not above {limit})"
    return Verdict(entry, "unprotected", reason, data)


def _remove_flag(entry: str, floor: Floor) -> Verdict:
    reason = "No longer protected: it is archived, and no page depends on it."
    return Verdict(
        entry, "unprotected", reason, {"gravity": 0, "floor": floor.value}
    )


def plan_decay(
    each: Candidate, floor: Floor, policy: Policy, instant: str | None
) -> Verdict:
    """Return whether an entry becomes decaying, is compressed, archived, restored or kept, and why.

    *instant* decides: its vitality then, and whether it was decaying by then. None means that the
    wiki was not used on enough days yet, and that nothing decays.
    """
    action, sentence = _decide(each, floor, policy, instant)
    numbers = (
        f"vitality {each.terms.total:.3f} = {each.terms}; thresholds {policy.decaying:g} and "
        f"{policy.archived:g}; base gravity {each.base:.2f}, floor {floor.value:.2f}"
    )
    data = {"gravity": round(each.base, 6), "floor": floor.value}
    return Verdict(each.entry, action, f"{sentence} ({numbers})", data)


def _decide(
    each: Candidate, floor: Floor, policy: Policy, instant: str | None
) -> tuple[str, str]:
    """Return the action, and its reason as a sentence."""
    misleads = is_misleading(each.bad, each.utility)
    is_used = each.terms.total >= policy.decaying and not misleads
    if each.set_by == "decay" and is_used:
        return "restored", "Restored: it is used again, or more depends on it."
    protection = find_protection(each, floor)
    if protection is not None:
        return "kept", protection
    is_low = each.then < policy.decaying or misleads
    if instant is None or not is_low:
        return (
            "kept",
            f"Kept: its vitality has not been low for {PRESENT} days of use yet.",
        )
    return _decide_next_step(each, policy, instant)


def _decide_next_step(
    each: Candidate, policy: Policy, instant: str
) -> tuple[str, str]:
    """Return the action on an entry of low vitality that nothing protects, and its reason."""
    if each.state == "active":
        return "decaying", f"Decaying: {_describe_lack(each)}"
    if _is_left_whole(each) and each.then >= policy.archived:
        return "compressed", f"Compressed: {_describe_lack(each)}"
    return _decide_second_step(each, policy, instant)


def is_misleading(bad: float, utility: float) -> bool:
    """Tell whether an entry misleads again and again (DEC-7).

    *bad* is the number of times that its reads were called so, 0 or more; *utility* is what became
    of all of them, in [-1, 1]. Old outcomes count for less in it, so that a page that helps again
    comes back.
    """
    return bad >= MISLEADS and utility <= HARMFUL


def _describe_lack(each: Candidate) -> str:
    if is_misleading(each.bad, each.utility):
        return "it misled its readers again and again, and too little depends on it."
    return "it is hardly used, and too little depends on it."


def _is_left_whole(each: Candidate) -> bool:
    """Return whether CONSOLIDATE made the entry decaying and left its text as it was."""
    return each.set_by == "consolidate" and each.whole and each.managed


def plan_statement(
    since: str, base: float, floor: Floor, instant: str | None
) -> str | None:
    """Return why a statement that lost at *since* is archived now; None while it stays.

    It stays as long as other pages depend on its page (*base* is that page's gravity), and for as
    many days of use as every decision waits (DEC-6).
    """
    if instant is None or since > instant or floor.shields(base):
        return None
    return (
        f"Archived: it lost more than {PRESENT} days of use ago. (since {since[:10]}, "
        f"base gravity {base:.2f}, floor {floor.value:.2f})"
    )


def find_protection(each: Candidate, floor: Floor) -> str | None:
    """Return the sentence that says what keeps an entry from decaying; None where nothing does."""
    if floor.shields(each.base):
        return "Kept: other pages depend on it."
    if each.myself:
        return "Kept: its owner says there who they are."
    if each.pinned:
        return "Kept: pinned."
    if each.diary:
        return "Kept: the page of a day on which you wrote lines of your own."
    if each.replaced is not None:
        return f"Kept: it took the place of “{each.replaced}”, which is still in the wiki."
    if each.set_by == "consolidate" and not each.reduced:
        return "Kept: it lost to a minority branch, and AUDIT has not reduced its gravity yet."
    if each.set_by not in (None, "decay", "consolidate"):
        return "Kept: AUDIT made it decaying, and only AUDIT archives it."
    return each.evidence


def _decide_second_step(
    each: Candidate, policy: Policy, instant: str
) -> tuple[str, str]:
    if not each.managed:
        return (
            "kept",
            "Kept in its place: the page is its owner's, or some of its lines are.",
        )
    if each.then >= policy.archived and not is_misleading(
        each.bad, each.utility
    ):
        return (
            "kept",
            "Kept: decaying, but its vitality is not low enough to archive it.",
        )
    if each.since is None or each.since > instant:
        return (
            "kept",
            f"Kept: it has not been decaying for {PRESENT} days of use yet.",
        )
    return "archived", f"Archived: {_describe_lack(each)}"

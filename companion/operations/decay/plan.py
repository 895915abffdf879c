"""DECAY: what fades, and what is protected from fading (MaM §5.3, §7.5).

First the gravity-protected flag, which only DECAY and AUDIT may set (OBJ-2). Then the two steps
(DEC-6): an entry whose vitality is below the first threshold becomes *decaying*, and its page is
compressed; a decaying one below the second is *archived*, once it has been decaying for as many
days of use as every decision waits. What is used again is restored. Nothing fades whose base
gravity is above the floor, whatever its vitality (DEC-2). Pure: the app gathers, this says what
follows from it.
"""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from companion.gravity.formula import Floor, Weight, explain_base_gravity
from companion.operations.decay.vitality import PRESENT
from companion.values.decay_policy import Policy, Terms
from companion.values.decisions import Verdict

VERSION = "decay-2"


class Fading(NamedTuple):
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
    evidence: str | None  # why CONSOLIDATE still needs its words as they are
    base: float  # gravity; G_eff has no part in what is protected
    terms: Terms  # of its vitality now
    then: float  # its vitality at the instant that decides


def flags(weights: Mapping[str, Weight], floor: Floor, flagged: Collection[str]) -> list[Verdict]:
    """Return which entries become gravity-protected and which no longer are, by id; *flagged* are
    so now.

    The flag follows base gravity and nothing else: neither time nor use moves it (GRA-5, GRA-6).
    """
    found = [
        _flag(entry, weight, floor)
        for entry, weight in weights.items()
        if weight.above != (entry in flagged)
    ]
    found += [_gone(entry, floor) for entry in flagged if entry not in weights]
    return sorted(found, key=lambda verdict: verdict.subject)


def _flag(entry: str, weight: Weight, floor: Floor) -> Verdict:
    side, action = ("above", "protected") if weight.above else ("not above", "unprotected")
    reason = f"{explain_base_gravity(weight.parts, weight.factor, weight.base)} is {side} the floor {floor.value:.2f} ({floor.rule})"
    return Verdict(entry, action, reason, {"gravity": round(weight.base, 6), "floor": floor.value})


def _gone(entry: str, floor: Floor) -> Verdict:
    reason = "it is archived, so that nothing rests on it any more"
    return Verdict(entry, "unprotected", reason, {"gravity": 0, "floor": floor.value})


def fade(each: Fading, floor: Floor, policy: Policy, instant: str | None) -> Verdict:
    """Return what becomes of an entry: decaying, compressed, archived, restored, or kept, and why.

    *instant* decides: its vitality then, and whether it was decaying by then; None where nothing is
    decided yet.
    """
    data = {"gravity": round(each.base, 6), "floor": floor.value}
    action, why = _fate(each, floor, policy, instant)
    return Verdict(
        each.entry, action, f"vitality {each.terms.total:.3f} = {each.terms}: {why}", data
    )


def _fate(each: Fading, floor: Floor, policy: Policy, instant: str | None) -> tuple[str, str]:
    if each.set_by == "decay" and each.terms.total >= policy.decaying:
        return "restored", f"not below {policy.decaying:g} any more"
    below = f"below {policy.decaying:g}"
    kept = _protection(each, floor)
    if kept is not None:
        return "kept", f"{below}, but {kept}"
    if instant is None or each.then >= policy.decaying:
        return "kept", f"{below}, but not yet {PRESENT} days of use ago"
    under = f"base gravity {each.base:.2f} is not above the floor {floor.value:.2f}"
    if each.state == "active":
        return "decaying", f"{below}; {under}"
    if (
        each.set_by == "consolidate"
        and each.whole
        and each.managed
        and each.then >= policy.archived
    ):
        return "compressed", f"{below}; {under}"  # CONSOLIDATE left its text as it was
    return _second_step(each, policy, instant, under)


def _protection(each: Fading, floor: Floor) -> str | None:
    """Return what keeps an entry from fading, whatever its vitality."""
    if floor.shields(each.base):
        return f"base gravity {each.base:.2f} is above the floor {floor.value:.2f}"
    if each.pinned:
        return "it is pinned"
    if each.set_by == "consolidate" and not each.reduced:
        return "it fell to a minority branch, and AUDIT has not reduced its gravity"
    if each.set_by not in (None, "decay", "consolidate"):
        return "AUDIT made it decaying, and archives it"
    return each.evidence


def _second_step(each: Fading, policy: Policy, instant: str, under: str) -> tuple[str, str]:
    if not each.managed:
        return "kept", "decaying; its page is its owner's and stays where it is"
    if each.then >= policy.archived:
        return "kept", f"decaying; not below {policy.archived:g}"
    if each.since is None or each.since > instant:
        return "kept", f"below {policy.archived:g}, but not decaying for {PRESENT} days of use yet"
    return "archived", f"below {policy.archived:g}; {under}"

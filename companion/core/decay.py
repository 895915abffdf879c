"""DECAY: what fades, and what is protected from fading (MaM §5.3, §7.5).

So far its first step: the gravity-protected flag, which only DECAY and AUDIT may set (OBJ-2). Pure: the app gathers
gravity, this says what follows from it.
"""

from collections.abc import Collection, Mapping

from companion.core.gravity import Floor, Weight, told
from companion.model.plan import Verdict

VERSION = "decay-1"


def flags(weights: Mapping[str, Weight], floor: Floor, flagged: Collection[str]) -> list[Verdict]:
    """Return which entries become gravity-protected and which no longer are, by id; *flagged* are so now.

    The flag follows base gravity and nothing else: neither time nor use moves it (GRA-5, GRA-6).
    """
    found = [_flag(entry, weight, floor) for entry, weight in weights.items() if weight.above != (entry in flagged)]
    found += [_gone(entry, floor) for entry in flagged if entry not in weights]
    return sorted(found, key=lambda verdict: verdict.subject)


def _flag(entry: str, weight: Weight, floor: Floor) -> Verdict:
    side, action = ("above", "protected") if weight.above else ("not above", "unprotected")
    reason = f"{told(weight.parts, weight.factor, weight.base)} is {side} the floor {floor.value:.2f} ({floor.rule})"
    return Verdict(entry, action, reason, {"gravity": round(weight.base, 6), "floor": floor.value})


def _gone(entry: str, floor: Floor) -> Verdict:
    reason = "it is archived, so that nothing rests on it any more"
    return Verdict(entry, "unprotected", reason, {"gravity": 0, "floor": floor.value})

"""The four ways to settle a conflict (TOKI's operators), and the isolation that each needs (LED-5,
LED-9).

An operator chooses among *sides*: the values that nothing in time has settled, each with the
assertions that speak for it. The choice is a function of the set, so the order of arrival cannot
matter; none of them erases a side. TOKI orders last-writer-wins by system time; ours orders by
valid time, and transaction time settles only corrections by one voice. TOKI's own table types
last-writer-wins at read committed and lists lost update as what it then admits: we declare what
excludes it.
"""

import math
from collections.abc import Callable, Mapping, Sequence

from companion.annotations import Literal
from companion.tuples import NamedTuple
from companion.values import hashing
from companion.values.claims import PLACES, Assertion, Strategy

Isolation = Literal["snapshot", "serializable"]

#: What the store must guarantee while an operator of this kind decides (TOKI, guard map).
REQUIRES: Mapping[Strategy, Isolation] = {
    "latest": "snapshot",  # excludes P4 lost update
    # excludes A5B write skew: a confidence revised while it is weighed
    "evidence": "serializable",
    # and the answer is logged under the set's key before it counts
    "await": "snapshot",
    # excludes P3 phantom: a rule that arrives while it is applied
    "policy": "serializable",
}


# how sure one voice can be: if one could be beyond doubt, a second would add nothing
_SUREST = 0.999


class Side(NamedTuple):
    """One value of a conflict, with everything that was told for it."""

    value: str
    tellings: tuple[Assertion, ...]

    @property
    def weight(self) -> float:
        """Return the evidence for the value, in [0, 1): 1 minus the product of the voices' doubts.

        It comes so near to 1 with a dozen voices that only `evidence` tells two sides apart.
        """
        return round(1.0 - math.exp(-self.evidence), 6)

    @property
    def evidence(self) -> float:
        """Return the sum of the voices' doubts in logarithms, negated: each voice raises it.

        A voice counts once, by its surest telling. Nobody is beyond doubt (`_SUREST`).
        """
        surest: dict[tuple[str, str], float] = {}
        for telling in self.tellings:
            known = surest.get(telling.voice, 0.0)
            surest[telling.voice] = max(known, telling.confidence)
        doubts = [1.0 - min(_SUREST, sure) for sure in surest.values()]
        return round(-math.fsum(map(math.log, doubts)), 9)

    @property
    def voices(self) -> int:
        """Return how many voices tell it."""
        return len({telling.voice for telling in self.tellings})


class Choice(NamedTuple):
    """An operator's decision. Where *value* is None it stays open, and both sides are shown."""

    value: str | None
    reason: str


class Policy(NamedTuple):
    """The preferences and answers that an operator may consult besides the sides."""

    prefer: Sequence[str] = ()  # sources or agents, the most trusted first
    # the key of a conflict set -> the value a person or a judge chose
    answers: Mapping[str, str] = {}
    # the key of a conflict set -> when that was
    answered_at: Mapping[str, str] = {}


Operator = Callable[[tuple[str, str], Sequence[Side], Policy], Choice]


def choose_side(
    strategy: Strategy,
    key: tuple[str, str],
    sides: Sequence[Side],
    policy: Policy = Policy(),  # noqa: B008
) -> Choice:
    """Return the choice among *sides* (at least two, in any order).

    A logged answer of the owner goes before every operator.
    """
    ordered = sorted(sides)
    answer = _find_answer(key, ordered, policy)
    if answer in [side.value for side in ordered]:
        return Choice(answer, "chosen in review")
    return _OPERATORS[strategy](key, ordered, policy)


def set_key(key: tuple[str, str], sides: Sequence[Side]) -> str:
    """Return the name of a conflict, 12 hex digits, from its members in any order (TOKI, n-ary),
    and from when they became so.

    The question that `review` asks has this name, and an answer is logged under it. The same values
    may dispute again years later: that is another question.
    """
    return _name_conflict(key, sides, _find_begin(sides))


def _find_answer(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> str | None:
    """Return the value that was chosen in this conflict; None where nobody was asked.

    A note that says more exactly when it became so makes no other conflict of it.
    """
    begin = _find_begin(sides)
    for places in sorted({len(begin), *PLACES.values()}, reverse=True):
        name = _name_conflict(key, sides, begin[:places])
        if places <= len(begin) and name in policy.answers:
            return policy.answers[name]
    # questions of before "operators-2" were named by the values alone: such an answer concerns
    # what was so when it was given
    name = _name_conflict(key, sides, "")
    if begin <= policy.answered_at.get(name, ""):
        return policy.answers.get(name)
    return None


def _find_begin(sides: Sequence[Side]) -> str:
    """Return when the last of *sides* became so, as exactly as one of them says; empty where none
    says it.
    """
    dated: list[Assertion] = []
    for side in sides:
        dated += [a for a in side.tellings if a.change or a.stated or a.given]
    places = max((PLACES[a.precision] for a in dated), default=0)
    return max((a.valid_from for a in dated), default="")[:places]


def _name_conflict(
    key: tuple[str, str], sides: Sequence[Side], begin: str
) -> str:
    parts = [*key, *sorted({side.value for side in sides})]
    if begin:
        parts.append(begin)
    whole = "\x1f".join(parts)
    digest = hashing.sha256()
    digest.update(whole.encode("utf-8", "surrogatepass"))
    return str(digest.hexdigest()[:12])


def _latest(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    """Leave an exact tie open: what valid time can settle, it has settled before."""
    voices: set[tuple[str, str]] = set()
    for side in sides:
        voices.update(telling.voice for telling in side.tellings)
    return Choice(
        None,
        f"{len(sides)} values of one valid time from {len(voices)} voices",
    )


def _evidence(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    first, second = sorted(sides, key=lambda side: -side.evidence)[:2]
    if first.evidence == second.evidence:
        return Choice(None, f"evidence {first.weight:g} on both sides")
    reason = f"evidence {first.weight:g} of {first.voices} voices against {second.weight:g}"
    if first.weight == second.weight:
        reason += f" of {second.voices}"
    return Choice(first.value, reason)


def _await(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    return Choice(None, "awaits an answer in review")


def _policy(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    for rank, name in enumerate(policy.prefer, 1):
        trusted = [side for side in sides if _is_told_by(side, name)]
        if len(trusted) == 1:
            return Choice(trusted[0].value, f"the source ranked {rank} says so")
        if trusted:
            return Choice(
                None, f"the source ranked {rank} is on {len(trusted)} sides"
            )
    return Choice(None, "no source of the policy is on any side")


def _is_told_by(side: Side, name: str) -> bool:
    """Tell whether the source or agent *name* tells the value of *side*."""
    return any(name in telling.voice for telling in side.tellings)


_OPERATORS: Mapping[Strategy, Operator] = {
    "latest": _latest,
    "evidence": _evidence,
    "await": _await,
    "policy": _policy,
}

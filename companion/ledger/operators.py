"""The four ways to settle a conflict (TOKI's operators), each with the isolation it needs (LED-5,
LED-9).

An operator chooses among *sides*: the values that nothing in time has settled, each with the
assertions that speak for it. The choice is a function of the set, so the order of arrival cannot
matter; none of them erases a side. TOKI orders last-writer-wins by system time; ours orders by
valid time, and transaction time settles only corrections by one voice. TOKI's own table types
last-writer-wins at read committed and lists lost update as what it then admits: we declare what
excludes it.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from companion.values.claims import Assertion, Strategy

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


class Side(NamedTuple):
    """One value of a conflict, with everything that was told for it."""

    value: str
    tellings: tuple[Assertion, ...]

    @property
    def weight(self) -> float:
        """The evidence for it: voices count once each, by their surest telling; 1 - the product of
        their doubts.
        """
        doubt = 1.0
        for voice in sorted({telling.voice for telling in self.tellings}):
            doubt *= 1.0 - max(
                t.confidence for t in self.tellings if t.voice == voice
            )
        return round(1.0 - doubt, 6)

    @property
    def voices(self) -> int:
        """How many speak for it, independently."""
        return len({telling.voice for telling in self.tellings})


class Choice(NamedTuple):
    """What an operator decided; *value* None: it stays open, and both sides are shown."""

    value: str | None
    reason: str


class Policy(NamedTuple):
    """What an operator may consult besides the sides."""

    prefer: Sequence[str] = ()  # sources or agents, the most trusted first
    # the key of a conflict set -> the value a person or a judge chose
    answers: Mapping[str, str] = {}


Operator = Callable[[tuple[str, str], Sequence[Side], Policy], Choice]


def choose_side(
    strategy: Strategy,
    key: tuple[str, str],
    sides: Sequence[Side],
    policy: Policy = Policy(),  # noqa: B008
) -> Choice:
    """Choose among *sides* (at least two, in any order). A logged answer of the owner goes before
    every operator.
    """
    ordered = sorted(sides)
    answer = policy.answers.get(set_key(key, ordered))
    if answer is not None and any(side.value == answer for side in ordered):
        return Choice(answer, "chosen in review")
    return _OPERATORS[strategy](key, ordered, policy)


def set_key(key: tuple[str, str], sides: Sequence[Side]) -> str:
    """Name a conflict by its members, whatever their order (TOKI, n-ary): what an answer is logged
    under.

    Twelve hexadecimal digits: the question that `review` asks has this name.
    """
    whole = "\x1f".join([*key, *sorted({side.value for side in sides})])
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[
        :12
    ]


def _latest(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    """Valid time has spoken before an operator is asked: what is left is an exact tie, which nobody
    may break.
    """
    return Choice(
        None,
        f"{len(sides)} values of one valid time from {_voices(sides)} voices",
    )


def _evidence(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    first, second = sorted(sides, key=lambda side: -side.weight)[:2]
    if first.weight == second.weight:
        return Choice(None, f"evidence {first.weight:g} on both sides")
    return Choice(
        first.value,
        f"evidence {first.weight:g} of {first.voices} voices against {second.weight:g}",
    )


def _await(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    return Choice(None, "awaits an answer in review")


def _policy(
    key: tuple[str, str], sides: Sequence[Side], policy: Policy
) -> Choice:
    for rank, name in enumerate(policy.prefer, 1):
        trusted = [
            side
            for side in sides
            if any(name in telling.voice for telling in side.tellings)
        ]
        if len(trusted) == 1:
            return Choice(trusted[0].value, f"the source ranked {rank} says so")
        if trusted:
            return Choice(
                None, f"the source ranked {rank} is on {len(trusted)} sides"
            )
    return Choice(None, "no source of the policy is on any side")


def _voices(sides: Sequence[Side]) -> int:
    return len({telling.voice for side in sides for telling in side.tellings})


_OPERATORS: Mapping[Strategy, Operator] = {
    "latest": _latest,
    "evidence": _evidence,
    "await": _await,
    "policy": _policy,
}

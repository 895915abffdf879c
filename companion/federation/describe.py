"""Describe a federation in words and numbers: its unit, what leaves, what it cost, what counts."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from companion.federation.kept import Sent
from companion.federation.sums.profiles import explain_silence
from companion.federation.unit import Unit
from companion.routing import peers
from companion.routing.peers import Heard

if TYPE_CHECKING:
    from companion.federation.results import (
        InfluenceResult,
        UnitResult,
        WeekCost,
    )

_LEAVES = (
    "one sheet of 4,096 numbers a week: sums of topics in salted buckets",
    "that this machine called, and when: the unit's members see its address",
)


def describe_unit(unit: Unit) -> "UnitResult":
    """Return what a unit is, in words and numbers."""
    relay = unit.relay_card
    return {
        "unit": unit.id,
        "kind": unit.kind,
        "members": [one.name for one in unit.members],
        "relay": None if relay is None else relay.name,
        "least": unit.profile.least,
        "why_silent": explain_silence(len(unit.members), unit.profile),
    }


def is_telling(unit: Unit) -> bool:
    """Tell whether *unit* is large enough for its members to tell anything."""
    return not explain_silence(len(unit.members), unit.profile)


def list_leaving(unit: Unit | None) -> list[str]:
    """Return what leaves this machine for *unit*; nothing without one."""
    return [] if unit is None else list(_LEAVES)


def describe_costs(sent: Iterable[Sent]) -> "list[WeekCost]":
    """Return the privacy that each week of *sent* cost."""
    return [{"week": one.week, "epsilon": one.epsilon} for one in sent]


def describe_influence(heard: list[Heard], now: str) -> "list[InfluenceResult]":
    """Return the voice and the prior that each of *heard* adds here at *now*."""
    voices = peers.find_voices(heard, now)
    priors = peers.find_priors(heard, now)
    found: list[InfluenceResult] = []
    for one in heard:
        voice = voices.get(one.entry)
        prior = priors.get(one.entry)
        found.append(
            {
                "entry": one.entry,
                "unit": one.unit,
                "owners": one.owners,
                "voice": 0.0 if voice is None else voice.trust,
                "prior": 0.0 if prior is None else prior.value,
                "until": one.until,
            }
        )
    return found

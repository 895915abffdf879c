"""The four kinds of units that exchange signals, and how each behaves (MaM §10.2)."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Kind = Literal["family", "team", "department", "community"]

#: owners that a topic must have before anything of it is released
ANONYMITY = 5


class Profile(NamedTuple):
    """How a unit of one kind exchanges; every number may be set in the unit's file."""

    # members, and owners of a topic, below which nothing is told
    least: int
    # weeks until what arrived counts nothing: a leaver's influence ends by then
    life: int
    # what the voice of all units together weighs; an ordinary one is 1
    trust: float
    # what full gravity elsewhere adds to the effective gravity here, at first
    prior: float
    # what full formal authority elsewhere adds to it, apart from dependents
    authority: float
    # ε of differential privacy that one week without a relay costs a member
    epsilon: float
    # topics that a member tells of in one week
    topics: int


PROFILES: Mapping[Kind, Profile] = {
    # the longest horizons: what a generation left behind fades over years
    "family": Profile(ANONYMITY, 104, 0.5, 0.10, 0.0, 1.0, 16),
    "team": Profile(ANONYMITY, 12, 0.5, 0.05, 0.0, 1.0, 32),
    # roles are handed over slowly, and an office may bind
    "department": Profile(ANONYMITY, 26, 0.5, 0.05, 0.05, 1.0, 32),
    # anybody may join, so that a word weighs least
    "community": Profile(ANONYMITY, 8, 0.25, 0.02, 0.0, 0.5, 16),
}


def explain_silence(members: int, profile: Profile) -> str:
    """Return why a unit of *members* exchanges nothing; "" where it does."""
    if members >= profile.least:
        return ""
    return (
        f"A unit of {members} exchanges nothing: with fewer than {profile.least}"
        " members, whoever knows the others could tell whose signal it is."
    )

"""The documents of `federation`."""

from typing import TypedDict

from companion.values.results import Publication


class CardResult(TypedDict):
    """The public keys of this wiki, to be handed to others."""

    name: str
    address: str
    certificate: str
    exchange: str


class UnitFile(TypedDict):
    """A unit's file, which its members hand each other."""

    kind: str
    salt: str
    relay: str | None
    members: list[dict[str, str]]
    profile: dict[str, float]


class UnitResult(TypedDict):
    """The unit that this wiki is in."""

    unit: str
    kind: str
    members: list[str]
    relay: str | None
    least: int
    why_silent: str  # "" where it exchanges


class WeekCost(TypedDict):
    """The ε that one week cost."""

    week: int
    epsilon: float


class InfluenceResult(TypedDict):
    """The influence of other wikis on one entry."""

    entry: str
    unit: str
    owners: int
    voice: float  # as one voice against it; 0: none
    prior: float
    until: str


class StatusResult(TypedDict):
    """The signals that leave this machine, their receivers, and the signals that came in."""

    joined: UnitResult | None
    leaves: list[str]
    to: list[str]
    bytes_a_week: int
    previewed: bool
    weeks_sent: list[int]
    epsilon_spent: list[WeekCost]
    epsilon_total: float
    influence: list[InfluenceResult]


class TopicResult(TypedDict):
    """The signal of one topic that would leave, in this machine's own words."""

    topic: str
    buckets: list[int]
    gravity: int
    pressure: int
    open: int
    won: int
    lost: int
    divergence: int
    authority: int


class MessageResult(TypedDict):
    """One message that would be sent."""

    to: str
    call: str
    bytes: int
    sha256: str


class PreviewResult(TypedDict):
    """Every message of the next exchange, before anything is sent."""

    week: int
    form: str
    topics: list[TopicResult]
    messages: list[MessageResult]
    why_silent: str


class LeaveResult(TypedDict):
    """A unit that was left."""

    unit: str
    influence_until: str | None


class SendResult(Publication):
    """One exchange with the unit."""

    week: int
    sent: bool
    answer: str
    members: int  # behind what came in
    heard: int  # topics of this wiki that others have, too
    why: str
    notes: list[str]


class ServeResult(TypedDict):
    """A member that answers calls."""

    address: str
    port: int
    members: int

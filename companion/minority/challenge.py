"""Values of phase 4: who challenges an incumbent, the open branches, and what is decided."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from companion.minority.clusters import Tie
from companion.minority.pressure import (
    DEFAULT,
    Policy,
    Pressure,
    Telling,
    Threshold,
)
from companion.minority.wordings import Note
from companion.routing.matrix import Routing

Action = Literal["open", "grow", "extend", "hold", "promote", "follow"]
Origin = Literal["tonight", "extended", "quarantine", "confirmed"]


class Challenger(NamedTuple):
    """A capture outside any branch that contradicts an incumbent."""

    capture: str
    # names of what it contradicts (`beliefs`), the dearest contradiction first
    incumbents: tuple[str, ...]
    tellings: tuple[Telling, ...]  # one for each sighting, at least one
    text: str  # the words that contradict, for near-identical wording
    origin: Origin = "tonight"
    harmful: bool = False  # an external signal flags what it says (ROW-3)
    # the first telling of the same words outside the matter, if one is known
    copied: Telling | None = None

    @property
    def first_told(self) -> str:
        """Return when it was told first (RFC 3339 UTC)."""
        return find_first_telling(self.tellings)


class Incumbent(NamedTuple):
    """An entry under challenge, or one statement of its page, with the gravity of the entry."""

    id: str  # its name, as `beliefs` gives it
    slug: str  # of its page: a branch is named after it
    base: float  # gravity, in [0, 1]
    effective: float  # gravity by time since last access, in [0, 1]
    protected: bool
    # what wikis of other people add to its gravity for a while, and why
    prior: float = 0.0
    prior_reason: str = ""
    is_gone: bool = False  # somebody deleted the page


class JoinedCapture(NamedTuple):
    """A member of an open branch."""

    capture: str
    cycle: int  # in which it joined
    tellings: tuple[Telling, ...]
    text: str
    harmful: bool = False
    # it contradicted its incumbent, whose owner edited it since: it does so no more
    agrees: bool = False
    # it never contradicted it, and speaks for those who do
    supports: bool = False
    # the first telling of the same words outside the matter, if one is known
    copied: Telling | None = None


class OpenBranch(NamedTuple):
    """An open branch as the index knows it."""

    name: str
    incumbent: str  # the name of what it contradicts
    opened: int  # the cycle that opened it
    members: tuple[JoinedCapture, ...]
    # others in which tellings of its members came in
    cycles: tuple[int, ...] = ()

    def add(self, members: Iterable[JoinedCapture]) -> "OpenBranch":
        """Return the branch with more *members*."""
        return self._replace(members=(*self.members, *members))

    @property
    def age_key(self) -> tuple[int, str]:
        """Return what branches are sorted by, the oldest first."""
        return self.opened, self.name


@dataclass(frozen=True)
class Decision:
    """One verdict of phase 4, with its reason in words and numbers."""

    action: Action
    branch: str  # "" for the extended buffer
    incumbent: str  # the name of what is contradicted
    # that this decision moves; for promote and hold, all members
    captures: tuple[str, ...]
    reason: str
    pressure: Pressure | None = None
    threshold: Threshold | None = None
    routing: Routing | None = None
    # follow: the branch that won; its entry becomes the incumbent
    after: str = ""


@dataclass(frozen=True)
class Cycle:
    """The values that every decision of one cycle rests on."""

    number: int
    now: str  # RFC 3339 UTC
    incumbents: Mapping[str, Incumbent]
    ties: Sequence[
        Tie
    ]  # between any two captures, members of branches among them
    policy: Policy = DEFAULT
    # by what is contradicted, then by capture: the first telling of its words
    first_tellings: Mapping[str, Mapping[str, Telling]] = field(
        default_factory=dict
    )
    # voices that told something of their own elsewhere
    known: frozenset[str] = frozenset()
    # by what is contradicted: the one voice of wikis of other people, and what they say
    peers: Mapping[str, tuple[Telling, str]] = field(default_factory=dict)


def note_of(one: Challenger | JoinedCapture) -> Note:
    """Return a capture as its words are compared with others."""
    return Note(one.capture, one.text, one.tellings, one.copied)


def find_first_telling(tellings: Iterable[Telling]) -> str:
    """Return the earliest time of *tellings* (RFC 3339 UTC)."""
    return min(min(one.event_time, one.seen_at) for one in tellings)


def list_captures(branches: Iterable[OpenBranch]) -> tuple[str, ...]:
    """Return the captures of all members of *branches*."""
    captures: list[str] = []
    for branch in branches:
        captures += [member.capture for member in branch.members]
    return tuple(captures)


def join_captures(
    challengers: Iterable[Challenger], cycle: int
) -> tuple[JoinedCapture, ...]:
    """Return *challengers* as members that join a branch in *cycle*."""
    return tuple(
        JoinedCapture(
            one.capture,
            cycle,
            one.tellings,
            one.text,
            one.harmful,
            copied=one.copied,
        )
        for one in challengers
    )

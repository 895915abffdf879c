"""The unit's file: who its members are, by their keys, exchanged by hand.

It never crosses the network of the federation. What it calls a member stays on the machines that
hold the file; in messages there are only positions, which follow from the keys.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.annotations import get_args
from companion.errors import CompanionError
from companion.federation.sums.profiles import PROFILES, Kind, Profile

if TYPE_CHECKING:
    from companion.federation.results import UnitFile

_LARGEST = 4_000_000  # bytes of a unit's file
_MOST = 1023  # members whose sums stay apart
_LIMITS: Mapping[str, tuple[float, float]] = {
    "least": (5, 1000),
    "life": (1, 520),
    "trust": (0.0, 1.0),
    "prior": (0.0, 0.2),
    "authority": (0.0, 0.2),
    "epsilon": (0.01, 8.0),
    "topics": (1, 64),
}


class BadUnit(CompanionError):
    """This is no unit's file."""

    exit_code = 65
    hint = "`companion federation unit CARD...` writes one."


class Card(NamedTuple):
    """One member, as the others know it."""

    name: str  # for people; never sent
    address: str  # host:port, of who answers calls
    certificate: str  # PEM, self-signed: the only one that is believed
    exchange: str  # hex, its X25519 public key

    @property
    def fingerprint(self) -> str:
        """Return 16 hex digits that name the member's keys."""
        keys = f"{self.certificate}\n{self.exchange}"
        return hashlib.sha256(keys.encode()).hexdigest()[:16]


class Unit(NamedTuple):
    """A family, a team, a department or a community that exchanges signals."""

    kind: Kind
    salt: bytes
    relay: str | None  # fingerprint of the member that adds; None: nobody does
    members: tuple[Card, ...]  # in the order of their fingerprints
    profile: Profile

    @property
    def id(self) -> str:
        """Return 16 hex digits that stay when members come and go."""
        return hashlib.sha256(b"unit\n" + self.salt).hexdigest()[:16]

    @property
    def roster(self) -> int:
        """Return a number of 64 bits that both sides of a call must share."""
        keys = [self.id, *(one.fingerprint for one in self.members)]
        text = "\n".join([*keys, self.relay or ""])
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def position(self, exchange: str) -> int | None:
        """Return where the member with this public key stands; None if it is no member."""
        for place, one in enumerate(self.members):
            if one.exchange == exchange:
                return place
        return None

    @property
    def relay_card(self) -> Card | None:
        """Return the member that adds, if there is one."""
        for one in self.members:
            if one.fingerprint == self.relay:
                return one
        return None


def make_unit(
    kind: Kind, salt: bytes, cards: Sequence[Card], relay: str | None
) -> Unit:
    """Return the unit of *cards*; *relay* is the name of the member that adds. Raises BadUnit."""
    members = tuple(sorted(cards, key=lambda one: one.fingerprint))
    named = [one.fingerprint for one in members if one.name == relay]
    if relay is not None and len(named) != 1:
        raise BadUnit(f"{len(named)} of the cards are called {relay!r}")
    if len(members) > _MOST:
        raise BadUnit(f"a unit has at most {_MOST} members")
    return Unit(
        kind, salt, named[0] if named else None, members, PROFILES[kind]
    )


def describe_file(unit: Unit) -> "UnitFile":
    """Return what a unit's file holds."""
    return {
        "kind": unit.kind,
        "salt": unit.salt.hex(),
        "relay": unit.relay,
        "members": [one._asdict() for one in unit.members],
        "profile": unit.profile._asdict(),
    }


def encode_unit(unit: Unit) -> bytes:
    """Return the bytes of a unit's file."""
    return json.dumps(describe_file(unit), indent=2).encode() + b"\n"


def parse_unit(data: bytes) -> Unit:
    """Return the unit in the bytes of a file. Raises BadUnit."""
    given = _load(data)
    kind = parse_kind(given.get("kind"))
    cards = given.get("members")
    if not isinstance(cards, list) or not cards:
        raise BadUnit("a unit's file must list its members")
    members = [parse_card(one) for one in cards]
    if len({one.exchange for one in members}) < len(members):
        raise BadUnit("two members have one key")
    if len(members) > _MOST:
        raise BadUnit(f"a unit has at most {_MOST} members")
    relay = given.get("relay")
    ordered = tuple(sorted(members, key=lambda one: one.fingerprint))
    if relay is not None and relay not in [one.fingerprint for one in ordered]:
        raise BadUnit("the relay is no member")
    profile = _parse_profile(kind, given.get("profile", {}))
    salt = _parse_hex("salt", given.get("salt"), 32)
    return Unit(kind, salt, relay, ordered, profile)


def parse_kind(given: object) -> Kind:
    """Return the kind of unit that *given* names. Raises BadUnit."""
    for kind in get_args(Kind):
        if given == kind:
            found: Kind = kind
            return found
    raise BadUnit(f"kind must be one of {', '.join(get_args(Kind))}")


def parse_card(given: object) -> Card:
    """Return the member that *given*, a JSON object, describes. Raises BadUnit."""
    if not isinstance(given, dict) or set(given) != set(Card._fields):
        raise BadUnit(f"a member has the keys {', '.join(Card._fields)}")
    for name, value in given.items():
        if not isinstance(value, str) or len(value) > 4000:
            raise BadUnit(f"a member's {name} must be a text")
    card = Card(**given)
    _parse_hex("exchange", card.exchange, 32)
    if "-----BEGIN CERTIFICATE-----" not in card.certificate:
        raise BadUnit("a member's certificate must be in PEM")
    return card


def _parse_profile(kind: Kind, given: object) -> Profile:
    if not isinstance(given, dict):
        raise BadUnit("profile must map names to numbers")
    numbers: dict[str, Any] = PROFILES[kind]._asdict()
    for name, value in given.items():
        if name not in _LIMITS:
            raise BadUnit(f"a profile has no {str(name)[:40]!r}")
        low, high = _LIMITS[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise BadUnit(f"{name} must be a number")
        if not low <= value <= high:
            raise BadUnit(f"{name} must be from {low:g} to {high:g}")
        numbers[name] = value
    return Profile(**numbers)


def _parse_hex(name: str, value: object, size: int) -> bytes:
    try:
        decoded = bytes.fromhex(str(value))
    except ValueError as error:
        raise BadUnit(f"{name} must be hex digits") from error
    if len(decoded) != size:
        raise BadUnit(f"{name} must have {size} bytes")
    return decoded


def _load(data: bytes) -> dict[str, object]:
    if len(data) > _LARGEST:
        raise BadUnit("the file is larger than a unit's")
    try:
        given = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadUnit("the file is not JSON") from error
    if not isinstance(given, dict):
        raise BadUnit("the file must be a JSON object")
    return given

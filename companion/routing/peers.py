"""The word of other people's wikis on topics that stand here: one voice, and a prior that expires
(MaM §10.2; rows 4 and 5 of the matrix).

Nothing here is an edit, and nothing here opens a branch: a voice joins what notes of this wiki
contest already. All units together are one voice, so that a flood of them weighs what one does.

A word of one week is no voice yet. Liars who are by chance in more groups than are tolerated make
one in such a week, and groups are drawn anew every week. So a word becomes a voice once several
weeks were heard, and most who have the topic contest it in their mean, of which the newest week is
an eighth.
"""

import json
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from companion.values.time import BadTime, format_instant, parse_instant

VERSION = "peers-2"
PATH = ".companion/federation.jsonl"
MAX_BYTES = 1_000_000
#: weeks from which a word may be a voice; as many of which the newest is a share of the mean
CONFIRMED, REMEMBERED = 4, 8
#: the name of the voice, whichever units it comes from
VOICE = "federation"

_STEPS = 15  # of gravity
_OFFICES = 3  # of formal authority


class Heard(NamedTuple):
    """One unit's word on one entry of this wiki in one week."""

    unit: str  # 16 hex digits
    entry: str
    seen: str  # RFC 3339 UTC: when it came in
    until: str  # RFC 3339 UTC: from then on it counts nothing
    owners: int  # other members that have the topic
    gravity: int  # sum of their steps, 0 to 15 each
    authority: int  # sum of their steps, 0 to 3 each
    open: int  # of them, those with an open branch
    won: int  # of them, those where a branch replaced it
    lost: int  # of them, those where an audit took that back
    # groups of liars that cannot have made this; 0: one liar could
    tolerated: int
    # share of those who told it that are members still, 0 to 1
    members: float
    trust: float
    prior: float
    office: float
    # of the release that told it last, counted as the unit counts them
    week: int = 0
    weeks: int = 0  # that were heard, at most REMEMBERED
    # their mean, in [-1, 1]: above 0 most who have the topic contest it
    mean: float = 0.0

    def left(self, now: str) -> float:
        """Return what is left of it at *now*, in [0, 1]: less with every leaver, then nothing."""
        seen, until = _moment(self.seen), _moment(self.until)
        whole = (until - seen).total_seconds()
        rest = (until - _moment(now)).total_seconds()
        if whole <= 0:
            return 0.0
        return self.members * max(0.0, min(1.0, rest / whole))

    @property
    def margin(self) -> float:
        """Return how far this week speaks against the entry, in [-1, 1]: above 0 most contest it.

        Where one liar could have made it, it does not.
        """
        if not self.tolerated or not self.owners:
            return -1.0
        against = 2 * (self.won - self.lost) + self.open
        return max(-1.0, min(1.0, against / self.owners - 1))

    @property
    def is_voice(self) -> bool:
        """Tell whether it is a voice against the entry, by all the weeks that were heard."""
        if not self.tolerated or not self.owners:
            return False
        return self.weeks >= CONFIRMED and self.mean > 0

    def count_week(self, week: int, margin: float) -> "Heard":
        """Return it with one more *week*, which spoke against the entry by *margin*."""
        weeks = min(REMEMBERED, self.weeks + 1)
        mean = self.mean + (margin - self.mean) / weeks
        return self._replace(week=week, weeks=weeks, mean=round(mean, 6))


class Voice(NamedTuple):
    """The one voice of all units against an entry."""

    seen: str  # RFC 3339 UTC: when it came in first
    trust: float
    reason: str


class Prior(NamedTuple):
    """The addition that others' gravity and authority make here for a while."""

    value: float
    reason: str


def parse_peers(data: bytes) -> tuple[list[Heard], list[str]]:
    """Return what units said, one a line, and what is wrong with the lines that say nothing."""
    if len(data) > MAX_BYTES:
        return [], [f"it is larger than {MAX_BYTES // 1000} kB"]
    heard: list[Heard] = []
    problems: list[str] = []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            heard.append(_parse_line(line))
        except (ValueError, TypeError, RecursionError, BadTime) as error:
            problems.append(f"line {number}: {str(error)[:80]}")
    return heard, problems


def _parse_line(line: bytes) -> Heard:
    given = json.loads(line)
    if not isinstance(given, dict):
        raise ValueError("not a JSON object")
    one = Heard(**given)
    parse_instant(one.seen)
    parse_instant(one.until)
    for name in ("unit", "entry"):
        if not isinstance(getattr(one, name), str):
            raise ValueError(f"{name} must be a text")
    for name in ("owners", "gravity", "authority", "open", "won", "lost"):
        _require(name, getattr(one, name), 1_000_000)
    _require("tolerated", one.tolerated, 1000)
    _require("week", one.week, 1_000_000)
    _require("weeks", one.weeks, REMEMBERED)
    _require("mean", one.mean, 1, least=-1)
    for name in ("members", "trust", "prior", "office"):
        _require(name, getattr(one, name), 1)
    return one


def _require(name: str, value: object, most: int, least: int = 0) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{name} must be a number")
    if not least <= value <= most:
        raise ValueError(f"{name} must be from {least} to {most}")


def encode_peers(heard: Iterable[Heard]) -> bytes:
    """Return the file that says *heard*, one a line."""
    lines = [
        json.dumps(one._asdict(), sort_keys=True, separators=(",", ":"))
        for one in sorted(heard)
    ]
    return "".join(f"{line}\n" for line in lines).encode()


def find_voices(heard: Iterable[Heard], now: str) -> Mapping[str, Voice]:
    """Return the voice against each entry that units speak against: the one that weighs most."""
    voices: dict[str, Voice] = {}
    for one in sorted(heard):
        trust = round(one.trust * one.left(now), 6)
        if not one.is_voice or not trust:
            continue
        known = voices.get(one.entry)
        if known is None or trust > known.trust:
            words = (
                f"peers: {one.won} of {one.owners} members of unit "
                f"{one.unit[:8]} replaced theirs, {one.open} contest it; counts "
                f"{trust:.2f} until {one.until[:10]}"
            )
            voices[one.entry] = Voice(one.seen, trust, words)
    return voices


def find_priors(heard: Iterable[Heard], now: str) -> Mapping[str, Prior]:
    """Return what the gravity and the formal authority of others add to each entry for a while."""
    priors: dict[str, Prior] = {}
    for one in sorted(heard):
        if not one.owners:
            continue
        gravity = min(1.0, one.gravity / (_STEPS * one.owners))
        authority = min(1.0, one.authority / (_OFFICES * one.owners))
        left = one.left(now)
        weight = round(gravity * one.prior * left, 6)
        office = round(authority * one.office * left, 6)
        value = round(weight + office, 6)
        known = priors.get(one.entry)
        if value and (known is None or value > known.value):
            words = (
                f"peers' prior {value:+.3f} until {one.until[:10]}: gravity "
                f"{weight:.3f}, formal authority {office:.3f}"
            )
            priors[one.entry] = Prior(value, words)
    return priors


def after_weeks(now: str, weeks: int) -> str:
    """Return the instant *weeks* after *now* (RFC 3339 UTC)."""
    return format_instant(_moment(now) + timedelta(weeks=weeks))


def _moment(instant: str) -> datetime:
    return datetime.fromisoformat(parse_instant(instant))

"""What federation lets others learn, and what liars reach: simulated, from a fixed seed.

*liars*: units in which nobody contests a topic, and colluders who all say that they replaced it; one
who stays below what a group can hold, as `is_possible` asks. Half a year of weeks is lived by the
path that the program takes.
*truth*: the same where a share of the owners did replace it, and nobody lies.
*owner*: how often somebody who sees one release guesses whether a given member owns a topic, against
guessing by how common it is; and from two releases between which that member left.
*titles*: how often a dictionary of titles finds one that nobody released (collisions of sketches).
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from companion.federation.arrive import Own, match_release, merge_heard
from companion.federation.sums import noise
from companion.federation.sums.groups import (
    Released,
    Sum,
    draw_groups,
    release_topics,
)
from companion.federation.sums.masks import add_sheets
from companion.federation.sums.profiles import PROFILES
from companion.federation.sums.sketch import (
    Sheet,
    Signal,
    make_sheet,
    read_topic,
)
from companion.federation.unit import Unit
from companion.routing.peers import Heard, after_weeks, find_voices
from tests.bench.federation_page import (
    COMMAND,
    PAGE,
    Liars,
    Owner,
    Record,
    Truth,
    write_page,
    write_record,
)
from tests.made import note_origin, publish

SEED = 21
UNITS = 200  # of each kind
TOPIC = "the spring"
LEAST = 5
WEEK = 2968
WEEKS = 26  # of a simulated life
LIVES = 60  # units of each kind that are lived through
# members, liars among them
COLLUDERS = (
    (5, 1), (14, 1), (15, 1), (15, 3), (15, 5), (25, 2), (25, 5), (25, 8),
    (50, 4), (50, 10), (50, 17), (50, 20), (100, 33),
)  # fmt: skip
# members, share of the owners who replaced what all of them had
CHANGES = ((15, 0.8), (15, 1.0), (25, 0.8), (25, 1.0), (50, 0.8), (50, 1.0))


def federation(arguments: object = None) -> None:
    """Print the page as measured now."""
    print(write_page(measure()))


def measure(units: int = UNITS, lives: int = LIVES) -> Record:
    """Measure everything that is published."""
    chance = np.random.default_rng(SEED)
    liars = [_measure_liars(*row, lives, chance) for row in COLLUDERS]
    truth = [_measure_truth(*row, lives, chance) for row in CHANGES]
    owner = []
    for members in (5, 15, 50):
        base, once, twice = _guess_owner(members, units, chance)
        owner.append(Owner(members, once, base, twice))
    titles = []
    for members, topics in ((15, 32), (50, 32), (200, 16)):
        found = _try_titles(members, topics, chance)
        titles.append((members, topics, found))
    needed = []
    for members in (20, 100, 500, 1000):
        for epsilon in (0.5, 1.0, 2.0):
            least = noise.least_owners(members, epsilon)
            needed.append((members, epsilon, least))
    origin = note_origin(COMMAND)
    measured = (liars, truth, owner, titles, needed)
    return Record(*origin, [SEED], units, lives, WEEKS, *measured)


def _measure_liars(
    members: int, liars: int, units: int, chance: np.random.Generator
) -> Liars:
    lives = [
        _live(_Unit.draw(members, liars, 0.0, chance), chance)
        for _ in range(units)
    ]
    fewer = [one for one in lives if one.owners > liars]
    return Liars(
        members,
        liars,
        units,
        _share(one.spoke for one in lives),
        _share(one.voices for one in lives),
        len(fewer),
        _share(one.voices for one in fewer),
    )


def _measure_truth(
    members: int, share: float, units: int, chance: np.random.Generator
) -> Truth:
    lives = [
        _live(_Unit.draw(members, 0, share, chance), chance)
        for _ in range(units)
    ]
    first = sorted(one.first or WEEKS + 1 for one in lives)[units // 2]
    return Truth(
        members,
        share,
        _share(one.spoke for one in lives),
        _share(one.voices for one in lives),
        first if first <= WEEKS else 0,
        sum(not one.voices for one in lives),
    )


def _share(weeks: Iterable[int]) -> float:
    """Return the share of *weeks*, a number of each life, in all weeks of the lives."""
    counts = list(weeks)
    return round(sum(counts) / max(1, len(counts) * WEEKS), 4)


def _release(
    told: Mapping[int, Sheet], members: int, salt: bytes, week: int = WEEK
) -> Released:
    sums = []
    for group in draw_groups(members, LEAST, salt, week):
        sheets = [told[each] for each in group]
        sums.append(Sum(add_sheets(sheets), len(group)))
    return release_topics(sums, LEAST)


class _Unit(NamedTuple):
    """Who has a topic in a simulated unit, who replaced it, and who lies about it."""

    salt: bytes
    owners: tuple[bool, ...]  # by member
    changed: tuple[bool, ...]
    liars: frozenset[int]

    @classmethod
    def draw(
        cls,
        members: int,
        liars: int,
        share: float,
        chance: np.random.Generator,
    ) -> "_Unit":
        """Every second one has the topic; a *share* of those replaced it."""
        owners = tuple(chance.random(members) < 0.5)
        changed = tuple(chance.random(members) < share)
        lying = chance.choice(members, liars, replace=False).tolist()
        return cls(chance.bytes(32), owners, changed, frozenset(lying))

    def tell(self, week: int) -> dict[int, Sheet]:
        """Return the sheets of one week; liars say as much as their groups can hold."""
        nothing = make_sheet({}, self.salt, week)
        held = make_sheet({TOPIC: Signal(gravity=8)}, self.salt, week)
        claim = make_sheet({TOPIC: Signal(gravity=8, won=1)}, self.salt, week)
        told = {}
        for one, is_owner in enumerate(self.owners):
            own = claim if self.changed[one] else held
            told[one] = own if is_owner else nothing
        members = len(self.owners)
        for group in draw_groups(members, LEAST, self.salt, week):
            wicked = [one for one in group if one in self.liars]
            # one of a group knows the rest badly: it claims most of it and risks the check
            room = len(group) - sum(self.owners[one] for one in group)
            for one in wicked:
                told[one] = claim
            if wicked:
                told[wicked[0]] = claim * np.uint64(max(1, room))
        return told


class _Life(NamedTuple):
    """What became of half a year."""

    spoke: int  # weeks whose release says that most replaced it
    voices: int  # weeks in which that is a voice
    first: int  # such week, from 1; 0: none
    owners: int  # honest ones of the topic


def _live(drawn: _Unit, chance: np.random.Generator) -> _Life:
    members = len(drawn.owners)
    card = Unit("team", drawn.salt, "r", (), PROFILES["team"])
    own = [Own(TOPIC, "entry", None)]
    heard: list[Heard] = []
    spoke = voices = first = 0
    begun = int(chance.integers(WEEK))
    for number in range(1, WEEKS + 1):
        week = begun + number
        now = after_weeks("2026-01-05T08:00:00Z", number)
        released = _release(drawn.tell(week), members, drawn.salt, week)
        lines = match_release(
            released.sheet,
            own,
            card,
            week=week,
            tolerated=released.tolerated,
            now=now,
        )
        heard = merge_heard(heard, lines, card.id, week, now)
        spoke += any(one.margin > 0 for one in lines)
        if find_voices(heard, now):
            voices += 1
            first = first or number
    honest = set(range(members)) - drawn.liars
    owners = sum(drawn.owners[one] for one in honest)
    return _Life(spoke, voices, first, owners)


def _guess_owner(
    members: int, units: int, chance: np.random.Generator
) -> tuple[float, float, float]:
    base = once = twice = 0
    for _ in range(units):
        salt = chance.bytes(32)
        owns = chance.random(members) < 0.5
        told = {}
        for one in range(members):
            topics = {TOPIC: Signal()} if owns[one] else {}
            told[one] = make_sheet(topics, salt, WEEK)
        first = _count(told, members, salt, WEEK)
        target = bool(owns[members - 1])
        base += target
        once += (first * 2 > members) == target
        fewer = {one: told[one] for one in range(members - 1)}
        later = {
            one: make_sheet(
                {TOPIC: Signal()} if owns[one] else {}, salt, WEEK + 1
            )
            for one in fewer
        }
        second = _count(later, members - 1, salt, WEEK + 1)
        twice += (first > second) == target
    common = max(base, units - base)
    return common / units, once / units, twice / units


def _count(told: dict[int, Sheet], members: int, salt: bytes, week: int) -> int:
    released = _release(told, members, salt, week)
    return read_topic(released.sheet, TOPIC, salt, week).owners


def _try_titles(members: int, topics: int, chance: np.random.Generator) -> int:
    salt = chance.bytes(32)
    told = {}
    for one in range(members):
        # a third of each member's topics are known to all
        shared = {f"shared {n}": Signal() for n in range(topics // 3)}
        own = {f"own {one} {n}": Signal() for n in range(topics - topics // 3)}
        told[one] = make_sheet({**shared, **own}, salt, WEEK)
    sheet = _release(told, members, salt).sheet
    return sum(
        read_topic(sheet, f"nobody {n}", salt, WEEK).owners > 0
        for n in range(10_000)
    )


def record_run() -> None:
    """Measure, and write the results and the page of the documents."""
    record = measure()
    publish(PAGE.stem, write_record(record), write_page(record))


if __name__ == "__main__":
    record_run()

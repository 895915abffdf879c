"""What federation lets others learn, and what liars reach: simulated, from a fixed seed.

`liars`: of units in which nobody contests a topic, the share in which colluders who all say that
they replaced it make it a voice; one who stays below what a group can hold, as `is_possible` asks.
`owner`: how often somebody who sees one release guesses whether a given member owns a topic, against
guessing by how common it is; and from two releases between which that member left.
`titles`: how often a dictionary of titles finds one that nobody released (collisions of sketches).
"""

from collections.abc import Iterator

import numpy as np

from companion.federation.sums import noise
from companion.federation.sums.groups import (
    Released,
    Sum,
    draw_groups,
    release_topics,
)
from companion.federation.sums.masks import add_sheets
from companion.federation.sums.sketch import (
    Sheet,
    Signal,
    make_sheet,
    read_topic,
)

SEED = 21
UNITS = 200  # of each kind
TOPIC = "the spring"
LEAST = 5
WEEK = 2968


def federation(arguments: object = None) -> None:
    """Print the figures of docs/quality/federation.md."""
    for line in measure(UNITS):
        print(line)


def measure(units: int) -> Iterator[str]:
    chance = np.random.default_rng(SEED)
    yield "liars: units in which a false voice came of it"
    for members, liars in (
        (5, 1), (14, 1), (15, 1), (15, 3), (15, 5), (25, 2), (25, 5),
        (50, 4), (50, 10), (50, 20),
    ):  # fmt: skip
        found = sum(_lie(members, liars, chance) for _ in range(units))
        yield f"  {members:3} members, {liars:2} liars: {found / units:.3f}"
    yield "owner: right guesses whether a member owns a topic (by its frequency)"
    for members in (5, 15, 50):
        base, once, twice = _guess_owner(members, units, chance)
        yield (
            f"  {members:3} members: {once:.3f} ({base:.3f}); "
            f"two weeks around its leaving: {twice:.3f}"
        )
    yield "titles: of 10,000 that nobody has, found as released"
    for members, topics in ((15, 32), (50, 32), (200, 16)):
        found = _try_titles(members, topics, chance)
        yield f"  {members:3} members, {topics} topics each: {found}"
    yield "noise: owners of one topic until a unit learns of it in a week"
    for members in (20, 100, 500, 1000):
        for epsilon in (0.5, 1.0, 2.0):
            needed = noise.least_owners(members, epsilon)
            yield f"  {members:4} members, epsilon {epsilon}: {needed}"


def _release(
    told: dict[int, Sheet], members: int, salt: bytes, week: int = WEEK
) -> Released:
    sums = []
    for group in draw_groups(members, LEAST, salt, week):
        sheets = [told[each] for each in group]
        sums.append(Sum(add_sheets(sheets), len(group)))
    return release_topics(sums, LEAST)


def _lie(members: int, liars: int, chance: np.random.Generator) -> bool:
    """Tell whether liars, who each say as much as their group can hold, become a voice."""
    salt = chance.bytes(32)
    honest = make_sheet({TOPIC: Signal(gravity=8)}, salt, WEEK)
    nothing = make_sheet({}, salt, WEEK)
    lying = set(chance.choice(members, liars, replace=False).tolist())
    told = {}
    for one in range(members):
        # every second one has the topic, and none contests it
        told[one] = honest if chance.random() < 0.5 else nothing
    for group in draw_groups(members, LEAST, salt, WEEK):
        wicked = [one for one in group if one in lying]
        if not wicked:
            continue
        # one of a group knows the rest badly: it claims most of it and risks the check
        room = len(group) - sum(told[one] is honest for one in group)
        claim = make_sheet({TOPIC: Signal(gravity=8, won=1)}, salt, WEEK)
        for one in wicked:
            told[one] = claim
        told[wicked[0]] = claim * np.uint64(max(1, room))
    released = _release(told, members, salt)
    found = read_topic(released.sheet, TOPIC, salt, WEEK)
    speaks = 2 * (found.won - found.lost) + found.open > found.owners
    return released.tolerated > 0 and found.owners > 0 and speaks


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

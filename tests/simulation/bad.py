"""What a malicious peer writes into the buffer of the remote: each thing is surely bad."""

import json
import random
from datetime import datetime
from pathlib import Path
from typing import Any

from tests.maintenance.machines import (
    Tree,
    both,
    capture,
    header,
    name_of,
    write_tree,
)

#: no honest machine ever says this word
MARK = "poison"


KINDS = 9


def make_bad(
    hub: Path, dice: random.Random, number: int, now: datetime
) -> Tree:
    """Return the tree of a buffer with some bad things, drawn by *dice*, at least one."""
    kinds = dice.sample(range(KINDS), dice.randrange(1, KINDS))
    tree: Tree = {}
    for kind in kinds:
        tree = both(tree, _make_one(hub, dice, kind, number, now))
    return tree


def _make_one(
    hub: Path, dice: random.Random, kind: int, number: int, now: datetime
) -> Tree:
    words = f"{MARK} {number} {dice.random()}"
    time = now.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    day = time[:10]
    telling = {"seen_at": time, "channel": "cli"}
    good: dict[str, Any] = {"ingested_at": time, "sightings": [telling]}
    if kind == 0:
        return _flipped(dice, words, day, good)
    if kind == 1:
        return capture(words, day, **good | _far_time(dice))
    if kind == 2:
        return capture(words, day, **good | _wrong_value(dice))
    if kind == 3:
        return capture(words, _other_day(dice), **good)
    if kind == 4:
        return _torn(dice, words, day, good)
    if kind == 5:
        private = {**telling, "scope": "private", "owner": "mallory"}
        return capture(words, day, **good | {"sightings": [private]})
    if kind == 6:
        return _out_of_place(dice, words, day)
    if kind == 7:
        return _bomb(hub, dice, words, day, good)
    future = dice.choice(("2099", "2300", "9999"))
    late = f"{future}{time[4:]}"
    later = {**telling, "seen_at": late}
    fields = {"ingested_at": late, "sightings": [later]}
    return capture(words, late[:10], **fields)


def _flipped(
    dice: random.Random, words: str, day: str, good: dict[str, Any]
) -> Tree:
    """The bytes are not what the id says."""
    id = name_of(words)
    place = dice.randrange(len(words))
    changed = chr(ord(words[place]) ^ 1 << dice.randrange(3))
    other = f"{words[:place]}{changed}{words[place + 1 :]} {MARK}"
    files: Tree = {id: other, f"{id}.json": header(words, **good)}
    return {day: {id[:2]: files}}


def _far_time(dice: random.Random) -> dict[str, Any]:
    time = dice.choice(
        (
            "0000-01-01T00:00:00.000000Z",
            "2026-02-31T08:00:00.000000Z",
            "2026-11-01T99:00:00.000000Z",
            "now",
            None,
            12,
        )
    )
    return {"ingested_at": time}


def _wrong_value(dice: random.Random) -> dict[str, Any]:
    return dice.choice(
        (
            {"priority": float("nan")},
            {"priority": dice.uniform(1.5, 1e12)},
            {"priority": "0.5"},
            {"title": "\ud800"},
            {"title": ["x"]},
            {"title": "a\nb"},
            {"edges": "abc"},
            {"blob": f"{dice.getrandbits(160):040x}"},
            {"blob": "../../etc/passwd"},
            {"id": f"{dice.getrandbits(256):064x}"},
            {"v": 2},
            {"sightings": []},
            {"sightings": None},
        )
    )


def _other_day(dice: random.Random) -> str:
    return f"20{dice.randrange(10, 20)}-0{dice.randrange(1, 9)}-11"


def _torn(
    dice: random.Random, words: str, day: str, good: dict[str, Any]
) -> Tree:
    id = name_of(words)
    whole = header(words, **good)
    text = whole[: dice.randrange(len(whole) - 1)]
    if dice.random() < 0.3:
        text = "[" * dice.randrange(1, 50_000)
    return {day: {id[:2]: {id: words, f"{id}.json": text}}}


def _out_of_place(dice: random.Random, words: str, day: str) -> Tree:
    name = dice.choice(("README.md", "..x", "a" * 200, "link-x"))
    inside: Tree = {name: words}
    for _ in range(dice.randrange(6)):
        inside = {f"{dice.randrange(256):02x}": inside}
    return dice.choice((inside, {day: inside}, {day: {"zz": inside}}))


def _bomb(
    hub: Path, dice: random.Random, words: str, day: str, good: dict[str, Any]
) -> Tree:
    """Folders within folders, each named many times."""
    id = name_of(words)
    wide = write_tree(hub, {id: words, f"{id}.json": json.dumps(good)})
    for _ in range(dice.randrange(2, 9)):
        wide = write_tree(hub, {f"{n:02x}/": wide for n in range(8)})
    return {day: {"ab/": wide}, f"{_other_day(dice)}/": wide}


def join(one: Tree, other: Tree) -> Tree:
    """Return the union of two trees."""
    return both(one, other)

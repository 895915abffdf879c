"""The page of what federation gives away: its record, its tables and its words."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from tests.made import write_table

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "federation.json"
PAGE = QUALITY / "federation.md"
COMMAND = "python -m tests.bench.federation"


class Liars(NamedTuple):
    """What colluders reach in units of one size."""

    members: int
    liars: int
    units: int
    spoke: (
        float  # share of weeks whose release says that most replaced the topic
    )
    voice: float  # share of weeks in which that is a voice
    fewer: int  # units with fewer liars than honest owners
    fewer_voice: float  # share of their weeks


class Truth(NamedTuple):
    """What becomes of a change that a share of the owners made."""

    members: int
    share: float
    spoke: float
    voice: float
    first: (
        int  # week of the first voice, in the median; 0: in most there is none
    )
    never: int  # units without one


class Owner(NamedTuple):
    """How often it is guessed whether one member owns a topic."""

    members: int
    once: float
    common: float
    twice: float


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    units: int
    lives: int
    weeks: int  # of each life
    liars: list[Liars]
    truth: list[Truth]
    owner: list[Owner]
    titles: list[tuple[int, int, int]]  # members, topics of each, found
    noise: list[tuple[int, float, int]]  # members, epsilon, needed


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    document = record._asdict()
    for name in ("liars", "truth", "owner"):
        document[name] = [one._asdict() for one in document[name]]
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    for name, kind in (("liars", Liars), ("truth", Truth), ("owner", Owner)):
        document[name] = [kind(**row) for row in document[name]]
    for name in ("titles", "noise"):
        document[name] = [tuple(row) for row in document[name]]
    return Record(**document)


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    parts = [_HEAD.format(**record._asdict())]
    parts += [_LIARS.format(lives=record.lives), *_write_liars(record.liars)]
    worst = max(one.fewer_voice for one in record.liars)
    truth = _TRUTH.format(worst=worst)
    parts += [truth, *_write_truth(record.truth)]
    parts += [_OWNER, *_write_owner(record.owner), _AFTER_OWNER]
    parts += [_write_titles(record.titles)]
    parts += [_NOISE, *_write_noise(record.noise), _TAIL]
    return "\n".join(parts)


def _write_liars(rows: Iterable[Liars]) -> list[str]:
    names = (
        "members",
        "liars",
        "releases that say so",
        "weeks with a voice",
        "units with fewer liars than honest owners",
        "weeks with a voice there",
    )
    cells = [
        (
            one.members,
            one.liars,
            f"{one.spoke:.3f}",
            f"{one.voice:.3f}",
            f"{one.fewer} of {one.units}",
            f"{one.fewer_voice:.3f}",
        )
        for one in rows
    ]
    return write_table(names, cells)


def _write_truth(rows: Iterable[Truth]) -> list[str]:
    names = (
        "members",
        "of the owners",
        "releases that say so",
        "weeks with a voice",
        "first in week (median)",
        "units that never hear it",
    )
    cells = [
        (
            one.members,
            f"{one.share:.1f}",
            f"{one.spoke:.3f}",
            f"{one.voice:.3f}",
            one.first or "never",
            one.never,
        )
        for one in rows
    ]
    return write_table(names, cells)


def _write_owner(rows: Iterable[Owner]) -> list[str]:
    names = (
        "members",
        "right, from one week",
        "always guessing the commoner",
        "right, from two weeks around its leaving",
    )
    cells = [
        (
            one.members,
            f"{one.once:.3f}",
            f"{one.common:.3f}",
            f"{one.twice:.3f}",
        )
        for one in rows
    ]
    return write_table(names, cells)


def _write_titles(rows: Iterable[tuple[int, int, int]]) -> str:
    found = [
        f"{count} ({members} members with {topics} topics each)"
        for members, topics, count in rows
    ]
    return _TITLES.format(found=", ".join(found))


def _write_noise(rows: Iterable[tuple[int, float, int]]) -> list[str]:
    needed: dict[int, list[int]] = {}
    for members, _, count in rows:
        needed.setdefault(members, []).append(count)
    names = ("members", "ε = 0.5", "ε = 1", "ε = 2")
    cells = [(members, *counts) for members, counts in needed.items()]
    return write_table(names, cells)


_HEAD = """\
# What federation gives away

Made by `{command}` on {date}, after {commit}; the figures are in [results/federation.json](results/federation.json), and a
test holds this page to them. Simulated units from a fixed seed, {units} of each kind, and {lives} where {weeks} weeks are lived.
"""
_LIARS = """\
## Liars

Every second member has a topic that nobody contests. Colluders say that they replaced it, as loudly as their group can hold,
knowing exactly what the others of it say, every week for half a year. What a release says of one week is no voice yet: it
takes four weeks, and their mean, of which the newest is an eighth ([ADR 340](../adr/0340-a-peers-word-of-one-week-is-no-voice.md)).
"""
_TRUTH = """
Below 15 members there is never a voice: with one group or two, one liar cannot be told from a truth. **Where the liars are
fewer than the honest members who have the topic, they had a voice in at most {worst:.3f} of the weeks.** Where they are as
many, they are half of all who say that they have it, and no sum tells them from a truth; their voice still weighs half a
note, expires, and replaces nothing that bears weight beside one note here (`tests/minority/contested/test_peers_voice.py`).

## Truth

The price: the same half year where nobody lies, and a share of those who have the topic replaced it.
"""
_OWNER = """
Loud groups are left out of what speaks for a change and quiet ones of what speaks against it, so that a change is heard
where nearly all who have the topic made it.

## Who owns a topic

Somebody sees a release and guesses whether one member owns a topic that half of the members own.
"""
_AFTER_OWNER = """
That is an attack by counting, for one topic and one pair of weeks; so few units tell nothing here apart from guessing.
Somebody who compares many topics of the same member, or many weeks, was not simulated and would learn more.
"""
_TITLES = """\
## Titles

A member can ask of any title whether five own it: that is what is exchanged. Of 10,000 titles that nobody has, collisions
of the sketch made look owned: {found}.
"""
_NOISE = """\
## Without a relay

Members who must tell of one topic in the same week until it is told apart from noise:
"""
_TAIL = """
Where the number is larger than the unit, nothing is ever learned. Each week spends its ε anew; `federation status` adds up.

## What was tried at the wire

`tests/federation/test_exchange.py` speaks to a real server on loopback: unknown fields with text, messages cut short,
doubled, of other bytes or of fields that the schema does not know, certificates that are not in the roster or changed, a
second sheet for one week, clocks that are weeks off. All are refused. Time is not hidden: who watches the network sees
when a machine called.
"""

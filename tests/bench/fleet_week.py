"""`python -m tests.bench.fleet_week --shards 20 --notes 10000 --large 2`: many notes in shards, lived
through a week, and asked in one place.

Shards of --notes pages each, and --large ones of 100,000, are made through the program. Each day
every shard is told twenty notes, and a fleet does the night of all. A copy of the first shard of
each size lives the same week by itself: its trees and runs must be the same. Then all are projected
into a PostgreSQL of the bench's own. With --room, shards that were made before are used; each
day of theirs is lived once, so another week begins on another --first day.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import NamedTuple

from companion.fleet.night import sleep_shards
from companion.fleet.results import NightResult
from companion.values.time import format_instant
from tests.bench.__main__ import cpu_now
from tests.bench.big_shards import DAILY, TOLD, make_shard, tell_day
from tests.bench.fleet_page import Week, record_week
from tests.bench.one_place import find_shards, measure_one_place
from tests.fleet.shards import runs, sleep_alone
from tests.made import note_origin
from tests.wiki import START, Wiki

DAYS = 7
WORKERS = 2
LARGE = 100_000
COMMAND = (
    "python -m tests.bench.fleet_week --shards {small} --notes {notes}"
    " --large {large}"
)


class Cost(NamedTuple):
    """What something took, in seconds of the clock and of CPU."""

    clock: float
    cpu: float


class Plan(NamedTuple):
    """How many shards live how long."""

    small: int
    notes: int  # pages of each
    large: int
    first: int  # day
    days: int
    asks: bool  # afterwards, in one place


class Nights(NamedTuple):
    """A week of nights, each in seconds of the clock and of CPU; and how many shards came out
    otherwise.
    """

    fleet: list[Cost]  # of all shards
    alone: list[Cost]  # of the copies
    differing: int
    set_aside: int


def make_shards(room: Path, small: int, notes: int, large: int) -> list[Wiki]:
    """Make the shards that *room* lacks, and return all of them."""
    seeds = [(n, notes) for n in range(small)] + [
        (n, LARGE) for n in range(large)
    ]
    for number, (seed, size) in enumerate(seeds):
        if not (room / f"shard{number}").exists():
            make_shard(room / f"shard{number}", seed, size)
            print(f"made shard {number} of {size:,} pages", flush=True)
    return find_shards(room)


def live_week(
    wikis: Sequence[Wiki],
    alone: Sequence[int],
    room: Path,
    first: int,
    days: int,
) -> Nights:
    """Let *wikis* live some *days* by a fleet, and copies of those numbered *alone* by themselves;
    they begin on the day *first*.
    """
    copies = {n: wikis[n].copy(room / f"alone{n}") for n in alone}
    nights = Nights([], [], 0, 0)
    set_aside = 0
    for day in range(first, first + days):
        for number, wiki in enumerate(wikis):
            wiki.now = START + timedelta(days=day)
            tell_day(wiki, number, day)
        for number, copy in copies.items():
            copy.now = START + timedelta(days=day)
            tell_day(copy, number, day)
        cost = _time(partial(_sleep_alone, copies.values()))
        nights.alone.append(cost)
        # `sleep_alone` ticks: the fleet's night is at that time
        at = format_instant(next(iter(copies.values())).now)
        names = [str(wiki.root) for wiki in wikis]
        docs: list[NightResult] = []
        sleep = partial(_sleep, names, at, docs)
        cost = _time(sleep)
        nights.fleet.append(cost)
        set_aside += docs[-1]["set_aside"]
        print(f"night {day}: {cost}, alone {nights.alone[-1]}", flush=True)
    differing = sum(
        wikis[n].tree != copy.tree or runs(wikis[n]) != runs(copy)
        for n, copy in copies.items()
    )
    for copy in copies.values():
        shutil.rmtree(copy.root)
    return nights._replace(differing=differing, set_aside=set_aside)


def _sleep_alone(copies: Iterable[Wiki]) -> None:
    for copy in copies:
        sleep_alone(copy)


def _sleep(names: list[str], at: str, docs: list[NightResult]) -> None:
    docs.append(sleep_shards(names, at, WORKERS, near=True))


def _time(do: Callable[[], object]) -> Cost:
    """Return what *do* takes; processes that it waits for are in it."""
    begun, before = time.monotonic(), cpu_now()
    do()
    clock = round(time.monotonic() - begun, 1)
    return Cost(clock, round(cpu_now() - before, 1))


def measure_week(room: Path, plan: Plan) -> Week:
    """Make the shards, live the week and ask in one place; return the figures."""
    small, notes, large = plan.small, plan.notes, plan.large
    wikis = make_shards(room, small, notes, large)
    alone = [0] + [small] * (large > 0 and small > 0)
    nights = live_week(wikis, alone, room, plan.first, plan.days)
    place = None
    if plan.asks:
        place = measure_one_place(
            wikis, drops=True, tell=lambda words: print(words, flush=True)
        )
    command = COMMAND.format(small=small, notes=notes, large=large)
    if not plan.asks:
        command += " --nights-only"
    if plan.first != 1:
        command += f" --first {plan.first}"
    if plan.days != DAYS:
        command += f" --days {plan.days}"
    if "TMPDIR" in os.environ:
        command = f"TMPDIR={os.environ['TMPDIR']} {command}"
    origin = note_origin(command)
    return Week(
        small=small,
        notes=notes,
        large=large,
        large_notes=LARGE,
        told=len(wikis) * (TOLD + plan.days * DAILY),
        days=plan.days,
        nights=nights.fleet,
        alone=nights.alone,
        alone_shards=len(alone),
        differing=nights.differing,
        set_aside=nights.set_aside,
        place=None if place is None else place._asdict(),
        command=command,
        commit=origin.commit,
        date=origin.date,
        first=plan.first,
    )


def main() -> int:
    """Measure, and write the results and the page of the documents."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fleet_week")
    parser.add_argument("--shards", type=int, default=20)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--large", type=int, default=0)
    parser.add_argument("--room", type=Path)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--days", type=int, default=DAYS)
    parser.add_argument("--nights-only", action="store_true")
    options = parser.parse_args()
    plan = Plan(
        options.shards,
        options.notes,
        options.large,
        options.first,
        options.days,
        asks=not options.nights_only,
    )
    if options.room is not None:
        week = measure_week(options.room, plan)
    else:
        with tempfile.TemporaryDirectory(prefix="companion-week-") as room:
            week = measure_week(Path(room), plan)
    record_week(week)
    wrong = week.differing + week.set_aside
    if week.place is not None:
        wrong += week.place["differing"] + week.place["differing_after_drop"]
    return min(1, wrong)


if __name__ == "__main__":
    sys.exit(main())

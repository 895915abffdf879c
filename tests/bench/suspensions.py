"""AUDIT through the program: what it finds of planted entries, and what becomes of them.

The wikis are those of `tests.bench.planted`. An audit comes after the first month, `settle` after
it, and again a week later; then three more months with a third of the use, each with its audit and
its settles. The seeds DEV were looked at while rules and worlds were made; the table is made on
SCORE, of which nothing but totals was looked at.
"""

import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from companion.operations.audit import run as audit
from companion.operations.audit import settle
from companion.storage.index import schema as index
from tests.bench import planted
from tests.bench.planted import KINDS, Kind, World

DEV = range(100, 110)
SCORE = range(201, 209)
EACH = 2  # entries of a kind in a wiki
LONG = 8  # every so many wikis is lived in for three more months
LATER = 3  # months after the first audit
SHARE = 0.33  # of the first month's questions that a later one has
JOBS = 2
RESULTS = ("improved", "unchanged", None, "degraded")


class Fate(NamedTuple):
    """What one planted entry came to."""

    kind: str
    result: str | None  # of the first audit
    # the first audit counted consequences enough for a poor cycle
    led_astray: bool
    # what a settle and a week left: active, decaying or archived, with its gravity or less
    after: str = ""
    end: str = ""  # the same three months later


def fates(
    seed: int, kinds: Sequence[Kind] = KINDS, each: int = EACH, later: int = 0
) -> list[Fate]:
    """Live in the wiki of *seed*, for *later* months after the first audit; return what became of
    each entry.
    """
    with (
        planted.loaded(),
        tempfile.TemporaryDirectory(prefix="companion-audit-") as folder,
    ):
        world = planted.world(seed, Path(folder) / "wiki", each, kinds)
        planted.month(world, 0)
        first = _audited(world)
        _settled(world)
        after = _standing(world)
        for number in range(1, later + 1):
            planted.month(world, number, SHARE)
            _audited(world)
            _settled(world)
        end = _standing(world)
    return [
        Fate(
            each.kind.name,
            first[each.title]["result"],
            first[each.title]["numbers"]["consequences"] >= 3,
            after[each.title],
            end[each.title] if later else "",
        )
        for each in world.planted
    ]


def _audited(world: World) -> dict[str, dict[str, object]]:
    standing = _standing(world)
    there = [
        each.title
        for each in world.planted
        if not standing[each.title].startswith("archived")
    ]
    doc = audit.audit(world.wiki.ws, entries=there)
    return {found["title"]: found for found in doc["audited"]}


def _settled(world: World) -> None:
    """Settle, and again a week later."""
    for days in (1, 8):
        world.wiki.tick(days=days)
        settle.settle(world.wiki.ws)


def _standing(world: World) -> dict[str, str]:
    """Return of each planted entry its state, and whether all of its gravity is left."""
    db = index.open_for_reading(world.wiki.ws.place.index_db)
    assert db is not None
    query = (
        "SELECT e.state, coalesce(f.factor, 1) FROM entries e LEFT JOIN factors f ON f.entry ="
        " e.id WHERE title = ?"
    )
    rows = {
        each.title: db.execute(query, (each.title,)).fetchone()
        for each in world.planted
    }
    db.close()
    return {
        title: state if factor == 1 else f"{state}, lighter"
        for title, (state, factor) in rows.items()
    }


def found(
    seeds: Iterable[int], each: int = EACH, long: int = LONG
) -> list[Fate]:
    """Return what became of all entries in the wikis of *seeds*, in several processes."""
    with ProcessPoolExecutor(JOBS) as pool:
        jobs = [
            pool.submit(fates, seed, KINDS, each, LATER * (n % long == 0))
            for n, seed in enumerate(seeds)
        ]
        return [fate for job in jobs for fate in job.result()]


def run(seeds: Sequence[int] = SCORE) -> None:
    """Print what the program finds in real wikis, and what that comes to."""
    all_ = found(seeds)
    print(
        f"\n(a, through the program) {EACH * len(seeds)} entries of each kind in {len(seeds)}"
        f" wikis (seeds {seeds[0]} "
        f"… {seeds[-1]}),\n    about 60 questions each in varied words, every second user"
        " saying what they think\n"
    )
    print(
        f"{'':<38}"
        + "".join(f"{name or 'inconclusive':>14}" for name in RESULTS)
        + "   a week after settle"
    )
    for kind in KINDS:
        of = [fate for fate in all_ if fate.kind == kind.name]
        shares = [
            sum(fate.result == result for fate in of) / len(of)
            for result in RESULTS
        ]
        print(
            f"{kind.name:<38}"
            + "".join(f"{share:>14.1%}" for share in shares)
            + f"   {_told(f.after for f in of)}"
        )
    lived = [fate for fate in all_ if fate.end]
    print(
        f"\nafter three more months, each with an audit ({len(lived) // len(KINDS)} entries of"
        " each kind)\n"
    )
    for kind in KINDS:
        print(
            f"{kind.name:<38}   {_told(fate.end for fate in lived if fate.kind == kind.name)}"
        )


def _told(states: Iterable[str]) -> str:
    return ", ".join(
        f"{count} {state}" for state, count in sorted(Counter(states).items())
    )

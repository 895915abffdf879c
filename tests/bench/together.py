"""`python -m tests.bench together`: one place to ask, in a PostgreSQL of the bench's own.

Vaults of a fourth of --notes are the shards. It prints what their projection takes, what replacing
one shard after a night takes, and how long a search and a question wait, in milliseconds of the
clock, each on a connection of its own.
"""

import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.fleet.together.ask import ask_shards, search_shards
from companion.fleet.together.project import project
from companion.values.time import format_instant
from tests.bench import nights
from tests.fleet.server import serve
from tests.wiki import Wiki

SHARDS = 4
LOOKUPS = 200
_SEED = 21
_MOST = 10  # hits of a search


def together(work: Path, notes: int) -> dict[str, float]:
    """Print and return the seconds of projections, and the 50th and 99th of a hundred waits in ms."""
    shards = [_make_shard(work, n, notes // SHARDS) for n in range(SHARDS)]
    names = [str(wiki.root) for wiki in shards]
    now = format_instant(shards[0].now)
    chance = random.Random(_SEED)
    found: dict[str, float] = {}
    print(f"{SHARDS} shards of {notes // SHARDS:,} notes")
    with serve() as server:
        database = server.database
        with _timed(found, "projecting all"):
            assert project(names, database)["exit_code"] == 0
        shards[0].ingest("Alice 0 moved to Oslo.")
        shards[0].consolidate()
        with _timed(found, "replacing one that moved on"):
            assert project(names, database)["exit_code"] == 0
        with _timed(found, "finding that none moved on"):
            assert project(names, database)["exit_code"] == 0
        _wait(
            found,
            "a search",
            lambda: search_shards(database, _draw_words(chance), _MOST),
        )
        _wait(
            found,
            "a question",
            lambda: ask_shards(
                database, _draw_question(chance), as_of=None, now=now
            ),
        )
    return found


@contextmanager
def _timed(found: dict[str, float], name: str) -> Iterator[None]:
    """Print and keep the seconds of the block."""
    begun = time.monotonic()
    yield
    found[name] = time.monotonic() - begun
    print(f"  {name:28}{found[name]:9.2f} s", flush=True)


def _wait(
    found: dict[str, float], name: str, ask: Callable[[], object]
) -> None:
    """Print how long LOOKUPS of *ask* wait, and keep the 50th and the 99th of a hundred."""
    waits = []
    for _ in range(LOOKUPS):
        begun = time.monotonic()
        ask()
        waits.append((time.monotonic() - begun) * 1000)
    cuts = statistics.quantiles(waits, n=100)
    found[f"{name}, p50"], found[f"{name}, p99"] = cuts[49], cuts[98]
    print(f"  {name:28}p50 {cuts[49]:7.1f} ms   p99 {cuts[98]:7.1f} ms")


def _draw_words(chance: random.Random) -> str:
    return f"w{chance.randrange(300):05d} w{chance.randrange(300):05d}"


def _draw_question(chance: random.Random) -> str:
    who = chance.choice([f"Alice {n}" for n in range(SHARDS)] + ["Bob", "Zoe"])
    return f"Where does {who} live?"


def _make_shard(work: Path, number: int, notes: int) -> Wiki:
    root = work / f"shard{number}"
    nights.make_vault(root, notes)
    wiki = Wiki(root)
    wiki.init()
    wiki.tick()
    wiki.ingest(f"Alice {number} lives in Rome.", "Bob moved to Bern.")
    wiki.consolidate()
    return wiki

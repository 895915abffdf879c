"""One place to ask, of shards that are there: what projecting takes, what a lookup waits, and whether
its rows are those of the shards' indexes.
"""

import random
import statistics
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from companion.fleet.together.ask import ask_shards, search_shards
from companion.fleet.together.project import drop, project
from companion.storage.index.schema import open_for_reading
from companion.storage.postgres import tables
from companion.storage.postgres.connect import Connection, connect
from companion.values.time import format_instant
from tests.bench.big_shards import (
    COMMONEST,
    draw_asked_words,
    draw_person,
    tell_day,
)
from tests.fleet.server import serve
from tests.wiki import Wiki

LOOKUPS = 300
HITS = 10
_SEED = 21
_DROPPED_AFTER = 0.3  # of the seconds that projecting all took


class Waits(NamedTuple):
    """What lookups waited, in milliseconds of the clock."""

    p50: float
    p99: float


class OnePlace(NamedTuple):
    """What one place to ask took, in seconds of the clock, and whether it was right."""

    rows: int
    megabytes: int
    projecting: float
    replacing: float
    nothing_new: float
    search: Waits
    commonest: Waits
    question: Waits
    answered: int  # of LOOKUPS questions
    differing: int  # tables of shards that differ from the index
    differing_after_drop: int | None  # None: not tried


def measure_one_place(
    wikis: Sequence[Wiki], *, drops: bool, tell: Callable[[str], object] = print
) -> OnePlace:
    """Project *wikis*, replace the first after a night, and look things up.

    With *drops*, everything is dropped in the middle of a second projection, and made again.
    """
    names = [str(wiki.root) for wiki in wikis]
    with serve() as server:
        database = server.database
        projecting = _time(lambda: _project(names, database))
        tell(f"projecting all: {projecting:.1f} s")
        wikis[0].tick(hours=24)
        tell_day(wikis[0], 0, 99)
        wikis[0].consolidate()
        replacing = _time(lambda: _project(names[:1], database))
        tell(f"replacing one: {replacing:.1f} s")
        nothing = _time(lambda: _project(names, database))
        differing = count_differences(wikis, database)
        tell(f"tables that differ: {differing}")
        rows, size = _measure_size(database)
        waits, answered = _look_up(wikis, database)
        tell(f"{waits}, {answered} answered")
        after = None
        if drops:
            _drop_in_the_middle(names, database, projecting)
            _project(names, database)
            after = count_differences(wikis, database)
            tell(f"tables that differ after a drop: {after}")
    return OnePlace(
        rows,
        size,
        round(projecting, 1),
        round(replacing, 1),
        round(nothing, 2),
        *waits,
        answered,
        differing,
        after,
    )


def _project(names: Sequence[str], database: str) -> None:
    doc = project(names, database)
    assert doc["exit_code"] == 0, doc


def _time(do: Callable[[], object]) -> float:
    begun = time.monotonic()
    do()
    return time.monotonic() - begun


def _drop_in_the_middle(
    names: Sequence[str], database: str, seconds: float
) -> None:
    """Begin to project all anew, and drop everything meanwhile."""
    thread = threading.Thread(
        target=project, args=(names, database), kwargs={"anew": True}
    )
    thread.start()
    time.sleep(seconds * _DROPPED_AFTER)
    assert thread.is_alive()
    drop(database)
    thread.join()


def count_differences(wikis: Sequence[Wiki], database: str) -> int:
    """Return how many tables of shards hold other rows here than in the shard's index."""
    found = 0
    with connect(database) as pg:
        for wiki in wikis:
            db = open_for_reading(wiki.ws.place.index_db)
            assert db is not None
            with closing(db):
                for table in tables.PROJECTED:
                    names = [name for name, _ in tables.list_columns(table)]
                    query = f"SELECT {', '.join(names)} FROM {table}"
                    there = tables.read_rows(pg, table, str(wiki.root))
                    found += _hash(db.execute(query)) != _hash(there)
    return found


def _hash(rows: object) -> tuple[int, int]:
    """Return how many *rows* there are, and a sum of their hashes: in whatever order they come."""
    count = total = 0
    for row in rows:  # type: ignore[attr-defined]
        count += 1
        digest = sha256(repr(tuple(map(tables.clean, row))).encode()).digest()
        total = (total + int.from_bytes(digest)) % 2**256
    return count, total


def _measure_size(database: str) -> tuple[int, int]:
    """Return how many rows the database holds, and its megabytes."""
    with connect(database) as pg:
        rows = sum(_count(pg, one) for one in (*tables.PROJECTED, "texts"))
        size = "SELECT pg_database_size(current_database())"
        (found,) = pg.execute(size).fetchone()
    return rows, found // 1_000_000


def _count(pg: Connection, table: str) -> int:
    (found,) = pg.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(found)


def _look_up(
    wikis: Sequence[Wiki], database: str
) -> tuple[tuple[Waits, Waits, Waits], int]:
    """Return what searches, searches for the commonest word and questions wait; and how many
    questions had an answer.
    """
    chance = random.Random(_SEED)
    now = format_instant(wikis[0].now)
    answered = []

    def search() -> None:
        words = " ".join(draw_asked_words(chance, chance.randint(1, 3)))
        search_shards(database, words, HITS)

    def search_commonest() -> None:
        search_shards(database, COMMONEST, HITS)

    def ask() -> None:
        who = draw_person(chance)
        question = chance.choice(
            (f"Where does {who} live?", f"Who does {who} work for?")
        )
        doc = ask_shards(database, question, as_of=None, now=now)
        answered.append(doc["known"])

    waits = _wait(search), _wait(search_commonest), _wait(ask)
    return waits, sum(answered)


def _wait(look: Callable[[], None]) -> Waits:
    waits = [_time(look) * 1000 for _ in range(LOOKUPS)]
    cuts = statistics.quantiles(waits, n=100)
    return Waits(round(cuts[49], 1), round(cuts[98], 1))


def find_shards(room: Path) -> list[Wiki]:
    """Return the wikis below *room*, in the order of their numbers."""
    folders = [one for one in room.iterdir() if one.name.startswith("shard")]
    folders.sort(key=lambda one: int(one.name.removeprefix("shard")))
    return [Wiki(one) for one in folders]

"""What recording a read costs: cold searches with it and without it, and the append against a row
of the journal.
"""

import sqlite3
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from companion.storage.git import layout
from companion.storage.journal import reads, reads_file

Child = Callable[[list[str], Path], tuple[float, int]]
_ROOMS = {"recorded": "durable", "unrecorded": "unrecorded"}
_APPENDS = 300
_WORD = "w00017"  # of the made-up language, neither rare nor everywhere


def recording(work: Path, repeat: int, child: Child) -> None:
    """Search cold, in turn as it is and without recording; then append to the file and to the
    journal.
    """
    wiki = work / "use"
    program = [sys.executable, "-m", "tests.bench.bare"]
    setup = (
        ["init", str(wiki)],
        ["ingest", str(work / "notes"), "-C", str(wiki)],
        ["consolidate", "-C", str(wiki)],
    )
    for args in setup:
        child([*program, "durable", "--quiet", *args], work)
    seconds: dict[str, list[float]] = {name: [] for name in _ROOMS}
    for turn in range(2 * repeat + 2):
        # who comes first finds colder caches
        for name in sorted(_ROOMS, reverse=bool(turn % 2)):
            spent = child(
                [
                    *program,
                    _ROOMS[name],
                    "--quiet",
                    "search",
                    "-C",
                    str(wiki),
                    _WORD,
                ],
                work,
            )[0]
            seconds[name] += [spent] if turn > 1 else []
    _tell(list(zip(seconds["recorded"], seconds["unrecorded"], strict=True)))
    where = layout.make_place(str(wiki))
    assert where is not None
    for name, append in (
        ("a line of uses.jsonl", _line),
        ("a row of the journal, NORMAL", _row),
    ):
        print(f"{name:32} {append(where):7.0f} µs")


def _tell(pairs: list[tuple[float, float]]) -> None:
    with_, without = (
        statistics.median(column) * 1e3 for column in zip(*pairs, strict=True)
    )
    ratio = statistics.median(a / b for a, b in pairs)
    print(
        f"\ncold search, median of {len(pairs)} interleaved pairs: {with_:.1f} CPU ms,"
        f" {without:.1f} unrecorded"
    )
    print(
        f"recording a use adds {100 * (with_ / without - 1):+.1f} % (median of ratios"
        f" {100 * (ratio - 1):+.1f} %)"
    )


def _use(n: int) -> reads_file.Line:
    return (
        f"{n:016x}",
        "2026-11-01T12:00:00.000000Z",
        "owner",
        "search",
        _WORD,
        ("abcdefghijklmnop",) * 10,
    )


def _line(where: layout.Place) -> float:
    return _median(lambda n: reads_file.append(where, _use(n)))


def _row(where: layout.Place) -> float:
    db = sqlite3.connect(where.journal_db, isolation_level=None)
    db.execute("PRAGMA synchronous=NORMAL")
    db.execute("CREATE TABLE IF NOT EXISTS bench_uses (line TEXT)")
    return _median(
        lambda n: db.execute(
            "INSERT INTO bench_uses VALUES (?)", (repr(reads.Use(*_use(n))),)
        )
    )


def _median(append: Callable[[int], object]) -> float:
    took = []
    for n in range(_APPENDS):
        began = time.perf_counter()
        append(n)
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1e6

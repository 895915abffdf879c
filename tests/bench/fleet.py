"""Many shards on processes, on Dask and on Ray, with workers that are killed: each tree and run id
against a serial night, and what an engine costs.

`serial`: the nights one after another, each in its shard. `engine`: the same on two workers.
`killed`: again, while workers are killed in the middle of a night, until as many died as are wanted.
`overhead`: the same jobs to the same workers, which give them back at once.
"""

import argparse
import os
import platform
import random
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

from companion.fleet.engines import choose, processes
from companion.fleet.night import sleep_shards
from companion.fleet.protocol import Answer, Engine, Job, encode
from companion.fleet.shards import pin
from companion.fleet.work import work_on
from companion.values.time import format_instant
from tests.bench.fleet_page import COMMAND, PAGE, Row, record
from tests.fleet.shards import runs, shard
from tests.made import note_origin
from tests.wiki import Wiki

SHARDS, KILLS, WORKERS, NOTES = 64, 100, 2, 12
_SEED = 21
_PLAIN = 4  # notes that `shard` tells
# a shard whose workers were killed so often is left alone: three in all are sent
_MOST = 2


def measure(
    room: Path,
    engines: Sequence[str] = choose.NAMES,
    shards: int = SHARDS,
    kills: int = KILLS,
    *,
    near: bool = True,
) -> Iterator[Row]:
    """Yield what each engine took, one after the other; with *near*, its workers read the shards'
    folders, else each gets a bundle.
    """
    made = [_make_shard(room, number) for number in range(shards)]
    at = format_instant(made[0].now)
    twins = [wiki.copy(room / "twins" / wiki.root.name) for wiki in made]
    begun = time.monotonic()
    for twin in twins:
        twin.consolidate()
    serial = time.monotonic() - begun
    at = format_instant(twins[0].now)
    origin = note_origin(COMMAND)
    for name in engines:
        plain = _run(room / name, name, made, twins, at, 0, near=near)
        again = room / f"{name}-killed"
        killed = _run(again, name, made, twins, at, kills, near=near)
        overhead = _measure_overhead(name, made, at, near=near)
        yield Row(
            engine=name,
            version=_find_version(name),
            shards=shards,
            notes=NOTES + _PLAIN,
            workers=WORKERS,
            serial=round(serial, 1),
            seconds=round(plain[0], 1),
            killed=killed[1],
            killed_seconds=round(killed[0], 1),
            overhead=round(overhead, 2),
            differing=plain[2] + killed[2],
            set_aside=plain[3] + killed[3],
            commit=origin.commit,
            date=origin.date,
            near=near,
            temporary=os.environ.get("TMPDIR", ""),
        )


def _find_version(engine: str) -> str:
    package = {"dask": "distributed"}.get(engine, engine)
    if engine == "processes":
        return platform.python_version()
    return metadata.version(package)


def _make_shard(room: Path, number: int) -> Wiki:
    wiki = shard(room / "shards", number)
    wiki.ingest_pages(
        *(
            f"Room {n} of house {number} has {n + 3} windows."
            for n in range(NOTES)
        )
    )
    wiki.now = wiki.now.replace(hour=23, minute=0)
    return wiki


def _run(
    room: Path,
    engine: str,
    made: list[Wiki],
    twins: list[Wiki],
    at: str,
    kills: int,
    *,
    near: bool,
) -> tuple[float, int, int, int]:
    """Return seconds, how many workers were killed, trees that differ, shards set aside."""
    room.mkdir(parents=True)
    copies = [wiki.copy(room / wiki.root.name) for wiki in made]
    with _killer(kills) as (marks, count), _open(engine, marks) as do:
        begun = time.monotonic()
        names = [str(wiki.root) for wiki in copies]
        doc = sleep_shards(names, at, WORKERS, do, near=near)
        seconds = time.monotonic() - begun
        killed = len(count)
    differing = sum(
        one.tree != twin.tree or runs(one) != runs(twin)
        for one, twin in zip(copies, twins, strict=True)
    )
    shutil.rmtree(room)
    return seconds, killed, differing, doc["set_aside"]


@contextmanager
def _open(engine: str, marks: str) -> Iterator[Engine]:
    """Give *engine*; each of its workers says in the folder *marks* what it does."""
    if engine == "processes":
        program = f"from tests.bench.fleet import tell; tell({marks!r})"
        before = processes.COMMAND
        processes.COMMAND = (before[0], "-c", program)
        try:
            with choose.open_engine(engine, WORKERS) as do:
                yield do
        finally:
            processes.COMMAND = before
        return
    opener = choose._find_opener(engine)
    with opener(WORKERS, None, make_telling(marks)) as do:
        yield do


def make_telling(marks: str) -> Callable[[bytes], bytes]:
    """Return work that says in *marks* which process is at work on what."""

    def telling(parcel: bytes) -> bytes:
        import hashlib
        import os

        name = hashlib.sha256(parcel).hexdigest()[:16]
        path = os.path.join(marks, f"{os.getpid()}-{name}")
        with open(path, "x"):
            pass
        try:
            return work_on(parcel)
        finally:
            os.unlink(path)

    return telling


def tell(marks: str) -> None:
    """Answer the job on standard input, as a worker that says what it does."""
    import sys

    sys.stdout.buffer.write(make_telling(marks)(sys.stdin.buffer.read()))


@contextmanager
def _killer(kills: int) -> Iterator[tuple[str, list[str]]]:
    """Kill workers at random moments of their nights until *kills* are dead."""
    killed: list[str] = []
    over = threading.Event()
    chance = random.Random(_SEED)
    with tempfile.TemporaryDirectory() as marks:

        def kill() -> None:
            while not over.is_set() and len(killed) < kills:
                over.wait(chance.uniform(0.02, 0.4))
                for mark in sorted(os.listdir(marks)):
                    pid, _, name = mark.partition("-")
                    if killed.count(name) < _MOST and _kill(int(pid)):
                        killed.append(name)
                        Path(marks, mark).unlink(missing_ok=True)
                        break

        thread = threading.Thread(target=kill)
        thread.start()
        try:
            yield marks, killed
        finally:
            over.set()
            thread.join()


def _kill(pid: int) -> bool:
    try:
        os.kill(pid, signal.SIGKILL)
    # it had just finished
    except ProcessLookupError:
        return False
    return True


def _measure_overhead(
    engine: str, made: list[Wiki], at: str, *, near: bool
) -> float:
    """Return the seconds that the jobs take to workers and back, with nothing done."""
    jobs: list[Job] = [pin(wiki.ws, at, near=near) for wiki in made]
    if engine == "processes":
        before = processes.COMMAND
        program = "from tests.bench.fleet import idle_process; idle_process()"
        processes.COMMAND = (before[0], "-c", program)
        try:
            return _time_jobs(processes.work_in_process, jobs)
        finally:
            processes.COMMAND = before
    with choose._find_opener(engine)(WORKERS, None, _make_idle()) as do:
        do(jobs[0])
        return _time_jobs(do, jobs)


def _time_jobs(do: Engine, jobs: list[Job]) -> float:
    from concurrent.futures import ThreadPoolExecutor

    begun = time.monotonic()
    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(do, jobs))
    return time.monotonic() - begun


def _make_idle() -> Callable[[bytes], bytes]:
    """Return work that answers at once."""

    def idle(parcel: bytes) -> bytes:
        return encode(Answer(bundle=parcel))

    return idle


def idle_process() -> None:
    """Answer the job on standard input at once."""
    import sys

    sys.stdout.buffer.write(_make_idle()(sys.stdin.buffer.read()))


def fleet(
    room: Path,
    only: str | None,
    shards: int = SHARDS,
    tell: Callable[[Row], object] = print,
    *,
    near: bool = True,
) -> int:
    """Tell what each engine took; return how many trees differ."""
    engines = (only,) if only else choose.NAMES
    kills = shards * KILLS // SHARDS
    wrong = 0
    for row in measure(room, engines, shards, kills, near=near):
        tell(row)
        wrong += row.differing + row.set_aside
    return wrong


def main() -> int:
    """Measure one engine, and write the results and the page of the documents."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.fleet")
    parser.add_argument("engine", choices=choose.NAMES)
    parser.add_argument("--shards", type=int, default=SHARDS)
    parser.add_argument("--elsewhere", action="store_true")
    options = parser.parse_args()
    near = not options.elsewhere
    with tempfile.TemporaryDirectory(prefix="companion-fleet-") as room:
        wrong = fleet(
            Path(room), options.engine, options.shards, record, near=near
        )
    print(PAGE.read_text("utf-8"))
    return min(1, wrong)


if __name__ == "__main__":
    sys.exit(main())

"""What a night costs beside what exists: the same captures, and each of its operations, on small
wikis and large ones.

Each size is built once. CPU seconds are those of whole processes; the floor is the least that could
be done with the same notes, one FTS5 table and one `git fast-import`. What AUDIT replays, 60
questions on each of the ten heaviest entries, is written into the ledger as nights write it: asking
them one process at a time would take longer than all.
"""

import random
import shutil
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from companion.storage.index import schema as index
from tests.asked import Asked, log
from tests.wiki import Wiki

SMALL = 1_000
SIZES = (SMALL, 10_000, 100_000)
CAPTURES = 100
NIGHTS = 3
AUDITED, QUESTIONS = 10, 60
# distinct words of the made-up language; their frequencies follow a power law
_WORDS = 20_000

Run = Callable[[Sequence[str], Path], tuple[float, int]]
Floor = Callable[[Path, list[tuple[str, bytes]]], float]
Ask = Callable[[Path], None]
# CPU seconds, wall seconds, peak bytes of each operation
Costs = dict[str, tuple[float, float, int]]


def nights(
    work: Path, count: int, run: Run, floor: Floor, ask: Ask | None = None
) -> None:
    """Live the same nights on SMALL entries, on *count*, and on each of SIZES between them, and
    compare their cost.
    """
    ask = remembered if ask is None else ask
    found: dict[int, Costs] = {}
    for size in sorted(
        {SMALL, *(each for each in SIZES if each < count), count}
    ):
        wiki = work / f"wiki{size}"
        make_vault(wiki, size)
        notes = [
            (str(path.relative_to(wiki)), path.read_bytes())
            for path in sorted(wiki.rglob("*.md"))
        ]
        least = floor(work / "floor", notes)
        shutil.rmtree(work / "floor", ignore_errors=True)
        made, _ = run(["init", str(wiki)], work)
        first, _ = _night(work, wiki, 0, run)  # embeds every page once
        print(
            f"\n{size:,} entries: floor {least:.2f} CPU s, init {made:.1f}, the first night"
            f" {first:.1f}",
            flush=True,
        )
        found[size] = _lived(work, wiki, run, ask)
        for name, (cpu, wall, peak) in found[size].items():
            base = found[SMALL][name][0] if SMALL in found else cpu
            print(
                f"  {name:32} {cpu:8.2f} CPU s {wall:8.2f} s wall "
                f" {cpu / max(least, 1e-9):6.2f} x floor"
                f"  {cpu / max(base, 1e-9):6.2f} x {SMALL:,}  peak {peak / 1e6:5.0f} MB",
                flush=True,
            )
        shutil.rmtree(wiki)
    large, small = found[count][_CONSOLIDATE][0], found[SMALL][_CONSOLIDATE][0]
    print(
        f"a night on {count:,} entries costs {large / small:.2f} x the same night on {SMALL:,}"
    )


_CONSOLIDATE = f"consolidate {CAPTURES} captures"


def _lived(work: Path, wiki: Path, run: Run, ask: Ask) -> Costs:
    """Return what each operation costs on *wiki*."""

    def timed(*args: str) -> tuple[float, float, int]:
        began = time.monotonic()
        cpu, peak = run([*args, "-C", str(wiki)], work)
        return cpu, time.monotonic() - began, peak

    fresh = []
    for turn in range(1, NIGHTS + 1):
        run(["ingest", str(captures(work, turn)), "-C", str(wiki)], work)
        fresh.append(timed("consolidate"))
    found: Costs = {
        _CONSOLIDATE: statistics.median_low(fresh),
        "consolidate, nothing new": timed("consolidate"),
    }
    found["decay, the first"] = timed("decay")
    found["decay, nothing new"] = timed("decay")
    ask(wiki)
    found[f"audit --top {AUDITED}"] = timed("audit", "--top", str(AUDITED))
    found["settle"] = timed("settle")
    return found


def remembered(wiki: Path) -> None:
    """Put questions on record for the heaviest entries: each opened them in half of the cases, and
    praised them.
    """
    made, chance = Wiki(wiki, datetime.now(UTC)), random.Random(1)
    db = index.open_for_reading(made.ws.place.index_db)
    assert db is not None
    heavy = (
        "SELECT e.title, e.path FROM gravity g JOIN entries e ON e.id = g.entry ORDER BY g.base"
        " DESC, e.id LIMIT ?"
    )
    rows = db.execute(heavy, (AUDITED,)).fetchall()
    db.close()
    asked = []
    for title, path in rows:
        words = sorted(
            set((wiki / path).read_text().split("\n")[2].rstrip(".").split())
        )
        for n in range(QUESTIONS):
            asked.append(
                Asked(
                    " ".join(chance.sample(words, 3)),
                    [title],
                    [title] if n % 2 else [],
                    "good" * (n % 2),
                )
            )
    log(made, asked)


def _night(work: Path, wiki: Path, turn: int, run: Run) -> tuple[float, int]:
    run(["ingest", str(captures(work, turn)), "-C", str(wiki)], work)
    return run(["consolidate", "-C", str(wiki)], work)


def captures(work: Path, turn: int) -> Path:
    """Return a folder with the captures of one night, the same for every wiki."""
    folder = work / f"captures{turn}"
    if not folder.exists():
        folder.mkdir()
        chance = random.Random(turn)
        for n in range(CAPTURES):
            (folder / f"night {turn} note {n}.md").write_text(
                _note(chance, f"night {turn} note {n}", SMALL)
            )
    return folder


def make_vault(folder: Path, count: int) -> None:
    """Write *count* short linked notes into *folder*."""
    chance = random.Random(20261121)
    for n in range(count):
        path = folder / f"{n % 200:03d}/note {n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_note(chance, f"note {n}", count))


def _note(chance: random.Random, title: str, among: int) -> str:
    words = (
        f"w{min(int(chance.paretovariate(0.7)), _WORDS - 1):05d}"
        for _ in range(chance.randint(20, 60))
    )
    links = " ".join(
        f"[[note {min(int(chance.paretovariate(0.5)), among) - 1}]]"
        for _ in range(3)
    )
    return f"# {title}\n\n{' '.join(words)}.\n\n{links}\n"

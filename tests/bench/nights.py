"""What a night costs beside what exists: the same captures consolidated on a small wiki and on a large one."""

import random
import shutil
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

SMALL = 1_000
CAPTURES = 100
NIGHTS = 3
_WORDS = 20_000  # distinct words of the made-up language; their frequencies follow a power law

Run = Callable[[Sequence[str], Path], tuple[float, int]]


def nights(work: Path, count: int, run: Run) -> None:
    """Consolidate the same nights of captures on SMALL and on *count* entries, and compare their cost."""
    spent: dict[int, list[float]] = {}
    for size in (SMALL, count):
        wiki = work / f"wiki{size}"
        make_vault(wiki, size)
        made, _ = run(["init", str(wiki)], work)
        first, _ = _night(work, wiki, 0, run)  # embeds every page once
        print(f"{size:>7,} entries: init {made:.1f} CPU s, the first night {first:.1f} CPU s", flush=True)
        for turn in range(1, NIGHTS + 1):
            cpu, peak = _night(work, wiki, turn, run)
            spent.setdefault(size, []).append(cpu)
        idle, _ = run(["consolidate", "-C", str(wiki)], work)
        median = statistics.median(spent[size])
        said = f"{median:.2f} CPU s, peak {peak / 1e6:.0f} MB; a night with nothing new {idle:.2f}"
        print(f"{size:>7,} entries: a night of {CAPTURES} captures {said} CPU s", flush=True)
        shutil.rmtree(wiki)
    ratio = statistics.median(a / b for a, b in zip(spent[count], spent[SMALL], strict=True))
    print(f"a night on {count:,} entries costs {ratio:.2f} x the same night on {SMALL:,}")


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
            (folder / f"night {turn} note {n}.md").write_text(_note(chance, f"night {turn} note {n}", SMALL))
    return folder


def make_vault(folder: Path, count: int) -> None:
    """Write *count* short linked notes into *folder*."""
    chance = random.Random(20261121)
    for n in range(count):
        path = folder / f"{n % 200:03d}/note {n}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_note(chance, f"note {n}", count))


def _note(chance: random.Random, title: str, among: int) -> str:
    words = (f"w{min(int(chance.paretovariate(0.7)), _WORDS - 1):05d}" for _ in range(chance.randint(20, 60)))
    links = " ".join(f"[[note {min(int(chance.paretovariate(0.5)), among) - 1}]]" for _ in range(3))
    return f"# {title}\n\n{' '.join(words)}.\n\n{links}\n"

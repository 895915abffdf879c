"""`python -m tests.durability.stress [--minutes 10] [--seed S] [--workers N] [--mutant NAME]
[--keep DIR]`.

Exit 0: no line lost and everything sound. Exit 1: something was, and the folder with everything in
it stays.
"""

import argparse
import multiprocessing
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.durability.stress import editors, gits, sleepers
from tests.durability.stress.ground import Ground, Hand
from tests.durability.stress.mutants import MUTANTS, WEAKER
from tests.durability.stress.verdict import Verdict, judge
from tests.living import Living

EDITORS: tuple[type[Hand], ...] = (
    editors.InPlace,
    editors.ByRename,
    editors.HeldOpen,
    editors.Append,
    editors.Overtype,
)
ALONE: tuple[type[Hand], ...] = (
    editors.Mover,
    gits.Person,
    gits.Second,
    sleepers.Night,
    sleepers.Capture,
)


def main(argv: list[str] | None = None) -> int:
    """Run one stress, print what it found, and return the exit code."""
    given = _options(argv)
    folder = given.keep or Path(tempfile.mkdtemp(prefix="stress-"))
    print(
        f"stress: {given.minutes:g} minutes, seed {given.seed}, in {folder}",
        flush=True,
    )
    hands = everybody(given.workers)
    verdict = stress(
        folder,
        minutes=given.minutes,
        seed=given.seed,
        mutant=given.mutant,
        hands=hands,
    )
    show(verdict)
    if verdict.ok and not given.keep:
        shutil.rmtree(folder)
    elif not verdict.ok:
        print(
            f"\nFAILED; everything is kept in {folder} (seed {given.seed}): wiki/, books/ with"
            " what each hand did"
        )
    return 0 if verdict.ok else 1


def _options(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.durability.stress",
        description="A person's hands at once.",
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument(
        "--workers",
        type=int,
        default=1,
        help="how many of each editor, and of the reads",
    )
    parser.add_argument(
        "--mutant",
        choices=sorted({**MUTANTS, **WEAKER}),
        help="switch one defence off",
    )
    parser.add_argument(
        "--keep", type=Path, help="work in this new folder and leave it"
    )
    return parser.parse_args(argv)


def everybody(workers: int) -> list[tuple[type[Hand], int]]:
    """Return every hand with its number."""
    kinds = [
        (kind, n) for kind in (*EDITORS, sleepers.Read) for n in range(workers)
    ]
    kinds += [(kind, 0) for kind in ALONE] + [(sleepers.Night, 1)]
    return kinds + [(editors.HeldOpen, workers + n) for n in range(2)]


def stress(
    folder: Path,
    *,
    minutes: float,
    seed: int,
    mutant: str | None = None,
    hands: Sequence[tuple[type[Hand], int]] | None = None,
) -> Verdict:
    """Let *hands* (one of each, when not given) work for *minutes* in *folder*, then say what
    became of every line.
    """
    ground = Ground(folder, mutant)
    ground.make()
    build(ground)
    until = time.time() + minutes * 60
    kinds = everybody(1) if hands is None else hands
    fork = multiprocessing.get_context("fork")
    processes = [
        fork.Process(target=_work, args=(kind, ground, n, seed, until))
        for kind, n in kinds
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(minutes * 60 + 240)
    stuck = [process for process in processes if process.is_alive()]
    for process in stuck:
        process.kill()
    verdict = judge(ground)
    return verdict._replace(
        broken=[
            *verdict.broken,
            *(f"{process.name} did not come to its end" for process in stuck),
        ]
    )


def _work(
    kind: type[Hand], ground: Ground, number: int, seed: int, until: float
) -> None:
    kind(ground, number, seed, until).work()


def build(ground: Ground) -> None:
    """Make the wiki, a remote, a second clone of it, and a folder whose pages go through a
    filter.
    """
    wiki = sleepers.Wiki(ground)
    for n in range(12):
        wiki.write(
            f"notes/note-{n}.md",
            f"# Note {n}\n\nSee [[Harbour]].\n\n" + "A line.\n" * n,
        )
    for n in range(3):
        wiki.write(f"attic/old-{n}.md", f"# Old {n}\n\nUnder a filter.\n")
    wiki.write(".gitattributes", "attic/*.md filter=cellar\n")
    wiki.git("init", "--quiet", "--initial-branch=main")
    _configure(wiki)
    wiki.git("add", "-A")
    wiki.git("commit", "--quiet", "-m", "mine")
    wiki.doc("init", ".")
    for topic in sleepers.TOPICS:
        wiki.ingest(f"The first about the {topic.lower()}.", title=topic)
    wiki.doc("consolidate")
    wiki.git("clone", "--quiet", "--bare", str(ground.wiki), str(ground.hub))
    wiki.git("remote", "add", "origin", str(ground.hub))
    wiki.git("fetch", "--quiet", "origin")
    wiki.git("clone", "--quiet", str(ground.hub), str(ground.second))
    _configure(Living(ground.second))


def _configure(clone: Living) -> None:
    for key, value in {
        **gits.FILTER,
        "gc.auto": "0",
        "advice.detachedHead": "false",
    }.items():
        clone.git("config", key, value)


def show(verdict: Verdict) -> None:
    """Print what a stress found."""
    f = verdict.figures
    reads, nights = f["reads"], f["nights"]
    print(
        f"lines written  {sum(f['lines'].values())} in {f['seconds']:.0f} s: {_list(f['lines'])}"
    )
    print(f"found          {_list(f['found'])}")
    print(f"their own loss {_list(f['excused']) or 'none'}")
    print(f"lost           {len(verdict.lost)}")
    print(f"nights         {_list(nights)}")
    print(f"deferred       {_list(f['deferred'])}")
    print(
        f"files          {f['kept']} replaced and kept; words found in them {f['late']} times"
    )
    print(f"captures       {f['captures']}")
    print(
        f"reads          {reads['run']}, p50 {reads['p50']:.2f} s, p99 {reads['p99']:.2f} s,"
        f" max {reads['max']:.2f} s"
    )
    print(f"git            {_list(f['git'])}")
    print(f"moved          {_list(f['moved'])}")
    for loss in verdict.lost[:20]:
        print(f"LOST {loss}")
    for words in verdict.broken[:20]:
        print(f"BROKEN {words}")


def _list(counts: dict[str, int]) -> str:
    return ", ".join(
        f"{name} {count}" for name, count in sorted(counts.items())
    )


if __name__ == "__main__":
    sys.exit(main())

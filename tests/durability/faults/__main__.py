"""`python -m tests.durability.faults [kills|power|mutants|all]`: deliver faults, count them, and
name every promise they break.
"""

import argparse
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.durability.faults import kills, mutants, power
from tests.durability.faults.check import Violation
from tests.durability.faults.kills import Fault
from tests.durability.faults.mutants import MUTANTS
from tests.durability.faults.power import Cut
from tests.durability.scenes import SCENES, Stage

WHAT = ("kills", "power", "mutants")
FEW = 100
# disks after a power cut that one run takes of the many thousand there are
CUTS = 1500


class Outcome(NamedTuple):
    """What became of one fault."""

    kind: str
    where: str  # enough to do it again
    delivered: bool
    violation: str | None


def main(argv: list[str] | None = None) -> int:
    """Run what is asked for; return 1 where a promise was broken or a mutant survived."""
    asked = _parser().parse_args(argv)
    names = asked.scene or list(SCENES)
    # building and recording every scene would cost more than the faults
    if asked.sample and asked.sample < FEW:
        some = min(len(names), max(1, asked.sample // 6))
        names = sorted(random.Random(asked.seed).sample(names, some))
    wanted = WHAT if asked.what == "all" else (asked.what,)
    begun = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="companion-faults-"))
    # what a killed child leaves goes with the rest
    os.environ["HOME"] = tempfile.tempdir = str(folder)
    outcomes: list[Outcome] = []
    try:
        stage = Stage(folder)
        work = [
            found
            for what in wanted
            for found in _WORK[what](stage, names, asked)
        ]
        for outcome in _all(stage, work, asked.jobs):
            # one by one: an interrupted sweep still tells what it has delivered
            outcomes.append(outcome)
    except KeyboardInterrupt:
        print("\ninterrupted; until then:", flush=True)
    finally:
        # a worker that was told to stop may still be writing
        shutil.rmtree(folder, ignore_errors=True)
    return _summary(outcomes, time.monotonic() - begun, asked.seed)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tests.durability.faults", description=__doc__
    )
    parser.add_argument(
        "what", nargs="?", default="all", choices=(*WHAT, "all")
    )
    parser.add_argument(
        "--sample",
        type=int,
        metavar="N",
        help=f"N of each kind only, at random (power cuts: {CUTS} when not given)",
    )
    parser.add_argument(
        "--seed", type=int, default=1, metavar="S", help="of that choice"
    )
    parser.add_argument(
        "--scene",
        action="append",
        choices=SCENES,
        metavar="NAME",
        help="may be given several times; one of: " + ", ".join(SCENES),
    )
    parser.add_argument(
        "--kind", choices=kills.KINDS, help="kills: this kind of fault only"
    )
    parser.add_argument(
        "--fault",
        metavar="SPEC",
        help="one fault, as a violation names it; needs --scene",
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, metavar="J"
    )
    return parser


Work = Fault | Cut | str  # a mutant is its name


def _kills(
    stage: Stage, names: list[str], asked: argparse.Namespace
) -> Iterable[Work]:
    if asked.fault and not asked.fault.startswith("power"):
        return [Fault(names[0], asked.fault)]
    if asked.fault:
        return []
    dice = random.Random(asked.seed)
    planned = [
        fault
        for fault in kills.plan(stage, names, dice)
        if asked.kind in (None, fault.kind)
    ]
    return _some(planned, asked.sample, dice)


def _power(
    stage: Stage, names: list[str], asked: argparse.Namespace
) -> Iterable[Work]:
    sample, dice = asked.sample or CUTS, random.Random(asked.seed)
    found: list[Work] = []
    for name in names:
        distinct = {
            cut.state.id: cut
            for cut in power.cuts(stage, name, random.Random(asked.seed))
        }
        there = [
            cut for cut in distinct.values() if asked.fault in (None, cut.spec)
        ]
        found += dice.sample(
            there, min(len(there), 2 + 2 * sample // len(names))
        )
    return _some(found, sample, dice)


def _mutants(
    stage: Stage, names: list[str], asked: argparse.Namespace
) -> Iterable[Work]:
    return _some(
        list(MUTANTS),
        asked.sample and max(1, asked.sample // 10),
        random.Random(asked.seed),
    )


_WORK = {"kills": _kills, "power": _power, "mutants": _mutants}


def _some(
    found: list[Work], sample: int | None, dice: random.Random
) -> list[Work]:
    return (
        found if sample is None else dice.sample(found, min(sample, len(found)))
    )


# --- doing it
# -----------------------------------------------------------------------------------------------------


def _all(stage: Stage, work: list[Work], jobs: int) -> Iterator[Outcome]:
    if not work:
        return
    # Forked, so that each worker finds the scenes that are built; each has folders of its own.
    with multiprocessing.get_context("fork").Pool(
        max(1, jobs), _begin, (stage,)
    ) as pool:
        for n, outcome in enumerate(
            pool.imap_unordered(_one, work, chunksize=1), 1
        ):
            if sys.stderr.isatty() and n % 20 == 0:
                print(
                    f"\r{n} of {len(work)}", end="", file=sys.stderr, flush=True
                )
            if outcome.violation:
                print(
                    f"\nVIOLATION {outcome.where}\n  {outcome.violation}",
                    flush=True,
                )
            yield outcome


_stages: list[Stage] = []  # a worker's own


def _begin(stage: Stage) -> None:
    _stages.append(Stage(stage.folder / f"worker-{os.getpid()}", stage.built))
    _stages[0].folder.mkdir()


def _one(item: Work) -> Outcome:
    (mine,) = _stages
    mine.serial += 1
    if isinstance(item, str):
        caught = mutants.hunt(mine, MUTANTS[item])
        return Outcome(
            "mutants caught",
            item,
            caught,
            None if caught else "this mutant survives",
        )
    if isinstance(item, Fault):
        where = f"--scene {item.scene!r} --fault {item.spec!r}"
        return _outcome(
            kills.KINDS[item.kind], where, partial(kills.strike, mine, item)
        )
    where = f"--scene {item.begun.name!r} --fault {item.spec!r}"
    return _outcome(
        "power-loss states",
        where,
        partial(power.survive, mine.folder / f"cut-{mine.serial}", item),
    )


def _outcome(kind: str, where: str, do: "partial[bool | None]") -> Outcome:
    try:
        return Outcome(kind, where, do() is not False, None)
    except Violation as violation:
        return Outcome(kind, where, True, str(violation))


def _summary(outcomes: list[Outcome], seconds: float, seed: int) -> int:
    delivered = Counter(
        outcome.kind for outcome in outcomes if outcome.delivered
    )
    missed = sum(
        not outcome.delivered and outcome.kind != "mutants caught"
        for outcome in outcomes
    )
    broken = [outcome for outcome in outcomes if outcome.violation]
    print(f"\nfaults delivered in {seconds:.0f} s, seed {seed}:")
    for kind in (*kills.KINDS.values(), "power-loss states", "mutants caught"):
        print(f"  {kind:20} {delivered[kind]}")
    print(f"  {'(not reached)':20} {missed}")
    print(f"violations: {len(broken)}")
    return 1 if broken or not outcomes else 0


if __name__ == "__main__":
    sys.exit(main())

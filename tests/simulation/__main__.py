"""`python -m tests.simulation`: several machines over simulated years, checked against a model."""

import argparse
import resource
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.simulation.mutants import MUTANTS
from tests.simulation.page import Sweep, record
from tests.simulation.run import Outcome, live, warm


def main(argv: Sequence[str] | None = None) -> int:
    """Live worlds; return 0 when every law held in each (or every mutant was caught), else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.simulation", description=__doc__
    )
    parser.add_argument("--seeds", type=int, default=20, metavar="N")
    parser.add_argument("--first", type=int, default=1, metavar="SEED")
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument(
        "--mutants",
        nargs="*",
        metavar="NAME",
        help="break the protocol in each of these ways (default: all), and look who is caught",
    )
    parser.add_argument(
        "--write", action="store_true", help="write the page of the documents"
    )
    parser.add_argument(
        "--story", action="store_true", help="print all that happened"
    )
    options = parser.parse_args(argv)
    warm()
    if options.mutants is not None:
        return _hunt(options)
    return _live_all(options)


def _live_all(options: argparse.Namespace) -> int:
    seeds = range(options.first, options.first + options.seeds)
    end = time.monotonic() + 60 * options.minutes
    outcomes: list[Outcome] = []

    def one(seed: int) -> Outcome | None:
        if time.monotonic() > end:
            return None
        return live(seed, options.steps)

    with ThreadPoolExecutor(options.workers) as pool:
        for outcome in pool.map(one, seeds):
            if outcome is not None:
                outcomes.append(outcome)
                _tell(outcome, options.story)
                if len(outcomes) % 10 == 0:
                    print(f"{len(outcomes)} lived", flush=True)
                    if options.write:
                        record(_sum_up(options, outcomes))
    if options.write and outcomes:
        record(_sum_up(options, outcomes))
    failed = [each.seed for each in outcomes if each.why]
    notes = sum(each.notes for each in outcomes)
    years = sum(each.years for each in outcomes)
    most = max((each.most_gits for each in outcomes), default=0)
    print(
        f"{len(outcomes)} seeds, {notes} notes, {years:.0f} simulated years,"
        f" at most {most} processes an operation"
    )
    print(f"{len(failed)} failed: {failed}")
    return 1 if failed or not outcomes else 0


def _sum_up(options: argparse.Namespace, outcomes: Sequence[Outcome]) -> Sweep:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Sweep(
        first=options.first,
        steps=options.steps,
        lived=len(outcomes),
        failed=tuple(each.seed for each in outcomes if each.why),
        notes=sum(each.notes for each in outcomes),
        years=round(sum(each.years for each in outcomes), 2),
        most=max(each.most_gits for each in outcomes),
        cpu_seconds=round(used.ru_utime + used.ru_stime),
    )


def _tell(outcome: Outcome, story: bool) -> None:
    if outcome.why or story:
        print("\n".join(outcome.happened))
    if outcome.why:
        print(f"FAIL seed {outcome.seed}: {outcome.why}", flush=True)


def _hunt(options: argparse.Namespace) -> int:
    names = options.mutants or list(MUTANTS)
    free = []
    for name in names:
        seed, why = _catch(options, name)
        if seed is None:
            free.append(name)
            print(f"free   {name} after {options.seeds} seeds", flush=True)
        else:
            last = why.strip().splitlines()[-1]
            print(f"caught {name} by seed {seed}: {last[:110]}", flush=True)
    print(f"{len(names) - len(free)} of {len(names)} mutants caught")
    return 1 if free else 0


def _catch(options: argparse.Namespace, name: str) -> tuple[int | None, str]:
    for seed in range(options.first, options.first + options.seeds):
        outcome = live(seed, options.steps, MUTANTS[name])
        if outcome.why:
            return seed, outcome.why
    return None, ""


if __name__ == "__main__":
    sys.exit(main())

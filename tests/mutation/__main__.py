"""`python -m tests.mutation`: break the pure rules, and see whether a unit test notices.

Needs `pip install 'cosmic-ray>=8.7,<9'`, whose operators make the mutants. The tests run in a fork for
each, so that the libraries are loaded once.
"""

import argparse
import os
import random
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import replace

# loaded once; every mutant is tested in a fork
import hypothesis.stateful
import numpy
import pygit2
import pytest
import yaml

from tests.made import note_origin
from tests.mutation.instead import Instead
from tests.mutation.mutants import Mutant, apply, describe, list_mutants
from tests.mutation.page import COMMAND, Score, Survivor, record
from tests.mutation.subjects import SUBJECTS

LOADED = (hypothesis, numpy, pygit2, yaml)
SECONDS = 60
OPTIONS = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
PLAIN = ("--needs=none", "-m", "not slow")


def main(argv: Sequence[str] | None = None) -> int:
    """Test mutants; return 0 where the share that is killed reaches the goal, else 1."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__
    )
    parser.add_argument(
        "only", nargs="*", help="parts of the files' names (default: all)"
    )
    parser.add_argument("--sample", type=int, metavar="N", help="of each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--goal", type=float, default=0.9)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument(
        "--write", action="store_true", help="write the page of the documents"
    )
    options = parser.parse_args(argv)
    end = time.monotonic() + 60 * options.minutes
    scores: list[Score] = []
    for path, tests in SUBJECTS.items():
        if options.only and not any(part in path for part in options.only):
            continue
        score = _test_file(path, tests, options, end)
        if score.tested:
            scores.append(score)
        if score.tested and options.write:
            record([score])
    killed = sum(score.killed for score in scores)
    tested = sum(score.tested for score in scores)
    share = killed / max(tested, 1)
    print(f"{killed} of {tested} mutants killed: {share:.1%}")
    return 0 if tested and share >= options.goal else 1


def _test_file(
    path: str, tests: tuple[str, ...], options: argparse.Namespace, end: float
) -> Score:
    mutants = list(list_mutants(path))
    _, commit, day = note_origin(COMMAND)
    score = Score(path, len(mutants), options.seed, 0, (), commit, day)
    if _fails(tests, path, None):
        print(f"{path}: its tests fail without a mutant", flush=True)
        return score
    tested = 0
    survivors: list[Survivor] = []
    for mutant in _draw(path, mutants, options):
        if time.monotonic() > end:
            break
        source = apply(mutant)
        if not source:
            continue
        tested += 1
        if not _fails(tests, path, source):
            change = describe(mutant)
            print(f"  survived {mutant.name}\n{change}", flush=True)
            operator = mutant.operator.removeprefix("core/")
            survivors.append(Survivor(mutant.line, operator, change))
    killed = tested - len(survivors)
    print(f"{path}: {killed} of {tested} ({len(mutants)} in all)", flush=True)
    return replace(score, tested=tested, survivors=tuple(survivors))


def _draw(
    path: str, mutants: list[Mutant], options: argparse.Namespace
) -> list[Mutant]:
    """Return the mutants to test, in the order of the lines."""
    if not options.sample:
        return sorted(mutants)
    dice = random.Random(f"{options.seed} {path}")
    count = min(options.sample, len(mutants))
    return sorted(dice.sample(mutants, count))


def _fails(tests: tuple[str, ...], path: str, source: str | None) -> bool:
    """Tell whether *tests* fail in a process in which the file *path* has *source*."""
    pid = os.fork()
    if pid == 0:
        # of the processor: on a busy machine the clock would kill what the tests let live
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if source is not None:
            sys.meta_path.insert(0, Instead(path, source))
        os._exit(int(pytest.main([*OPTIONS, *PLAIN, *tests])))
    _, status = os.waitpid(pid, 0)
    return status != 0


if __name__ == "__main__":
    sys.exit(main())

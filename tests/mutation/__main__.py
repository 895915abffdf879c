"""`python -m tests.mutation`: break the pure rules, and see whether a unit test notices.

Needs `pip install 'cosmic-ray>=8.7,<9'`, whose operators make the mutants. The tests run in a fork for
each, so that the libraries are loaded once.
"""

import argparse
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence
from types import ModuleType

# loaded once; every mutant is tested in a fork
import hypothesis.stateful
import numpy
import pygit2
import pytest
import yaml

from tests.mutation.mutants import apply, describe, list_mutants
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
    options = parser.parse_args(argv)
    end = time.monotonic() + 60 * options.minutes
    counts: Counter[str] = Counter()
    for path, tests in SUBJECTS.items():
        if options.only and not any(part in path for part in options.only):
            continue
        counts += _test_file(path, tests, options, end)
    killed, tested = counts["killed"], counts["killed"] + counts["survived"]
    share = killed / max(tested, 1)
    print(f"{killed} of {tested} mutants killed: {share:.1%}")
    return 0 if tested and share >= options.goal else 1


def _test_file(
    path: str, tests: tuple[str, ...], options: argparse.Namespace, end: float
) -> Counter[str]:
    counts: Counter[str] = Counter()
    if _fails(tests, path, None):
        print(f"{path}: its tests fail without a mutant", flush=True)
        return counts
    mutants = list(list_mutants(path))
    total = len(mutants)
    if options.sample:
        dice = random.Random(f"{options.seed} {path}")
        mutants = dice.sample(mutants, min(options.sample, total))
    for mutant in sorted(mutants):
        if time.monotonic() > end:
            break
        source = apply(mutant)
        if not source:
            continue
        killed = _fails(tests, path, source)
        counts["killed" if killed else "survived"] += 1
        if not killed:
            print(f"  survived {mutant.name}\n{describe(mutant)}", flush=True)
    tested = counts["killed"] + counts["survived"]
    print(
        f"{path}: {counts['killed']} of {tested} ({total} in all)", flush=True
    )
    return counts


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


class Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Load one module from a source of its own."""

    def __init__(self, path: str, source: str) -> None:
        self.name = path.removesuffix(".py").replace("/", ".")
        self.path, self.source = path, source

    def find_spec(
        self, name: str, path: object, target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return a spec for the one module."""
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source in *module*."""
        exec(compile(self.source, self.path, "exec"), vars(module))


if __name__ == "__main__":
    sys.exit(main())

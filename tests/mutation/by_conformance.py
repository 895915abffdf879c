"""`python -m tests.mutation.by_conformance`: break the pure rules, and see whether the suite of the
paper's laws notices, which knows nothing of our modules.

Each rule is held against the cases of its own chapters, for so many seconds, by a server that has
imported the program with the change (`tests.warm`); a case that starts a process of its own meets the
program as it is. A case that fails is run once more, alone.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from tests import warm
from tests.made import note_origin, publish
from tests.mutation.laws_page import (
    COMMAND,
    INSTEAD,
    PAGE,
    RESULTS,
    SERVER,
    Held,
    Record,
    find_case,
    list_cases,
    read_record,
    write_page,
    write_record,
)
from tests.mutation.mutants import Mutant, apply, describe, list_mutants
from tests.mutation.subjects import SUBJECTS


def main(argv: Sequence[str] | None = None) -> int:
    """Hold mutants against the suite, and write what became of them."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation.by_conformance", description=__doc__
    )
    parser.add_argument("--sample", type=int, default=1, help="of each rule")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=600, help="of each")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument(
        "--add", action="store_true", help="to the mutants that are recorded"
    )
    options = parser.parse_args(argv)
    end = time.monotonic() + 60 * options.minutes
    command = COMMAND.format(
        sample=options.sample, seed=options.seed, seconds=options.seconds
    )
    record = Record(*note_origin(command), [options.seed], [])
    if options.add:
        record = _follow(read_record(RESULTS.read_text("utf-8")), record)
    known = {(one.path, one.change) for one in record.mutants}
    for mutant in _draw(options.sample, options.seed):
        if time.monotonic() > end:
            break
        if (mutant.path, describe(mutant)) in known:
            continue
        noticed = _hold(mutant, options.seconds)
        operator = mutant.operator.removeprefix("core/")
        change = describe(mutant)
        held = Held(mutant.path, mutant.line, operator, change, noticed)
        record.mutants.append(held)
        print(f"{noticed or 'LIVES'}: {mutant.name}\n{change}", flush=True)
        publish(PAGE.stem, write_record(record), write_page(record))
    return 0 if record.mutants else 1


def _follow(earlier: Record, record: Record) -> Record:
    """Return *record*, which begins with the seeds and the mutants of the *earlier* one."""
    return record._replace(
        command=f"{record.command} --add",
        seeds=[*earlier.seeds, *record.seeds],
        mutants=list(earlier.mutants),
    )


def _draw(sample: int, seed: int) -> list[Mutant]:
    """Return *sample* mutants of each rule, by chance, one of each rule in an order by lot."""
    drawn = []
    for path in SUBJECTS:
        mutants = list(list_mutants(path))
        random.Random(f"laws {seed} {path}").shuffle(mutants)
        some = islice((one for one in mutants if apply(one)), sample)
        drawn += list(enumerate(some))
    random.Random(f"order {seed}").shuffle(drawn)
    drawn.sort(key=lambda pair: pair[0])
    return [mutant for _, mutant in drawn]


def _hold(mutant: Mutant, seconds: float) -> str:
    """Return the name of the first case that notices *mutant* in time; "" where none does."""
    cases = list_cases(mutant.path)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "mutant.py"
        source.write_text(apply(mutant), "utf-8")
        begin = ("-m", INSTEAD, mutant.path, str(source), SERVER)
        with warm.serving(begin) as socket:
            return find_case(cases, warm.call(socket), seconds)


if __name__ == "__main__":
    sys.exit(main())

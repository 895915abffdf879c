"""`python -m tests.fuzz --minutes 60`: feed every parser of foreign bytes with damaged ones."""

import argparse
import sys
import time
import traceback
from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings

from companion.errors import CompanionError
from tests.fuzz.damage import damaged
from tests.fuzz.page import Fed, record
from tests.fuzz.parsers import PARSERS, Parser

#: seconds of the processor that no input of some kilobytes may take
MOST_SECONDS = 2.0
BATCH = 400


class Fault(AssertionError):
    """A parser broke down, or took too long."""


def main(argv: Sequence[str] | None = None) -> int:
    """Feed the parsers for so many minutes; return 1 where one broke down."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.fuzz", description=__doc__
    )
    parser.add_argument("only", nargs="*", choices=[[], *PARSERS])
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--write", action="store_true", help="write the page of the documents"
    )
    options = parser.parse_args(argv)
    names = options.only or list(PARSERS)
    end = time.monotonic() + 60 * options.minutes
    counts = dict.fromkeys(names, 0)
    broken: dict[str, str] = {}
    start = options.seed
    while time.monotonic() < end and len(broken) < len(names):
        for name in names:
            if name not in broken:
                try:
                    feed(PARSERS[name], start, BATCH)
                except Exception:  # noqa: BLE001
                    broken[name] = traceback.format_exc()
                    print(f"FAIL {name} (seed {start})\n{broken[name]}")
                counts[name] += BATCH
        start += 1
    for name, count in counts.items():
        print(f"{name}: {count} inputs")
    print(f"{sum(counts.values())} inputs, {len(broken)} parsers broke down")
    if options.write:
        seeds = [options.seed, start]
        record(
            Fed(
                seeds,
                options.minutes,
                round(time.process_time()),
                counts,
                broken,
            )
        )
    return 1 if broken else 0


def feed(parser: Parser, start: int, count: int) -> None:
    """Feed *parser* with *count* inputs drawn with the seed *start*; Fault names the least one."""

    @seed(start)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(damaged(parser.corpus))
    def read(data: bytes) -> None:
        began = time.process_time()
        try:
            parser.read(data)
        except CompanionError as error:
            if not str(error):
                raise Fault("an error without a word") from error
        took = time.process_time() - began
        if took > MOST_SECONDS:
            raise Fault(f"{len(data)} bytes took {took:.1f} seconds")

    read()


if __name__ == "__main__":
    sys.exit(main())

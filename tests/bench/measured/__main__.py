"""`python -m tests.bench.measured PAGE [BENCH ...]`: measure what a page of docs/quality shows, and
write its results and its tables. Without a page, write the pages from what is recorded.
"""

import argparse
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.bench.measured.page import Table, publish
from tests.bench.measured.tables import BENCHES, GIVEN_DATA, measure


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and write."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.bench.measured", description=__doc__
    )
    parser.add_argument("page", nargs="?", choices=tuple(BENCHES))
    parser.add_argument("bench", nargs="*", help="parts of its name")
    parser.add_argument(
        "--table",
        action="append",
        help="publish only this of what is measured; more than once for more",
    )
    parser.add_argument(
        "--data",
        type=Path,
        help="the folder of public data; without it, what needs one is left out",
    )
    options = parser.parse_args(argv)
    if not options.page:
        for page in BENCHES:
            publish(page, {})
        return 0
    for bench in BENCHES[options.page]:
        if options.bench and not any(part in bench for part in options.bench):
            continue
        is_on_data = bench.endswith(GIVEN_DATA)
        if is_on_data and options.data is None:
            print(f"{bench}: left out, no --data", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory(prefix="companion-bench-") as work:
            folder = options.data if is_on_data else Path(work)
            found = measure(options.page, bench, folder)
            publish(options.page, choose(found, options.table))
    return 0


def choose(
    tables: Mapping[str, Table], names: Sequence[str] | None
) -> dict[str, Table]:
    """Return the tables of these *names*, or all: bytes may be told anew where seconds may not."""
    return {
        name: table
        for name, table in tables.items()
        if not names or name in names
    }


if __name__ == "__main__":
    sys.exit(main())

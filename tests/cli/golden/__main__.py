"""Live again and compare, or write: ``python -m tests.cli.golden [--write [--structure]]
[LIFE...]``.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.cli import golden
from tests.cli.golden.lives import LIVES, lived


def main(argv: Sequence[str]) -> int:
    """Compare or write; 1 where something differs and was not written."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.cli.golden", description=__doc__
    )
    parser.add_argument(
        "lives",
        nargs="*",
        metavar="LIFE",
        help=f"of {', '.join(LIVES)}; else all of them",
    )
    parser.add_argument(
        "--write", action="store_true", help="write what differs in wording"
    )
    parser.add_argument(
        "--structure",
        action="store_true",
        help="write a changed structure, too",
    )
    said = parser.parse_args(argv)
    return max(
        [
            _life(name, said.write, said.structure)
            for name in said.lives or LIVES
        ]
    )


def _life(name: str, write: bool, structure: bool) -> int:
    with tempfile.TemporaryDirectory(prefix="golden-") as folder:
        now = lived(name, Path(folder))
    before = golden.read(name)
    changed = golden.compared(golden.structure(before), golden.structure(now))
    worded = golden.compared(before, now)
    for each in changed or worded:
        sys.stdout.write(f"{name} {each}\n")
    allowed = structure or not changed
    if write and allowed:
        golden.write(name, now)
    done = (
        "written"
        if write and allowed
        else "structure changed"
        if changed
        else "wording changed"
    )
    sys.stdout.write(
        f"{name}: {len(now)} calls, {done if worded else 'as it was'}\n"
    )
    return 0 if not worded or (write and allowed) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""`python -m conformance`: hold a program to the book."""

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from conformance import suite
from conformance.chapter import Malformed, chapters, coverage, gaps, twins

HERE = Path(__file__).resolve().parent


def main(argv: Sequence[str] | None = None) -> int:
    """Run what was asked for; 0 when everything passed, 1 when not, 2 when it could not be
    tried.
    """
    options = _options(argv)
    try:
        return _run(options)
    except Malformed as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m conformance", description=__doc__)
    parser.add_argument(
        "chapter", nargs="*", help="chapters to run, by number or name (default: all)"
    )
    parser.add_argument("--program", help="the program to hold to the book (default: companion)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="only cases that prove ID"
    )
    parser.add_argument(
        "-k", default="", metavar="WORDS", help="only cases with WORDS in their name"
    )
    parser.add_argument(
        "--update", action="store_true", help="rewrite transcripts to what the program says"
    )
    parser.add_argument("--export", type=Path, metavar="FILE", help="write the results as JSON")
    parser.add_argument(
        "--coverage", action="store_true", help="show cases and twins per id, and stop"
    )
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time (default: 2)")
    parser.add_argument("--book", type=Path, default=HERE, help=argparse.SUPPRESS)
    return parser.parse_args(argv)


def _run(options: argparse.Namespace) -> int:
    book, known = chapters(options.book), twins(options.book)
    missing = gaps(book, known)
    if options.coverage or missing:
        print(_table(coverage(book, known)))
        return _complain(missing)
    cases = suite.chosen(book, options.chapter, options.only, options.k)
    if not cases:
        raise Malformed("no case fits; see --coverage for the ids")
    results = []
    for result in suite.run(cases, known, _program(options.program), jobs=options.jobs):
        results.append(result)
        print(
            f"{'ok  ' if result.passed else 'FAIL'} {result.title} ({result.seconds:.1f} s)",
            flush=True,
        )
    if options.export:
        suite.export(options.export, results)
    if options.update:
        for path in suite.update(book, results):
            print(f"rewrote {path}")
    return _summary(results)


def _table(rows: list[tuple[str, int, int]]) -> str:
    return "\n".join(
        [f"{'id':8}{'cases':>6}{'twins':>7}", *(f"{id:8}{n:6}{m:7}" for id, n, m in rows)]
    )


def _complain(missing: list[str]) -> int:
    for gap in missing:
        print(f"FAIL {gap}")
    print(
        f"{len(missing)} gaps"
        if missing
        else "every id that a chapter claims has a case and a twin"
    )
    return 1 if missing else 0


def _program(given: str | None) -> list[str]:
    """The command to run: as given, else `companion` beside this Python, else on PATH."""
    beside = Path(sys.executable).parent / "companion"
    words = shlex.split(given) if given else [str(beside) if beside.exists() else "companion"]
    found = shutil.which(words[0])
    if not found:
        raise Malformed(f"no program {words[0]!r}; name one with --program")
    return [
        os.path.abspath(found),
        *(os.path.abspath(word) if os.path.isfile(word) else word for word in words[1:]),
    ]


def _summary(results: list[suite.Result]) -> int:
    failed = [result for result in results if not result.passed]
    for result in failed:
        print(f"\nFAIL {result.title}\n{indent(result.why, '    ')}")
    cases = sum(result.twin is None for result in results)
    print(f"\n{cases} cases, {len(results) - cases} of them again under a violating twin")
    print(f"{len(results) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

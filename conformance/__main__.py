"""`python -m conformance`: test a program against the laws of the paper."""

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from conformance import archive, contract, laws, quotations, suite
from conformance.chapter import (
    Case,
    Chapter,
    Malformed,
    Twin,
    chapters,
    coverage,
    gaps,
    twins,
)

HERE = Path(__file__).resolve().parent
# so many failures may be a busy machine's; more are the program's
FEW = 3


def main(argv: Sequence[str] | None = None) -> int:
    """Run the chosen cases; return 0 when all passed, 1 when not, 2 when none could run."""
    options = _options(argv)
    try:
        return _run(options)
    except Malformed as error:
        print(f"conformance: {error}", file=sys.stderr)
        return 2


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m conformance", description=__doc__
    )
    parser.add_argument(
        "chapter",
        nargs="*",
        help="chapters to run, by number or name (default: all)",
    )
    parser.add_argument(
        "--program", help="the program to test (default: companion)"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="ID",
        help="only cases that test the law ID",
    )
    parser.add_argument(
        "-k",
        default="",
        metavar="WORDS",
        help="only cases with WORDS in their name",
    )
    parser.add_argument(
        "--update",
        action="store_true",
        help="write what the program says now into the transcripts",
    )
    parser.add_argument(
        "--export", type=Path, metavar="FILE", help="write the results as JSON"
    )
    parser.add_argument(
        "--coverage",
        action="store_true",
        help="count clauses, cases and twins for each law of laws.toml, and stop",
    )
    parser.add_argument(
        "--specification",
        type=Path,
        metavar="FILE",
        help="with --coverage: hold the ids of laws.toml against another text, too",
    )
    parser.add_argument(
        "--no-twins",
        action="store_true",
        help="run each case with the program alone, which is not companion",
    )
    parser.add_argument(
        "--sample",
        action="store_true",
        help="run every case, and of the twins one for each law",
    )
    parser.add_argument(
        "--pack",
        type=Path,
        metavar="FILE",
        help="write the suite as a zip file that others can run, and stop",
    )
    parser.add_argument(
        "--papers",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="look for every quotation in these texts, and stop; --update records that all are there",
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=2,
        help="cases to run at a time (default: 2)",
    )
    parser.add_argument(
        "--book", type=Path, default=HERE, help=argparse.SUPPRESS
    )
    return parser.parse_args(argv)


def _run(options: argparse.Namespace) -> int:
    if options.papers:
        return _hold_against(options.papers, options.book, options.update)
    book, known = chapters(options.book), twins(options.book)
    listed = laws.read_laws(options.book)
    missing = gaps(book, known)
    if listed:
        missing += laws.faults(listed, book)
        missing += contract.faults(listed, contract.read_contract(options.book))
    quoted = quotations.quotations(options.book)
    if listed and not quotations.is_recorded(options.book, quoted):
        missing.append(f"{quotations.COPY} lacks a quotation; see --papers")
    if options.specification:
        text = options.specification.read_text(encoding="utf-8")
        missing += laws.compare(listed, text)
    if options.pack and not missing:
        print(archive.pack(listed, options.book, options.pack))
        return 0
    if options.coverage or missing:
        _print_coverage(listed, book, known)
        return _complain(missing)
    cases = suite.chosen(book, options.chapter, options.only, options.k)
    if not cases:
        raise Malformed("no case fits; see --coverage for the ids")
    program = _program(options.program)
    results = []
    held = _twins_to_run(options, cases, known)
    for result in suite.run(cases, held, program, jobs=options.jobs):
        results.append(result)
        mark = "ok  " if result.passed else "FAIL"
        if result.skipped:
            mark = f"skip ({result.outcome.text})"
        print(f"{mark} {result.title} ({result.seconds:.1f} s)", flush=True)
    results = _with_second_tries(results, program)
    if options.export:
        suite.export(options.export, results)
    if options.update:
        for path in suite.update(book, results):
            print(f"rewrote {path}")
    if options.sample:
        _print_left_out(cases, held)
    return _summary(results)


def _print_left_out(cases: list[Case], held: dict[str, Twin]) -> None:
    left = sum(len(set(case.twins) - held.keys()) for case in cases)
    print(
        f"\nleft out: {left} runs with a further twin; without --sample they run"
    )


def _twins_to_run(
    options: argparse.Namespace, cases: list[Case], known: dict[str, Twin]
) -> dict[str, Twin]:
    if options.no_twins:
        return {}
    return suite.sampled(cases, known) if options.sample else known


def _with_second_tries(
    results: list[suite.Result], program: list[str]
) -> list[suite.Result]:
    """Run the few that failed once more, alone: what only a busy machine broke passes, by name."""
    if not 0 < sum(not result.passed for result in results) <= FEW:
        return results
    again = suite.run_alone(results, program)
    for first, second in zip(results, again, strict=True):
        if second.passed and not first.passed:
            print(f"\nunsteady, ok alone: {first.title}")
            print(indent(first.why, "    "), flush=True)
    return again


def _hold_against(papers: list[Path], book: Path, update: bool) -> int:
    """Print each quotation that no paper has; 1 if there is one."""
    quoted = quotations.quotations(book)
    texts = [path.read_text(encoding="utf-8") for path in papers]
    absent = quotations.absent(quoted, texts)
    for line in absent:
        print(f"FAIL {line}")
    print(f"{len(quoted)} quotations, {len(absent)} passages not found")
    if update and not absent:
        quotations.write_copy(book, quoted)
    return 1 if absent else 0


def _print_coverage(
    listed: list[laws.Law], book: list[Chapter], known: dict[str, Twin]
) -> None:
    counts = coverage(book, known)
    if not listed:
        lines = [f"{id:8}{cases:6}{twins:7}" for id, cases, twins in counts]
        print("\n".join([f"{'id':8}{'cases':>6}{'twins':>7}", *lines]))
        return
    rows = laws.count(listed, {id: twins for id, _, twins in counts})
    cases = {id: count for id, count, _ in counts}
    print(f"{'id':8}{'clauses':>8}{'cases':>7}{'twins':>7}")
    for row in rows:
        id = row.law.id
        share = f"{row.proved}/{len(row.law.clauses)}"
        print(f"{id:8}{share:>8}{cases.get(id, 0):7}{row.twins:7}")
    _print_missing(rows)
    for title in laws.unplaced(listed, book):
        print(f"proves no clause by name: {title}")


def _print_missing(rows: list[laws.Row]) -> None:
    print()
    for row in rows:
        for clause in row.missing:
            print(f"missing {row.law.id}: {clause.text} ({clause.why_not})")
    whole = sum(not row.missing for row in rows)
    proved = sum(row.proved for row in rows)
    asked = sum(len(row.law.clauses) for row in rows)
    none = [row.law.id for row in rows if not row.proved]
    print(f"\n{whole} of {len(rows)} ids and {proved} of {asked} clauses")
    print(f"without any case: {', '.join(none) or 'none'}")


def _complain(missing: list[str]) -> int:
    for gap in missing:
        print(f"FAIL {gap}")
    if missing:
        print(f"{len(missing)} gaps")
        return 1
    print("every id that a chapter claims has a case and a twin")
    return 0


def _program(given: str | None) -> list[str]:
    """Return the command as given, else `companion` beside this Python, else the one on PATH."""
    words = shlex.split(given) if given else [_default_program()]
    executable = shutil.which(words[0])
    if not executable:
        raise Malformed(f"no program {words[0]!r}; name one with --program")
    # Cases run in other folders, so that relative paths would not be found.
    arguments = [
        os.path.abspath(word) if os.path.isfile(word) else word
        for word in words[1:]
    ]
    return [os.path.abspath(executable), *arguments]


def _default_program() -> str:
    beside = Path(sys.executable).parent / "companion"
    return str(beside) if beside.exists() else "companion"


def _summary(results: list[suite.Result]) -> int:
    failed = [result for result in results if not result.passed]
    for result in failed:
        print(f"\nFAIL {result.title}\n{indent(result.why, '    ')}")
    cases = sum(result.twin is None for result in results)
    print(
        f"\n{cases} cases, and {len(results) - cases} runs of them with a violating twin"
    )
    skipped = sum(result.skipped for result in results)
    if skipped:
        print(f"{skipped} skipped: something that they need is not here")
    passed = len(results) - len(failed) - skipped
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

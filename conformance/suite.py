"""Run cases: each with the program, and again with each of its twins, which it must notice."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from conformance import transcript, world
from conformance.chapter import Case, Chapter, Twin
from conformance.world import FreshWikis, Outcome


class Result(NamedTuple):
    """One line of the report: a case, or a case with a twin."""

    case: Case
    twin: Twin | None
    passed: bool
    why: str  # empty when passed
    seconds: float
    outcome: Outcome

    @property
    def skipped(self) -> bool:
        """Tell whether the case could not run, for want of something."""
        return self.outcome.kind == "skipped"

    @property
    def title(self) -> str:
        """Return the title of the case, and the twin if there is one."""
        return (
            f"{self.case.title} · twin {self.twin.name}"
            if self.twin
            else self.case.title
        )


def chosen(
    book: list[Chapter], names: list[str], only: list[str], words: str
) -> list[Case]:
    """Return the cases of the chapters *names* that test one of the laws *only* and have *words* in
    their name. An empty argument leaves nothing out.
    """
    cases: list[Case] = []
    for chapter in book:
        if not names or any(
            name.removesuffix(".md") in chapter.path.stem for name in names
        ):
            cases += chapter.cases
    if only:
        cases = [case for case in cases if set(only) & set(case.ids)]
    return [case for case in cases if words.lower() in case.name.lower()]


def sampled(cases: list[Case], twins: dict[str, Twin]) -> dict[str, Twin]:
    """Return the twins of a sample: for each law the first that breaks it, in the order of *cases*."""
    broken: set[str] = set()
    chosen: dict[str, Twin] = {}
    for name in [name for case in cases for name in case.twins]:
        laws = set(twins[name].breaks)
        if not laws <= broken:
            chosen[name] = twins[name]
            broken |= laws
    return chosen


def run(
    cases: list[Case],
    twins: dict[str, Twin],
    program: list[str],
    *,
    jobs: int,
) -> Iterator[Result]:
    """Yield results in the order of the chapters, running *jobs* at a time.

    *twins* are those to hold against the cases that name them.
    """
    work: list[tuple[Case, Twin | None]] = []
    for case in cases:
        work.append((case, None))
        named = [twins[name] for name in case.twins if name in twins]
        work += [(case, twin) for twin in named]
    with closing(FreshWikis()) as wikis, ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(
            lambda pair: _judged(pair[0], pair[1], program, wikis), work
        )


def run_alone(results: list[Result], program: list[str]) -> list[Result]:
    """Return *results* with each that failed run once more, with nothing beside it."""
    with closing(FreshWikis()) as wikis:
        return [
            result
            if result.passed
            else _judged(result.case, result.twin, program, wikis)
            for result in results
        ]


def _judged(
    case: Case, twin: Twin | None, program: list[str], wikis: FreshWikis
) -> Result:
    outcome = world.run(case, program, twin, wikis)
    if outcome.kind == "skipped":
        return Result(case, twin, True, "", outcome.seconds, outcome)
    why = _objection(twin, outcome) if twin else _failure(outcome)
    return Result(case, twin, not why, why, outcome.seconds, outcome)


def _failure(outcome: Outcome) -> str:
    """Return why the case failed; empty when it passed."""
    if outcome.kind == "passed":
        return ""
    return (
        f"BROKEN: {outcome.text}" if outcome.kind == "broken" else outcome.text
    )


def _objection(twin: Twin, outcome: Outcome) -> str:
    """Return why the twin does not show that the case can fail; empty when it does."""
    if outcome.kind == "passed":
        return f"the twin broke {' '.join(twin.breaks)} and the case did not notice"
    if outcome.kind == "broken":
        return f"the twin crashed, which proves nothing:\n{outcome.text}"
    if not re.search(twin.expects, outcome.text):
        return (
            f"the case failed, but not with /{twin.expects}/:\n{outcome.text}"
        )
    return ""


def exported(results: list[Result]) -> list[dict[str, object]]:
    """Return the results as plain data, one record per case, like CommonMark's spec.json."""
    rows: list[dict[str, object]] = []
    for result in results:
        if result.twin is None:
            twins: list[dict[str, object]] = []
            rows.append(_record(result, twins))
        else:
            breaks = list(result.twin.breaks)
            twins.append(
                {
                    "name": result.twin.name,
                    "breaks": breaks,
                    "noticed": result.passed,
                }
            )
    return rows


def _record(
    result: Result, twins: list[dict[str, object]]
) -> dict[str, object]:
    case = result.case
    return {
        "id": list(case.ids),
        "name": case.name,
        "chapter": case.chapter,
        "line": case.line,
        "heading": case.heading,
        "section": case.section,
        "language": case.language,
        "body": case.body,
        "result": result.outcome.kind,
        "twins": twins,
    }


def export(path: Path, results: list[Result]) -> None:
    """Write the results to *path* as JSON."""
    text = json.dumps(exported(results), indent=2, ensure_ascii=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def update(book: list[Chapter], results: list[Result]) -> list[Path]:
    """Rewrite the transcripts that no longer match; return the paths of the changed chapters."""
    changed = []
    for chapter in book:
        failed = [
            result
            for result in results
            if _is_failed_transcript(result, chapter)
        ]
        if failed:
            _rewrite(chapter, failed)
            changed.append(chapter.path)
    return changed


def _is_failed_transcript(result: Result, chapter: Chapter) -> bool:
    case = result.case
    is_transcript = (
        case.chapter == chapter.path.name and case.language == "console"
    )
    return (
        is_transcript
        and result.twin is None
        and result.outcome.kind == "failed"
    )


def _rewrite(chapter: Chapter, failed: list[Result]) -> None:
    lines = chapter.path.read_text(encoding="utf-8").splitlines(keepends=True)
    # From the last case to the first, so that the lines before keep their numbers.
    for result in sorted(
        failed, key=lambda result: result.case.line, reverse=True
    ):
        case = result.case
        start = case.line - 1
        end = start + len(case.body.splitlines())
        lines[start:end] = [
            transcript.rewritten(case.body, list(result.outcome.answers))
        ]
    chapter.path.write_text("".join(lines), encoding="utf-8")

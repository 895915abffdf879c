"""Run the book: every case against the program, and against each of its twins, which must be
noticed.
"""

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
    """One line of the report: a case, or a case under a twin."""

    case: Case
    twin: Twin | None
    passed: bool
    why: str  # empty when passed
    seconds: float
    outcome: Outcome

    @property
    def title(self) -> str:
        """The case, and the twin where there is one."""
        return f"{self.case.title} · twin {self.twin.name}" if self.twin else self.case.title


def chosen(book: list[Chapter], names: list[str], only: list[str], words: str) -> list[Case]:
    """The cases that the command line asked for."""
    return [
        case
        for chapter in book
        for case in chapter.cases
        if (not names or any(name.removesuffix(".md") in chapter.path.stem for name in names))
        and (not only or set(only) & set(case.ids))
        and words.lower() in case.name.lower()
    ]


def run(
    cases: list[Case], twins: dict[str, Twin], program: list[str], *, jobs: int
) -> Iterator[Result]:
    """Yield results in the book's order, *jobs* at a time."""
    work = [
        (case, twin) for case in cases for twin in (None, *(twins[name] for name in case.twins))
    ]
    with closing(FreshWikis()) as wikis, ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda pair: _judged(pair[0], pair[1], program, wikis), work)


def _judged(case: Case, twin: Twin | None, program: list[str], wikis: FreshWikis) -> Result:
    outcome = world.run(case, program, twin, wikis)
    why = (
        _objection(twin, outcome) if twin else ("" if outcome.kind == "passed" else _told(outcome))
    )
    return Result(case, twin, not why, why, outcome.seconds, outcome)


def _told(outcome: Outcome) -> str:
    return f"{'BROKEN: ' if outcome.kind == 'broken' else ''}{outcome.text}"


def _objection(twin: Twin, outcome: Outcome) -> str:
    """Why this twin does not show that the case can fail; empty when it does."""
    if outcome.kind == "passed":
        return f"the twin broke {' '.join(twin.breaks)} and the case did not notice"
    if outcome.kind == "broken":
        return f"the twin crashed, which proves nothing:\n{outcome.text}"
    if not re.search(twin.expects, outcome.text):
        return f"the case failed, but not with /{twin.expects}/:\n{outcome.text}"
    return ""


def exported(results: list[Result]) -> list[dict[str, object]]:
    """The results as plain data, a record per case, in the way of CommonMark's spec.json."""
    rows: list[dict[str, object]] = []
    for result in results:
        if result.twin is None:
            rows.append(_record(result))
        else:
            twins = rows[-1]["twins"]
            assert isinstance(twins, list)
            twins.append(
                {
                    "name": result.twin.name,
                    "breaks": list(result.twin.breaks),
                    "noticed": result.passed,
                }
            )
    return rows


def _record(result: Result) -> dict[str, object]:
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
        "twins": [],
    }


def export(path: Path, results: list[Result]) -> None:
    """Write the results to *path* as JSON."""
    path.write_text(
        json.dumps(exported(results), indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def update(book: list[Chapter], results: list[Result]) -> list[Path]:
    """Rewrite the transcripts that no longer match; return the chapters changed."""
    failed = [
        result for result in results if result.twin is None and result.outcome.kind == "failed"
    ]
    return [chapter.path for chapter in book if _rewrite(chapter, failed)]


def _rewrite(chapter: Chapter, failed: list[Result]) -> bool:
    mine = [
        r for r in failed if r.case.chapter == chapter.path.name and r.case.language == "console"
    ]
    lines = chapter.path.read_text(encoding="utf-8").splitlines(keepends=True)
    for result in sorted(mine, key=lambda r: -r.case.line):
        start = result.case.line - 1
        body = transcript.rewritten(result.case.body, list(result.outcome.answers))
        lines[start : start + len(result.case.body.splitlines())] = [body]
    if mine:
        chapter.path.write_text("".join(lines), encoding="utf-8")
    return bool(mine)

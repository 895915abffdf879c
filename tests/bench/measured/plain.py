"""What benches of the rules return, as tables of docs/quality/benches.md."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench.aboutness import answer_all
from tests.bench.aboutness_sample import worlds
from tests.bench.beginnings import count_totals, live_half
from tests.bench.challengers import HALVES, count_contradictions
from tests.bench.gathering import (
    ON_A_DAY,
    ON_ANOTHER,
    ON_ITS_OWN,
    Became,
    gathering,
)
from tests.bench.notebook import courses
from tests.bench.notebook.run import HALVES as NOTEBOOKS
from tests.bench.notebook.run import Outcome, ask_all
from tests.bench.pressure import DEFENCES, LIMITS, NOISE, SEEDS, TRUE, rates
from tests.bench.told_titles import KINDS, count_kept
from tests.bench.undoing import undoing
from tests.ledger.isolation import anomalies, beliefs, compose
from tests.ledger.isolation.anomalies import Cell

SAMPLES = range(1, 13)
DAYS = 60  # of a life of plain notes
RUNS = 200  # that are taken back
HALF_NAMES = {"dev": "worked on", "score": "shut"}


class Found(NamedTuple):
    """The columns and rows of one table."""

    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


def measure_pressure(_: Path) -> dict[str, Found]:
    """Return how often each kind of plant wins, and noise with each defence off."""
    rows: list[tuple[str, str, str]] = []
    for plants in (NOISE, TRUE, LIMITS):
        missing, hearing = rates(plants), rates(plants, heard=1.0)
        for kind, row in missing.items():
            both = (_mean_share(row), _mean_share(hearing[kind]))
            rows.append((kind, *both))
    off = []
    for name, policy in DEFENCES.items():
        noise = rates(NOISE, policy, SEEDS // 2).values()
        off.append((name, _mean_share([each for row in noise for each in row])))
    names = [
        "plant",
        "judge that misses three ties of ten",
        "one that misses none",
    ]
    return {
        "pressure": Found(names, rows),
        "defences": Found(["defences", "noise that wins"], off),
    }


def _mean_share(row: Sequence[tuple[float, float]]) -> str:
    return f"{sum(share for share, _ in row) / len(row):.2f}"


def measure_challengers(_: Path) -> dict[str, Found]:
    """Return which kinds of notes the lower bar calls contradictions, by half."""
    halves = [count_contradictions(half) for half in HALVES]
    rows = [
        (kind, *(_of(*counts[kind]) for counts in halves)) for kind in halves[0]
    ]
    names = ["notes", *(HALF_NAMES[half] for half in HALVES)]
    return {"challengers": Found(names, rows)}


def measure_aboutness(_: Path) -> dict[str, Found]:
    """Return what the rules say of each half of each sample, and of all."""
    total: Counter[str] = Counter()
    rows = []
    for number in SAMPLES:
        for half, name in HALF_NAMES.items():
            counts = _count_answers(half, number)
            if counts:
                rows.append((f"{number}, {name}", *_show_answers(counts)))
                total += counts
    rows.append(("all", *_show_answers(total)))
    names = [
        "sample",
        "right page first",
        "given",
        "a wrong page",
        "about none, left alone",
    ]
    return {"aboutness": Found(names, rows)}


def _count_answers(half: str, number: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for one in answer_all(worlds(half, number)):
        if not one.note.about:
            counts["none"] += 1
            counts["silent"] += one.right
            continue
        counts["known"] += 1
        counts["first"] += one.is_first
        counts["given"] += one.right
        counts["wrong"] += bool(one.given) and not one.right
    return counts


def _show_answers(counts: Counter[str]) -> tuple[str, ...]:
    known = counts["known"]
    return (
        _share_of(counts["first"], known),
        _of(counts["given"], known),
        str(counts["wrong"]),
        _share_of(counts["silent"], counts["none"]),
    )


def _share_of(count: int, total: int) -> str:
    share = f"{count / total:.3f}".removeprefix("0")
    return f"{_of(count, total)} ({share})"


def _of(count: int, total: int) -> str:
    return f"{count} of {total}"


def measure_beginnings(_: Path) -> dict[str, Found]:
    """Return which subjects of lives got a page, by half."""
    return {"beginnings": _show_beginnings(sample=1)}


def measure_named_first(_: Path) -> dict[str, Found]:
    """Return the same of lives in which somebody is named by the way first."""
    return {"beginnings-2": _show_beginnings(sample=2)}


def _show_beginnings(sample: int) -> Found:
    halves = [count_totals(live_half(half, sample)) for half in HALF_NAMES]
    rows = [
        (first[0], _of(*first[1:]), _of(*second[1:]))
        for first, second in zip(*halves, strict=True)
    ]
    return Found(["what", *HALF_NAMES.values()], rows)


def measure_titles(_: Path) -> dict[str, Found]:
    """Return how many titles their writer would keep, by half: as listed beforehand, and as read."""
    names = {"dev": "worked on", "score": "shut", "last": "opened last"}
    rows: list[tuple[str, ...]] = []
    for kind, list_titled in KINDS.items():
        for name, words in names.items():
            titled = list_titled(name)
            counts = (_of(count, len(titled)) for count in count_kept(titled))
            rows.append((f"{kind}, {words}", *counts))
    return {"titles-told": Found(["titles of", "listed", "kept"], rows)}


def measure_notebook(_: Path) -> dict[str, Found]:
    """Return what became of the questions of each notebook and course."""
    rows = []
    for name, outcomes in _ask_notebooks():
        counts = Counter(one.verdict for one in outcomes)
        wrong = counts["WRONG"] + counts["wrong"]
        known = ("right", "both", "first", "shown", "missing")
        rows.append((name, *(counts[kind] for kind in known), wrong))
    names = ["told", "right", "right and more", "first passage", "another"]
    return {"notebook": Found([*names, "missing", "wrong"], rows)}


def _ask_notebooks() -> Iterator[tuple[str, list[Outcome]]]:
    for half, name in HALF_NAMES.items():
        yield f"notebook, {name}", ask_all(NOTEBOOKS[half])
        for course in courses.COURSES[half]:
            yield f"course {course}, {name}", courses.live(course)


def measure_gathering(work: Path) -> dict[str, Found]:
    """Return what pages a life of plain notes becomes."""
    return {"gathering": show_became(gathering(work, DAYS))}


def show_became(one: Became) -> Found:
    """Return what became of a life's notes."""
    a_note = one.pages / one.notes
    without = (one.pages - one.days) / one.notes
    on_days = sum(n for (_, place), n in one.homes.items() if place == ON_A_DAY)
    astray = one.count(ON_ANOTHER, known=False)
    rows = [
        ("pages", one.pages),
        (
            "pages a note; without days",
            f"{_shorten(a_note)}; {_shorten(without)}",
        ),
        ("notes that stand on a day", f"{on_days / one.notes * 100:.1f} %"),
        (
            "notes with a subject that stand on its page",
            one.count(ON_ITS_OWN, known=True),
        ),
        ("on a page of another", one.count(ON_ANOTHER, known=True)),
        ("notes about nothing that stand on a page", astray),
        (
            "links that resolve by file name",
            f"{one.resolved} of {one.links}",
        ),
    ]
    return Found(["what", "figure"], rows)


def _shorten(share: float) -> str:
    return f"{share:.3f}".removeprefix("0")


def measure_undo(work: Path) -> dict[str, Found]:
    """Return how many runs were taken back, of which kinds, and what was not as before."""
    undone = undoing(work, RUNS)
    counted = [undone.kinds[kind] for kind in ("tell", "edit", "place")]
    taken = f"{undone.kinds.total()} runs of {undone.lives} lives"
    row = [taken, *counted, undone.violations]
    names = ["taken back", "of them nights", "edits by hand", "moves"]
    return {"undo": Found([*names, "violations"], [row])}


def measure_isolation(work: Path) -> dict[str, Found]:
    """Return how many cells of each grid are as the theorems say."""
    grids: dict[str, list[Cell]] = {
        "anomalies by level": anomalies.grid(work),
        "drift of a belief that is revised while it is read": beliefs.drift(
            work
        ),
        "schema": beliefs.schema(),
        "pipelines of up to five operators": compose.composition(),
    }
    rows = []
    for name, cells in grids.items():
        right = sum(shows == should for _, _, shows, should in cells)
        rows.append((name, f"{len(cells):,}", f"{right:,}"))
    return {"isolation": Found(["grid", "cells", "as the theorems say"], rows)}

"""What benches of AUDIT return, as tables of docs/quality/benches.md."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench import audit, judged, suspensions
from tests.bench.audit import EACH, SCORE, Tally
from tests.bench.measured.plain import Found
from tests.bench.planted import KINDS
from tests.bench.suspensions import Fate

ENTRIES = EACH * len(SCORE)  # of a kind and set


def measure_audit(_: Path) -> dict[str, Found]:
    """Return what becomes of planted entries, without a judge and with simulated ones."""
    return {
        "audit": show_audit(audit.core(SCORE)),
        "judged": show_judged(judged.core(SCORE, EACH)),
    }


def show_audit(
    tallies: Iterator[tuple[audit.Set, dict[str, Tally]]],
) -> Found:
    """Return by query set what is found of the harmful, and who of the needed is harmed."""
    rows = []
    for queries, found in tallies:
        bad = found["harmful"]
        harmed = [
            _count(_weigh_harm(found[kind])) for kind in ("foundation", "quiet")
        ]
        cells = (_percent(bad.improved), _percent(bad.degraded), *harmed)
        rows.append(
            (queries.name, *cells, _percent(_weigh_harm(found["dead"])))
        )
    names = [
        "questions on record",
        "harmful pages found",
        "confirmed",
        "foundations harmed",
        "quiet ones harmed",
        "dead weight found",
    ]
    return Found(names, rows)


def show_judged(
    tallies: Iterator[tuple[audit.Set, float | None, dict[str, Tally]]],
) -> Found:
    """Return by query set and judge what is confirmed of the harmful, and the most that is harmed
    of the needed.
    """
    confirmed: dict[str, list[str]] = {}
    harmed: dict[str, float] = {}
    for queries, _, found in tallies:
        name = queries.name
        confirmed.setdefault(name, []).append(
            _percent(found["harmful"].degraded)
        )
        worst = max(
            _weigh_harm(found[kind]) for kind in ("foundation", "quiet")
        )
        harmed[name] = max(harmed.get(name, 0.0), worst)
    rows = [
        (name, *row, _count(harmed[name])) for name, row in confirmed.items()
    ]
    judges = [_name_judge(accuracy) for accuracy in judged.ACCURACIES]
    return Found(
        ["harmful pages confirmed", *judges, "needed ones harmed, most of all"],
        rows,
    )


def _name_judge(accuracy: float | None) -> str:
    return (
        "no model"
        if accuracy is None
        else f"right in {accuracy * 100:.0f} of 100"
    )


def _weigh_harm(one: Tally) -> float:
    return one.improved + one.unchanged


def _count(share: float) -> str:
    return f"{round(share * ENTRIES)} of {ENTRIES}"


def _percent(share: float) -> str:
    return f"{share:.1%}".replace("%", " %")


def measure_suspensions(_: Path) -> dict[str, Found]:
    """Return what became of planted pages in wikis that were lived in."""
    return {"suspensions": show_fates(suspensions.found(suspensions.SCORE))}


def show_fates(fates: Sequence[Fate]) -> Found:
    """Return by kind of page how many were found, and how many lost gravity in the end."""
    rows = []
    for kind in KINDS:
        own = [fate for fate in fates if fate.kind == kind.name]
        lived = [fate for fate in own if fate.end]
        cells = [
            _share(own, lambda fate: fate.result == "improved"),
            _share(own, lambda fate: fate.result == "degraded"),
            _share(own, lambda fate: fate.after != "active"),
            _share(lived, lambda fate: fate.end != "active"),
        ]
        rows.append((kind.name, *cells))
    names = [
        "pages",
        "found harmful",
        "confirmed",
        "lower a week after `settle`",
        "lower three months later",
    ]
    return Found(names, rows)


def _share(fates: Sequence[Fate], holds: Callable[[Fate], bool]) -> str:
    return f"{sum(map(holds, fates))} of {len(fates)}"

"""Count what a language model thinks of answers of which no reader said anything (MaM §5.8, §9).

A judged answer is one more silent reader: it weighs what an opening without a word weighs, in
either direction. So it keeps a page that readers open in silence from being confirmed by that
alone, and finds a foundation needed that nobody opens. It is never a consequence, and takes no
reader's opening back: a model alone neither archives nor weakens. Where the user said something, or
opened something else, the user has answered, and no model is asked. Pure.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from companion.operations.audit.questions.query_set import (
    BY_NAME,
    SILENT,
    TOP,
    Probe,
)
from companion.values.wording import many

VERSION = "comparing-1"

# questions of one entry that a model is asked, the newest of its own first
MOST = 20
ORDERS = 2  # each question is asked with either answer first
# confidence from which a preference counts; no weight, because models' confidences are not
# calibrated
SURE = 0.5

Better = Literal["with", "without", "same"]


class Judged(NamedTuple):
    """A model's preference between the answer with the entry and the one without it."""

    probe: str  # the question's id
    better: Better
    confidence: float  # in [0, 1], as the model gave it
    basis: str


def questions_per_entry(max_calls: int, entries: int) -> int:
    """Return how many questions of each of *entries* a model is asked, so that *max_calls* last for
    all of them.
    """
    return min(MOST, max_calls // (ORDERS * max(1, entries)))


def choose_questions(
    entry: str,
    probes: Sequence[Probe],
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
    most: int = MOST,
) -> list[Probe]:
    """Return the questions that a model is asked: one of each group that nobody answered otherwise,
    as far as its first places changed.

    *before* and *after* are the rankings with *entry* and without it, by the probes' ids.
    """
    recorded = [
        probe
        for probe in probes
        if probe.kind != "challenge" and probe.group != BY_NAME
    ]
    spoken = {probe.group for probe in recorded if probe.spoken}
    chosen: dict[str, Probe] = {}
    for probe in recorded:
        if probe.group in spoken or _is_passed_over(entry, probe):
            continue
        if before[probe.id][:TOP] != after[probe.id][:TOP]:
            chosen.setdefault(probe.group, probe)
    return list(chosen.values())[:most]


def _is_passed_over(entry: str, probe: Probe) -> bool:
    """Tell whether readers of *probe* took up something else than *entry*."""
    return bool(probe.useful) and entry not in probe.useful


def combine_orders(one: Judged, other: Judged) -> Judged:
    """Return what was judged with either answer first: a preference that depends on the order is
    none.
    """
    confidence = min(one.confidence, other.confidence)
    if one.better != other.better:
        return Judged(one.probe, "same", confidence, "order")
    return one._replace(confidence=confidence)


def judged_change(judged: Judged | None) -> float:
    """Return what *judged* says of a question: 0.3 where the answer without the entry is better,
    -0.3 where that with it is, 0 where it says neither.
    """
    if judged is None or judged.confidence < SURE:
        return 0.0
    return {"without": SILENT, "with": -SILENT, "same": 0.0}[judged.better]


def count_judged(judged: Collection[Judged]) -> dict[str, float]:
    """Return how many answers were judged, and how; nothing where none was."""
    if not judged:
        return {}
    judgements = [each.better for each in judged]
    return {
        "judged": len(judgements),
        "judged_better": judgements.count("without"),
        "judged_worse": judgements.count("with"),
    }


def describe_judged(model: str, judged: Collection[Judged]) -> str:
    """Return in words how many answers *model* judged, and how; "" where none was."""
    count = count_judged(judged)
    if not count:
        return ""
    answers = many(int(count["judged"]), "answer")
    return (
        f"{answers} judged by {model}: {count['judged_better']} better without it, "
        f"{count['judged_worse']} worse"
    )

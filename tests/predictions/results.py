"""The recorded results of the experiments, and the page and plot that are made of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.made import Made
from tests.predictions.experiments import (
    Comparison,
    Influence,
    Lived,
    Pair,
    compare,
    compare_pruning,
    live,
    measure_influence,
)
from tests.predictions.statistics import Effect, measure_effect

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RECORD = QUALITY / "results" / "predictions.json"
PAGE = QUALITY / "predictions.md"
PLOT = QUALITY / "predictions.svg"
COMMAND = "python -m tests.predictions --record"
SEEDS = range(100, 130)
TITLES = {
    1: "Prediction 1: coherence under drift",
    2: "Prediction 2: fragility",
    3: "Prediction 3: monoculture",
    4: "Prediction 4: influence of minorities",
}


class Results(NamedTuple):
    """Everything that is published of one run."""

    seeds: list[int]
    comparisons: list[Comparison]
    influence: list[Influence]
    courses: dict[str, list[float]]  # of links that hold, by memory and week
    made: Made


def run(seeds: Sequence[int], made: Made) -> Results:
    """Let all memories live the lives of *seeds*; *made* says how these figures come about."""
    lived = {seed: live(seed) for seed in seeds}
    comparisons = [*compare(lived), *compare_pruning(seeds)]
    return Results(
        list(seeds),
        sorted(comparisons, key=lambda each: each.prediction),
        measure_influence(lived),
        _courses(lived),
        made,
    )


def write_record(results: Results) -> str:
    """Return *results* as JSON that `read_record` reads."""
    document = {
        **results.made._asdict(),
        "seeds": results.seeds,
        "comparisons": [each._asdict() for each in results.comparisons],
        "influence": [each._asdict() for each in results.influence],
        "courses": results.courses,
    }
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Results:
    """Return the results that `write_record` wrote."""
    document: Mapping[str, Any] = json.loads(text)
    comparisons = []
    for each in document["comparisons"]:
        pairs = tuple(Pair(*pair) for pair in each["pairs"])
        comparisons.append(Comparison(**{**each, "pairs": pairs}))
    return Results(
        document["seeds"],
        comparisons,
        [Influence(**each) for each in document["influence"]],
        document["courses"],
        Made(*(document[name] for name in Made._fields)),
    )


def find_effect(comparison: Comparison) -> Effect:
    """Return how much better the whole memory is, in the units of the figure."""
    sign = 1 if comparison.more_is_better else -1
    return measure_effect(
        [sign * (pair.whole - pair.other) for pair in comparison.pairs]
    )


def judge(effect: Effect) -> str:
    """Return what an effect says of the prediction, in a word."""
    if effect.low > 0:
        return "better"
    if effect.high < 0:
        return "**worse**"
    return "no difference"


def write_table(comparisons: Sequence[Comparison]) -> list[str]:
    """Return a table of *comparisons* in Markdown, a line each."""
    lines = [
        "| figure | compared with | whole | other | better by (95 % interval) | d | seeds | |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for each in comparisons:
        effect = find_effect(each)
        count = len(each.pairs)
        whole = sum(pair.whole for pair in each.pairs) / count
        other = sum(pair.other for pair in each.pairs) / count
        lines.append(
            f"| {each.figure} | {each.other} | {_number(whole)} | {_number(other)} "
            f"| {_number(effect.mean)} ({_number(effect.low)} to {_number(effect.high)}) "
            f"| {effect.size:.1f} | {effect.in_favour} of {count} | {judge(effect)} |"
        )
    return lines


def write_influence(found: Sequence[Influence]) -> list[str]:
    """Return the table of Prediction 4 in Markdown, a line each."""
    lines = [
        "| told | planted | won | over several cycles | questions on it later "
        "| winner shown | other answer than in the twin | changed an answer |",
        "|---|---|---|---|---|---|---|---|",
    ]
    words = {
        "minority": "four voices, and it is so",
        "noise": "one loud source, eight times",
        "insider": "one trusted source, own words, eight times",
    }
    for each in found:
        lines.append(
            f"| {words[each.kind]} | {each.planted} | {each.promoted} | {each.several_cycles} "
            f"| {each.asked} | {each.surfaced} | {each.changed} | {each.influential} |"
        )
    return lines


def _courses(lived: Mapping[int, Lived]) -> dict[str, list[float]]:
    names = next(iter(lived.values())).lives
    courses = {}
    for name in names:
        weeks = zip(
            *(each.lives[name].integrity for each in lived.values()),
            strict=True,
        )
        courses[name] = [round(sum(week) / len(week), 4) for week in weeks]
    return courses


def _number(value: float) -> str:
    if abs(value) >= 20:
        return f"{value:,.0f}"
    return f"{round(value, 3) or 0.0:.3f}"  # no minus before a zero

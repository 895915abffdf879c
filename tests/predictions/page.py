"""`docs/quality/predictions.md` and its plot, made of the recorded results."""

from io import StringIO
from typing import Any

from tests.predictions.results import (
    TITLES,
    Results,
    find_effect,
    write_influence,
    write_table,
)

_HEAD = """\
# The paper's predictions

Made by `{command}` on {date}, after {commit}; the raw pairs are in
[results/predictions.json](results/predictions.json), and a test lives one seed again and compares. The paper calls its
claims predictions and asks to be measured on them (MaM §7). Each figure is a pair: the same life, lived by the whole
memory and by one that lacks a part.

**What lives.** {seeds} simulated people, 26 weeks each: interests drift or jump with a new role, one obsession, one
holiday; 12 notes and 25 questions a week; three foundations that four voices rightly contradict over six weeks, one loud
source that is wrong, one trusted source that is wrong. 200 pages to begin with, at most 340 active; what was not used for
four weeks may be archived, least vitality first. Gravity, vitality, protection, pressure, promotion and the consequences
of audits are the program's own functions. Who contradicts whom is known; a judge that misses three ties of ten stands for
the reading of words. The numbers of the world were set on seeds 0 to 3; the seeds here were first run for this page.

**How to read.** *better by* is the mean of the paired differences, its interval a bootstrap over seeds, *d* Cohen's d of
paired differences.

![Four plots: links that hold by week, what pruning breaks, the change of entropy, and what became of minorities](predictions.svg)
"""
_WORDS = {
    1: """\
*Gravity-protected consolidation keeps cross-references whole and self-description stable under drift.* Holds: it is
gravity alone that does it. Promotion costs a little integrity, because what rested on the loser does not come to rest on
the winner.
""",
    2: """\
*Fewer orphans and broken references under the same storage cap.* Holds, on graphs of 2,000 entries pruned to half
(`tests/bench/pruning.py`); fewer is better here, so *better by* is the number that did not break.
""",
    3: """\
*Promotion keeps access and what is shown more diverse.* The entropy of what is read is higher with promotion than
without. Against vitality alone the prediction **fails** in entropy: what gravity protects goes on being read, and reads
gather there.
""",
    4: """\
*A minority that wins changes what is answered.* The answer is the page that is believed on a foundation's matter, where
it is among the five shown; the twin is the same life without promotion. No single voice can win, and none won in one
cycle.
""",
}
_TAIL = """\
## Limits

A person made by 200 lines is no person. The verdict of an audit is drawn here from what was said of its reads;
`python -m tests.bench audit` measures the rule itself. The cap is the experiment's: the program archives by thresholds.
`python -m tests.predictions --program` lives Prediction 4 through the installed program in four written worlds, and a
case of [conformance](../../conformance/95-predictions.md) holds both switches. Given the pages, links and voices of those
worlds, the memory of these experiments weighs and decides as the installed program does: the same gravity, and branches that
open, grow and win in the same weeks (`tests/predictions/test_agreement.py`). A seed takes four seconds of one core, all of
them two minutes.
"""


def write_page(results: Results) -> str:
    """Return the page as Markdown."""
    parts = [_HEAD.format(seeds=len(results.seeds), **results.made._asdict())]
    for number, title in TITLES.items():
        lines = write_influence(results.influence)
        if number < 4:
            lines = write_table(
                [
                    each
                    for each in results.comparisons
                    if each.prediction == number
                ]
            )
        table = "\n".join(lines)
        parts.append(f"## {title}\n\n{_WORDS[number]}\n{table}\n")
    return "\n".join([*parts, _TAIL])


def draw_plot(results: Results) -> str:
    """Return the plot as SVG, the same for the same results."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "companion"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(10, 7), layout="constrained")
    for name, course in results.courses.items():
        axes[0, 0].plot(range(1, len(course) + 1), course, label=name)
    axes[0, 0].set(title="1 · links that hold", xlabel="week", ylim=(0.8, 1.01))
    axes[0, 0].legend(fontsize=8)
    _draw_pruning(axes[0, 1], results)
    _draw_entropy(axes[1, 0], results)
    _draw_influence(axes[1, 1], results)
    out = StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join(lines) + "\n"


def _draw_pruning(axes: Any, results: Results) -> None:
    pruned = [each for each in results.comparisons if each.prediction == 2]
    for place, each in enumerate(pruned):
        count = len(each.pairs)
        other = sum(pair.other for pair in each.pairs) / count
        whole = sum(pair.whole for pair in each.pairs) / count
        axes.barh([place + 0.2], [other], 0.4, color="C3")
        axes.barh([place - 0.2], [whole], 0.4, color="C0")
    axes.set(
        title="2 · broken by pruning to half (red: vitality only)",
        yticks=range(len(pruned)),
        yticklabels=[each.figure for each in pruned],
    )


def _draw_entropy(axes: Any, results: Results) -> None:
    found = [each for each in results.comparisons if "entropy" in each.figure]
    for place, each in enumerate(found):
        effect = find_effect(each)
        ends = [[effect.mean - effect.low], [effect.high - effect.mean]]
        axes.errorbar([effect.mean], [place], xerr=ends, fmt="o", color="C0")
    axes.axvline(0, color="grey", lw=0.8)
    axes.set(
        title="3 · entropy of what is read: whole less other, bits",
        yticks=range(len(found)),
        yticklabels=[each.other for each in found],
    )


def _draw_influence(axes: Any, results: Results) -> None:
    names = [each.kind for each in results.influence]
    for place, each in enumerate(results.influence):
        shares = (each.planted, each.promoted, each.influential)
        for step, count in enumerate(shares):
            axes.bar([place + 0.25 * step], [count], 0.25, color=f"C{step}")
    axes.set(
        title="4 · planted, won, changed an answer",
        xticks=[place + 0.25 for place in range(len(names))],
        xticklabels=names,
    )

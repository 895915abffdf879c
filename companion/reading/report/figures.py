"""Draw the figures of a report as SVG, by matplotlib; pure but for the drawing.

Colours are written as marks that the page's style sheet replaces, so that one figure serves a light
and a dark page. Text stays text: it can be found, read aloud and enlarged. Titles of pages are
never read as mathematics.
"""

import io
import logging
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, timedelta
from itertools import accumulate
from math import log1p
from typing import TYPE_CHECKING, Any

from companion.errors import CompanionError
from companion.reading.report.values import (
    BranchStory,
    ReportData,
    shorten,
)
from companion.storage.index.survey import DayCount, PageStanding

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Colours that no figure uses otherwise, and what of the style sheet they stand for.
_INK, _FAINT, _PAPER = "#010101", "#010102", "#010103"
_A, _B, _C, _D = "#010104", "#010105", "#010106", "#010107"
_VARIABLES = {
    _INK: "var(--ink)",
    _FAINT: "var(--faint)",
    _PAPER: "var(--paper)",
    _A: "var(--a)",
    _B: "var(--b)",
    _C: "var(--c)",
    _D: "var(--d)",
}
_WIDTH = (
    5.4  # inches; at 72 units each, letters of 10 units are legible on a phone
)
#: points of one figure; more are counted in cells
_MOST_POINTS = 1_500
_TAG = re.compile(r"<[^>]+>")
_DIGITS = re.compile(r"(\d\.\d)\d+")
_FONT = re.compile(r" ?font-family: [^;]*;")
_ID = re.compile(r' id="([^"]*)"')
_REFERENCE = re.compile(r"#([\w-]+)")
_ACROSS, _UP = 36, 20  # cells
_FEW_DAYS = 5  # of which each is named
_A_DAY = timedelta(days=1)
_LABELLED = 12  # pages of the graph that bear their title
_LONGEST = 28  # characters of a title in a figure
# of the graph, and what a title takes of its width and height
_LETTER, _LINE = 0.0135, 0.05
_MARKS = {False: "o", True: "s"}  # colour alone tells some people nothing
_STEPS = ("adopt", "contextualize", "consolidate", "decay", "audit", "settle")


class ReportNeedsMatplotlib(CompanionError):
    """The report needs matplotlib, which is not installed."""

    exit_code = 69
    hint = "Install it with: pip install 'companion-wiki[report]'"


def draw_growth(days: Sequence[DayCount]) -> str:
    """Return how notes and pages grew."""
    notes = _sum_up(days, plus=("consumed",))
    pages = _sum_up(
        days, plus=("created", "registered"), minus=("archived", "merged")
    )
    with _figure("growth", 2.8) as (figure, axes):
        from matplotlib.ticker import MaxNLocator

        for series, colour, label in (
            (notes, _A, "notes taken in"),
            (pages, _B, "pages"),
        ):
            if not series:
                continue
            when, count = zip(*series, strict=True)
            axes.step(
                list(when), list(count), where="post", color=colour, label=label
            )
            axes.plot(when[-1], count[-1], "o", color=colour, markersize=4)
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.yaxis.set_major_formatter("{x:,.0f}")
        _label_days(axes, [when for when, _ in (*notes, *pages)])
        axes.legend(frameon=False, labelcolor=_INK)
        return _as_svg(figure)


def draw_standing(pages: Sequence[PageStanding], floor: float | None) -> str:
    """Return how much depends on each page, beside how alive it is."""
    with _figure("standing", 3.2) as (figure, axes):
        if len(pages) > _MOST_POINTS:
            _draw_cells(axes, pages)
        else:
            _draw_points(axes, pages)
        if floor is not None:
            axes.axvline(floor, color=_C, linestyle="--", linewidth=1)
            axes.annotate(
                "protected from here on",
                (floor, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(4, -2),
                textcoords="offset points",
                va="top",
                color=_C,
                fontsize=9,
            )
        axes.set_xlim(right=max(1.0, *(page.gravity for page in pages)))
        highest = max(page.vitality for page in pages) or 1.0
        # a page at the edge is drawn whole
        axes.set_xlim(left=-0.02)
        axes.set_ylim(-0.04 * highest, 1.15 * highest)
        axes.set_xlabel("gravity: how much depends on it")
        axes.set_ylabel("vitality: how alive it is")
        return _as_svg(figure)


def draw_graph(
    pages: Sequence[PageStanding], links: Sequence[tuple[str, str]]
) -> str:
    """Return the heaviest pages and their links, laid out by springs."""
    places = _lay_out([page.id for page in pages], links)
    with _figure("graph", 4.6) as (figure, axes):
        for source, target in links:
            (x1, y1), (x2, y2) = places[source], places[target]
            axes.plot([x1, x2], [y1, y2], color=_FAINT, zorder=1, linewidth=0.9)
        heaviest = max((page.gravity for page in pages), default=0.0) or 1.0
        for page in pages:
            axes.scatter(
                *places[page.id],
                s=10 + 150 * (page.gravity / heaviest) ** 2,
                color=_C if page.is_protected else _A,
                marker=_MARKS[page.is_protected],
                edgecolors=_PAPER,
                linewidths=0.6,
                zorder=2,
            )
        _name_pages(axes, pages, places)
        axes.set_axis_off()
        axes.margins(0.12)
        return _as_svg(figure)


def draw_branch(story: BranchStory, number: int) -> str:
    """Return how the pressure of a branch went against its threshold, cycle by cycle."""
    from matplotlib.ticker import MaxNLocator

    cycles = list(range(1, len(story.weighings) + 1))
    pressures = [each.pressure for each in story.weighings]
    thresholds = [each.threshold for each in story.weighings]
    with _figure(f"branch {number}", 2.1) as (figure, axes):
        axes.plot(cycles, thresholds, "--", color=_C, label="needed to win")
        axes.plot(cycles, pressures, "o-", color=_A, label="pressure")
        won = [
            cycle
            for cycle, each in zip(cycles, story.weighings, strict=True)
            if each.event == "promoted"
        ]
        for cycle in won:
            axes.annotate(
                "won",
                (cycle, pressures[cycle - 1]),
                xytext=(0, 6),
                textcoords="offset points",
                ha="center",
                color=_B,
            )
        axes.set_ylim(bottom=0, top=1.2 * max([*pressures, *thresholds]))
        axes.set_xlabel("cycle")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend(frameon=False, labelcolor=_INK, fontsize=9)
        return _as_svg(figure)


def draw_nights(report: ReportData) -> str:
    """Return how long each night took, by its steps."""
    nights = [night for night in report.nights if night.steps]
    with _figure("nights", 2.6) as (figure, axes):
        below = [0.0] * len(nights)
        colours = (_D, _B, _A, _C, _FAINT, _INK)
        for step, colour in zip(_STEPS, colours, strict=True):
            minutes = [
                sum(each.seconds for each in night.steps if each.name == step)
                / 60
                for night in nights
            ]
            if any(minutes):
                axes.bar(
                    range(len(nights)),
                    minutes,
                    bottom=below,
                    color=colour,
                    label=step,
                    width=0.8,
                )
            below = [a + b for a, b in zip(below, minutes, strict=True)]
        axes.set_ylabel("minutes")
        axes.set_xlabel("nights, the last one at the right")
        axes.set_xticks([])
        figure.legend(
            loc="outside upper left",
            ncols=3,
            frameon=False,
            labelcolor=_INK,
            fontsize=9,
        )
        return _as_svg(figure)


# -- parts of figures ------------------------------------------------------------------------------


def _sum_up(
    days: Sequence[DayCount],
    *,
    plus: Sequence[str],
    minus: Sequence[str] = (),
) -> list[tuple[date, int]]:
    """Return how much there was at the end of each day that changed it."""
    changes: dict[str, int] = {}
    for each in days:
        sign = (each.event in plus) - (each.event in minus)
        if sign:
            changes[each.day] = changes.get(each.day, 0) + sign * each.number
    ordered = sorted(changes.items())
    totals = accumulate(change for _, change in ordered)
    return [
        (date.fromisoformat(day), total)
        for (day, _), total in zip(ordered, totals, strict=True)
    ]


def _draw_points(axes: "Axes", pages: Sequence[PageStanding]) -> None:
    for is_protected, colour, label in (
        (False, _A, "pages"),
        (True, _C, "protected pages"),
    ):
        some = [page for page in pages if page.is_protected == is_protected]
        if some:
            axes.scatter(
                [page.gravity for page in some],
                [page.vitality for page in some],
                s=16,
                color=colour,
                marker=_MARKS[is_protected],
                alpha=0.7,
                label=label,
            )
    if any(page.is_protected for page in pages):
        axes.legend(frameon=False, labelcolor=_INK, loc="center right")


def _draw_cells(axes: Any, pages: Sequence[PageStanding]) -> None:
    """Draw the cells of a grid, the darker the more pages are in them."""
    cells: dict[tuple[float, float], int] = {}
    highest = max(page.vitality for page in pages) or 1.0
    for page in pages:
        across = round(page.gravity * _ACROSS) / _ACROSS
        up = round(page.vitality / highest * _UP) / _UP * highest
        cells[across, up] = cells.get((across, up), 0) + 1
    most = log1p(max(cells.values()))
    axes.scatter(
        [x for x, _ in cells],
        [y for _, y in cells],
        s=46,
        marker="s",
        linewidths=0,
        color=_A,
        alpha=[
            min(1.0, 0.1 + 0.9 * log1p(count) / most)
            for count in cells.values()
        ],
    )


def _lay_out(
    ids: Sequence[str], links: Sequence[tuple[str, str]]
) -> dict[str, tuple[float, float]]:
    """Return where each page stands: the same every time."""
    import rustworkx

    graph: Any = rustworkx.PyGraph(multigraph=False)
    nodes = dict(zip(ids, graph.add_nodes_from(list(ids)), strict=True))
    for source, target in links:
        graph.add_edge(nodes[source], nodes[target], 1.0)
    found = rustworkx.spring_layout(
        graph, k=3.0 / max(1, len(ids)) ** 0.5, num_iter=300, seed=7
    )
    return {id: (found[node][0], found[node][1]) for id, node in nodes.items()}


def _name_pages(
    axes: "Axes",
    pages: Sequence[PageStanding],
    places: dict[str, tuple[float, float]],
) -> None:
    """Write the titles of the heaviest pages, none over another."""
    taken: list[tuple[float, float, int]] = []
    xs = [x for x, _ in places.values()]
    ys = [y for _, y in places.values()]
    letter = _LETTER * ((max(xs, default=0.0) - min(xs, default=0.0)) or 1.0)
    line = _LINE * ((max(ys, default=0.0) - min(ys, default=0.0)) or 1.0)
    for page in pages:
        if len(taken) == _LABELLED:
            return
        x, y = places[page.id]
        title = shorten(page.title, _LONGEST)
        if any(
            abs(x - other_x) < letter * (len(title) + long) / 2
            and abs(y - other_y) < line
            for other_x, other_y, long in taken
        ):
            continue
        taken.append((x, y, len(title)))
        axes.annotate(
            title,
            (x, y),
            xytext=(0, 7),
            textcoords="offset points",
            ha="center",
            color=_INK,
            fontsize=9,
            zorder=3,
        )


def _label_days(axes: "Axes", days: Sequence[date]) -> None:
    """Name days, months or years below, whichever tell *days* apart; never hours."""
    from matplotlib.dates import (
        AutoDateLocator,
        ConciseDateFormatter,
        DayLocator,
    )

    locator: DayLocator | AutoDateLocator
    if days and (max(days) - min(days)).days < _FEW_DAYS:
        # matplotlib gives a single day an axis of four years
        axes.set_xlim(min(days) - _A_DAY, max(days) + _A_DAY)  # type: ignore[arg-type]
        locator = DayLocator()
    else:
        locator = AutoDateLocator(minticks=3, maxticks=8)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))


# -- figures and SVG -------------------------------------------------------------------------------


@contextmanager
def _figure(name: str, height: float) -> Iterator[tuple["Figure", "Axes"]]:
    """Give an empty figure; *name* keeps the ids of two figures on one page apart."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ReportNeedsMatplotlib from error
    # It names every letter that its own font lacks; the reader's browser has a font for them.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import warnings

    settings = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "text.parse_math": False,
        "font.family": "sans-serif",
        "font.size": 10,
        "text.color": _INK,
        "axes.edgecolor": _FAINT,
        "axes.labelcolor": _INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.grid.axis": "y",
        "grid.color": _FAINT,
        "grid.linewidth": 0.4,
        "xtick.color": _INK,
        "ytick.color": _INK,
    }
    with warnings.catch_warnings(), matplotlib.rc_context(settings):
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure = Figure(figsize=(_WIDTH, height), layout="constrained")
        figure.patch.set_alpha(0)
        axes = figure.subplots()
        axes.patch.set_alpha(0)
        axes.set_axisbelow(True)
        yield figure, axes


def _as_svg(figure: "Figure") -> str:
    """Return *figure* as an element of an HTML page, in the colours of its style sheet."""
    page = io.StringIO()
    figure.savefig(page, format="svg", metadata={"Date": None, "Creator": None})
    svg = page.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r' (?:width|height)="[^"]*pt"', "", svg, count=2)
    svg = _without_unused_ids(_TAG.sub(_lighten_tag, svg))
    for mark, variable in _VARIABLES.items():
        svg = svg.replace(mark, variable)
    return svg.strip()


def _lighten_tag(tag: re.Match[str]) -> str:
    """Return a tag with as many digits as anybody sees, and the font of the page."""
    return _FONT.sub("", _DIGITS.sub(r"\1", tag.group()))


def _without_unused_ids(svg: str) -> str:
    """Return *svg* without the ids that nothing refers to: other figures have the same."""
    used = set(_REFERENCE.findall(svg))

    def keep(found: re.Match[str]) -> str:
        """Return the attribute where something refers to it."""
        return found.group() if found.group(1) in used else ""

    return _ID.sub(keep, svg)

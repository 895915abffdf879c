"""What benches return, as tables of a page."""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.language.stance.stance import LABELS
from conformance.chapter import chapters
from conformance.laws import Law, read_laws
from tests.bench.__main__ import (
    Night,
    cpu_now,
    environment,
    first_night,
    make_notes,
    run,
)
from tests.bench.assistant import Given, assistant
from tests.bench.completing import completing
from tests.bench.costs import SHARD, Costs, costs, extrapolate, sum_year
from tests.bench.index_size import GOAL, GOAL_EACH, Size, measure_index
from tests.bench.jobs import JOBS, OTHERS, count_strokes, jobs
from tests.bench.jobs import Costs as DayCosts
from tests.bench.latency import GOALS, Ratio, latency
from tests.bench.measured.audits import measure_audit, measure_suspensions
from tests.bench.measured.given import (
    measure_evidence,
    measure_extraction,
    measure_vaults,
)
from tests.bench.measured.page import Table
from tests.bench.measured.plain import (
    DAYS,
    RUNS,
    Found,
    measure_aboutness,
    measure_beginnings,
    measure_challengers,
    measure_gathering,
    measure_isolation,
    measure_named_first,
    measure_notebook,
    measure_pressure,
    measure_titles,
    measure_undo,
)
from tests.bench.stance.figures import FALSE
from tests.bench.stance.measure import Figures
from tests.bench.stance.run import open_bench, print_figures
from tests.bench.stance.speed import Ratios, measure_speed
from tests.bench.together import together
from tests.bench.vectors import SEED, Cost, vectors
from tests.bench.web import web
from tests.made import ROOT, note_origin

CONFORMANCE = ROOT / "conformance"
NOTES = 10_000
PAGES = 1000  # of the wiki of cold starts
ONE_WIKI = 4000
TOGETHER = 2000
REPEAT = 3
ROUNDS = 5
#: of the notes and questions that are made up; 0 where nothing is drawn
SEEDS = {
    "web": 20261121,
    "completing": 20261121,
    "costs": 20261126,
    "together": 21,
    "vectors": SEED,
}
GIVEN = {
    "nothing": "nothing",
    "a file": "a file of the newest notes",
    "the start": "the start of a session",
    "context": "`context` of the question",
    "ask": "`ask`",
    "search": "`search`",
}


#: notes, whose they may be, and what is enough for them
ENOUGH = (
    (
        SHARD,
        "one person, 20 notes a day, for 14 years",
        "one wiki on one machine",
    ),
    (
        1_000_000,
        "a team of 50 for three years",
        "10 shards; nights on one machine, `companion fleet night`",
    ),
    (
        10_000_000,
        "a company",
        "100 shards; nights on Dask or Ray, one place to ask in PostgreSQL",
    ),
    (100_000_000, "an organisation", "1,000 shards; the same"),
)


def show_jobs(found: DayCosts) -> dict[str, Found]:
    """Return what each job costs, its keystrokes here and elsewhere, and tokens."""
    told = tomllib.loads(JOBS.read_text(encoding="utf-8"))
    rows = []
    for job in told["job"]:
        others = [count_strokes(job[name]) for name in OTHERS]
        own = (f"`{job['ours']}`", count_strokes(job["ours"]))
        seconds = f"{found.seconds[job['name']]:.3f}"
        rows.append([job["name"], *own, seconds, *others])
    names = ["job", "ours", "keystrokes", "CPU s", *OTHERS]
    tokens = list(found.tokens.items())
    return {
        "jobs": Found(names, rows),
        "tokens": Found(["what", "tokens"], tokens),
    }


def show_milliseconds(what: str, found: dict[str, float]) -> Found:
    """Return the milliseconds of the processor of each."""
    rows = [(name, f"{ms:.1f}") for name, ms in found.items()]
    return Found([what, "ms of CPU"], rows)


def show_given(given: Sequence[Given]) -> dict[str, Found]:
    """Return how many questions each way answered, for how many tokens, and what `ask` missed."""
    rows = []
    for way, name in GIVEN.items():
        own = [one for one in given if one.way == way]
        answered = sum(one.found for one in own)
        tokens = sum(one.tokens for one in own) / len(own)
        rows.append((name, f"{answered} of {len(own)}", f"{tokens:.0f}"))
    missed = [[one.asks] for one in given if one.way == "ask" and not one.found]
    return {
        "assistant": Found(["given", "answered", "tokens, mean"], rows),
        "missed": Found(["what `ask` does not give the answer of"], missed),
    }


def show_costs(found: Sequence[Costs]) -> dict[str, Found]:
    """Return what one of each operation costs, the bytes of a note, and a year."""
    names = list(found[0].ms)
    by_size = {f"{one.notes:,}": one.ms for one in found}
    shard = {name: extrapolate(found, name, SHARD) for name in names}
    by_size[f"{SHARD:,}, by growth"] = shard
    milliseconds = [
        [size, *(_round(ms[name]) for name in names)]
        for size, ms in by_size.items()
    ]
    places = list(found[0].sizes)
    bytes_of = [
        [
            f"{one.notes:,}",
            f"{one.pages:,}",
            *(f"{one.sizes[place]:,.0f}" for place in places),
        ]
        for one in found
    ]
    years = [(size, f"{sum_year(ms):,.0f}") for size, ms in by_size.items()]
    return {
        "operations": Found(["notes", *names], milliseconds),
        "bytes": Found(["notes", "how many pages", *places], bytes_of),
        "years": Found(["notes", "CPU seconds of a year"], years),
        "shards": show_shards(sum_year(shard), sum(found[-1].sizes.values())),
    }


def show_shards(year: float, bytes_a_note: float) -> Found:
    """Return from when on a wiki is not enough, by the seconds of a shard's *year*."""
    rows = []
    for notes, who, enough in ENOUGH:
        hours = notes / SHARD * year / 3600
        disk = notes * bytes_a_note / 1e9
        rows.append((f"{notes:,}", who, enough, f"{hours:,.1f}", f"{disk:.1f}"))
    names = ("notes", "of", "what is enough", "CPU hours a year", "GB")
    return Found(names, rows)


def _round(ms: float) -> str:
    return f"{ms:.1f}" if ms < 10 else f"{ms:,.0f}"


def show_together(found: dict[str, float]) -> Found:
    """Return what projections and questions took."""
    rows = []
    for name, value in found.items():
        unit = "ms" if ", p" in name else "s"
        shown = f"{value:.0f} ms" if unit == "ms" else f"{value:.2f} s"
        rows.append((name, shown))
    return Found(["what", "took"], rows)


def show_first_night(found: dict[str, Night]) -> Found:
    """Return what each step of a first night costs, beside the least that could be done."""
    rows = []
    for name, night in found.items():
        peak = f"{night.peak:.0f}" if night.peak else ""
        rows.append((name, f"{night.seconds:.2f}", f"{night.ratio:.2f}", peak))
    return Found(["step", "CPU s", "times the floor", "peak, MB"], rows)


def show_latency(found: dict[str, Ratio]) -> Found:
    """Return what each call costs, in calls of the empty script, and what it should."""
    rows = []
    for name, ratio in found.items():
        steps = "" if ratio.steps is None else f"{ratio.steps:.2f}"
        cells = (f"{ratio.median:.2f}", f"{ratio.least:.2f}", steps)
        rows.append((name, *cells, f"{GOALS[name]:g}"))
    names = ("call", "CPU, median", "smallest", "instructions", "goal")
    return Found(names, rows)


def show_vectors(found: Sequence[Cost]) -> Found:
    """Return what each command of each model costs, in calls of the empty script."""
    rows = []
    for cost in found:
        steps = "" if cost.steps is None else f"{cost.steps:.1f}"
        ratios = (f"{cost.median:.1f}", f"{cost.least:.1f}", steps)
        rows.append((cost.call, cost.model, *ratios))
    names = ("command", "model", "CPU, median", "smallest", "instructions")
    return Found(names, rows)


def show_index(found: dict[str, Size]) -> Found:
    """Return how large the index is, what it may be, and its largest tables."""
    rows = []
    for what, size in found.items():
        rows.append((what, _megabytes(size.notes)))
        rows.append(("their index", _megabytes(size.index)))
        rows.append((_GOAL, _megabytes(size.goal)))
        for table, count in size.tables.items():
            rows.append((f"`{table}` with its indexes", _megabytes(count)))
    return Found(["what", "MB"], rows)


_GOAL = f"the goal: {GOAL:g} times the notes and {GOAL_EACH:,} bytes a note"


def _megabytes(count: float) -> str:
    return f"{count / 1e6:.1f}"


def show_coverage() -> Found:
    """Return how many laws and clauses the suite has, and how many of them a case proves."""
    listed = read_laws(CONFORMANCE)
    clauses = [clause for law in listed for clause in law.clauses]
    cases = [case for one in chapters(CONFORMANCE) for case in one.cases]
    named = {name for case in cases for name in case.twins}
    rows = [
        ("laws", len(listed)),
        ("of them with a case", sum(_is_proved(law) for law in listed)),
        ("clauses", len(clauses)),
        ("of them with a case", sum(bool(one.cases) for one in clauses)),
        ("cases", len(cases)),
        ("programs that break a law from inside or outside", len(named)),
    ]
    return Found(["what", "how many"], rows)


def _is_proved(law: Law) -> bool:
    return any(clause.cases for clause in law.clauses)


def show_stance(found: dict[str, Figures]) -> Found:
    """Return how well each part ranks each label, and what a night catches at few false flags."""
    rows = []
    for name, reached in found.items():
        areas = [_shorten(reached.areas[label]) for label in LABELS]
        caught = " / ".join(_shorten(one.caught) for one in reached.curve)
        rows.append((name, *areas, caught))
    night = f"night at {' / '.join(map(str, FALSE))}"
    return Found(["part", *LABELS, night], rows)


def show_stance_cost(found: dict[str, Ratios]) -> Found:
    """Return what judging costs, in pairs that the rules alone judge."""
    rows = [(name, ratios.show()) for name, ratios in found.items()]
    return Found(["what", "times a pair by the rules alone"], rows)


def _shorten(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def _measure_first_night(work: Path) -> Found:
    notes = make_notes(work / "notes", NOTES)
    size = sum(len(text) for _, text in notes)
    return show_first_night(first_night(work, notes, size, 1))


def _measure_latency(work: Path) -> Found:
    notes = make_notes(work / "notes", PAGES)
    return show_latency(latency(work, notes, ROUNDS, environment()))


# -- by page ---------------------------------------------------------------------------------------

Measure = Callable[[Path], dict[str, Found]]
_SHOWN = "python -m tests.bench {bench}"
ISOLATION = "python -m tests.ledger.isolation"
#: a bench that reads a folder of public data, which whoever measures names
GIVEN_DATA = "--data DIR"
STANCE_COST = "python -m tests.bench.stance.speed"
COVERAGE = "python -m conformance --coverage"
#: page -> bench, as it is called -> what it gives for the page
BENCHES: dict[str, dict[str, Measure]] = {
    "everyday": {
        "jobs": lambda work: show_jobs(jobs(work, REPEAT, run)),
        f"web --notes {NOTES}": lambda work: {
            "web": show_milliseconds("page", web(work, NOTES))
        },
        f"completing --notes {NOTES}": lambda work: {
            "completing": show_milliseconds(
                "completed", dict(completing(work, NOTES, REPEAT))
            )
        },
        "assistant": lambda work: show_given(assistant(work)),
    },
    "costs": {
        f"costs --notes {ONE_WIKI}": lambda work: show_costs(
            costs(work, ONE_WIKI, cpu_now)
        ),
        f"together --notes {TOGETHER}": lambda work: {
            "together": show_together(together(work, TOGETHER))
        },
    },
    # what needs hours or a reader is recorded from other runs
    "benches": {
        "pressure": measure_pressure,
        "audit": measure_audit,
        "suspensions": measure_suspensions,
        "challengers": measure_challengers,
        "aboutness": measure_aboutness,
        "beginnings": measure_beginnings,
        "beginnings --sample 2": measure_named_first,
        "told-titles": measure_titles,
        f"gathering --days {DAYS}": measure_gathering,
        f"undo --runs {RUNS}": measure_undo,
        "notebook": measure_notebook,
        ISOLATION: measure_isolation,
        f"evidence {GIVEN_DATA}": measure_evidence,
        f"extraction {GIVEN_DATA}": measure_extraction,
        f"vaults {GIVEN_DATA}": measure_vaults,
    },
    # of these, what needs days, data or another commit is recorded from other runs
    "proofs": {COVERAGE: lambda _: {"coverage": show_coverage()}},
    "stance": {
        STANCE_COST: lambda _: {"cost": show_stance_cost(measure_speed())},
        "stance": lambda _: {
            "light-dev": show_stance(print_figures(open_bench("static"), "dev"))
        },
    },
    "speed": {
        f"first-night --notes {NOTES} --repeat 1": lambda work: {
            "first-night": _measure_first_night(work)
        },
        f"latency --notes {PAGES} --repeat 1": lambda work: {
            "latency": _measure_latency(work)
        },
        f"vectors --repeat {ROUNDS}": lambda work: {
            "vectors": show_vectors(vectors(work, ROUNDS, environment()))
        },
        "index": lambda work: {"index": show_index(measure_index(work))},
    },
}


def measure(page: str, bench: str, work: Path) -> dict[str, Table]:
    """Run a bench; return the tables that it gives for *page*."""
    command = bench
    if not bench.startswith("python "):
        command = _SHOWN.format(bench=bench)
    _, commit, date = note_origin(command)
    return {
        name: Table(
            command,
            commit,
            date,
            [SEEDS.get(bench.split()[0], 0)],
            list(found.columns),
            [list(map(str, row)) for row in found.rows],
        )
        for name, found in BENCHES[page][bench](work).items()
    }

"""`python -m tests.bench poisoning`: what it costs to overturn a protected page by false notes.
`python -m tests.bench.poisoning` writes the page of the documents.

An attacker buys voices, waits, and tells: many names through one assistant (as injected queries make
it tell), copies under many names, or accomplices in words of their own. Pure simulation from fixed
seeds, through `plan_branches` as a night calls it; see `pressure.py`. *Off* has neither the discount
for what one author brought nor the bound for a day nor the one for a voice. A memory that believes
the last word falls to one voice in one night.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from companion.minority import pressure
from companion.minority.pressure import Policy
from companion.routing import matrix
from tests.bench.pressure import GRAVITIES, Course, Plant, bots, live, voices
from tests.made import note_origin, publish

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "poisoning.json"
PAGE = QUALITY / "poisoning.md"
PLOT = QUALITY / "poisoning.svg"
COMMAND = "python -m tests.bench.poisoning"
SEEDS = 20
VOICES = (1, 2, 3, 4, 6, 8, 12, 20)
NIGHTS = (1, 7, 30)
#: of a source of a trusted class, whose one voice an attacker may hold
TRUSTED = 1.5
ATTACKS: Mapping[str, Callable[[int, float], Plant]] = {
    "names through one assistant": lambda count, days: voices(
        count, days, agent="assistant"
    ),
    "copies under many names": lambda count, days: bots(count, days, 2),
    "accomplices in their own words": voices,
}
POLICIES: Mapping[str, Policy] = {
    "on": pressure.DEFAULT,
    "off": replace(
        pressure.DEFAULT, author=1.0, crowd=(1.0,) * 100, alone=100.0
    ),
}


class Price(NamedTuple):
    """How often an attack of so many voices over so many nights succeeds."""

    attack: str
    defence: str  # on | off
    nights: int
    trusted: bool
    shares: tuple[float, ...]  # for each of VOICES, over all gravities


def measure_prices(seeds: int = SEEDS) -> Iterator[Price]:
    """Yield what each attack costs, with the defences and without."""
    for attack, plant in ATTACKS.items():
        for defence, policy in POLICIES.items():
            for nights in NIGHTS:
                for trusted in (False, True):
                    shares = tuple(
                        measure_share(
                            plant(count, nights),
                            policy,
                            seeds,
                            trusted=trusted,
                        )
                        for count in VOICES
                    )
                    yield Price(attack, defence, nights, trusted, shares)


def measure_share(
    plant: Plant, policy: Policy, seeds: int, *, trusted: bool
) -> float:
    """Return the share of lives in which *plant* wins; *trusted* is said of its first source."""
    trust = {"source 0": TRUSTED, "bot 0": TRUSTED} if trusted else {}
    courses = [live(plant, seed, policy, trust=trust) for seed in range(seeds)]
    wins = [_has_won(course, policy) for course in courses]
    return sum(wins) / len(wins)


def _has_won(course: Course, policy: Policy) -> float:
    """Return the share of incumbents, light to heavy, that *course* overturns."""
    won = 0
    for gravity in GRAVITIES:
        needed = pressure.measure_threshold(gravity, matrix.EPISTEMIC, policy)
        won += course.won(needed.value) is not None
    return won / len(GRAVITIES)


def poisoning() -> None:
    """Print the price of each attack."""
    print(write_page(Record(COMMAND, "", "", SEEDS, tuple(measure_prices()))))


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: int
    prices: tuple[Price, ...]


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    document = record._asdict()
    document["voices"] = VOICES
    document["prices"] = [price._asdict() for price in record.prices]
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    del document["voices"]
    prices = [
        Price(**{**each, "shares": tuple(each["shares"])})
        for each in document.pop("prices")
    ]
    return Record(**document, prices=tuple(prices))


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    lines = [_HEAD.format(**record._asdict())]
    cells = "".join(f" {count} |" for count in VOICES)
    rule = "---|" * len(VOICES)
    for attack in ATTACKS:
        lines.append(f"## {attack.capitalize()}\n")
        lines.append(f"| within | a trusted one | defence |{cells}")
        lines.append(f"|---|---|---|{rule}")
        for price in record.prices:
            if price.attack == attack:
                lines.append(_write_row(price))
        lines.append("")
    return "\n".join([*lines, _TAIL])


def _write_row(price: Price) -> str:
    shares = "".join(f" {share:.2f} |" for share in price.shares)
    within = "a day" if price.nights == 1 else f"{price.nights} days"
    trusted = "yes" if price.trusted else ""
    return f"| {within} | {trusted} | {price.defence} |{shares}"


def draw_plot(record: Record) -> str:
    """Return the plot as SVG, the same for the same record."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "companion"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(
        1, len(ATTACKS), figsize=(11, 3.4), sharey=True, layout="constrained"
    )
    for place, attack in enumerate(ATTACKS):
        for price in record.prices:
            if price.attack == attack and not price.trusted:
                axes[place].plot(
                    VOICES,
                    price.shares,
                    "o-" if price.defence == "on" else "x--",
                    color=f"C{NIGHTS.index(price.nights)}",
                    label=f"{price.nights} d, {price.defence}",
                )
        axes[place].set(title=attack, xlabel="voices bought")
    axes[0].set_ylabel("attacks that succeed")
    axes[0].legend(fontsize=7)
    out = StringIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    pyplot.close(figure)
    lines = [line.rstrip() for line in out.getvalue().splitlines()]
    return "\n".join(lines) + "\n"


def record_run() -> None:
    """Measure, and write the results, the page and the plot of the documents."""
    record = Record(*note_origin(COMMAND), SEEDS, tuple(measure_prices()))
    publish(PAGE.stem, write_record(record), write_page(record))
    PLOT.write_text(draw_plot(record), "utf-8")


_HEAD = """# What poisoning costs

Made by `{command}` from {seeds} seeds on {date}, after {commit}; the figures are in
[results/poisoning.json](results/poisoning.json), and tests hold this page to them and measure some of them again.

An attacker wants a false statement in the place of a protected page. The price is voices: names, accounts, accomplices.
A memory that believes the last word costs one voice and one night. Each figure is the share of attacks that win within
half a year, over incumbents of effective gravity 0.6 to 0.99. The judge misses three ties of ten.

*On* are the defaults. *Off* has neither the discount for what one author brought, nor the bound for a day, nor the one
for a voice; what finds copies cannot be switched off and stays. *A trusted one*: one of the voices is of a source to which
the settings give a trust of 1.5.

![Attacks that succeed by voices bought, for three kinds of attack, with the defences and without](poisoning.svg)
"""

_TAIL = """## What it means

- **One voice or two never win** where the settings trust nobody, however long they wait and however often they speak.
- **Many names through one assistant**, as injected queries make it tell, never win, twenty of them neither: they are one
  author's. Without the discount three names win in .45 to .70 of the cases.
- **A day is not enough** for anybody whom the settings do not trust: what is told in one day is bounded.
- **Accomplices in words of their own** win from three voices on, as a true minority does: nothing in the notes tells them
  apart. So do copies in which two words of fourteen differ, spread over a month. The price is three voices and a week; the
  branch is seen in `companion branches` and the morning all that time, and a promotion is taken back by `undo`.
- **Trust cannot be lent.** An assistant that speaks by the name of a trusted source weighs as any assistant does, unless
  the settings trust the assistant, too.
- **Trust is a door** for who comes himself: with a trusted one among them, two accomplices win within a week and three
  within a day, in .36 and .45 of the cases.
"""

if __name__ == "__main__":
    record_run()

"""The sweeps of simulated worlds: a file of results that grows, and a page of the documents."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from tests.made import note_origin, publish

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "simulation.json"
PAGE = QUALITY / "simulation.md"
COMMAND = (
    "python -m tests.simulation --first {first} --seeds {seeds}"
    " --steps {steps} --write"
)


@dataclass(frozen=True)
class Sweep:
    """Worlds that were lived one after the other."""

    first: int  # seed
    steps: int  # events of each
    lived: int
    failed: tuple[int, ...]  # seeds
    notes: int
    years: float
    most: int  # processes of one operation
    cpu_seconds: int
    commit: str = ""
    date: str = ""

    @property
    def command(self) -> str:
        """Return what lives the same worlds again."""
        return COMMAND.format(
            first=self.first, seeds=self.lived, steps=self.steps
        )


def read_sweeps(text: str) -> list[Sweep]:
    """Return the sweeps of a results file, the oldest first."""
    sweeps = []
    for row in json.loads(text)["sweeps"]:
        failed = tuple(row.pop("failed"))
        sweeps.append(Sweep(failed=failed, **row))
    return sweeps


def write_sweeps(sweeps: Sequence[Sweep]) -> str:
    """Return *sweeps* as the text of a results file."""
    last = sweeps[-1]
    document = {
        "command": last.command,
        "commit": last.commit,
        "date": last.date,
        "seeds": sum(one.lived for one in sweeps),
        "failed": sum(len(one.failed) for one in sweeps),
        "notes": sum(one.notes for one in sweeps),
        "years": round(sum(one.years for one in sweeps)),
        "sweeps": [asdict(one) for one in sweeps],
    }
    return json.dumps(document, indent=1) + "\n"


def write_page(sweeps: Sequence[Sweep]) -> str:
    """Return the page that shows *sweeps*."""
    lived = sum(one.lived for one in sweeps)
    failed = sum(len(one.failed) for one in sweeps)
    notes = sum(one.notes for one in sweeps)
    years = round(sum(one.years for one in sweeps))
    lines = [
        f"**{lived:,} worlds of {years:,} simulated years and {notes:,} notes"
        f" were lived; a law broke in {failed or 'none'}.** The goal is a"
        " thousand without one.",
        "",
        "| seeds | events | lived | a law broke in | notes | years"
        " | processes an operation, at most | CPU s | on | after |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    lines += [_write_row(one) for one in sweeps]
    lines.append(
        f"| all | | {lived:,} | {failed} worlds | {notes:,} | {years:,} | | | | |"
    )
    return _HEAD.format(command=sweeps[-1].command) + "\n".join(lines) + "\n"


def _write_row(one: Sweep) -> str:
    cells = (
        f"{one.first} to {one.first + one.lived - 1}",
        one.steps,
        one.lived,
        ", ".join(map(str, one.failed)) or "none",
        f"{one.notes:,}",
        round(one.years),
        one.most,
        f"{one.cpu_seconds:,}",
        one.date,
        one.commit,
    )
    return f"| {' | '.join(map(str, cells))} |"


def record(sweep: Sweep) -> None:
    """Write *sweep* into the results and the page, in place of what it goes on from."""
    _, commit, date = note_origin(COMMAND)
    sweep = replace(sweep, commit=commit, date=date)
    sweeps: list[Sweep] = []
    if RESULTS.exists():
        sweeps = read_sweeps(RESULTS.read_text("utf-8"))
    key = (sweep.first, sweep.steps, commit)
    sweeps = [
        one for one in sweeps if (one.first, one.steps, one.commit) != key
    ]
    sweeps.append(sweep)
    publish(PAGE.stem, write_sweeps(sweeps), write_page(sweeps))


_HEAD = """\
# Several machines over simulated years, counted

```
{command}     these worlds again; exit 1 if a law breaks
```

[Proofs](proofs.md) says what a world is and to which laws it is held. Each row is a sweep of seeds that nothing was tuned
on; `--write` writes after every ten worlds, so that a sweep that is stopped counts as far as it came. The figures are in
[results/simulation.json](results/simulation.json), and a test holds this page to them.

From 14060 on the person's merges and pulls run in the process of their world, and every fiftieth world is lived by the installed
program ([ADR 410](../adr/0410-a-worlds-transports-run-in-its-process.md)). The worlds of 13600 doubted a clock from five years ahead
on, the others of that day from twenty, those since from fifteen. A world in which a law broke counts as broken for good, whatever
was mended since: [Proofs](proofs.md) says what.

From 20000 on clocks also run 40 days, 300 days and three years ahead, too little to be doubted, and are put right again, every other
time with `doctor --repair` ([ADR 435](../adr/0435-what-was-told-ahead-may-be-told-again.md)). What such a clock tells may wait for its day on the
other machines, named in each sync, and `status` and `doctor` say so at home; what is told on a day that has come may not. When all is
quiet, that day comes, and every law is held as ever. Earlier seeds are drawn as they were.

"""

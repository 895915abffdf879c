"""What the parsers were fed with: a file of results, and a page of the documents."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tests.made import note_origin, publish

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "quality" / "results" / "fuzz.json"
PAGE = ROOT / "docs" / "quality" / "fuzz.md"
COMMAND = "python -m tests.fuzz --minutes {minutes:g} --seed {seed} --write"

HEAD = """\
# Damaged bytes

```
{command}
python -m tests.fuzz frontmatter --minutes 5 --seed 7     one parser of foreign bytes; exit 1 where it breaks down
```

Parsers of foreign bytes are fed with bytes that hypothesis damages from good ones: frontmatter, pages, tables, the ledger,
rows of the journal, records of use, JSONL, headers of the buffer, settings, times, manifests of containers, leases, signals,
the files and the words of units, headers of cold memory and of originals, answers of workers. Each must
return, or raise an error with words, within two seconds of the processor. A sample is in the check. `--write` adds a run to
[results/fuzz.json](results/fuzz.json) and writes this page, and a test holds the page to them. A minute is one of the
clock: the seconds of the processor say how much of it the machine gave.

"""


@dataclass(frozen=True)
class Fed:
    """What one run fed to the parsers."""

    seeds: Sequence[int]  # the first, and the one after the last
    minutes: float
    cpu_seconds: int
    inputs: Mapping[str, int]  # by parser
    broken: Mapping[str, str]  # parser -> where it broke down
    commit: str = ""
    date: str = ""

    @property
    def command(self) -> str:
        """Return what feeds the same again."""
        return COMMAND.format(minutes=self.minutes, seed=self.seeds[0])


def read_runs(text: str) -> list[Fed]:
    """Return the runs of a results file, the oldest first."""
    document: dict[str, Any] = json.loads(text)
    return [Fed(**row) for row in document["runs"]]


def write_runs(runs: Sequence[Fed]) -> str:
    """Return *runs* as the text of a results file."""
    last = runs[-1]
    about = {
        "command": last.command,
        "commit": last.commit,
        "date": last.date,
        "seeds": [one.seeds for one in runs],
        "inputs": sum(count_inputs(runs).values()),
        "cpu_seconds": sum(one.cpu_seconds for one in runs),
    }
    rows = [asdict(one) for one in runs]
    return json.dumps({**about, "runs": rows}, indent=1) + "\n"


def count_inputs(runs: Sequence[Fed]) -> Counter[str]:
    """Return the inputs of all *runs*, by parser."""
    inputs: Counter[str] = Counter()
    for one in runs:
        inputs.update(one.inputs)
    return inputs


def write_page(runs: Sequence[Fed]) -> str:
    """Return the page that shows *runs*."""
    inputs = count_inputs(runs)
    broken = {name for one in runs for name in one.broken}
    fell = f"in a run {len(broken)}" if broken else "none"
    seconds = sum(one.cpu_seconds for one in runs)
    lines = [
        f"**{sum(inputs.values()):,} inputs in {seconds} seconds of the"
        f" processor; {fell} of the parsers broke down.**",
        "",
        "| run | seeds | minutes | CPU s | inputs | broke down | after |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [_write_run(one) for one in runs]
    lines += ["", "| parser | inputs |", "|---|---|"]
    lines += [
        f"| {name} | {count:,} |" for name, count in sorted(inputs.items())
    ]
    return HEAD.format(command=runs[-1].command) + "\n".join(lines) + "\n"


def _write_run(one: Fed) -> str:
    seeds = f"{one.seeds[0]} to {one.seeds[1] - 1}"
    fell = ", ".join(sorted(one.broken)) or "none"
    total = f"{sum(one.inputs.values()):,}"
    return (
        f"| {one.date} | {seeds} | {one.minutes:g} | {one.cpu_seconds} |"
        f" {total} | {fell} | {one.commit} |"
    )


def record(fed: Fed) -> None:
    """Add what was fed to the results, and write the page."""
    _, commit, date = note_origin(COMMAND)
    runs = read_runs(RESULTS.read_text("utf-8"))
    runs.append(replace(fed, commit=commit, date=date))
    publish(PAGE.stem, write_runs(runs), write_page(runs))

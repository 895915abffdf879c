"""What the parsers were fed with: a file of results, and a page of the documents."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tests.made import note_origin

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
rows of the journal, records of use, JSONL, headers of the buffer, settings, times, manifests of containers. Each must
return, or raise an error with words, within two seconds of the processor. A sample is in the check. The first command was
run on {date}, after {commit}; the figures are in [results/fuzz.json](results/fuzz.json), and a test holds this page to
them. A minute is one of the clock: the seconds of the processor say how much of it the machine gave.

"""


@dataclass(frozen=True)
class Fed:
    """What one run fed to the parsers."""

    seeds: Sequence[int]  # the first, and the one after the last
    minutes: float
    cpu_seconds: int
    inputs: Mapping[str, int]  # by parser
    broken: Mapping[str, str]  # parser -> where it broke down


def read_record(text: str) -> tuple[Fed, str, str]:
    """Return what was fed, the commit and the day of it."""
    document: dict[str, Any] = json.loads(text)
    commit, date = document.pop("commit"), document.pop("date")
    document.pop("command")
    return Fed(**document), commit, date


def write_record(fed: Fed, commit: str, date: str) -> str:
    """Return what was fed as the text of a results file."""
    command = COMMAND.format(minutes=fed.minutes, seed=fed.seeds[0])
    about = {"command": command, "commit": commit, "date": date}
    return json.dumps({**about, **asdict(fed)}, indent=1) + "\n"


def write_page(fed: Fed, commit: str, date: str) -> str:
    """Return the page that shows what was fed."""
    command = COMMAND.format(minutes=fed.minutes, seed=fed.seeds[0])
    head = HEAD.format(command=command, commit=commit, date=date)
    total = sum(fed.inputs.values())
    fell = str(len(fed.broken)) if fed.broken else "none"
    sum_up = (
        f"**{total:,} inputs in {fed.minutes:g} minutes and {fed.cpu_seconds}"
        f" seconds of the processor; {fell} of the parsers broke down.**"
    )
    lines = [sum_up, "", "| parser | inputs | broke down |", "|---|---|---|"]
    for name, count in sorted(fed.inputs.items()):
        fell = "yes" if name in fed.broken else "no"
        lines.append(f"| {name} | {count:,} | {fell} |")
    return head + "\n".join(lines) + "\n"


def record(fed: Fed) -> None:
    """Write what was fed into the results and the page."""
    _, commit, date = note_origin(COMMAND)
    RESULTS.write_text(write_record(fed, commit, date), "utf-8")
    PAGE.write_text(write_page(fed, commit, date), "utf-8")

"""What became of the mutants of each rule: a file of results, and a page of the documents."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.made import publish
from tests.mutation.reasons import NOTICED, REASONS

ROOT = Path(__file__).resolve().parents[2]
QUALITY = ROOT / "docs" / "quality"
RESULTS = QUALITY / "results" / "mutation.json"
PAGE = QUALITY / "mutation.md"
COMMAND = "python -m tests.mutation --sample 7 --seed 8 --write"

HEAD = """\
# Broken rules

```
pip install 'cosmic-ray>=8.7,<9'
{command}     seven mutants of each rule, and this page
python -m tests.mutation formula                              all mutants of one
```

The operators of cosmic-ray change a comparison, a number, a condition or a sign in a pure rule, and a unit test of that rule
must fail. The goal is nine of ten. Each row has a chance sample of one run, drawn after the tests were written. What they
let pass stands below, with the test that notices it since, or the reason why it breaks no rule. Last written on {date}, after {commit}. The figures are in
[results/mutation.json](results/mutation.json), and a test holds this page to them.

"""


@dataclass(frozen=True)
class Survivor:
    """A mutant that no test noticed."""

    line: int
    operator: str
    change: str  # the lines that it takes and gives


@dataclass(frozen=True)
class Score:
    """What became of the mutants of one rule in one run."""

    path: str
    mutants: int  # of the file
    seed: int
    tested: int
    survivors: tuple[Survivor, ...]
    commit: str
    date: str

    @property
    def killed(self) -> int:
        """Return how many of those tested a test noticed."""
        return self.tested - len(self.survivors)


@dataclass(frozen=True)
class Earlier:
    """An earlier sample, whose survivors have tests or a reason by now."""

    seed: int
    rules: int
    tested: int
    killed: int
    date: str


def read_earlier(text: str) -> tuple[Earlier, ...]:
    """Return the earlier samples of a results file."""
    return tuple(Earlier(**row) for row in json.loads(text)["earlier"])


def read_scores(text: str) -> tuple[Score, ...]:
    """Return what `write_scores` wrote."""
    scores = []
    for row in json.loads(text)["rules"]:
        survivors = tuple(Survivor(**one) for one in row.pop("survivors"))
        scores.append(Score(survivors=survivors, **row))
    return tuple(scores)


def write_scores(
    scores: Sequence[Score], earlier: Sequence[Earlier] = ()
) -> str:
    """Return *scores*, and *earlier* samples, as the text of a results file."""
    date, commit = find_last(scores)
    share, of_faults = measure_shares(scores)
    document = {
        "command": COMMAND,
        "commit": commit,
        "date": date,
        "seeds": sorted({one.seed for one in scores}),
        "share": f"{share:.3f}",
        "share_of_faults": f"{of_faults:.3f}",
        "earlier": [asdict(one) for one in earlier],
        "rules": [asdict(one) for one in scores],
    }
    return json.dumps(document, indent=1) + "\n"


def measure_shares(scores: Sequence[Score]) -> tuple[float, float]:
    """Return which share of all mutants was killed, and of those that break a rule."""
    tested = sum(one.tested for one in scores)
    killed = sum(one.killed for one in scores)
    _, idle = count_noticed(scores)
    return killed / tested, killed / max(1, tested - idle)


def find_last(scores: Sequence[Score]) -> tuple[str, str]:
    """Return the day and the commit of the last score."""
    return max((one.date, one.commit) for one in scores)


def replace_scores(
    known: Sequence[Score], measured: Sequence[Score]
) -> list[Score]:
    """Return *known* with what was measured anew in place of the older, by path."""
    by_path = {one.path: one for one in known}
    by_path.update({one.path: one for one in measured})
    return [by_path[path] for path in sorted(by_path)]


def write_page(scores: Sequence[Score], earlier: Sequence[Earlier] = ()) -> str:
    """Return the page that shows *scores* and *earlier* samples."""
    tested = sum(one.tested for one in scores)
    killed = sum(one.killed for one in scores)
    noticed, idle = count_noticed(scores)
    share, of_faults = (f"{one:.3f}" for one in measure_shares(scores))
    lines = [
        f"**{killed} of {tested} mutants were killed ({share})**"
        f" by the tests that there were; {of_faults} of those that break a"
        " rule.",
        "",
        f"Of those that lived, tests written after it notice {noticed},"
        f" and {idle} break no rule.",
        "",
        *_write_earlier(earlier),
        "| rule | mutants | tested | killed | share | on | after |",
        "|---|---|---|---|---|---|---|",
    ]
    lines += [_write_row(one) for one in scores]
    mutants = sum(one.mutants for one in scores)
    lines.append(f"| all | {mutants} | {tested} | {killed} | {share} | | |")
    for one in scores:
        lines += _write_survivors(one)
    date, commit = find_last(scores)
    head = HEAD.format(command=COMMAND, date=date, commit=commit)
    return head + "\n".join(lines) + "\n"


def _write_earlier(earlier: Sequence[Earlier]) -> list[str]:
    if not earlier:
        return []
    lines = [
        "Other samples, by the tests of their time; those of fewer rules after"
        " the first were stopped when their time was over:",
        "",
        "| seed | rules | tested | killed | share | on |",
        "|---|---|---|---|---|---|",
    ]
    for one in earlier:
        share = f"{one.killed / one.tested:.3f}"
        cells = (one.seed, one.rules, one.tested, one.killed, share, one.date)
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return [*lines, ""]


def _write_row(one: Score) -> str:
    share = f"{one.killed / one.tested:.3f}"
    cells = (one.mutants, one.tested, one.killed, share, one.date, one.commit)
    words = " | ".join(str(cell) for cell in cells)
    return f"| `{one.path}` | {words} |"


def _write_survivors(one: Score) -> list[str]:
    if not one.survivors:
        return []
    lines = ["", f"## Let live in {one.path}"]
    for survivor in one.survivors:
        lines += ["", f"Line {survivor.line}, {survivor.operator}:", ""]
        lines.append("```diff")
        lines += [line.strip() for line in survivor.change.splitlines()]
        lines += ["```", "", _explain(one.path, survivor)]
    return lines


def _explain(path: str, survivor: Survivor) -> str:
    """Return why a mutant lives, or which test notices it since."""
    changed = survivor.change.splitlines()[-1].strip()
    key = path, changed.removeprefix("+").strip()
    if key in NOTICED:
        return f"Noticed since, by `{NOTICED[key]}`."
    return REASONS.get(key, "A test is missing.")


def count_noticed(scores: Sequence[Score]) -> tuple[int, int]:
    """Return how many survivors a test notices since, and how many break no rule."""
    told = [_explain(s.path, one) for s in scores for one in s.survivors]
    noticed = sum(each.startswith("Noticed") for each in told)
    missing = told.count("A test is missing.")
    return noticed, len(told) - noticed - missing


def record(measured: Sequence[Score]) -> None:
    """Write what was measured into the results and the page."""
    known: tuple[Score, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    if RESULTS.exists():
        text = RESULTS.read_text("utf-8")
        known, earlier = read_scores(text), read_earlier(text)
    scores = replace_scores(known, measured)
    publish(
        PAGE.stem, write_scores(scores, earlier), write_page(scores, earlier)
    )

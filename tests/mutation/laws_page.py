"""What the suite of the paper's laws made of mutants: its record, its page, and each rule's cases."""

import json
import re
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from conformance import suite
from conformance.chapter import Case, chapters
from tests.mutation.reasons import REASONS

ROOT = Path(__file__).resolve().parents[2]
QUALITY = ROOT / "docs" / "quality"
RESULTS = QUALITY / "results" / "mutation-by-laws.json"
PAGE = QUALITY / "mutation-by-laws.md"
#: rule -> the laws that it is made for, whose cases go first
LAWS = {
    "companion/ledger/supersession.py": ("LED-2", "LED-3"),
    "companion/ledger/operators.py": ("LED-5",),
    "companion/ledger/resolve.py": ("LED-3", "LED-5"),
    "companion/ledger/dependents/follow.py": ("LED-12",),
    "companion/minority/pressure.py": ("CON-9", "CON-15"),
    "companion/minority/plan.py": ("CON-13", "CON-11"),
    "companion/minority/clusters.py": ("CON-1", "CON-11"),
    "companion/operations/decay/vitality.py": ("DEC-1", "DEC-6"),
    "companion/operations/decay/plan.py": ("DEC-6", "DEC-7", "DEC-2"),
    "companion/operations/audit/verdict.py": ("AUD-5", "AUD-6"),
    "companion/operations/audit/consequence.py": ("AUD-5", "AUD-8"),
    "companion/operations/audit/choose.py": ("AUD-7", "AUD-10"),
    "companion/routing/matrix.py": ("ROW-4", "ROW-5"),
    "companion/routing/signals.py": ("ROW-3",),
    "companion/routing/user_words.py": ("ROW-1", "ROW-2"),
    "companion/operations/triage/filter.py": ("TRI-6",),
}
COMMAND = (
    "python -m tests.mutation.by_conformance --sample {sample} --seed {seed}"
    " --seconds {seconds}"
)
INSTEAD = "tests.mutation.instead"
SERVER = "tests.warm.server"
# what starts a command in a case
_CALL = re.compile(
    r"\b(?:companion|run|make_\w+|capture_\w+|consolidate_on)\(|^\$",
    re.MULTILINE,
)
#: rule, by the beginning of its path -> the chapters of its laws
CHAPTERS = {
    "companion/ledger/": ["60-ledger"],
    "companion/minority/": ["50-consolidate"],
    "companion/gravity/": ["80-gravity"],
    "companion/operations/decay/": ["53-decay"],
    "companion/operations/audit/": ["55-audit"],
    "companion/routing/": ["90-routing"],
    "companion/operations/triage/": ["20-triage"],
}


class Held(NamedTuple):
    """What the suite made of one mutant."""

    path: str
    line: int
    operator: str
    change: str  # the lines that it takes and gives
    noticed: str  # by which case; empty: by none


class Record(NamedTuple):
    """What is published of one run."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    mutants: list[Held]


def list_cases(path: str) -> list[Case]:
    """Return the cases of the chapters of the rule at *path*: those of its own laws first, and then
    those that start least commands.
    """
    (names,) = [
        names for start, names in CHAPTERS.items() if path.startswith(start)
    ]
    cases = suite.chosen(chapters(ROOT / "conformance"), names, [], "")
    own = LAWS.get(path, ())

    def rank(case: Case) -> tuple[bool, int]:
        return not set(own) & set(case.ids), len(_CALL.findall(case.body))

    return sorted(cases, key=rank)


def find_case(
    cases: list[Case], program: list[str], seconds: float = 1e9
) -> str:
    """Return the name of the first of *cases* that *program* fails; "" where it keeps those that
    were begun in so many *seconds*.
    """
    end = time.monotonic() + seconds
    with closing(suite.run(cases, {}, program, jobs=1)) as results:
        for result in results:
            if not result.passed and _fails_again(result, program):
                return result.case.title
            if time.monotonic() > end:
                break
    return ""


def _fails_again(result: suite.Result, program: list[str]) -> bool:
    (again,) = suite.run_alone([result], program)
    return not again.passed


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    noticed = sum(bool(one.noticed) for one in record.mutants)
    document = {
        **record._asdict(),
        "noticed": noticed,
        "share": f"{noticed / len(record.mutants):.3f}",
        "mutants": [one._asdict() for one in record.mutants],
    }
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    del document["noticed"], document["share"]
    document["mutants"] = [Held(**row) for row in document["mutants"]]
    return Record(**document)


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    noticed = sum(bool(one.noticed) for one in record.mutants)
    count = len(record.mutants)
    lines = [
        f"**Of {count} mutants the suite noticed {noticed}"
        f" ({noticed / count:.3f}).** The goal is .60.",
        "",
        "| rule | line | change | noticed by |",
        "|---|---|---|---|",
    ]
    lines += [_write_row(one) for one in record.mutants]
    about = record._asdict() | {
        "seeds": ", ".join(str(seed) for seed in record.seeds)
    }
    return _HEAD.format(**about) + "\n".join(lines) + "\n"


def _write_row(one: Held) -> str:
    changed = one.change.splitlines()[-1].strip().removeprefix("+").strip()
    reason = REASONS.get((one.path, changed), "no case")
    shown = changed.replace("|", "\\|")
    told = one.noticed or reason
    return f"| `{one.path}` | {one.line} | `{shown}` | {told} |"


_HEAD = """\
# Broken rules, held against the laws alone

Made by `{command}` on {date}, after {commit}
(samples of the seeds {seeds}); the mutants are in
[results/mutation-by-laws.json](results/mutation-by-laws.json), and a test holds this page to them.

The suite of the paper's laws (`python -m conformance`) knows nothing of our modules: it types commands and reads what they
print. Each mutant of a pure rule, drawn by chance, one of each rule in an order by lot as far as the time went, is the whole
program with that one change, held against the cases of its chapter, those of its own laws first, until one notices it or its
seconds are over; a longer run, or the other chapters, might notice more of them. [Unit tests](mutation.md) do.

"""

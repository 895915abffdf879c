"""What rankings were worth: a file of results, and a page of the documents."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.retrieval.measures import Marks
from tests.made import publish

QUALITY = Path(__file__).resolve().parents[3] / "docs" / "quality"
RESULTS = QUALITY / "results" / "field.json"
PAGE = QUALITY / "field.md"
COMMAND = "python -m tests.bench field --data DIR --set SET --rankings FILE ... --write"
SETS = {
    "locomo": "LoCoMo",
    "longmemeval": "LongMemEval",
    "beam": "BEAM",
    "memops": "MemOps",
}

HEAD = """\
# One harness for the field

`{command}` scores rankings and nothing
else, and writes this page; last on {date}, after {commit}. A place is one turn, so that who shows a whole session pays for each of its turns; of one score what
answers stands last; a question without a line counts; a line that breaks a rule ends it (`tests/bench/field/__init__.py`
has the rules, and `tests/bench/test_field.py` holds them). The figures are in [results/field.json](results/field.json),
with the command of each ranking, and a test holds this page to them.

`--by bm25`, `static-vectors`, `model-vectors` or `companion` ranks here; `companion-vectors` and `companion-semantic` are the
program with an extra, as `companion models use` chooses it. *share@5* is the share of the evidence among five places. Peers are ranked in environments of their own by
`tests/bench/field/adapters`: a note a turn, their defaults, no key of a model. None of these figures is comparable to a
published one: the haystacks are parts of the sets.
"""

TAIL = """
## Who is absent

| peer | why it has no row |
|---|---|
| basic-memory | asks for Python 3.12 or newer; under 3.13 pip had not brought its packages after eight minutes, and was stopped |
| qmd 2.8.3 (npm `@tobilu/qmd`) | asks for Node 22 or newer and for models of its own to download; the machine has Node 20 |
| agentrecall-db with `[semantic]`, atlas-recall with `[dense]` | the model is no part of the package, and comes from a hub or a server |
| mem0, Letta, Zep, Cognee | need the key of a model, or a server, to take in a note |
| zk, nb | neither Debian, PyPI nor npm has them |
"""


class Row(NamedTuple):
    """What one program's rankings are worth on one half of one set."""

    set: str
    half: str
    turns: int
    program: str
    version: str
    command: str
    machine: str
    date: str
    commit: str
    marks: Marks

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what a newer row replaces."""
        return self.set, self.half, self.program


def read_rows(text: str) -> list[Row]:
    """Return what `write_rows` wrote."""
    rows = []
    for document in json.loads(text)["rows"]:
        marks = Marks(**document.pop("marks"))
        rows.append(Row(marks=marks, **document))
    return rows


def write_rows(rows: Sequence[Row]) -> str:
    """Return *rows* as the text of a results file."""
    documents: list[dict[str, Any]] = []
    for row in rows:
        documents.append({**row._asdict(), "marks": row.marks._asdict()})
    date, commit = find_last(rows)
    document = {
        "command": COMMAND,
        "commit": commit,
        "date": date,
        "seeds": "nothing is drawn",
        "rows": documents,
    }
    return json.dumps(document, indent=1) + "\n"


def find_last(rows: Sequence[Row]) -> tuple[str, str]:
    """Return the day and the commit of the last row."""
    return max((row.date, row.commit) for row in rows)


def write_page(rows: Sequence[Row]) -> str:
    """Return the page that shows *rows*."""
    lines: list[str] = []
    for name, title in SETS.items():
        of_set = [row for row in rows if row.set == name]
        for half in ("dev", "score"):
            of_half = [row for row in of_set if row.half == half]
            if of_half:
                lines += _write_table(title, half, of_half)
    date, commit = find_last(rows)
    head = HEAD.format(command=COMMAND, date=date, commit=commit)
    return head + "\n".join(lines) + "\n" + TAIL


def _write_table(title: str, half: str, rows: Sequence[Row]) -> list[str]:
    first = rows[0]
    asked = f"{first.marks.questions} questions over {first.turns} turns"
    lines = [
        "",
        f"## {title}, {half}",
        "",
        f"{asked}.",
        "",
        "| by | version | turn R@10 | R@5 | R@1 | MRR | session R@10 | share@5 | both sides@10 | later first | on | machine |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    rows = sorted(rows, key=lambda row: (-row.marks.turn_10, row.program))
    return lines + [_write_row(row) for row in rows]


def _write_row(row: Row) -> str:
    marks = row.marks
    cells = [row.program, row.version]
    for total in marks[1:7]:
        cells.append(f"{total / marks.questions:.3f}")
    cells.append(_write_share(marks.all_sides_10, marks.sided))
    cells.append(_write_share(marks.later_first, marks.updates))
    cells += [row.date, row.machine]
    return f"| {' | '.join(cells)} |"


def _write_share(total: float, count: int) -> str:
    if not count:
        return "n/a"
    return f"{total / count:.3f}"


def record(measured: Sequence[Row]) -> None:
    """Put what was measured in place of the older rows, in the results and the page."""
    rows: list[Row] = []
    if RESULTS.exists():
        rows = read_rows(RESULTS.read_text("utf-8"))
    by_key = {row.key: row for row in [*rows, *measured]}
    rows = [by_key[key] for key in sorted(by_key)]
    publish(PAGE.stem, write_rows(rows), write_page(rows))

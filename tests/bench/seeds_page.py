"""The seeds' tables: a file of results, and a page of the documents."""

import json
from pathlib import Path
from typing import NamedTuple

from tests.made import write_table

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "seeds.json"
PAGE = QUALITY / "seeds.md"


class Row(NamedTuple):
    """One row of a paper's table."""

    seed: str
    what: str
    light: str
    vectors: str
    semantic: str
    baseline: str
    published: str
    comparable: str


class Measured(NamedTuple):
    """The rows of one measurement, and after which commit on what day they were made."""

    commit: str
    date: str
    rows: list[Row]


class Record(NamedTuple):
    """What is published: the rows of each measurement, in the order of the page."""

    command: str
    commit: str
    date: str
    seeds: list[int]
    parts: dict[str, Measured]


def write_record(record: Record) -> str:
    """Return *record* as JSON that `read_record` reads."""
    document = record._asdict()
    document["parts"] = {
        name: {**part._asdict(), "rows": [row._asdict() for row in part.rows]}
        for name, part in record.parts.items()
    }
    return json.dumps(document, indent=1) + "\n"


def read_record(text: str) -> Record:
    """Return what `write_record` wrote."""
    document = json.loads(text)
    parts = {}
    for name, part in document.pop("parts").items():
        rows = [Row(**row) for row in part.pop("rows")]
        parts[name] = Measured(**part, rows=rows)
    return Record(**document, parts=parts)


def write_page(record: Record) -> str:
    """Return the page as Markdown."""
    rows = []
    for part in record.parts.values():
        rows += [(*row, part.date) for row in part.rows]
    table = write_table(COLUMNS, rows)
    return "\n".join([_HEAD.format(**record._asdict()), *table, _TAIL])


COLUMNS = (
    "paper or set",
    "what",
    "this program, `light`",
    "`[vectors]`",
    "`[semantic]`",
    "baseline here",
    "published",
    "comparable",
    "on",
)
_HEAD = """# The seeds' tables

Made by `{command}` on {date}, after {commit}; the rows are in [results/seeds.json](results/seeds.json). All but the last
were measured by it or stand in the results of [field](field.md) and [staleness](staleness.md); the last names the command that
shows it. `light`, `[vectors]` and `[semantic]` are what `companion models use` chooses
([reasoners](../concepts/reasoners.md)); the extras are measured where they are installed.
"""
_TAIL = """
## What the extras change

- **Answers from claims are the same.** Claims are read from words, whichever reasoner compares notes: FactConsolidation, agents, BMB
  and replaced values have the same figures, measured with each.
- **`[vectors]` changes what a search finds.** It gains where evidence is said in other words (MemOps, BEAM, LongMemEval) and leaves
  LoCoMo's turns as they are; the later of two values comes first less often ([field](field.md)). It was chosen for questions in another
  language ([ADR 303](../adr/0303-the-chosen-vectors-serve-reads.md)), and serves beside the static vectors
  ([ADR 423](../adr/0423-both-kinds-of-vectors-serve-a-question.md)); who notes and asks in one language gains little by it.
- **`[semantic]` changes what nights compare**, and no search: a search reads the static vectors of the index, as with `light`.
  On these four sets it ranks to the question as `light` does.

- **A context gives as much for less**: a turn of the evidence in 122 of 130 questions for 509 tokens, where five chunks of the same
  turns give it in 121 for 2416; with `[vectors]` in two more for 565. Whether a model then answers right is not measured.

**Not run.** Of FactConsolidation only the official context of 6k with its questions was at hand; those of 32k, 64k and 262k were not to be
had, so that worlds of its kind and of these sizes are made by `tests/bench/serial_facts`, whose
answers are known by construction; beside other work their CPU is good for ratios only. Nor were LongMemEval-S with its distractors, seven of
LoCoMo's ten conversations and MemoryStress at hand. No cross encoder was on the machine, so that `[semantic]` is its
sentence embeddings alone. No peer that needs a model key was run.
"""

"""The page of many shards on engines of others: its record, its table and its words."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tests.made import publish, write_table

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "fleet.json"
PAGE = QUALITY / "fleet.md"
_NAMES = (
    "engine",
    "shards",
    "notes of each",
    "serial nights",
    "on the engine",
    "workers killed",
    "with them",
    "trees or run ids that differ",
    "set aside",
    "engine's own overhead",
    "on",
    "after",
)
COMMAND = "python -m tests.bench.fleet {engine} --shards {shards}"


class Row(NamedTuple):
    """What one engine took, in seconds of the wall clock."""

    engine: str
    version: str
    shards: int
    notes: int  # of each
    workers: int
    serial: float  # the same nights, one after another
    seconds: float
    killed: int  # workers
    killed_seconds: float
    overhead: float  # bundles there and back, with nothing done
    differing: (
        int  # shards whose tree or run ids are not those of serial nights
    )
    set_aside: int
    commit: str = ""
    date: str = ""

    @property
    def command(self) -> str:
        """Return what measures it again."""
        return COMMAND.format(engine=self.engine, shards=self.shards)


def read_rows(text: str) -> list[Row]:
    """Return the rows of a results file."""
    return [Row(**row) for row in json.loads(text)["engines"]]


def write_rows(rows: Sequence[Row]) -> str:
    """Return *rows* as the text of a results file."""
    last = max(rows, key=lambda one: one.date)
    document = {
        "command": last.command,
        "commit": last.commit,
        "date": last.date,
        "seeds": [21],
        "engines": [one._asdict() for one in rows],
    }
    return json.dumps(document, indent=1) + "\n"


def write_page(rows: Sequence[Row]) -> str:
    """Return the page as Markdown."""
    commands = "\n".join(one.command for one in rows)
    lines = write_table(_NAMES, map(_list_cells, rows))
    return _HEAD.format(commands=commands) + "\n".join(lines) + _TAIL


def _list_cells(one: Row) -> tuple[object, ...]:
    return (
        f"{one.engine} {one.version}",
        one.shards,
        one.notes,
        f"{one.serial:.1f} s",
        f"{one.seconds:.1f} s ({one.serial / one.seconds:.2f} of serial speed)",
        one.killed,
        f"{one.killed_seconds:.1f} s",
        one.differing,
        one.set_aside,
        f"{one.overhead:.2f} s",
        one.date,
        one.commit,
    )


def record(row: Row) -> None:
    """Write *row* into the results and the page, in place of an older one of its engine."""
    rows: list[Row] = []
    if RESULTS.exists():
        rows = read_rows(RESULTS.read_text("utf-8"))
    rows = [one for one in rows if one.engine != row.engine]
    rows = sorted([*rows, row])
    publish(PAGE.stem, write_rows(rows), write_page(rows))


_HEAD = """\
# A night of many shards

```
{commands}
```

Each shard is a wiki of its own. Its night runs on an engine that others keep, on two workers of one machine of two cores;
then the same shards again while workers are killed at random moments of a night, and each tree and run id is compared with
that of a serial night. Seconds are of the clock, beside other work. The figures are in
[results/fleet.json](results/fleet.json), and a test holds this page to them.

"""
_TAIL = """

A worker that is killed loses nothing: the shard's night is done again elsewhere, and a tree is taken by compare-and-swap
([ADR 245](../adr/0245-a-fleets-night-on-dask-and-ray.md)). On two cores an engine is no gain over serial nights, because a
shard is packed, moved and its index built anew for each night.
"""

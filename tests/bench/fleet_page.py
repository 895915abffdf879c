"""The page of many shards on engines of others: its record, its table and its words."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.made import publish, write_table

QUALITY = Path(__file__).resolve().parents[2] / "docs" / "quality"
RESULTS = QUALITY / "results" / "fleet.json"
PAGE = QUALITY / "fleet.md"
_NAMES = (
    "engine",
    "workers",
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
MILLION = 1_000_000
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
    near: bool = False  # the workers read the shards' folders
    temporary: str = ""  # TMPDIR: where shards and copies lay

    @property
    def command(self) -> str:
        """Return what measures it again."""
        words = COMMAND.format(engine=self.engine, shards=self.shards)
        if not self.near:
            words += " --elsewhere"
        return words

    @property
    def line(self) -> str:
        """Return the command with the folder in which shards and copies lay."""
        if not self.temporary:
            return self.command
        return f"TMPDIR={self.temporary} {self.command}"


class Week(NamedTuple):
    """Many notes in shards, lived through a week and asked in one place; seconds of the clock."""

    small: int  # shards
    notes: int  # pages of each before the week
    large: int
    large_notes: int
    told: int  # notes told: before the week and in it
    days: int
    nights: list[tuple[float, float]]  # of all shards: clock, and CPU
    alone: list[tuple[float, float]]  # of the copies
    alone_shards: int
    differing: int  # copies whose tree or runs are not those of their shard
    set_aside: int
    place: dict[str, Any] | None  # None: not projected and asked
    command: str
    commit: str
    date: str
    first: int = 1  # the day that the week begins with: the shards lived before
    lived: int = 0  # how many of them did, where not all of them
    steps: str = "consolidate, decay, audit"  # of each night, where due

    @property
    def all_notes(self) -> int:
        """Return how many notes there are, pages that were there before included."""
        pages = self.small * self.notes + self.large * self.large_notes
        return pages + self.told


def read_rows(text: str) -> list[Row]:
    """Return the rows of a results file."""
    return [Row(**row) for row in json.loads(text)["engines"]]


def read_weeks(text: str) -> list[Week]:
    """Return the weeks of a results file, that of fewer notes first."""
    return [Week(**week) for week in json.loads(text)["weeks"]]


def write_rows(rows: Sequence[Row], weeks: Sequence[Week]) -> str:
    """Return *rows* and the *weeks* as the text of a results file."""
    last = max(rows, key=lambda one: one.date)
    document = {
        "command": last.command,
        "commit": last.commit,
        "date": last.date,
        "seeds": [21],
        "engines": [one._asdict() for one in rows],
        "weeks": [week._asdict() for week in weeks],
    }
    return json.dumps(document, indent=1) + "\n"


def write_page(rows: Sequence[Row], weeks: Sequence[Week]) -> str:
    """Return the page as Markdown."""
    commands = "\n".join(one.line for one in rows)
    lines = write_table(_NAMES, map(_list_cells, rows))
    page = _HEAD.format(commands=commands) + "\n".join(lines) + _TAIL
    page += "".join(map(_write_week, weeks))
    if weeks and weeks[-1].all_notes < MILLION:
        page += "\nA week of a million notes was not lived.\n"
    return page


def _write_week(week: Week) -> str:
    sizes = f"{week.small} of {week.notes:,} pages"
    if week.large:
        sizes += f", {week.large} of {week.large_notes:,}"
    facts: list[tuple[str, object]] = [
        ("shards", sizes),
        ("notes in all", f"{week.all_notes:,}"),
        ("nights of all shards", _list_seconds(week.nights, 0)),
        ("their CPU", _list_seconds(week.nights, 1)),
        (
            f"the same nights of {_count_copies(week)}, alone",
            _list_seconds(week.alone, 0),
        ),
        ("their CPU", _list_seconds(week.alone, 1)),
        ("of these, trees or run ids that differ", week.differing),
        ("shards set aside", week.set_aside),
    ]
    if week.place is not None:
        facts += _list_place(week.place)
    table = "\n".join(write_table(("what", "measured"), facts))
    text = _WEEK.format(
        notes=week.all_notes,
        days=week.days,
        first=week.first,
        lives=_name_lives(week),
        steps=week.steps,
        command=week.command,
        date=week.date,
        commit=week.commit,
        table=table,
    )
    if week.place is None:
        return text + _NO_PLACE
    return text + _PLACE.format(answered=week.place["answered"])


def _list_place(place: dict[str, Any]) -> list[tuple[str, object]]:
    return [
        ("rows in PostgreSQL", f"{place['rows']:,}"),
        ("its size", f"{place['megabytes']:,} MB"),
        ("projecting all", f"{place['projecting']:.0f} s"),
        ("replacing one that moved on", f"{place['replacing']:.1f} s"),
        ("finding that none moved on", f"{place['nothing_new']:.2f} s"),
        ("tables of shards that are not their index", place["differing"]),
        ("… after a drop in the middle", place["differing_after_drop"]),
        ("a search, p50 and p99", _list_waits(place["search"])),
        ("… for the commonest word", _list_waits(place["commonest"])),
        ("a question, p50 and p99", _list_waits(place["question"])),
    ]


def _count_copies(week: Week) -> str:
    return "a copy" if week.alone_shards == 1 else f"{week.alone_shards} copies"


def _list_seconds(nights: Sequence[tuple[float, float]], place: int) -> str:
    return ", ".join(f"{one[place]:.1f}" for one in nights) + " s"


def _list_waits(waits: Sequence[float]) -> str:
    return f"{waits[0]:.0f} ms, {waits[1]:.0f} ms"


def _list_cells(one: Row) -> tuple[object, ...]:
    return (
        f"{one.engine} {one.version}",
        "here" if one.near else "elsewhere",
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
    kind = (row.engine, row.near)
    rows = [one for one in rows if (one.engine, one.near) != kind]
    _publish(sorted([*rows, row]), _read_known_weeks())


def record_week(week: Week) -> None:
    """Write *week* into the results and the page, in place of an older one of its size."""
    sizes = (week.small, week.notes, week.large)
    others = [
        one
        for one in _read_known_weeks()
        if (one.small, one.notes, one.large) != sizes
    ]
    weeks = sorted([*others, week], key=lambda one: one.all_notes)
    _publish(read_rows(RESULTS.read_text("utf-8")), weeks)


def _read_known_weeks() -> list[Week]:
    return read_weeks(RESULTS.read_text("utf-8")) if RESULTS.exists() else []


def _name_lives(week: Week) -> str:
    """Return whose life the week goes on with."""
    if not week.lived:
        return "its life"
    return f"the lives of {week.lived} of them, and the others were new"


def _publish(rows: Sequence[Row], weeks: Sequence[Week]) -> None:
    publish(PAGE.stem, write_rows(rows, weeks), write_page(rows, weeks))


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
([ADR 245](../adr/0245-a-fleets-night-on-dask-and-ray.md)). Workers *here* run on the shard's machine and read it where it lies
([ADR 394](../adr/0394-a-worker-beside-the-shard-borrows-it.md), [ADR 401](../adr/0401-a-workers-copy-leaves-its-files-in-git.md)); *elsewhere* the shard is packed, moved and its index built anew
for each night. With sixteen notes a shard no engine is a gain on two cores, wherever its workers run: making a worker's own
repository takes as long as such a night. Most of the time with workers killed is that of starting new ones, two at a time: Python,
the engine and companion are loaded for each. These shards are new, so that CONSOLIDATE alone is due; nights with the other
steps are compared in `tests/fleet/test_steps.py`.
"""
_WEEK = """
## A week of {notes:,} notes

```
{command}
```

On {date}, after {commit}: every shard is told twenty notes a day for {days} days, and a fleet does each night of all of them
({steps}, where due) in processes, two at a time. Seconds are of the clock, on two cores on which others ran ten more busy
processes.

{table}

The pages are made-up words; 1,000 notes of people, places and firms were told to each shard before the week, which began on day {first}
of {lives}. A shard's copy that lives the week alone shows that a fleet's night is
the shard's own. What its CPU has more than the copy's is a process for each shard, git's index of its copy and the copy of its
search index.
"""
_PLACE = """
Then all are projected into one PostgreSQL 15, and 300 searches, as many for the commonest word and 300 questions ({answered} of
which have an answer) are put to it, each on a connection of its own.
"""
_NO_PLACE = """
These shards were not projected into PostgreSQL.
"""

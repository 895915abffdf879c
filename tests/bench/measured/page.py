"""Pages whose tables several benches measure: a file of results for each, and places in its text.

    <!-- measured: NAME -->
    what stands here is written from the table NAME of results/PAGE.json
    <!-- end -->

The place `origin` says how the page is made anew.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.made import QUALITY, Made, write_table

ORIGIN = "origin"
COMMAND = "python -m tests.bench.measured {page}"
_PLACE = re.compile(r"(<!-- measured: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


class Table(NamedTuple):
    """What one bench measured."""

    command: str
    commit: str  # of main, on which the code stood
    date: str
    seeds: list[int]
    columns: list[str]
    rows: list[list[str]]
    how: str = ""  # set where a person wrote down what the command printed

    def list_fields(self) -> dict[str, object]:
        """Return what is recorded of it; `how` only where it is said."""
        fields = self._asdict()
        if not self.how:
            del fields["how"]
        return fields


class Measures(NamedTuple):
    """What is published on one page: its tables by name."""

    page: str
    tables: dict[str, Table]

    @property
    def origin(self) -> Made:
        """Return the command of all, and of the last table that was written its commit and day."""
        last = max(self.tables.values(), key=lambda one: one.date)
        return Made(COMMAND.format(page=self.page), last.commit, last.date)


def find_results(page: str) -> Path:
    """Return the file of the results of *page*."""
    return QUALITY / "results" / f"{page}.json"


def read_measures(page: str) -> Measures:
    """Return what is recorded of *page*; nothing where nothing is."""
    path = find_results(page)
    if not path.exists():
        return Measures(page, {})
    tables = json.loads(path.read_text("utf-8"))["tables"]
    return Measures(page, {name: Table(**row) for name, row in tables.items()})


def write_results(measures: Measures) -> str:
    """Return *measures* as the text of a results file."""
    tables = measures.tables
    seeds = {seed for one in tables.values() for seed in one.seeds}
    document = {
        **measures.origin._asdict(),
        "seeds": sorted(seeds),
        "tables": {name: one.list_fields() for name, one in tables.items()},
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def fill_places(text: str, measures: Measures) -> str:
    """Return the page *text* with its places written anew; what nothing is recorded for stays."""

    def fill(place: re.Match[str]) -> str:
        begin, name, end = place.groups()
        if name == ORIGIN:
            return f"{begin}{_tell_origin(measures)}\n{end}"
        if name not in measures.tables:
            return place[0]
        return f"{begin}{_show(measures.tables[name])}\n{end}"

    return _PLACE.sub(fill, text)


def list_places(text: str) -> list[str]:
    """Return the names of the places of a page."""
    return [place[2] for place in _PLACE.finditer(text)]


def strip_places(text: str) -> str:
    """Return the page *text* without what is written into its places."""
    return _PLACE.sub("", text)


def _tell_origin(measures: Measures) -> str:
    command, commit, date = measures.origin
    path = f"results/{measures.page}.json"
    return (
        f"`{command}` measures the tables of this page and writes\nthem into"
        f" [{path}]({path}), to which a test holds the page; last on"
        f" {date}, after {commit}."
    )


def _show(table: Table) -> str:
    lines = write_table(table.columns, table.rows)
    made = f"By `{table.command}` on {table.date}, after {table.commit}"
    origin = f"{made}; {table.how}." if table.how else f"{made}."
    return "\n".join([*lines, "", origin])


def publish(page: str, tables: Mapping[str, Table]) -> None:
    """Put *tables* in the place of those of the same name, and write the page."""
    known = read_measures(page)
    measures = Measures(page, known.tables | dict(tables))
    find_results(page).write_text(write_results(measures), "utf-8")
    path = QUALITY / f"{page}.md"
    text = path.read_text("utf-8")
    path.write_text(fill_places(text, measures), "utf-8")

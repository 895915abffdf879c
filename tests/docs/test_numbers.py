"""A figure of docs/quality, in a table or in a sentence, is generated from a results file; one of
the README stands beside its command.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUALITY = ROOT / "docs" / "quality"
#: a page of what is guaranteed, where nothing is measured
WITHOUT_FIGURES = {"promises", "worlds"}
#: what an experiment was given and did not measure, by its generated page
GIVEN = {
    # gravity of incumbents; goals; sizes of what is fitted, and of a wiki
    "benches": {".6", ".99", ".75", ".85", ".9", ".4", "1.5", "50,000"},
    "costs": {"1,000"},  # a size, and shards
    "everyday": {"10,000", "2026"},  # linked notes of a vault
    "federation": {"10,000"},  # titles that are tried
    # notes of all shards with those of the week; notes of people in each
    "fleet": {"111,400", "1,011,400", "1,000"},
    "mutation-by-laws": {".60"},  # the goal
    "poisoning": {"0.6", "0.99", "1.5"},  # gravity of incumbents, a trust
    "predictions": {"2,000"},  # entries of a graph
    "proofs": {".95"},  # the goal
    "repeating": {"1.5", "2,000"},  # what is asked for
    # chance; notes of a night; goals; the bars of the program
    "stance": {"0.5", "216", ".25", ".95", "0.48", "0.38"},
}
GENERATED = {path.stem for path in (QUALITY / "results").glob("*.json")}
_HEADING = re.compile(r"^(#{1,4}) +(.+)$", re.MULTILINE)
_COMMAND = re.compile(r"python -m (tests|conformance)\b|`companion [a-z]+")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
#: a share, a number in the thousands, "3 of 7" or a percentage; no version, no id, no name of a file
_FIGURE = re.compile(
    r"(?<![\w.`/-])\d*\.\d+(?!\w|\.\d)"
    r"|(?<![\w.`])\d{1,3}(?:,\d{3})+\b"
    r"|\b\d+ (?:out )?of \d+\b|\b\d+(?:\.\d+)? ?%"
)
_VERSION = re.compile(
    r"(?:git|Python|SQLite|Debian|Node|version) (?:≥ )?\d+(?:\.\d+)+"
)


class Section(NamedTuple):
    """What stands below one heading, up to the next one of any level."""

    heading: str
    text: str
    above: str  # the text of the sections that it is a part of


def read_sections(page: str) -> Iterator[Section]:
    """Yield the sections of *page*; a `#` in a block of code is no heading."""
    blanked = _FENCE.sub(lambda block: _hide_headings(block[0]), page)
    marks = list(_HEADING.finditer(blanked))
    parts: list[tuple[int, str]] = []
    for place, mark in enumerate(marks):
        end = len(page)
        if place + 1 < len(marks):
            end = marks[place + 1].start()
        level, text = len(mark[1]), page[mark.end() : end]
        parts = [part for part in parts if part[0] < level]
        above = "\n".join(text for _, text in parts)
        parts.append((level, text))
        yield Section(mark[2], text, above)


def _hide_headings(block: str) -> str:
    return block.replace("#", "-")


def list_rows_with_figures(text: str) -> list[str]:
    """Return the rows of the tables of *text* that have a number outside their first cell."""
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [row for row in rows if re.search(r"\d", row.split("|", 2)[-1])]


def list_figures_in_prose(text: str) -> list[str]:
    """Return the figures of *text* outside tables and blocks of code."""
    prose = []
    for line in _FENCE.sub("", text).splitlines():
        if not line.startswith("|"):
            prose.append(line)
    return _FIGURE.findall(_VERSION.sub("", "\n".join(prose)))


def has_figures(section: Section) -> bool:
    """Tell whether a table or a sentence of *section* has figures."""
    if list_rows_with_figures(section.text):
        return True
    return bool(list_figures_in_prose(section.text))


def list_figures_without_command(page: str) -> list[str]:
    """Return the headings below which a table or a sentence has figures, and no command
    makes them.
    """
    found = []
    for section in read_sections(page):
        is_told = bool(_COMMAND.search(section.text + section.above))
        if has_figures(section) and not is_told:
            found.append(section.heading)
    return found


def test_every_page_of_figures_is_generated() -> None:
    pages = {path.stem for path in QUALITY.glob("*.md")}
    assert pages == WITHOUT_FIGURES | GENERATED


@pytest.mark.parametrize("page", sorted(WITHOUT_FIGURES))
def test_a_page_of_promises_has_no_measured_figure(page: str) -> None:
    text = (QUALITY / f"{page}.md").read_text("utf-8")
    assert _FIGURE.findall(_VERSION.sub("", text)) == []


@pytest.mark.parametrize("page", sorted(GENERATED))
def test_a_figure_in_the_prose_of_a_generated_page_is_in_its_results(
    page: str,
) -> None:
    text = (QUALITY / f"{page}.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    results = (QUALITY / "results" / f"{page}.json").read_text("utf-8")
    known = set(re.findall(r"[\d.,]+", "\n".join([*rows, results])))
    known |= {number.lstrip("0") for number in known}
    bare = {number.strip(".,") for number in known}
    known |= {f"{int(one):,}" for one in bare if one.isdecimal()}
    known |= {f"{total:,}" for total in list_totals(json.loads(results))}
    assert list_unknown_figures(text, known | GIVEN.get(page, set())) == []


def sum_columns(rows: list[object]) -> list[int]:
    """Return the sum of each count over *rows*."""
    sums: Counter[str] = Counter()
    for row in rows:
        for name, count in row.items() if isinstance(row, dict) else ():
            if isinstance(count, int):
                sums[name] += count
    return list(sums.values())


def list_totals(document: object) -> list[int]:
    """Return the sums of the counts that stand together in a results file, and over its rows."""
    if isinstance(document, list):
        totals = [total for each in document for total in list_totals(each)]
        return totals + sum_columns(document)
    if not isinstance(document, dict):
        return []
    counts = [each for each in document.values() if isinstance(each, int)]
    totals = [sum(counts)]
    for each in document.values():
        totals += list_totals(each)
    return totals


def list_unknown_figures(text: str, known: Collection[str]) -> list[str]:
    """Return the figures in the prose of *text* of which a number is not *known*."""
    unknown = []
    for figure in list_figures_in_prose(text):
        numbers = re.findall(r"[\d.,]*\d", figure)
        if any(number not in known for number in numbers):
            unknown.append(figure)
    return unknown


def test_the_readme_has_no_figures_without_a_command() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert list_figures_without_command(text) == []


def test_a_figure_without_a_command_is_found() -> None:
    page = "# Page\n\n## A\n\n`python -m tests.bench x`\n\n### B\n\n| a | 1 |\n\n## C\n\n| a | 2 |\n"
    assert list_figures_without_command(page) == ["C"]
    code = "# Page\n\n```\n# python\n```\n\n`companion status`\n\n| a | 1 |\n"
    assert list_figures_without_command(code) == []
    assert list_figures_without_command("# P\n\n| 1 | a |\n") == []
    for figure in (".95", "1,152 values", "3 of 7", "12 %"):
        assert list_figures_without_command(f"# P\n\nIt is {figure}.\n") == [
            "P"
        ]
    for none in (
        "git 2.36",
        "`.95`",
        "ADR 27",
        "page 3",
        "the 4 rows",
        "v1.2.3",
    ):
        assert list_figures_without_command(f"# P\n\nIt is {none}.\n") == []


def test_a_figure_that_no_result_has_is_found() -> None:
    text = "# P\n\nOf 1,152 values .95 are new: 3 of 7.\n\n| .5 |\n"
    assert list_unknown_figures(text, {"1,152", ".95", "3", "7"}) == []
    assert list_unknown_figures(text, {"1,152", "3"}) == [".95", "3 of 7"]

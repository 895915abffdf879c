"""A figure of the documents is generated from a results file, or stands beside its command."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
QUALITY = ROOT / "docs" / "quality"
#: pages whose figures people copied from what a command printed: no page joins this list, and one
#: that is written from results leaves it
BY_HAND = {
    "benches",
    "costs",
    "everyday",
    "federation",
    "promises",
    "proofs",
    "sleep",
    "speed",
    "stance",
}
GENERATED = {path.stem for path in (QUALITY / "results").glob("*.json")}
_HEADING = re.compile(r"^(#{1,4}) +(.+)$", re.MULTILINE)
_COMMAND = re.compile(r"python -m (tests|conformance)\b|`companion [a-z]+")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


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


def list_figures_without_command(page: str) -> list[str]:
    """Return the headings below which a table has figures, and no command makes them."""
    found = []
    for section in read_sections(page):
        has_figures = bool(list_rows_with_figures(section.text))
        if has_figures and not _COMMAND.search(section.text + section.above):
            found.append(section.heading)
    return found


def test_every_page_of_figures_is_generated_or_listed_as_by_hand() -> None:
    pages = {path.stem for path in QUALITY.glob("*.md")}
    assert not BY_HAND & GENERATED
    assert pages == BY_HAND | GENERATED


@pytest.mark.parametrize("page", sorted(BY_HAND))
def test_figures_in_tables_by_hand_stand_beside_their_command(
    page: str,
) -> None:
    text = (QUALITY / f"{page}.md").read_text("utf-8")
    assert list_figures_without_command(text) == []


def test_the_readme_has_no_figures_without_a_command() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert list_figures_without_command(text) == []


def test_a_figure_without_a_command_is_found() -> None:
    page = "# Page\n\n## A\n\n`python -m tests.bench x`\n\n### B\n\n| a | 1 |\n\n## C\n\n| a | 2 |\n"
    assert list_figures_without_command(page) == ["C"]
    code = "# Page\n\n```\n# python\n```\n\n`companion status`\n\n| a | 1 |\n"
    assert list_figures_without_command(code) == []
    assert list_figures_without_command("# P\n\n| 1 | a |\n") == []

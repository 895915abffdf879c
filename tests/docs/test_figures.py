"""A figure outside docs/quality is measured, and stands in a results file, or it is a constant of
the program: a number that neither has was written by hand and ages unseen.
"""

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.docs.test_numbers import read_sections

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
RESULTS = DOCS / "quality" / "results"
#: decisions tell what was so on their day; the reference is written by the program; quality has
#: tests of its own
APART = {"adr", "reference", "quality"}
PAGES = sorted(
    [
        *(
            page
            for page in DOCS.rglob("*.md")
            if page.relative_to(DOCS).parts[0] not in APART
        ),
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        ROOT / "conformance" / "README.md",
        ROOT / "tests" / "README.md",
    ]
)
_COUNTS = {"none": "0", "one": "1", "two": "2", "three": "3"}
#: "3 of 7", a percentage, "2 times", a size or a time, a share, a number in the thousands
_FIGURE = re.compile(
    r"\b(?P<count>\d+|none|one|two|three) of (?P<total>\d+)\b"
    r"|\b(?P<percent>\d+(?:\.\d+)?) ?%"
    r"|\b(?P<range>\d+(?:\.\d+)? to \d+(?:\.\d+)?) times\b"
    r"|\b(?P<number>\d[\d,]*(?:\.\d+)?)(?= (?:times|[kMG]B|ms|CPU|tokens)\b)"
    r"|(?<![\w.`/-])(?P<share>\d*\.\d+)(?!\w|\.\d)"
    r"|(?<![\w.`])(?P<thousands>\d{1,3}(?:,\d{3})+)\b"
)
_BENCH = re.compile(r"python -m tests\.")
#: what is no claim about the program: code, what it printed, comments, quoted notes, chapters of
#: the paper, versions of other programs
_ASIDE = re.compile(
    r"^```.*?^```$|^>.*?$|<!--.*?-->|`[^`\n]*`|\"[^\"\n]*\"|§[\d.]+"
    r"|(?:git|Python|SQLite|Debian|Node|version) (?:≥ )?\d+(?:\.\d+)+",
    re.MULTILINE | re.DOTALL,
)


@cache
def read_measured() -> str:
    """Return all that is measured: the results files, and the tables written from them."""
    files = [*RESULTS.glob("*.json"), *DOCS.glob("quality/*.md")]
    return "\n".join(file.read_text("utf-8") for file in sorted(files))


@cache
def list_measured_numbers() -> frozenset[str]:
    return frozenset(re.findall(r"\d[\d,]*(?:\.\d+)?|\.\d+", read_measured()))


@cache
def list_constants() -> frozenset[float]:
    """Return the numbers that the program's own code has."""
    return frozenset(
        float(node.value)
        for file in (ROOT / "companion").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
    )


def list_unknown(page: str) -> Iterator[str]:
    """Yield the figures of *page* that are neither measured nor a constant of the program; beside
    a bench all must be measured.
    """
    for section in read_sections(f"# Top\n{page}"):
        is_measured_here = bool(_BENCH.search(section.text))
        for figure in _FIGURE.finditer(_ASIDE.sub("", section.text)):
            if is_measured(figure):
                continue
            if is_measured_here or not is_constant(figure):
                yield figure[0]


def is_measured(figure: re.Match[str]) -> bool:
    """Tell whether a figure stands in the results; of a count or a range, all of it."""
    if figure["total"]:
        count = _COUNTS.get(figure["count"], figure["count"])
        return _is_shown(f"{count} of {figure['total']}")
    if figure["percent"]:
        number = float(figure["percent"])
        return _is_shown(f"{number:g} %") or _is_shown(f"{number:.1f} %")
    if figure["range"]:
        return _is_shown(figure["range"])
    return _read_number(figure) in list_measured_numbers()


def is_constant(figure: re.Match[str]) -> bool:
    """Tell whether a figure is a number of the program's code; a count or a range never is."""
    if figure["percent"]:
        number = float(figure["percent"])
        return number / 100 in list_constants()
    if figure["total"] or figure["range"]:
        return False
    return float(_read_number(figure).replace(",", "")) in list_constants()


def _read_number(figure: re.Match[str]) -> str:
    return figure["number"] or figure["share"] or figure["thousands"]


def _is_shown(words: str) -> bool:
    return bool(re.search(rf"(?<![\d.,]){re.escape(words)}", read_measured()))


@pytest.mark.parametrize(
    "page", PAGES, ids=lambda page: str(page.relative_to(ROOT))
)
def test_a_figure_is_measured_or_a_constant(page: Path) -> None:
    assert list(list_unknown(page.read_text("utf-8"))) == []


def test_a_figure_written_by_hand_is_found() -> None:
    for by_hand in (
        "It harmed one of 797 pages.",
        "97.3 % of them are found.",
        "| pages | 97.3 % |",
        "It takes 8,643 times as long.",
        "An index takes 8,643 MB.",
        "The share is .9173.",
    ):
        assert list(list_unknown(by_hand)) != []


def test_what_is_no_claim_is_left_alone() -> None:
    for aside in (
        '"It was 97.3 % full", said Anna.',
        "`97.3 %`",
        "> 797 of 799 sentences kept",
        "The paper says so (§97.3).",
        "```\n97.3 %\n```",
    ):
        assert list(list_unknown(aside)) == []


def test_results_are_read_as_they_stand() -> None:
    document = json.loads((RESULTS / "benches.json").read_text("utf-8"))
    for row in document["tables"]["challengers"]["rows"]:
        assert list(list_unknown(f"It finds {row[1]}.")) == []

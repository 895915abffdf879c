"""What the maintainers' documents say is so: CONTRIBUTING, decisions, architecture, promises."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DECISIONS = sorted((DOCS / "adr").glob("[0-9]*.md"))
PAGES = [
    ROOT / "CONTRIBUTING.md",
    DOCS / "architecture.md",
    *sorted((DOCS / "quality").glob("[a-z]*.md")),
    *sorted((DOCS / "reference").glob("*.md")),
    *sorted((DOCS / "adr").glob("*.md")),
]
PROMISES = (DOCS / "quality" / "promises.md").read_text()


def heading_anchors(page: Path) -> set[str]:
    """Return what a link may name after ``#`` in *page*."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    words = [re.sub(r"[^\w\s-]", "", heading.lower()) for heading in headings]
    return {re.sub(r"\s+", "-", word.strip()) for word in words}


def test_contributing_is_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_bytes()) <= 5_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL)
    for target, anchor in re.findall(r"\]\(([^)#:]*)#?([^):]*)\)", text):
        path = (page.parent / target) if target else page
        assert path.exists(), target
        assert not anchor or anchor in heading_anchors(path), (
            f"{target}#{anchor}"
        )


@pytest.mark.parametrize("decision", DECISIONS, ids=lambda path: path.stem[:4])
def test_a_decision_is_dated_short_and_says_why_and_what_follows(
    decision: Path,
) -> None:
    text = decision.read_text()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)

    assert re.match(
        rf"# {int(decision.name[:4])}\. \S.*\n\nDate: \d{{4}}-\d\d-\d\d\n", text
    )
    assert headings in (
        ["Context", "Decision", "Consequence"],
        ["Context", "Decision", "Why", "Consequence"],
    )
    assert len(text.encode()) <= 2_200


def test_the_list_of_decisions_names_each_once_with_its_title() -> None:
    listed = re.findall(
        r"^- \[(.*)\]\((.*)\)$",
        (DOCS / "adr" / "index.md").read_text(),
        re.MULTILINE,
    )
    titles = [
        (path.read_text().splitlines()[0].removeprefix("# "), path.name)
        for path in DECISIONS
    ]

    assert listed == titles


def test_every_promise_has_a_proof_that_exists() -> None:
    rows = re.findall(r"^\| (\d) .*\| ([^|]*) \|$", PROMISES, re.MULTILINE)
    promised = re.findall(r"^(\d)\. \*\*", PROMISES, re.MULTILINE)

    assert sorted({number for number, _ in rows}) == promised
    for number, proof in rows:
        names = re.findall(r"`([\w/]+\.py)::(\w+)`", proof)
        assert names, number
        for path, name in names:
            found = re.search(
                rf"^(def|class) {name}\b",
                (ROOT / path).read_text(),
                re.MULTILINE,
            )
            assert found, (path, name)


def test_every_command_that_measures_or_proves_something_is_there() -> None:
    text = "".join(page.read_text() for page in PAGES)
    commands = set(re.findall(r"`python -m (tests(?:\.\w+)+)", text))

    assert commands
    for command in commands:
        path = ROOT / command.replace(".", "/")
        assert path.is_dir() or path.with_suffix(".py").exists(), command


def test_every_bench_that_is_named_can_be_run() -> None:
    from tests.bench.__main__ import ALONE, APART, ON_DATA, OWN

    text = "".join(page.read_text() for page in PAGES)
    named = set(re.findall(r"`python -m tests\.bench ([\w-]+)", text))

    assert named and named <= {*OWN, *ALONE, *APART, *ON_DATA}

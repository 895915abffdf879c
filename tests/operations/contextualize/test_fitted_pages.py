"""One paper in the wikis of two people: visibly different pages, each with its reasons."""

from pathlib import Path
from typing import Any

from companion.sources.documents.markdown import READER
from tests.operations.contextualize.sources import (
    drop,
    events,
    page_of,
    read_sources,
)
from tests.operations.contextualize.test_fit import RECORD
from tests.operations.contextualize.test_gather_context import DEVELOPER, OWNER
from tests.wiki import Wiki

FILLER = [
    f"In week {n} the office was open and the coffee machine made no noise."
    for n in range(60)
]


def write_paper() -> str:
    lines = []
    for passage in RECORD.passages:
        mark = "#" * passage.level + " " if passage.kind == "heading" else ""
        lines.append(mark + passage.text)
    return "\n\n".join([*lines, "## Minutes", *FILLER])


PAPER = write_paper()


def live(root: Path, *notes: str, settings: str = "") -> tuple[str, Any]:
    """Return the page that the paper gets in the wiki of who wrote *notes*, and its line."""
    wiki = Wiki.new(root)
    if settings:
        path = ".companion/companion.yaml"
        wiki.write(path, wiki.read(path) + settings)
        wiki.commit()
    wiki.ingest(*notes)
    wiki.consolidate()
    drop(wiki, "queue.md", PAPER)
    done = read_sources(wiki)
    wiki.consolidate()
    (line,) = events(wiki, done["run"])
    return page_of(wiki, line["entry"]), line


def test_an_owner_and_a_developer_get_different_pages_of_one_paper(
    tmp_path: Path,
) -> None:
    brief = 'depth: {"*/queue.md": brief}\n'
    owner, why = live(tmp_path / "owner", *OWNER, settings=brief)
    developer, _ = live(tmp_path / "developer", *DEVELOPER, settings=brief)
    assert why["evidence"][1].startswith("You wrote 5 notes near this")
    assert "Stakeholders get a monthly report about late invoices." in owner
    assert "idempotent" in developer
    assert "procrastinate 2.1 does not support priorities" in developer
    assert set(owner.splitlines()) != set(developer.splitlines())


def test_who_wrote_about_other_things_gets_a_shorter_page(
    tmp_path: Path,
) -> None:
    rain = [f"Day {n}: rain on the lake." for n in range(90)]
    near, _ = live(tmp_path / "near", *DEVELOPER, *rain)
    far, line = live(tmp_path / "far", *rain)
    assert line["depth"] == "brief"
    assert line["evidence"] == [
        "You wrote 90 notes about other things and none near this."
    ]
    assert len(far) < len(near)


def test_settings_decide_the_depth_by_source_and_topic(tmp_path: Path) -> None:
    page, line = live(
        tmp_path / "source",
        "Rain.",
        settings='depth: {"*/queue.md": linkout}\n',
    )
    assert line["depth"] == "linkout"
    assert "Original: `companion recall" in page
    assert "invoices a month" not in page
    page, line = live(
        tmp_path / "topic", "Rain.", settings="depth: {invoices: full text}\n"
    )
    assert line["depth"] == "full text"
    assert line["evidence"][0] == 'Your settings say "invoices: full text".'
    assert FILLER[41] in page


def test_the_role_in_the_settings_is_evidence(tmp_path: Path) -> None:
    _, line = live(tmp_path / "w", "Rain.", settings="role: nurse\n")
    assert 'Your role, "nurse", is not near this topic.' in line["evidence"]


def test_each_span_on_record_holds_words_of_the_page(tmp_path: Path) -> None:
    page, line = live(tmp_path / "w", *OWNER)
    text = READER.read(PAPER.encode(), "queue.md").text
    assert line["spans"]
    for start, end, place in line["spans"]:
        assert text[start:end] in page
        assert place.startswith("line")

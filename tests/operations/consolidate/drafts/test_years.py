"""A page of very many notes is split by year, and gathers on."""

import time
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.operations.consolidate.drafts import years
from companion.pages.statement_edits import (
    NewStatement,
    add_statements,
    remove_statements,
)
from companion.pages.statements import read_mentions, read_statements
from tests.wiki import Wiki, check_index


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    monkeypatch.setattr(years, "MOST", 4)
    monkeypatch.setattr(years.split_by_year, "__defaults__", (4,))
    wiki = Wiki.new(tmp_path / "wiki")
    for year in ("2024", "2025", "2026"):
        for day in (1, 2):
            wiki.ingest(
                f"Words of {year}, day {day}.",
                title="Anna",
                event_time=f"{year}-03-0{day}T08:00:00Z",
            )
            wiki.consolidate()
    return wiki


def pages(wiki: Wiki) -> dict[str, list[str]]:
    found = {}
    for path in sorted((wiki.root / "entries").rglob("*.md")):
        text = path.read_text()
        found[path.stem] = [one.words for one in read_statements(text)]
    return found


def test_the_page_keeps_the_newest_year_and_links_the_others(
    wiki: Wiki,
) -> None:
    found = pages(wiki)

    assert found["Anna 2024"] == [
        "Words of 2024, day 1.",
        "Words of 2024, day 2.",
    ]
    assert "Words of 2026, day 2." in found["Anna"]
    assert sum(map(len, found.values())) == 6
    [path] = (wiki.root / "entries").rglob("Anna.md")
    assert "Anna 2024" in [one.page for one in read_mentions(path.read_text())]
    check_index(wiki)


def test_notes_go_on_joining_the_page_of_the_name(wiki: Wiki) -> None:
    wiki.ingest("Anna called about the keys")
    wiki.consolidate()

    assert "Anna called about the keys" in pages(wiki)["Anna"]
    check_index(wiki)


def test_an_undo_of_the_split_puts_the_notes_back(wiki: Wiki) -> None:
    split = next(
        run for run in wiki.ledger() if any(e["e"] == "moved" for e in run[1:])
    )
    name = "-".join((split[0]["now"][:10], "consolidate"))
    runs = sorted(
        path.stem
        for path in (wiki.root / ".companion" / "ledger").rglob("*.jsonl")
        if path.stem.startswith(name)
    )

    undo(wiki.ws, runs[-1])

    assert sum(map(len, pages(wiki).values())) == 5
    check_index(wiki)


def test_thousands_of_notes_are_added_and_removed_at_once() -> None:
    notes = [
        NewStatement(f"{n:012x}", f"2026-01-{n % 28 + 1:02d}", f"Note {n}.")
        for n in range(2000)
    ]
    before = time.process_time()

    whole = add_statements("---\ntitle: Anna\n---\n", notes)
    half = remove_statements(whole, {note.id for note in notes[:1000]})

    assert len(read_statements(half)) == 1000
    assert time.process_time() - before < 30

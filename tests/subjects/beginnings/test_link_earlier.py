"""A page that begins links the notes that named it before, on the pages of other subjects."""

from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.pages.statements import read_mentions, read_statements
from companion.subjects.beginnings import link_earlier
from tests.subjects.beginnings.test_begin_pages import live
from tests.wiki import Wiki, check_health, check_index

ANNA = (
    ("Anna called about the keys.",),
    ("Anna is moving to Lyon.",),
    ("Anna prefers tea now.", "Anna went to Bergen with Mira."),
)
MIRA = (
    ("Met Mira at the market.",),
    ("Mira is away until Friday.",),
)
LAST = ("Mira sent photos.", "Anna thinks of Mira often.")


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def words_of_mentions(wiki: Wiki, name: str) -> set[tuple[str, str]]:
    text = wiki.read(f"entries/2026/11/{name}.md")
    return {(line.page, line.words) for line in read_mentions(text)}


def test_a_page_that_begins_links_what_named_it_before(wiki: Wiki) -> None:
    live(wiki, *ANNA, *MIRA, LAST)

    assert words_of_mentions(wiki, "Mira") == {
        ("Anna", "Anna went to Bergen with Mira"),
        ("Anna", "Anna thinks of Mira often"),
    }
    told = read_statements(wiki.read("entries/2026/11/Anna.md"))
    assert "Anna went to Bergen with Mira." in [one.words for one in told]
    check_index(wiki)
    check_health(wiki)


def test_another_s_longer_name_is_no_name_of_the_page() -> None:
    assert not link_earlier.names_page("Anna read Mira Nair.", "x", "Mira")
    assert link_earlier.names_page("Anna met Mira.", "x", "Mira")


def test_only_so_many_pages_are_looked_at(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_earlier, "MOST_PAGES", 0)
    live(wiki, *ANNA, *MIRA, LAST)

    assert words_of_mentions(wiki, "Mira") == {
        ("Anna", "Anna thinks of Mira often")
    }


def test_undo_takes_the_page_and_its_lines_back(wiki: Wiki) -> None:
    run = live(wiki, *ANNA, *MIRA, LAST)[-1]
    undo(wiki.ws, run)

    assert not (wiki.root / "entries/2026/11/Mira.md").exists()
    check_index(wiki)
    check_health(wiki)

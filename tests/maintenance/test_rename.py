"""Pages named by slugs get the names that people link to, and undo gives the old ones back."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.adoption.undo import undo
from companion.maintenance.rename import (
    is_slug_of,
    plan_renames,
    rename_to_titles,
)
from companion.operations.consolidate.drafts import pages
from companion.pages.links import key
from companion.pages.names.file_name import make_file_name
from companion.pages.names.slug import slugify
from companion.storage.index.tables.pages.names import FiledPage
from tests.wiki import Wiki

ANNA = "entries/2026/11/anna-weber.md"
NEW = "entries/2026/11/Anna Weber.md"


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """A wiki whose pages companion named by slugs, as it once did."""
    monkeypatch.setattr(pages.file_name, "make_file_name", slugify)
    wiki = Wiki.new(
        tmp_path / "wiki", {"Mine.md": "# Mine\n\n[[Anna Weber]]\n"}
    )
    wiki.ingest("# Anna Weber\n\nShe sails.", "# Oslo\n\nA harbour.")
    wiki.ingest("# Paul Berg\n\nHe rows.")
    wiki.consolidate()
    monkeypatch.undo()
    return wiki


def test_a_page_gets_the_name_of_its_title_and_keeps_its_id(wiki: Wiki) -> None:
    before = wiki.show("Anna Weber")
    words = wiki.read(ANNA)
    assert before["path"] == ANNA

    done = rename_to_titles(wiki.ws)

    assert {item["path"] for item in done["renamed"]} == {
        NEW,
        "entries/2026/11/Paul Berg.md",
    }
    after = wiki.show("Anna Weber")
    assert (after["id"], after["path"]) == (before["id"], NEW)
    assert wiki.read(NEW) == words
    assert not (wiki.root / ANNA).exists()
    assert (wiki.root / "entries/2026/11/oslo.md").exists(), "case only"
    assert wiki.status() == ""
    assert rename_to_titles(wiki.ws)["renamed"] == []


def test_a_preview_changes_nothing_and_says_the_same(wiki: Wiki) -> None:
    tip = wiki.git("rev-parse", "HEAD")
    shown = rename_to_titles(wiki.ws, dry_run=True)

    assert wiki.git("rev-parse", "HEAD") == tip
    assert (wiki.root / ANNA).exists()
    assert shown["renamed"] == rename_to_titles(wiki.ws)["renamed"]


def test_undo_gives_the_old_names_back(wiki: Wiki) -> None:
    files = wiki.git("ls-files", "entries")
    run = rename_to_titles(wiki.ws)["run"]
    assert run is not None and wiki.git("ls-files", "entries") != files

    undo(wiki.ws, run)

    assert wiki.git("ls-files", "entries") == files
    assert wiki.show("Anna Weber")["path"] == ANNA
    assert wiki.status() == ""


def test_undo_leaves_a_page_that_changed_under_its_new_name(wiki: Wiki) -> None:
    run = rename_to_titles(wiki.ws)["run"]
    assert run is not None
    wiki.write(NEW, wiki.read(NEW) + "\nMy line.\n")
    wiki.adopt()

    undone = undo(wiki.ws, run)

    assert {item["path"] for item in undone["left_out"]} == {ANNA, NEW}
    assert "My line." in wiki.read(NEW)
    assert not (wiki.root / ANNA).exists()
    assert wiki.show("Anna Weber")["path"] == NEW


def test_a_page_linked_by_its_old_name_keeps_it(wiki: Wiki) -> None:
    wiki.write("Mine.md", "# Mine\n\n[[anna-weber|Anna]] and [[Paul Berg]]\n")
    wiki.commit()
    wiki.consolidate()

    done = rename_to_titles(wiki.ws)

    assert [item["from"] for item in done["renamed"]] == [
        "entries/2026/11/paul-berg.md"
    ]
    assert done["left_out"] == [
        {"path": ANNA, "reason": "linked by its file name in Mine.md"}
    ]
    assert wiki.read("Mine.md").startswith("# Mine\n\n[[anna-weber|Anna]]")


def test_a_page_with_edits_that_are_not_adopted_waits(wiki: Wiki) -> None:
    wiki.write(ANNA, wiki.read(ANNA) + "mine\n")

    done = rename_to_titles(wiki.ws)

    assert [item["path"] for item in done["left_out"]] == [ANNA]
    assert wiki.read(ANNA).endswith("mine\n")


def test_a_page_that_its_owner_renamed_keeps_that_name(wiki: Wiki) -> None:
    wiki.git("mv", ANNA, "entries/my-friend.md")
    wiki.commit()
    wiki.adopt()

    done = rename_to_titles(wiki.ws)

    assert "entries/my-friend.md" not in {
        item["from"] for item in done["renamed"]
    }
    assert (wiki.root / "entries/my-friend.md").exists()


def test_a_name_that_is_taken_gets_a_number(wiki: Wiki) -> None:
    wiki.write("people/ANNA WEBER.md", "theirs, of another title: x\n")
    wiki.commit()
    wiki.adopt()

    done = rename_to_titles(wiki.ws)

    assert "entries/2026/11/Anna Weber (2).md" in {
        item["path"] for item in done["renamed"]
    }


@given(
    st.lists(
        st.sampled_from(
            ["Anna Weber", "anna weber", "A/B C", "A.B C", "x y " * 30, "Plan"]
        ),
        max_size=12,
    )
)
def test_no_two_pages_get_one_name(titles: list[str]) -> None:
    pages = []
    for number, title in enumerate(titles):
        name = slugify(title) + (f"-{number}" if number else "")
        pages.append(FiledPage(str(number), f"e/{name}.md", title, "b" * 40))
    kept = {key(page.path) for page in pages}

    renames = plan_renames(pages, kept.__contains__)

    names = [key(each.to) for each in renames]
    assert len(set(names)) == len(names)
    assert not kept & set(names)
    for page, to in renames:
        wanted = make_file_name(page.title)
        assert key(to).startswith(key(wanted)[:60])


@pytest.mark.parametrize(
    ("name", "title", "ours"),
    [
        ("anna-weber", "Anna Weber", True),
        ("anna-weber-2", "Anna Weber", True),
        ("anna", "Anna Weber", False),
        ("my-friend", "Anna Weber", False),
        ("2026-11-22 (notes)", "2026-11-22", False),
        ("x" * 77 + "-12", "x" * 90, True),
    ],
)
def test_only_names_that_companion_made_are_changed(
    name: str, title: str, ours: bool
) -> None:
    assert is_slug_of(name, title) == ours

"""A page of one statement says in its file that it lost, and to what (CON-8)."""

from pathlib import Path
from typing import Any

import pytest

from companion.adoption import undo
from companion.operations.decay.recall import recall_faded
from companion.pages.body import words_to_judge
from companion.pages.statements import read_mentions, without_derived
from tests.minority.test_gather import (
    BELIEF,
    FIRST,
    PAGE,
    SECOND,
    THIRD,
    founded,
    night,
    won,
)
from tests.wiki import Wiki, check_health, check_index

REASON = "took its place (3 independent sources).\n"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return founded(Wiki.new(tmp_path / "wiki"))


def promoted_name(wiki: Wiki, done: dict[str, Any]) -> str:
    return Path(wiki.show(done["branches"][-1]["entry"])["path"]).stem


def test_the_file_of_the_loser_names_what_took_its_place(wiki: Wiki) -> None:
    before = wiki.read(PAGE)
    name = promoted_name(wiki, won(wiki))
    after = wiki.read(PAGE)
    assert after.startswith(before)
    assert after[len(before) :] == (
        f"\n## Earlier\n\nUntil 2026-11-04: [[{name}]] {REASON}"
    )
    check_index(wiki)
    check_health(wiki)


def test_what_it_says_of_its_loss_is_no_word_of_the_page(wiki: Wiki) -> None:
    before = wiki.read(PAGE)
    won(wiki)
    after = wiki.read(PAGE)
    assert without_derived(after).rstrip() == before.rstrip()
    assert words_to_judge(after).rstrip() == words_to_judge(before).rstrip()
    assert read_mentions(after) == []
    found = wiki.search("independent sources place")
    assert PAGE not in [hit["path"] for hit in found]


def test_saying_that_it_lost_is_no_access(wiki: Wiki) -> None:
    before = wiki.show(PAGE)["last_accessed"]
    won(wiki)
    assert wiki.show(PAGE)["last_accessed"] == before
    check_index(wiki)


def test_undo_gives_the_tree_back(wiki: Wiki) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    files = wiki.files()
    done = night(wiki, (THIRD, "vendor"))
    assert REASON in wiki.read(PAGE)
    wiki.tick()
    undo.undo(wiki.ws, done["run"])
    assert wiki.files() == files
    check_index(wiki)


def test_what_is_recalled_says_so_no_longer(wiki: Wiki) -> None:
    before = wiki.read(PAGE)
    won(wiki)
    wiki.tick()
    recall_faded(wiki.ws, PAGE, restore=True)
    assert wiki.read(PAGE) == before
    assert wiki.show("Message queue.md")["state"] == "active"
    check_index(wiki)


def test_a_page_that_grows_on_the_night_of_its_loss_says_both(
    wiki: Wiki,
) -> None:
    night(wiki, (THIRD, "vendor"))
    night(wiki, (SECOND, "mary"))
    again = BELIEF + "\nIt always did."
    done = night(wiki, (FIRST, "post mortem"), (again, "manual"))
    assert done["branches"][-1]["action"] == "promote"
    assert "It always did." in wiki.read(PAGE)
    assert REASON in wiki.read(PAGE)
    check_index(wiki)
    check_health(wiki)


def test_two_machines_write_one_tree(wiki: Wiki, tmp_path: Path) -> None:
    night(wiki, (FIRST, "post mortem"))
    night(wiki, (SECOND, "mary"))
    other = wiki.clone(tmp_path / "other")
    for each in (wiki, other):
        night(each, (THIRD, "vendor"))
        assert REASON in each.read(PAGE)
    assert wiki.files() == other.files()

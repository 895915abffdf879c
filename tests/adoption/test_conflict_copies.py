"""A synchronised folder keeps two versions of a page, and the next night makes one of them."""

from datetime import timedelta
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from tests.wiki import START, Wiki, check_health, check_index, list_values

COPY = "Plan.sync-conflict-20261103-101112-ABCDEFG.md"
PLAN = "# Plan\n\nmilk\n\nbread\n"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.write("Plan.md", PLAN)
    wiki.adopt()
    return wiki


def night(wiki: Wiki, day: int) -> list[str]:
    wiki.now = max(wiki.now, START + timedelta(days=day))
    wiki.adopt()
    wiki.tick()
    return list(wiki.consolidate()["notes"])


def test_lines_of_both_devices_stand_on_one_page(wiki: Wiki) -> None:
    wiki.write("Plan.md", PLAN.replace("milk", "oat milk"))
    wiki.write(COPY, PLAN.replace("bread", "rye bread") + "\ntea\n")
    night(wiki, 1)
    assert wiki.read("Plan.md") == "# Plan\n\noat milk\n\nrye bread\n\ntea\n"
    assert COPY not in wiki.files()
    assert not (wiki.root / COPY).exists()
    assert wiki.status() == ""
    assert [event["path"] for event in wiki.events("merged")] == [COPY]
    check_index(wiki)
    check_health(wiki)
    wiki.tick()
    assert wiki.consolidate()["run"] is None


def test_undo_gives_both_back(wiki: Wiki) -> None:
    wiki.write("Plan.md", PLAN.replace("milk", "oat milk"))
    wiki.write(COPY, PLAN + "\ntea\n")
    wiki.adopt()
    before = wiki.files()
    wiki.tick()
    wiki.consolidate()
    commit = wiki.git("log", "-1", "--grep=^merge:", "--format=%H").strip()
    wiki.tick()
    undo(wiki.ws, commit)
    assert wiki.files() == before


def test_a_copy_of_a_page_of_notes(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Anna lives in Porto.", title="Anna")
    wiki.consolidate()
    (path,) = [path for path in wiki.files() if path.endswith("Anna.md")]
    text = wiki.read(path)
    copy = path.replace("Anna.md", "Anna 2.md")
    wiki.write(copy, text + "\nBob lives in Rome.\n")
    night(wiki, 1)
    assert copy not in wiki.files()
    assert wiki.read(path) == text + "\nBob lives in Rome.\n"
    night(wiki, 2)
    assert list_values(wiki.ws, "Bob", "lives in") == ["Rome"]
    check_health(wiki)


def test_a_number_alone_is_a_name_of_the_persons(wiki: Wiki) -> None:
    wiki.write("Plan 2.md", PLAN.replace("bread", "cheese"))
    night(wiki, 1)
    assert wiki.read("Plan 2.md") == PLAN.replace("bread", "cheese")
    assert wiki.read("Plan.md") == PLAN


def test_a_copy_without_its_page_stays(wiki: Wiki) -> None:
    wiki.write("Gone (conflicted copy 2026-11-03).md", "words\n")
    night(wiki, 1)
    assert wiki.read("Gone (conflicted copy 2026-11-03).md") == "words\n"


def test_what_only_the_person_can_tell_is_said(wiki: Wiki) -> None:
    wiki.write("Plan.md", "---\ntitle: Ours\n---\n\nmilk\n")
    wiki.write(COPY, "---\ntitle: Theirs\n---\n\nmilk\n")
    notes = night(wiki, 1)
    assert any(COPY in note and "by hand" in note for note in notes)
    assert wiki.read(COPY) == "---\ntitle: Theirs\n---\n\nmilk\n"


def test_a_page_that_is_being_written_waits(wiki: Wiki) -> None:
    wiki.write(COPY, PLAN + "\ntea\n")
    wiki.adopt()
    wiki.write("Plan.md", PLAN + "\ncoffee\n")
    wiki.tick()
    wiki.consolidate()
    assert wiki.read("Plan.md") == PLAN + "\ncoffee\n"
    assert COPY in wiki.files()
    night(wiki, 1)
    assert wiki.read("Plan.md").endswith("\ncoffee\ntea\n") or wiki.read(
        "Plan.md"
    ).endswith("\ntea\ncoffee\n")

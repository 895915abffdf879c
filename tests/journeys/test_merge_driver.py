"""Git merges pages as companion does: without marks, and with the notes and lines of both sides."""

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from companion.assistants.uninstall import uninstall
from companion.maintenance.remotes import merge_driver, remote
from companion.pages.statements import read_statements
from tests.wiki import START, Wiki, check_health, check_index, list_values

DAY = "journal/2026/2026-11-{:02}.md"


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "desk")
    merge_driver.install(wiki.ws.place)
    return wiki


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path) -> Wiki:
    return desk.clone(tmp_path / "laptop")


def night(wiki: Wiki, day: int, *notes: str) -> None:
    wiki.now = max(wiki.now, START + timedelta(days=day))
    wiki.ingest(*notes)
    wiki.consolidate()


def pull(wiki: Wiki, other: Wiki) -> str:
    """Merge what *other* has, and return what git said; a conflict fails."""
    wiki.now = max(wiki.now, other.now)
    wiki.tick()
    wiki.git("fetch", "-q", str(other.root), "HEAD")
    done = subprocess.run(
        ["git", "-C", str(wiki.root), "merge", "-m", "together", "FETCH_HEAD"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stderr


def words_at(wiki: Wiki, path: str) -> list[str]:
    return [one.words for one in read_statements(wiki.read(path))]


def test_a_day_of_both_is_merged_and_is_nobodys_edit(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "Bought stamps", "Anna lives in Porto.")
    pull(laptop, desk)
    night(desk, 0, "Rain all day", "Anna lives in Lisbon since 2026-10-01.")
    laptop.now = desk.now
    night(laptop, 0, "Lunch outside", "Anna lives in Oslo since 2026-11-01.")
    pull(desk, laptop)
    merged = desk.read(DAY.format(1))
    assert sorted(words_at(desk, DAY.format(1))) == [
        "Anna lives in Lisbon since 2026-10-01.",
        "Anna lives in Oslo since 2026-11-01.",
        "Anna lives in Porto.",
        "Bought stamps",
        "Lunch outside",
        "Rain all day",
    ]
    desk.consolidate()
    assert desk.read(DAY.format(1)) == merged
    # another machine's notes are no words of the person who merged
    assert desk.events("edited") == []
    tellings = [event["telling"]["channel"] for event in desk.events("claims")]
    assert "hand" not in tellings
    pull(laptop, desk)
    laptop.consolidate()
    assert laptop.files() == desk.files()
    for wiki in (desk, laptop):
        check_index(wiki)
        check_health(wiki)


def test_what_a_person_wrote_after_the_merge_is_theirs(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "Bought stamps")
    pull(laptop, desk)
    night(desk, 0, "Rain all day")
    laptop.now = desk.now
    night(laptop, 0, "Lunch outside")
    pull(desk, laptop)
    path = DAY.format(1)
    desk.write(path, desk.read(path) + "\nAnna lives in Bergen.\n")
    desk.commit("my own line")
    desk.consolidate()
    assert "Anna lives in Bergen." in desk.read(path)
    assert [event["path"] for event in desk.events("edited")] == [path]


def test_lines_of_two_persons_stay_and_git_says_so(
    desk: Wiki, laptop: Wiki
) -> None:
    desk.write("List.md", "# List\n\nmilk\n")
    desk.commit("list")
    desk.adopt()
    pull(laptop, desk)
    for wiki, line in ((desk, "oat milk"), (laptop, "two milk")):
        wiki.write("List.md", f"# List\n\n{line}\n")
        wiki.commit(line)
        wiki.adopt()
    said = pull(desk, laptop)
    assert desk.read("List.md") == "# List\n\noat milk\ntwo milk\n"
    assert (
        "List.md: both sides wrote in 1 place; the lines of both stay" in said
    )


def test_facts_of_both_follow_the_ledger(desk: Wiki, laptop: Wiki) -> None:
    night(desk, 0, "Anna lives in Porto.")
    night(desk, 1, "Anna plays the cello.")
    night(desk, 2, "Anna likes rye bread.")
    pull(laptop, desk)
    night(desk, 3, "Anna lives in Lisbon since 2026-11-03.")
    laptop.now = desk.now
    night(laptop, 3, "Anna lives in Oslo since 2026-11-04.")
    pull(desk, laptop)
    pull(laptop, desk)
    for wiki in (desk, laptop):
        wiki.tick()
        wiki.consolidate()
        check_index(wiki)
        check_health(wiki)
        assert wiki.events("edited") == []
        assert list_values(wiki.ws, "Anna", "lives in") == ["Oslo"]
    assert desk.files() == laptop.files()


def test_the_persons_own_way_to_merge_stays(desk: Wiki, tmp_path: Path) -> None:
    other = Wiki.new(tmp_path / "other")
    other.write(".gitattributes", "*.md merge=union\n")
    assert not merge_driver.install(other.ws.place)
    assert not merge_driver.is_installed(other.ws.place)


def test_git_merges_as_ever_where_companion_is_gone(
    desk: Wiki, laptop: Wiki
) -> None:
    for wiki, line in ((desk, "ours"), (laptop, "theirs")):
        wiki.write("List.md", f"{line}\n")
        wiki.commit(line)
    driver = desk.git("config", "merge.companion.driver").strip()
    gone = driver.replace(sys.executable, "/nowhere/python")
    desk.git("config", "--replace-all", "merge.companion.driver", gone)
    desk.git("fetch", "-q", str(laptop.root), "HEAD")
    desk.git("merge", "-q", "FETCH_HEAD", check=False)
    assert "<<<<<<<" in desk.read("List.md")
    assert "ours" in desk.read("List.md")
    assert "theirs" in desk.read("List.md")


def test_a_remote_and_a_clone_bring_it_and_uninstall_takes_it(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    assert not merge_driver.is_installed(wiki.ws.place)
    attributes = wiki.root / ".git/info/attributes"
    before = attributes.read_bytes() if attributes.exists() else None
    wiki.git("init", "-q", "--bare", str(tmp_path / "there"))
    remote.add(wiki.ws, "there", str(tmp_path / "there"))
    assert merge_driver.is_installed(wiki.ws.place)
    assert merge_driver.install(wiki.ws.place), "a second time changes nothing"
    assert attributes.read_text() == "*.md merge=companion\n"
    assert merge_driver.is_installed(wiki.clone(tmp_path / "clone").ws.place)
    done = uninstall(wiki.ws, str(tmp_path), dry_run=False)
    assert "merge driver" in [one["what"] for one in done["removed"]]
    assert not merge_driver.is_installed(wiki.ws.place)
    assert (attributes.read_bytes() if attributes.exists() else None) == before

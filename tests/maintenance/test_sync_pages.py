"""`remote sync` merges and pushes the pages of a remote that was added with them."""

from datetime import timedelta
from pathlib import Path

import pytest

from companion.maintenance.erase.run import erase
from companion.maintenance.remotes import remote
from companion.maintenance.take_in import ErasedThere
from companion.pages.statements import read_statements
from companion.values.progress import SILENT
from tests.wiki import START, Wiki, check_health, check_index, git

DAY = "journal/2026/2026-11-{:02}.md"


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "desk")
    git(tmp_path, "init", "-q", "--bare", "hub")
    join(wiki, tmp_path)
    return wiki


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path) -> Wiki:
    sync(desk)
    git(tmp_path, "clone", "-q", "-b", "main", "hub", "laptop")
    wiki = desk.clone(tmp_path / "other")
    wiki.git("remote", "remove", "origin")
    join(wiki, tmp_path)
    return wiki


def join(wiki: Wiki, folder: Path) -> None:
    remote.add(wiki.ws, "hub", str(folder / "hub"), with_pages=True)


def sync(wiki: Wiki) -> dict[str, object]:
    wiki.tick()
    merged = remote.sync(wiki.ws, "hub", progress=SILENT)["merged"]
    assert merged is not None
    return dict(merged)


def night(wiki: Wiki, day: int, *notes: str) -> None:
    wiki.now = max(wiki.now, START + timedelta(days=day))
    wiki.ingest(*notes)
    wiki.consolidate()


def words_at(wiki: Wiki, path: str) -> list[str]:
    return [one.words for one in read_statements(wiki.read(path))]


def test_two_devices_need_no_git_at_all(desk: Wiki, laptop: Wiki) -> None:
    night(desk, 0, "Bought stamps")
    laptop.now = desk.now
    night(laptop, 0, "Lunch outside")
    assert sync(desk) == {"received": 0, "sent": 1, "left": None}
    done = sync(laptop)
    assert (done["received"], done["left"]) == (1, None)
    laptop.consolidate()
    sync(laptop)
    assert sync(desk)["left"] is None
    for wiki in (desk, laptop):
        assert words_at(wiki, DAY.format(1)) == [
            "Bought stamps",
            "Lunch outside",
        ]
        assert wiki.status() == ""
        assert wiki.consolidate()["run"] is None
        check_index(wiki)
        check_health(wiki)
    assert desk.files() == laptop.files()
    assert desk.head == laptop.head
    assert sync(desk) == {"received": 0, "sent": 0, "left": None}


def test_a_page_that_the_person_is_writing_is_left(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "Bought stamps")
    sync(desk)
    sync(laptop)
    night(desk, 0, "Rain all day")
    sync(desk)
    path = DAY.format(1)
    mine = laptop.read(path) + "\nmy line\n"
    laptop.write(path, mine)
    head = laptop.head
    left = str(sync(laptop)["left"])
    assert path in left
    assert "companion adopt" in left
    assert laptop.read(path) == mine
    assert laptop.head == head
    laptop.adopt()
    assert sync(laptop)["left"] is None
    assert "my line" in laptop.read(path)
    assert words_at(laptop, path) == ["Bought stamps", "Rain all day"]


def test_a_file_in_the_way_stays(desk: Wiki, laptop: Wiki) -> None:
    desk.write("Plan.md", "theirs\n")
    desk.commit("plan")
    sync(desk)
    laptop.write("Plan.md", "mine, and in no commit\n")
    assert "Plan.md" in str(sync(laptop)["left"])
    assert laptop.read("Plan.md") == "mine, and in no commit\n"


def test_what_only_a_person_can_merge_is_left_to_them(
    desk: Wiki, laptop: Wiki
) -> None:
    for wiki, title in ((desk, "Ours"), (laptop, "Theirs")):
        wiki.write("Plan.md", f"---\ntitle: {title}\n---\n\ntext\n")
        wiki.commit("plan")
    sync(desk)
    done = sync(laptop)
    assert "Plan.md; `git pull` shows it" in str(done["left"])
    assert laptop.status() == ""


def test_a_history_written_anew_is_not_brought_back(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "The code of the door is Kumquat77.")
    night(desk, 1, "Rain all day")
    sync(desk)
    sync(laptop)
    word = erase(desk.ws, ["Kumquat77"])["confirm"]
    erase(desk.ws, ["Kumquat77"], confirm=word)
    desk.git("push", "-q", "--force", "hub", "main")
    left = str(sync(laptop)["left"])
    assert "another history" in left
    assert str(sync(laptop)["left"]) == left, "it is said each time"
    laptop.git("push", "-q", "--force", "hub", "main")
    with pytest.raises(ErasedThere):
        sync(desk)
    assert "Kumquat77" not in str(desk.files())


def test_without_the_option_pages_travel_by_git_alone(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    git(tmp_path, "init", "-q", "--bare", "hub")
    remote.add(wiki.ws, "hub", str(tmp_path / "hub"))
    night(wiki, 0, "Bought stamps")
    assert remote.sync(wiki.ws, "hub", progress=SILENT)["merged"] is None
    assert git(tmp_path / "hub", "for-each-ref", "refs/heads") == ""

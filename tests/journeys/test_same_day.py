"""Two machines tell notes of one day and of one subject, and their pages become one."""

from datetime import timedelta
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.pages.statements import read_mentions, read_statements
from tests.wiki import START, Wiki, check_health, check_index

DAY = "journal/2026/2026-11-{:02}.md"
BOILER = "entries/2026/11/Boiler.md"
MERGES = {
    "markers": (),
    "union": ("-X", "union"),
    "ours": ("-X", "ours"),
    "theirs": ("-X", "theirs"),
}


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "desk")


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path) -> Wiki:
    return desk.clone(tmp_path / "laptop")


def night(wiki: Wiki, day: int, *notes: str) -> None:
    wiki.now = max(wiki.now, START + timedelta(days=day))
    wiki.ingest(*notes)
    wiki.consolidate()


def pull(wiki: Wiki, other: Wiki, *how: str) -> None:
    """Merge what *other* has, as a person who commits whatever git left."""
    wiki.now = max(wiki.now, other.now)
    wiki.tick()
    wiki.git("fetch", "-q", str(other.root), "HEAD")
    if "union" in how:
        (wiki.root / ".git/info/attributes").write_text("*.md merge=union\n")
        how = ()
    wiki.git("merge", "-q", *how, "-m", "together", "FETCH_HEAD", check=False)
    if wiki.git("ls-files", "-u"):
        wiki.commit("together")


def words_at(wiki: Wiki, path: str) -> list[str]:
    return [one.words for one in read_statements(wiki.read(path))]


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_a_day_that_both_wrote_is_one_page(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...]
) -> None:
    night(desk, 0, "Bought stamps", "Rain all day")
    laptop.now = desk.now
    night(laptop, 0, "Lunch with the neighbours", "Read the newspaper")
    pull(desk, laptop, *how)
    desk.consolidate()
    path = DAY.format(1)
    assert words_at(desk, path) == [
        "Bought stamps",
        "Rain all day",
        "Lunch with the neighbours",
        "Read the newspaper",
    ]
    for mark in ("<<<<<<<", "=======", ">>>>>>>"):
        assert mark not in desk.read(path)
    assert desk.status() == ""
    check_index(desk)
    check_health(desk)
    pull(laptop, desk, "--ff-only")
    laptop.consolidate()
    assert laptop.files() == desk.files()
    check_index(laptop)


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_both_begin_the_page_of_one_subject(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...]
) -> None:
    night(desk, 0, "The boiler was serviced in March.")
    night(desk, 1, "Called about the boiler pressure")
    pull(laptop, desk, "--ff-only")
    night(desk, 2, "the boiler is loud again")
    laptop.now = desk.now
    night(laptop, 3, "The boiler needs a new valve.")
    assert (desk.root / BOILER).exists()
    assert (laptop.root / BOILER).exists()
    pull(desk, laptop, *how)
    pull(laptop, desk, "--ff-only")
    for wiki in (desk, laptop):
        wiki.tick()
        wiki.consolidate()
        assert words_at(wiki, BOILER) == [
            "The boiler was serviced in March.",
            "Called about the boiler pressure",
            "the boiler is loud again",
            "The boiler needs a new valve.",
        ]
        for day in (1, 2):
            (line,) = read_mentions(wiki.read(DAY.format(day)))
            assert line.page == "Boiler"
        check_index(wiki)
        check_health(wiki)
        wiki.tick()
        assert wiki.consolidate()["run"] is None
    assert desk.files() == laptop.files()
    pull(laptop, desk)
    assert laptop.files() == desk.files()
    check_index(laptop)
    assert laptop.consolidate()["run"] is None


def test_pages_of_one_subject_in_two_months_become_one(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "The boiler was serviced in March.")
    night(desk, 1, "Called about the boiler pressure")
    night(desk, 2, "the boiler is loud again")
    night(laptop, 31, "The boiler needs a new valve.")
    night(laptop, 32, "Paid for the boiler valve")
    night(laptop, 33, "the boiler works")
    second = "entries/2026/12/Boiler.md"
    assert (laptop.root / second).exists()
    pull(desk, laptop)
    pull(laptop, desk, "--ff-only")
    kept = []
    for wiki in (desk, laptop):
        done = wiki.consolidate()
        (path,) = [path for path in wiki.files() if "Boiler" in path]
        kept.append(path)
        assert len(words_at(wiki, path)) == 6
        assert words_at(wiki, path)[0] == "The boiler was serviced in March."
        assert wiki.show("Boiler")["path"] == path
        assert done["run"] is None
        assert len(wiki.events("merged")) == 1
        check_index(wiki)
        check_health(wiki)
    assert kept[0] == kept[1]
    assert desk.files() == laptop.files()


def test_a_person_between_the_marks_is_not_overruled(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "Bought stamps")
    laptop.now = desk.now
    night(laptop, 0, "Lunch with the neighbours")
    pull(desk, laptop)
    path = DAY.format(1)
    text = desk.read(path) + "\nmy own line\n"
    desk.write(path, text)
    desk.commit("between the marks")
    done = desk.consolidate()
    assert desk.read(path) == text
    assert any(path in note for note in done["notes"])


def test_what_a_person_takes_out_after_the_merge_stays_out(
    desk: Wiki, laptop: Wiki
) -> None:
    night(desk, 0, "Bought stamps")
    laptop.now = desk.now
    night(laptop, 0, "Lunch with the neighbours")
    pull(desk, laptop)
    desk.consolidate()
    path = DAY.format(1)
    kept, _, _ = desk.read(path).partition("\n## 08:03")
    assert words_at(desk, path) == [
        "Bought stamps",
        "Lunch with the neighbours",
    ]
    desk.write(path, kept + "\n")
    desk.commit("not this one")
    desk.adopt()
    desk.tick()
    desk.consolidate()
    assert words_at(desk, path) == ["Bought stamps"]
    pull(laptop, desk, "--ff-only")
    laptop.consolidate()
    assert words_at(laptop, path) == ["Bought stamps"]


def test_undo_gives_back_what_git_had_left(desk: Wiki, laptop: Wiki) -> None:
    night(desk, 0, "Bought stamps")
    laptop.now = desk.now
    night(laptop, 0, "Lunch with the neighbours")
    pull(desk, laptop, "-X", "ours")
    before = desk.files()
    desk.consolidate()
    commit = desk.git("log", "-1", "--grep=^merge:", "--format=%H").strip()
    desk.tick()
    undo(desk.ws, commit)
    assert desk.files() == before
    desk.tick()
    desk.consolidate()
    assert desk.files() == before, "a person who took it back is not overruled"
    check_index(desk)

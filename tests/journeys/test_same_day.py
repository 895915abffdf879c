"""Two machines tell notes of one day and of one subject, and their pages become one."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.maintenance import init as care
from companion.maintenance.doctor.run import doctor
from companion.maintenance.results import FindingResult
from companion.pages.statements import (
    read_mentions,
    read_opening,
    read_statements,
)
from companion.storage.index.folding import fold_ledger
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


def begin_in_two_months(desk: Wiki, laptop: Wiki) -> None:
    """Let each machine begin a page of the boiler, in another month."""
    night(desk, 0, "The boiler was serviced in March.")
    night(desk, 1, "Called about the boiler pressure")
    night(desk, 2, "the boiler is loud again")
    night(laptop, 31, "The boiler needs a new valve.")
    night(laptop, 32, "Paid for the boiler valve")
    night(laptop, 33, "the boiler works")


def test_pages_of_one_subject_in_two_months_become_one(
    desk: Wiki, laptop: Wiki
) -> None:
    begin_in_two_months(desk, laptop)
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


def test_a_note_told_in_two_months_has_one_page(
    desk: Wiki, laptop: Wiki
) -> None:
    note = "# Bern\n\nEve wants to go to Bern, see [[Eve]]."
    night(desk, 0, note)
    night(laptop, 100, note)
    assert (laptop.root / "entries/2027/02/Bern.md").exists()
    pull(desk, laptop)
    pull(laptop, desk, "--ff-only")
    night(desk, 100, "Eve packs for Bern.")
    laptop.now = desk.now
    laptop.consolidate()
    pull(laptop, desk)
    laptop.tick()
    laptop.consolidate()
    for wiki in (desk, laptop):
        named = [path for path in wiki.files() if "Bern" in path]
        assert named == ["entries/2026/11/Bern.md"]
        assert wiki.read(named[0]).count("Eve wants to go to Bern") == 1
        assert "Eve packs for Bern" in wiki.read(named[0])
        assert "created: 2026-11-01\n" in wiki.read(named[0])
        for kind in ("deleted", "renamed", "registered"):
            assert wiki.events(kind) == []
        check_index(wiki)
        check_health(wiki)


def begin_as_note_and_as_subject(desk: Wiki, laptop: Wiki) -> str:
    """Let the page of one note begin with its words on the desk, and with a statement on the
    laptop, and a note be told of it on both; return its path.
    """
    note = "# Bern\n\nFinn wants to go to Bern, see [[Finn]]."
    night(desk, 0, note)
    night(laptop, 0, "Eve lives in Bern.")
    night(laptop, 1, note)
    night(desk, 3, "Cem lives in Bern.")
    night(laptop, 4, "Dora lives in Bern.")
    path = "entries/2026/11/Bern.md"
    assert read_opening(desk.read(path)) and not read_opening(laptop.read(path))
    return path


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_what_git_put_together_is_no_edit_of_a_person(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...]
) -> None:
    path = begin_as_note_and_as_subject(desk, laptop)
    pull(desk, laptop, *how)
    pull(laptop, desk, "--ff-only")
    for wiki in (desk, laptop):
        wiki.tick()
        wiki.consolidate()
        wiki.tick()
        assert wiki.consolidate()["run"] is None
        for kind in ("edited", "deleted", "renamed", "registered"):
            assert wiki.events(kind) == []
        assert wiki.read(path).count("Finn wants to go") == 1
        check_index(wiki)
        check_health(wiki)
    assert desk.files() == laptop.files()


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_what_a_person_wrote_into_a_merged_page_is_theirs(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...]
) -> None:
    path = begin_as_note_and_as_subject(desk, laptop)
    pull(desk, laptop, *how)
    text = desk.read(path) + "\nmy own line\n"
    desk.write(path, text)
    desk.commit("mine")
    desk.tick()
    desk.consolidate()
    assert "my own line" in desk.read(path)
    (edited,) = desk.events("edited")
    assert edited["path"] == path
    check_index(desk)


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
@pytest.mark.parametrize("whose", ["desk", "laptop", "both"])
@pytest.mark.parametrize("mine", ["My reasons:\n\n{}\n\nThat is why.", "{}"])
def test_a_person_may_say_again_what_a_note_says(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...], whose: str, mine: str
) -> None:
    path = begin_as_note_and_as_subject(desk, laptop)
    mine = mine.format("Finn wants to go to Bern, see [[Finn]].")
    wikis = {"desk": [desk], "laptop": [laptop], "both": [desk, laptop]}
    for wiki in wikis[whose]:
        front, heading, rest = wiki.read(path).partition("# Bern\n")
        wiki.write(path, f"{front}{heading}\n{mine}\n{rest}")
        wiki.commit("mine")
        wiki.tick()
        wiki.consolidate()
        assert wiki.events("edited")
    pull(desk, laptop, *how)
    was_there = f"\n{mine}\n" in desk.read(path)
    desk.tick()
    desk.consolidate()
    assert f"\n{mine}\n" in desk.read(path) or not was_there
    check_index(desk)


def test_what_a_person_took_out_after_a_clean_merge_is_their_edit(
    desk: Wiki, laptop: Wiki
) -> None:
    """Only the laptop had it, and no night knew the page with it on the desk."""
    path = "entries/2026/11/Bern.md"
    night(desk, 0, "# Bern\n\nEve likes it.\n\nTrains run hourly.\n\nSo it is.")
    pull(laptop, desk)
    changes = {
        desk: ("Eve likes it.", "Eve loves it."),
        laptop: ("So it is.", "So it is.\n\nTom's boss is Ann."),
    }
    for wiki, (before, after) in changes.items():
        wiki.write(path, wiki.read(path).replace(before, after))
        wiki.commit("mine")
        laptop.now = desk.now
        wiki.tick()
        wiki.consolidate()
    pull(desk, laptop)
    mine = desk.read(path).replace("\n\nTom's boss is Ann.", "")
    assert mine != desk.read(path)
    desk.write(path, mine)
    desk.commit("not this one")
    desk.tick()
    desk.consolidate()
    assert desk.read(path) == mine
    assert desk.events("grown") == []
    assert len(desk.events("edited")) == 3
    check_index(desk)


def test_marks_between_two_pages_of_one_path_are_nobodys_edit(
    desk: Wiki, laptop: Wiki
) -> None:
    """Git puts two entries together, and breaks what names them."""
    note, other = (
        f"# Graz\n\n{who} wants to go to Graz." for who in ("Cem", "Dora")
    )
    night(desk, 0, note)
    night(laptop, 0, other, note)
    path = "entries/2026/11/Graz.md"
    before = desk.read(path)
    assert laptop.show(path)["id"] != desk.show(path)["id"]
    pull(desk, laptop)
    marked = desk.read(path)
    assert "<<<<<<<" in marked
    for _ in range(2):
        desk.tick()
        done = desk.consolidate()
        assert f"{path}: git's marks stand there" in " ".join(done["notes"])
    assert desk.read(path) == marked
    assert desk.events("edited") == desk.events("deleted") == []
    check_index(desk)
    desk.write(path, before)
    desk.commit("mine")
    desk.tick()
    desk.consolidate()
    (gone,) = desk.events("deleted")
    assert gone["entry"] == laptop.show(path)["id"]
    check_index(desk)


def test_an_edit_of_a_page_about_marks_is_recorded(desk: Wiki) -> None:
    text = "# Git\n\n<<<<<<< ours\n\n=======\n\n>>>>>>> theirs\n\nAll of it.\n"
    desk.write("Git.md", text)
    desk.commit("mine")
    desk.adopt()
    desk.write("Git.md", text.replace("All of it.\n", ""))
    desk.commit("mine")
    desk.tick()
    desk.adopt()
    (edited,) = desk.events("edited")
    assert edited["path"] == "Git.md"


def drop_paragraph(text: str) -> str:
    return text.replace("The hotel is dear.\n\n", "")


def swap_paragraphs(text: str) -> str:
    both = "The hotel is dear.\n\nTrains run hourly."
    return text.replace(both, "Trains run hourly.\n\nThe hotel is dear.")


@pytest.mark.parametrize("edit", [drop_paragraph, swap_paragraphs])
@pytest.mark.parametrize("nights", [0, 1, 2])
def test_what_a_person_took_out_of_one_of_two_pages_stays_out(
    desk: Wiki, laptop: Wiki, edit: Callable[[str], str], nights: int
) -> None:
    """However many nights knew of it before the other page came, and grew the page."""
    note = "# Bern\n\nEve likes it.\n\nThe hotel is dear.\n\nTrains run hourly."
    night(desk, 0, note)
    night(laptop, 100, note)
    path = "entries/2026/11/Bern.md"
    mine = edit(desk.read(path))
    assert mine != desk.read(path)
    desk.write(path, mine)
    desk.commit("mine")
    for day in range(nights):
        night(desk, 101 + day, *(["Eve packs for Bern."] if day else []))
    mine = desk.read(path)
    pull(desk, laptop)
    done = desk.consolidate()
    assert desk.read(path) == mine
    assert desk.events("merged") == []
    assert any("by hand" in one for one in done["notes"])
    check_index(desk)


def leave_two_pages(desk: Wiki, laptop: Wiki) -> tuple[str, str]:
    """Let both have two pages of one note, of which a person changed one; return their paths."""
    note = "# Bern\n\nEve likes it.\n\nThe hotel is dear.\n\nTrains run hourly."
    night(desk, 0, note)
    night(laptop, 100, note)
    first = "entries/2026/11/Bern.md"
    desk.write(first, drop_paragraph(desk.read(first)))
    desk.commit("mine")
    pull(desk, laptop)
    pull(laptop, desk, "--ff-only")
    return first, "entries/2027/02/Bern.md"


def sleep_in_turn(desk: Wiki, laptop: Wiki) -> None:
    """Let both sleep three times, and tell each other, with a note of Bern now and then."""
    for day in range(3):
        night(desk, 101 + 2 * day, *(["Eve packs for Bern."] if day else []))
        pull(laptop, desk)
        night(laptop, 102 + 2 * day, *(["Ben is in Bern."] if day else []))
        pull(desk, laptop)


def test_no_night_says_that_a_second_page_was_new_or_deleted(
    desk: Wiki, laptop: Wiki
) -> None:
    first, second = leave_two_pages(desk, laptop)
    before = laptop.read(second)
    sleep_in_turn(desk, laptop)
    for wiki in (desk, laptop):
        assert wiki.show(first)["id"] == wiki.events("created")[0]["entry"]
        assert wiki.read(second) == before
        assert "The hotel is dear." not in wiki.read(first)
        for kind in ("deleted", "renamed", "registered", "merged"):
            assert wiki.events(kind) == []
        assert {one["path"] for one in wiki.events("edited")} == {first}
        check_index(wiki)


def test_the_doctor_names_two_pages_of_one_id(desk: Wiki, laptop: Wiki) -> None:
    first, second = leave_two_pages(desk, laptop)
    desk.now = laptop.now
    desk.tick()
    desk.consolidate()
    (found,) = find_two_pages(desk)
    assert first in found["what"] and second in found["what"]
    assert found["severity"] == "warning"


def find_two_pages(wiki: Wiki) -> list[FindingResult]:
    found = doctor(wiki.ws)["findings"]
    return [one for one in found if one["kind"] == "two-pages"]


@pytest.mark.parametrize("gone", [0, 1])
def test_whoever_deletes_one_of_two_pages_has_settled_it(
    desk: Wiki, laptop: Wiki, gone: int
) -> None:
    both = leave_two_pages(desk, laptop)
    sleep_in_turn(desk, laptop)
    id = desk.show(both[0])["id"]
    (desk.root / both[gone]).unlink()
    desk.commit("one is enough")
    sleep_in_turn(desk, laptop)
    kept = both[1 - gone]
    for wiki in (desk, laptop):
        assert wiki.show(kept)["id"] == id
        assert find_two_pages(wiki) == []
        assert wiki.events("deleted") == []
        check_index(wiki)
        check_health(wiki)
    assert desk.files() == laptop.files()


def test_a_second_page_without_its_id_is_a_page_of_its_own(
    desk: Wiki, laptop: Wiki
) -> None:
    first, second = leave_two_pages(desk, laptop)
    sleep_in_turn(desk, laptop)
    id = desk.show(first)["id"]
    text = desk.read(second)
    desk.write(second, text.replace(f"id: {id}\n", ""))
    desk.commit("another page")
    sleep_in_turn(desk, laptop)
    for wiki in (desk, laptop):
        assert wiki.show(first)["id"] == id
        assert wiki.show(second)["id"] != id
        assert {one["path"] for one in wiki.events("registered")} == {second}
        assert find_two_pages(wiki) == []
        check_health(wiki)


def test_every_machine_keeps_the_same_of_two_pages(
    desk: Wiki, laptop: Wiki
) -> None:
    """What one machine keeps no other removes, or git would remove both."""
    begin_in_two_months(desk, laptop)
    pull(laptop, desk)
    # each has another page as the last one that was written
    night(desk, 40, "The boiler leaks.")
    pull(desk, laptop)
    for wiki in (desk, laptop):
        wiki.now = desk.now
        wiki.consolidate()
        assert boilers(wiki) == [BOILER]
        assert wiki.show("Boiler")["path"] == BOILER
        assert len(wiki.events("merged")) == 1
        check_index(wiki)
        check_health(wiki)
    pull(desk, laptop)
    desk.consolidate()
    assert len(words_at(desk, BOILER)) == 7
    pull(laptop, desk, "--ff-only")
    laptop.consolidate()
    assert laptop.files() == desk.files()
    for kind in ("deleted", "renamed", "registered"):
        assert desk.events(kind) == []


def test_a_page_that_a_person_moved_stays_there(
    desk: Wiki, laptop: Wiki
) -> None:
    begin_in_two_months(desk, laptop)
    (desk.root / "home").mkdir()
    desk.git("mv", BOILER, "home/Boiler.md")
    desk.commit("moved")
    desk.now = laptop.now
    desk.tick()
    desk.adopt()
    pull(desk, laptop)
    desk.consolidate()
    assert boilers(desk) == ["home/Boiler.md"]
    assert len(words_at(desk, "home/Boiler.md")) == 6


def test_a_page_that_a_person_moved_stays_there_if_no_night_saw_it_before(
    desk: Wiki, laptop: Wiki
) -> None:
    begin_in_two_months(desk, laptop)
    (desk.root / "home").mkdir()
    desk.git("mv", BOILER, "home/Boiler.md")
    desk.commit("moved")
    pull(desk, laptop)
    pull(laptop, desk, "--ff-only")
    for wiki in (desk, laptop):
        wiki.now = max(desk.now, laptop.now)
        for _ in range(2):
            wiki.tick()
            wiki.consolidate()
        assert boilers(wiki) == ["home/Boiler.md"]
        assert len(words_at(wiki, "home/Boiler.md")) == 6
        (renamed,) = wiki.events("renamed")
        assert (renamed["from"], renamed["path"]) == (BOILER, "home/Boiler.md")
        assert wiki.events("registered") == wiki.events("deleted") == []
        check_index(wiki)
        check_health(wiki)


@pytest.fixture
def crossed(desk: Wiki, laptop: Wiki, monkeypatch: pytest.MonkeyPatch) -> Wiki:
    """A wiki in which two machines each removed the page that the other kept, as they did before
    all chose the same, and git removed both.
    """
    begin_in_two_months(desk, laptop)
    pull(laptop, desk)
    night(desk, 40, "The boiler costs 900 euros.")
    pull(desk, laptop)
    with monkeypatch.context() as patch:
        # the path that the ledger knew last
        patch.setattr(fold_ledger, "_ADD_WRITTEN", fold_ledger._ADD_KNOWN)
        patch.setattr(
            fold_ledger,
            "_UPDATE_TEXT",
            "UPDATE known SET path = ?2, blob = ?3, deleted = 0 WHERE id = ?1",
        )
        for wiki in (desk, laptop):
            wiki.now = desk.now
            care.rebuild(wiki.ws)
            wiki.consolidate()
    for wiki in (desk, laptop):
        care.rebuild(wiki.ws)
    kept = [path for wiki in (desk, laptop) for path in boilers(wiki)]
    assert kept == [BOILER, BOILER.replace("/11/", "/12/")]
    desk.git("fetch", "-q", str(laptop.root), "HEAD")
    desk.git("merge", "-q", "-m", "together", "FETCH_HEAD", check=False)
    desk.git("rm", "-q", "-f", "--ignore-unmatch", *kept)
    desk.commit("together")
    assert boilers(desk) == []
    desk.tick()
    return desk


def boilers(wiki: Wiki) -> list[str]:
    return [path for path in wiki.files() if "Boiler" in path]


def test_a_page_that_two_machines_took_out_crosswise_comes_back(
    crossed: Wiki, laptop: Wiki
) -> None:
    crossed.consolidate()
    (path,) = boilers(crossed)
    assert len(words_at(crossed, path)) == 7
    assert crossed.events("deleted") == []
    told = [line["telling"]["channel"] for line in crossed.events("claims")]
    assert told and "hand" not in told
    check_index(crossed)
    check_health(crossed)
    crossed.tick()
    assert crossed.consolidate()["run"] is None
    pull(laptop, crossed)
    laptop.consolidate()
    assert laptop.files() == crossed.files()


def test_a_page_that_came_back_may_be_deleted(crossed: Wiki) -> None:
    crossed.consolidate()
    (path,) = boilers(crossed)
    (crossed.root / path).unlink()
    crossed.commit("no more")
    for _ in range(2):
        crossed.tick()
        crossed.consolidate()
        assert boilers(crossed) == []
    (deleted,) = crossed.events("deleted")
    assert deleted["path"] == path


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

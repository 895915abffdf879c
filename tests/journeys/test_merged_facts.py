"""Two machines write the facts of one page, and git merges them: nobody told what git put together."""

from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.journeys.test_same_day import MERGES, night, pull
from tests.wiki import Wiki, check_health, check_index

CEM = "entries/2026/11/Cem.md"
TOLD = {
    4: ("Cem lives in Oslo.", "Cem works at Shell."),
    5: ("Cem lives in Lyon.",),
    6: ("Cem lives in Graz.",),
    7: ("Cem lives in Bern.", "Cem works at Fiat."),
}


@pytest.fixture
def desk(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "desk")
    night(
        wiki,
        0,
        "Cem lives in Turku.",
        "The train of Cem leaves at 7 past nine.",
    )
    night(wiki, 1, "Cem works at Nokia.")
    night(wiki, 2, "Cem lives in Rome.", "Cem works at Opel.")
    assert "## Facts" in wiki.read(CEM)
    return wiki


@pytest.fixture
def laptop(desk: Wiki, tmp_path: Path) -> Wiki:
    return desk.clone(tmp_path / "laptop")


def tell(wiki: Wiki, days: Iterable[int]) -> None:
    for day in days:
        night(wiki, day, *TOLD[day])


def told_by_hand(wiki: Wiki) -> list[str]:
    """Return what the ledger has as told by a person's edit of a page."""
    told = []
    for line in wiki.events("claims"):
        if line["telling"]["channel"] == "hand":
            told += [claim["object"] for claim in line["claims"]]
    return told


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_facts_that_git_merged_are_nobodys_word(
    desk: Wiki, laptop: Wiki, tmp_path: Path, how: tuple[str, ...]
) -> None:
    alone = desk.clone(tmp_path / "alone")
    tell(alone, range(4, 8))
    tell(desk, (4, 6))
    tell(laptop, (5, 7))
    pull(desk, laptop, *how)
    desk.now += timedelta(days=3)
    desk.consolidate()
    assert told_by_hand(desk) == []
    assert desk.read(CEM) == alone.read(CEM), (
        "as if one had been told all of it"
    )
    pull(laptop, desk)
    laptop.consolidate()
    assert told_by_hand(laptop) == []
    assert laptop.files() == desk.files()
    check_index(laptop)
    check_health(laptop)
    laptop.tick()
    assert laptop.consolidate()["run"] is None


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_what_a_person_writes_into_a_merged_page_is_theirs(
    desk: Wiki, laptop: Wiki, how: tuple[str, ...]
) -> None:
    tell(desk, (4, 6))
    tell(laptop, (5, 7))
    pull(desk, laptop, *how)
    line = "Cem likes figs."
    desk.write(CEM, desk.read(CEM).replace("Cem lives in Turku.", line))
    desk.commit("by hand")
    desk.consolidate()
    assert line in desk.read(CEM)
    assert set(told_by_hand(desk)) <= {"Turku", "figs"}


@pytest.mark.parametrize("how", MERGES.values(), ids=MERGES)
def test_what_a_person_takes_out_of_a_merged_page_is_taken_back(
    desk: Wiki, tmp_path: Path, how: tuple[str, ...]
) -> None:
    line = "- car:: Saab\n"
    first, note, rest = desk.read(CEM).partition("## 2026-11-01")
    desk.write(CEM, f"{first}{line}\n{note}{rest}")
    desk.commit("by hand")
    desk.adopt()
    assert told_by_hand(desk) == ["Saab"]
    laptop = desk.clone(tmp_path / "laptop")
    tell(desk, (4, 6))
    tell(laptop, (5, 7))
    pull(desk, laptop, *how)
    text = desk.read(CEM).replace(line, "")
    desk.write(CEM, text)
    desk.commit("sold")
    done = desk.consolidate()
    assert line not in desk.read(CEM)
    if how == MERGES["union"]:
        # every note is there, and what was taken out is heard
        (back,) = desk.events("claims")[-1]["claims"]
        assert (back["mood"], back["object"]) == ("retracted", "Saab")
    if how == MERGES["markers"]:
        assert desk.read(CEM) == text
        assert any(CEM in note for note in done["notes"])


@pytest.mark.parametrize(("words", "told"), [("Rome", []), ("Oulu", ["Oulu"])])
def test_a_note_that_a_merge_leaves_on_two_pages_is_told_by_neither(
    desk: Wiki, words: str, told: list[str]
) -> None:
    day = "journal/2026/2026-11-01.md"
    block = f"## 08:01\n\nCem lives in {words}. ^b5840a1c276d\n"
    desk.write(day, f"{desk.read(day)}\n{block}")
    desk.commit("together")
    desk.tick()
    desk.consolidate()
    assert told_by_hand(desk) == told


def test_a_run_is_no_person_where_its_page_counts_as_a_second(
    tmp_path: Path,
) -> None:
    """One note told in two months has two pages while a person's change keeps them apart."""
    desk = Wiki.new(tmp_path / "desk")
    laptop = desk.clone(tmp_path / "laptop")
    note = "# Cem\n\nEve met Cem in the park."
    night(desk, 0, note)
    night(laptop, 100, note)
    desk.write(CEM, f"{desk.read(CEM)}\nmine\n")
    desk.commit("mine")
    night(desk, 101)
    pull(desk, laptop)
    desk.consolidate()
    second = "entries/2027/02/Cem.md"
    assert desk.events("registered") == []
    night(laptop, 102, "Cem lives in Oslo.")
    night(laptop, 103, "Cem lives in Rome.")
    assert "## Facts" in laptop.read(second)
    desk.write(CEM, f"{desk.read(CEM)}\nmine, too\n")
    desk.commit("mine")
    night(desk, 104)
    pull(desk, laptop)
    desk.consolidate()
    assert {one["path"] for one in desk.events("edited")} == {CEM}
    assert told_by_hand(desk) == []
    check_index(desk)

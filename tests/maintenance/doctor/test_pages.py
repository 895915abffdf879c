"""`doctor` names every two pages of one id, and no night says who made or deleted one of them."""

from tests.journeys.test_same_day import (
    desk,
    find_two_pages,
    laptop,
    leave_two_pages,
    night,
    sleep_in_turn,
)
from tests.wiki import Wiki, check_health, check_index

__all__ = ["desk", "laptop"]  # fixtures
NOTE = "# Bern\n\nEve likes it.\n\nTrains run hourly."
BERN = "entries/2026/11/Bern.md"
COPY = "home/Bern copied.md"


def test_a_page_that_is_gone_is_no_second_page(
    desk: Wiki, laptop: Wiki
) -> None:
    _, second = leave_two_pages(desk, laptop)
    desk.now = laptop.now
    desk.tick()
    desk.consolidate()
    (desk.root / second).unlink()
    desk.commit("one is enough")

    assert find_two_pages(desk) == [], "the index is older than the branch"


def test_a_copy_by_hand_is_named_with_the_page(desk: Wiki) -> None:
    night(desk, 0, NOTE)
    desk.write(COPY, desk.read(BERN))
    desk.commit("copied")
    desk.consolidate()

    (found,) = find_two_pages(desk)

    assert found["what"] == f"{BERN} and {COPY} are two pages of one id"


def test_a_second_page_that_was_moved_is_named_still(
    desk: Wiki, laptop: Wiki
) -> None:
    first, second = leave_two_pages(desk, laptop)
    sleep_in_turn(desk, laptop)
    (desk.root / "home").mkdir()
    desk.git("mv", second, COPY)
    desk.commit("moved")
    sleep_in_turn(desk, laptop)

    (found,) = find_two_pages(laptop)

    assert found["what"] == f"{first} and {COPY} are two pages of one id"


def test_nobody_deleted_a_copy_that_is_the_entry_now(desk: Wiki) -> None:
    night(desk, 0, NOTE)
    id = desk.show(BERN)["id"]
    desk.write(COPY, desk.read(BERN))
    desk.commit("copied")
    desk.consolidate()
    (desk.root / BERN).unlink()
    desk.commit("one is enough")
    for note in ("", "Ben is in Bern.", "# Oslo\n\nA town."):
        desk.tick()
        if note:
            desk.ingest(note)
        desk.consolidate()

    assert desk.show(COPY)["id"] == id
    assert find_two_pages(desk) == []
    assert desk.events("deleted") == []
    (renamed,) = desk.events("renamed")
    assert (renamed["from"], renamed["path"]) == (BERN, COPY)
    check_index(desk)
    check_health(desk)
    (desk.root / COPY).unlink()
    desk.commit("gone")
    desk.tick()
    desk.consolidate()
    assert {line["path"] for line in desk.events("deleted")} == {COPY}
    check_index(desk)


def test_a_page_that_another_was_moved_over_is_deleted(desk: Wiki) -> None:
    night(desk, 0, NOTE)
    desk.write("home/Mine.md", "Words of mine.\n")
    desk.commit("mine")
    desk.consolidate()
    mine = desk.show("home/Mine.md")["id"]
    desk.git("mv", "-f", BERN, "home/Mine.md")
    desk.commit("moved over it")
    desk.tick()
    desk.consolidate()

    (deleted,) = desk.events("deleted")

    assert deleted["entry"] == mine
    check_index(desk)


def test_adopt_says_that_a_second_page_is_not_taken_in(
    desk: Wiki, laptop: Wiki
) -> None:
    first, second = leave_two_pages(desk, laptop)
    sleep_in_turn(desk, laptop)
    desk.write(second, desk.read(second) + "\nThe mayor of Bern is Ada.\n")
    desk.tick()

    notes = desk.adopt()["notes"]

    assert [note for note in notes if "not taken in" in note] == [
        f"what you wrote in {second} is not taken in: {first} has its id, too;"
        " bring both into one, or take the line `id:` out of it"
    ]
    desk.write(first, desk.read(first) + "\nThe mayor of Bern is Ada.\n")
    desk.tick()
    assert not any("not taken in" in note for note in desk.adopt()["notes"])
    check_index(desk)

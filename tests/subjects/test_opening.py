"""Of whom the first sentence of a note is, and what behind it is theirs."""

import pytest

from companion.subjects.aboutness import decide_aboutness
from companion.subjects.beginnings.spots import find_spots
from companion.subjects.mentions.opening import read_opening
from companion.subjects.values import (
    About,
    Name,
    Near,
    Note,
    Subject,
    SubjectsView,
)


def decide(text: str, *titles: str) -> About:
    """Return what *text* is about where the first page of *titles* is much like it."""
    near = (Near(titles[0], 0.8, 0.9, beside=0.6),)
    wiki = SubjectsView(
        {title: Subject(title, title, True) for title in titles},
        [Name(title.lower(), title) for title in titles],
        {},
        {"note": near},
    )
    return decide_aboutness([Note("note", text)], wiki)["note"]


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("Lunch with Anna. The new job starts in May.", "Anna"),
        ("Saw Anna at the bus stop\nThe job is killing her", "Anna"),
        ("Dinner at Anna's. The job is over, at last", "Anna"),
        ("Mittag mit Anna. Der neue Job beginnt im Mai.", "Anna"),
        ("Anruf von Frau Vogt. Der Job ist weg", "Frau Vogt"),
        ("Met Ruth. The old job goes next month", "Ruth Calder"),
    ],
)
def test_a_thing_without_an_owner_is_of_whom_the_note_begins_with(
    text: str, whose: str
) -> None:
    about = decide(text, "Job", whose)

    assert (about.entry, about.rule) == (whose, "name")


@pytest.mark.parametrize(
    "text",
    [
        "Lunch with Anna. My job starts in May",
        "Back from Anna. The job starts in May",
        "Sold the Anna. The job starts in May",
        "Walked to the market and bought pears with Anna. The job pays for it",
        "With the office in Bergen closed. The job starts in May",
    ],
)
def test_what_is_the_teller_s_own_or_said_of_more_is_not_theirs(
    text: str,
) -> None:
    assert decide(text, "Job", "Anna").entry != "Anna"


def test_whom_no_page_has_keeps_a_note_from_the_page_of_a_thing() -> None:
    about = decide("Lunch with Mira. The new job starts in May", "Job", "Anna")

    assert (about.entry, about.rule) == (None, "unknown")
    assert about.reason == "it begins with somebody of whom there is no page"


def test_an_owner_in_the_genitive_is_no_company() -> None:
    opening = read_opening("Er kam mit Mamas Namen. Zweimal.")

    assert opening is not None
    assert not opening.has_company()
    assert read_opening("Lunch with Anna") is None


def test_what_is_theirs_begins_no_page_of_its_own() -> None:
    keys = {one.key for one in find_spots("Tea with Mira. The job is hard")}
    own = {one.key for one in find_spots("Tea with Mira. My job is hard")}

    assert "job" not in keys
    assert "mira" in keys
    assert "job" in own

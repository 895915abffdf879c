"""Which notes go on with the one told just before, and which only follow it."""

import pytest

from companion.subjects.neighbours import follow_neighbours, goes_on
from companion.subjects.values import About, Note

ANNA = Note("a", "Anna is ill.", told_at="2026-11-01T08:00:00Z", teller="me")
KNOWN = About("Anna", "name", "it begins with the page's name")
UNKNOWN = About(None, "unknown", "no page is near enough")


def follow(note: Note, guess: About = UNKNOWN) -> About:
    about = follow_neighbours([ANNA, note], {"a": KNOWN, "b": guess})
    return about["b"]


def later(
    time: str, text: str = "She has a fever.", teller: str = "me"
) -> Note:
    return Note("b", text, told_at=f"2026-11-01T{time}Z", teller=teller)


def test_a_note_that_goes_on_is_about_the_page_of_the_one_before() -> None:
    about = follow(later("08:06:00"))

    assert (about.entry, about.rule) == ("Anna", "follows")
    assert about.reason == "it goes on with the note told 6 minutes before"


@pytest.mark.parametrize(
    "note",
    [
        later("08:31:00"),
        later("08:00:10"),  # a program hands notes over at once
        later("08:06:00", teller="somebody else"),
        later("08:06:00", "Buy stamps."),
        Note("b", "She has a fever."),
    ],
)
def test_a_note_of_another_hour_teller_or_matter_stands_alone(
    note: Note,
) -> None:
    assert follow(note) == UNKNOWN


def test_a_note_that_names_a_page_or_has_one_keeps_it() -> None:
    names_one = About(None, "unknown", "", mentions=("Paul",))
    assert follow(later("08:06:00"), names_one) == names_one
    has_one = About("Paul", "vector", "")
    assert follow(later("08:06:00"), has_one) == has_one


@pytest.mark.parametrize(
    ("text", "does"),
    [
        ("ok she lets me keep it", True),
        ("hat sich entschuldigt, per sms", True),
        ("The funeral is on Friday. He asked for Bruckner.", True),
        ("Has anybody seen my keys?", False),
        ("Handtücher sind im Schwimmbad geblieben", False),
        ("", False),
    ],
)
def test_what_goes_on_speaks_of_she_or_of_nobody(text: str, does: bool) -> None:
    assert goes_on(text) is does

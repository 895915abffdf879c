"""Notes that turn away from what a page states in words of their own, and notes that only look so."""

from collections.abc import Sequence

import pytest

from companion.language.relations.contest import CONTESTED, find_contest
from companion.values.relations import Statement
from tests.bench.plain_worlds import NAMES, Note, read_world

SILVER = Statement(
    "The silver spoons are polished with toothpaste before every feast.",
    "Silver spoons",
)
TERRACE = Statement(
    "Die Terrasse wird im Frühjahr mit Salzsäure gereinigt.", "Terrasse"
)
LESSON = Statement("The lesson is in the chapel on Fridays.", "Lesson")
NO_SUGAR = Statement("The bread is baked without sugar.", "Bread")
MUD = Statement(
    "Cores from the deep hold more phosphorus than the farms ever brought. "
    "The algae do not feed on phosphorus from the farms.",
    "Algae",
)
GATEWAY = Statement("The Harrow gateway listens on port 8080.", "Gateway")


def contests(page: Statement, text: str) -> bool:
    note = Statement(text)
    return find_contest(page, note).strength >= CONTESTED


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (SILVER, "Toothpaste ruins silver, the scratches stay for good."),
        (SILVER, "Do the spoons with chalk, please never with toothpaste."),
        (TERRACE, "Salzsäure schadet der Terrasse, nehmt Seifenlauge."),
        (TERRACE, "Auf unsere Terrasse gehört keine Säure wie Salzsäure."),
    ],
)
def test_a_denied_or_blamed_complement_is_turned_away_from(
    page: Statement, text: str
) -> None:
    assert contests(page, text)


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (SILVER, "The spoons were polished with toothpaste, no scratches."),
        (SILVER, "The forks are not of silver, the spoons are."),
        (SILVER, "Never buy toothpaste at the station."),
        (SILVER, "Would toothpaste ruin the silver spoons?"),
        (TERRACE, "Keine Lust auf die Terrasse, es regnet."),
        (LESSON, "No lesson in the week of Easter."),
        (GATEWAY, "The Harrow gateway does not stand in the cellar."),
        (NO_SUGAR, "Never put sugar into the bread."),
        (MUD, "Algae here do not feed on phosphorus from the farms."),
        (NO_SUGAR, "bread"),
        (NO_SUGAR, "パンに砂糖を入れない"),
        (NO_SUGAR, "for bread in shop: assert not bread.sugar"),
    ],
)
def test_what_only_sounds_like_it_is_left_alone(
    page: Statement, text: str
) -> None:
    assert not contests(page, text)


@pytest.mark.parametrize("name", NAMES)
def test_easy_dissents_of_plain_worlds_are_heard(name: str) -> None:
    notes = read_world(name)
    page = _tagged(notes, "a0")[0].statement
    easy = [note for note in notes if note.level == "easy"]
    found = [find_contest(page, note.statement) for note in easy]
    assert len(easy) == 2
    assert all(contest.strength >= CONTESTED for contest in found)


@pytest.mark.parametrize("name", NAMES)
def test_plain_notes_of_plain_worlds_contest_nothing(name: str) -> None:
    notes = read_world(name)
    pages = [page for tag in ("a0", "b0", "d0") for page in _tagged(notes, tag)]
    flagged = [
        note.text
        for note in _tagged(notes, "")
        for page in pages
        if find_contest(page.statement, note.statement).strength >= CONTESTED
    ]
    assert flagged == []


def test_a_note_of_200_000_words_is_read_by_its_first_sentences() -> None:
    assert not contests(SILVER, "one two three four five " * 40_000)


def _tagged(notes: Sequence[Note], tag: str) -> list[Note]:
    return [note for note in notes if note.tag == tag]

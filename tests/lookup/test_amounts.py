"""Who asks how many gets the later of two numbers first, also where the notes are of several things."""

from pathlib import Path

import pytest

from companion.lookup.amounts import asks_for_amount
from tests.wiki import Wiki

EARLIER = (
    "Could you plan my lessons for the week? I watch Anna Berg's pottery series"
    " on film, and of that pottery series I have completed 20 videos so far."
)
LATER = (
    "I will begin the glazing course in May, it looks good."
    " I completed 30 videos of Anna's series. What clay would suit a beginner?"
)
OTHERS = (
    "The bakery sells rye bread in the morning.",
    "A boat needs paint every spring.",
)
QUESTION = "how many videos of Anna Berg's pottery series have I completed"


def tell(path: Path, later_by: str = "me") -> Wiki:
    wiki = Wiki.new(path, {})
    wiki.ingest(EARLIER, source="me", event_time="2026-01-02T10:00:00Z")
    wiki.ingest(LATER, source=later_by, event_time="2026-01-20T10:00:00Z")
    for text in OTHERS:
        wiki.ingest(text, source="me", event_time="2026-01-21T10:00:00Z")
    wiki.consolidate()
    return wiki


def first(wiki: Wiki, question: str) -> str:
    capture = str(wiki.search(question)[0]["event_time"])
    return capture[:10]


def test_the_later_number_of_a_matter_comes_first(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki")

    hits = wiki.search(QUESTION)

    assert [hit["event_time"][:10] for hit in hits[:2]] == [
        "2026-01-20",
        "2026-01-02",
    ]
    assert hits[0]["parts"]["later amount"] > 0
    assert hits[0]["score"] > hits[1]["score"]


def test_who_asks_for_no_amount_gets_what_fits_best(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki")
    question = "which videos of Anna Berg's pottery series have I completed"

    assert first(wiki, question) == "2026-01-02"


def test_who_asks_how_many_there_were_gets_what_fits_best(
    tmp_path: Path,
) -> None:
    wiki = tell(tmp_path / "wiki")

    assert first(wiki, f"{QUESTION} before") == "2026-01-02"


def test_a_number_of_somebody_else_passes_nothing(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki", later_by="Ann")

    assert first(wiki, QUESTION) == "2026-01-02"


def test_one_result_is_the_later_number_too(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki")

    (only,) = wiki.search(QUESTION, limit=1)

    assert only["event_time"].startswith("2026-01-20")


@pytest.mark.parametrize(
    "question",
    [
        "how many books do I have",
        "how often do I swim",
        "wie viele bucher habe ich",
        "wie oft schwimme ich",
        "combien de livres ai je",
        "cuantos libros tengo",
        "quanti libri ho",
        "hoeveel boeken heb ik",
    ],
)
def test_it_is_told_by_its_words(question: str) -> None:
    assert asks_for_amount(question.split())


@pytest.mark.parametrize(
    "question",
    ["how do I make many friends", "how many were there before", "wie ist das"],
)
def test_what_asks_for_no_amount_of_now(question: str) -> None:
    assert not asks_for_amount(question.split())

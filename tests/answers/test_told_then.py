"""A question that names a time is shown what was told then: its words stand in no note."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.wiki import Wiki

TOLD = {
    "2026-10-04T09:00:00Z": "Merle has a crack in the keel bolt.",
    "2026-10-04T10:00:00Z": "Mum rang, her knee hurts.",
    "2026-10-12T09:00:00Z": "Sandpaper bought, 120 and 240.",
    "2026-10-12T10:00:00Z": "Called the harbour about a berth.",
    "2026-10-12T11:00:00Z": "A gull sat on the mast.",
    "2026-10-12T12:00:00Z": "Zora wants to learn to sail.",
    "2026-10-20T09:00:00Z": "The keel bolts of Merle are all new.",
}


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    """Return a wiki on Wednesday, 21 October, one note of which waits for its night."""
    root: Path = tmp_path_factory.mktemp("told_then")
    wiki = Wiki.new(root / "wiki")
    for when, words in TOLD.items():
        wiki.now = datetime.fromisoformat(when)
        wiki.ingest(words)
        wiki.consolidate()
    wiki.now = datetime(2026, 10, 20, 18, tzinfo=UTC)
    wiki.ingest("The vet says the dog is fine.")
    wiki.now = datetime(2026, 10, 21, 8, tzinfo=UTC)
    return wiki


def shown(wiki: Wiki, question: str) -> list[str]:
    """Return the first words of the notes that are shown as near, not as others."""
    doc = ask(wiki.ws, question, as_of=None, budget=1000)
    assert not doc["known"], doc
    return [
        " ".join(one["text"].split()[:2])
        for one in doc["passages"]
        if one["of_subject"]
    ]


@pytest.mark.parametrize(
    ("question", "first_words"),
    [
        ("What did I do on 4 October?", ["Merle has", "Mum rang,"]),
        ("Was war am 4. Oktober?", ["Merle has", "Mum rang,"]),
        (
            "What happened last week?",
            ["Sandpaper bought,", "Called the", "A gull", "Zora wants"],
        ),
        ("What did I note yesterday?", ["The keel", "The vet"]),
        ("Was habe ich gestern notiert?", ["The keel", "The vet"]),
    ],
)
def test_a_question_of_no_matter_gets_all_that_was_told_then(
    wiki: Wiki, question: str, first_words: list[str]
) -> None:
    assert shown(wiki, question) == first_words


def test_of_a_matter_only_what_was_told_of_it_then(wiki: Wiki) -> None:
    question = "What is new with the keel of Merle since 10 October?"
    assert shown(wiki, question) == ["The keel"]


def test_what_was_told_at_another_time_stands_below_it(wiki: Wiki) -> None:
    question = "What is new with the keel of Merle since 10 October?"
    doc = ask(wiki.ws, question, as_of=None, budget=1000)
    others = [one["text"] for one in doc["passages"] if not one["of_subject"]]
    assert TOLD["2026-10-04T09:00:00Z"] in others


def test_a_time_of_which_nothing_was_told_changes_nothing(wiki: Wiki) -> None:
    with_time = shown(wiki, "What was wrong with the keel of Merle in 2024?")
    assert with_time == shown(wiki, "What was wrong with the keel of Merle?")


def test_a_time_to_come_is_no_time_of_telling(wiki: Wiki) -> None:
    assert "Mum rang," in shown(wiki, "What is it with Mum in 2027?")

"""What waits for a night stands where it belongs among what answers a question."""

from pathlib import Path

import pytest

from tests.wiki import Wiki

OTHERS = (
    "Tom likes plum cake.",
    "The boiler was serviced in March.",
    "Bees like the lavender beside the gate.",
    "The train to Ulm was late again.",
)
SHELF = "The sourdough starter lives on the kitchen shelf."
CELLAR = "Moved the sourdough starter to the cellar because of the heat."
QUESTION = "Where is the sourdough starter?"


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", {})
    for text in (*OTHERS, SHELF):
        wiki.ingest(text, event_time="2026-01-02T10:00:00Z")
    wiki.consolidate()
    return wiki


def found(wiki: Wiki, question: str) -> list[str]:
    return [str(hit["snippet"]) for hit in wiki.search(question)]


def test_what_was_told_since_the_night_comes_first(wiki: Wiki) -> None:
    wiki.ingest(CELLAR, event_time="2026-01-20T10:00:00Z")

    hits = wiki.search(QUESTION)

    assert [hit["state"] for hit in hits] == ["pending", "active"]
    assert hits[0]["parts"]["later"] > 0


def test_a_question_of_the_past_is_left_as_it_is(wiki: Wiki) -> None:
    wiki.ingest(CELLAR, event_time="2026-01-20T10:00:00Z")

    assert found(wiki, "Where was the sourdough starter before?")[0] == SHELF


def test_what_another_says_passes_nothing(wiki: Wiki) -> None:
    wiki.ingest(CELLAR, source="Ann", event_time="2026-01-20T10:00:00Z")

    assert found(wiki, QUESTION)[0] == SHELF


def test_what_has_one_of_the_words_passes_nothing(wiki: Wiki) -> None:
    other = "Took sourdough rolls to Ruth."
    wiki.ingest(other, event_time="2026-01-20T10:00:00Z")

    assert found(wiki, QUESTION) == [SHELF, other]


def test_a_list_of_words_wants_these_words(wiki: Wiki) -> None:
    wiki.ingest(CELLAR, event_time="2026-01-20T10:00:00Z")

    assert found(wiki, "sourdough starter")[0] == SHELF

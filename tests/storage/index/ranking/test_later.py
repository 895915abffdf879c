"""Of two statements of one matter the later stands first, unless what was once so is asked."""

from pathlib import Path

import pytest

from companion.storage.index.ranking.later import asks_of_the_past
from tests.wiki import Wiki

EARLIER = "My highest score in the sailing game is 124 points, and I am proud."
LATER = "My highest score in the sailing game is now 132 points."
OTHERS = (
    "The bakery sells rye bread in the morning.",
    "A boat needs paint every spring.",
)
QUESTION = "what is my highest score in the sailing game and am I proud"


def tell(path: Path, later_by: str = "me") -> Wiki:
    wiki = Wiki.new(path, {})
    wiki.ingest(EARLIER, source="me", event_time="2026-01-02T10:00:00Z")
    wiki.ingest(LATER, source=later_by, event_time="2026-01-20T10:00:00Z")
    for text in OTHERS:
        wiki.ingest(text, source="me", event_time="2026-01-21T10:00:00Z")
    wiki.consolidate()
    return wiki


def first(wiki: Wiki, question: str) -> str:
    return str(wiki.search(question)[0]["snippet"])


def test_the_later_statement_of_a_matter_comes_first(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki")

    hit = wiki.search(QUESTION)[0]

    assert "132" in hit["snippet"]
    assert hit["parts"]["later"] > 0


def test_who_asks_what_was_once_so_gets_what_fits_best(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki")

    assert "124" in first(wiki, f"{QUESTION} previously")


def test_what_another_says_of_it_is_no_change_of_mind(tmp_path: Path) -> None:
    wiki = tell(tmp_path / "wiki", later_by="Ann")

    assert "124" in first(wiki, QUESTION)


@pytest.mark.parametrize(
    "question",
    [
        "what was my previous goal",
        "wann war das",
        "was war vorher mein ziel",
        "quel etait mon ancien but",
        "cual era mi meta antes",
    ],
)
def test_history_is_asked_in_several_languages(question: str) -> None:
    assert asks_of_the_past(question.split())
    assert not asks_of_the_past(["what", "is", "my", "goal"])


SHELF = "The sourdough starter lives on the kitchen shelf."
CELLAR = "Moved the sourdough starter to the cellar."
PLACES = (
    "Tom likes plum cake.",
    "The boiler was serviced in March.",
    "Bees like the lavender beside the gate.",
    "The train to Ulm was late again.",
)


def tell_in_order(path: Path, *texts: str) -> Wiki:
    """Return a wiki to which one person told *texts*, one a day."""
    wiki = Wiki.new(path, {})
    for day, text in enumerate(texts, 1):
        wiki.ingest(text, source="me", event_time=f"2026-01-{day:02}T10:00:00Z")
    wiki.consolidate()
    return wiki


@pytest.mark.parametrize("others", [(), PLACES])
def test_what_alone_speaks_of_a_matter_is_ordered_by_time(
    tmp_path: Path, others: tuple[str, ...]
) -> None:
    fed = "Fed the sourdough starter with rye."
    smell = "The sourdough starter smells of apples."
    wiki = tell_in_order(tmp_path / "wiki", *others, SHELF, fed, smell, CELLAR)

    found = wiki.search("Where is the sourdough starter?")
    notes = [hit["snippet"] for hit in found if hit["statement"]]
    assert notes == [CELLAR, smell, fed, SHELF]


def test_what_says_little_of_the_matter_passes_nothing(tmp_path: Path) -> None:
    old = "Petra Vogel is a citizen of Norway."
    new = "Petra Vogel is a citizen of Canada."
    other = "The director of the harbour museum is Petra Vogel."
    wiki = tell_in_order(tmp_path / "wiki", *PLACES, old, new, other)

    found = wiki.search("Which country is Petra Vogel a citizen of?")

    assert [hit["snippet"] for hit in found[:3]] == [new, old, other]


def test_few_words_and_a_question_mark_ask(tmp_path: Path) -> None:
    old = "Chess club: the founder is Ann."
    new = "Chess club: the founder is Bob, as it turned out last week."
    wiki = tell_in_order(tmp_path / "wiki", *PLACES, old, new)

    assert "Ann" in first(wiki, "chess founder")
    assert "Bob" in first(wiki, "Who is the chess founder?")


def test_a_short_question_of_which_only_the_name_is_said_lifts_nothing(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Oskar turned 7 today.", *PLACES)
    wiki.consolidate()
    wiki.ingest("Oskar hates soy milk.")
    wiki.consolidate()

    hits = wiki.search("How old is Oskar?")

    assert all("later" not in hit["parts"] for hit in hits)

"""A night asks about doubts that it does not believe, and the answer is heard by later nights."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from companion.operations.consolidate import events
from companion.reading.review import answer_question, list_review
from tests.wiki import Wiki, ingest_dependents

OIL = (
    "# Chain oil\n\n"
    "Chains are cleaned with petrol and then greased thickly, so that they last."
)
DOUBTS = (
    "Ten bikes with a little oil, rubbed dry, none came back. "
    "The thickly greased chains are grey already.",
    "That chains rust comes from the rain getting in, not from too little oil.",
)
WEAKER = "A little oil, and the rain does no harm to a chain."


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki with a page that others depend on."""
    made = Wiki.new(tmp_path / "wiki")
    made.ingest(OIL)
    ingest_dependents(made, "Chain oil")
    sleep(made)
    return made


def sleep(wiki: Wiki) -> dict[str, Any]:
    night = wiki.consolidate()
    wiki.now += timedelta(days=1)
    return night


def list_doubts(wiki: Wiki) -> list[Any]:
    items = list_review(wiki.ws)["items"]
    return [one for one in items if one["kind"] == "doubt"]


def test_a_doubt_below_the_bar_is_a_question_that_quotes_both_sides(
    wiki: Wiki,
) -> None:
    wiki.ingest(DOUBTS[0], source="Murat")
    night = sleep(wiki)

    (asked,) = list_doubts(wiki)

    assert not night["branches"]
    assert asked["other"]["title"] == "Chain oil"
    assert "The thickly greased chains are grey already." in asked["reason"]
    assert "then greased thickly, so that they last" in asked["reason"]
    assert [one["side"] for one in asked["quotes"]] == ["new", "old"]


def test_nobody_is_asked_about_their_own_words(wiki: Wiki) -> None:
    wiki.ingest(DOUBTS[0])
    sleep(wiki)

    assert not list_doubts(wiki)


@pytest.mark.parametrize("most", [1, 2])
def test_a_night_asks_about_so_many_doubts_at_most(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    assert events.MOST_DOUBTS == 3
    monkeypatch.setattr(events, "MOST_DOUBTS", most)
    for number, text in enumerate(DOUBTS):
        wiki.ingest(text, source=f"Guest {number}")
    sleep(wiki)

    assert len(list_doubts(wiki)) == most


def test_what_was_answered_is_never_asked_again(wiki: Wiki) -> None:
    wiki.ingest(DOUBTS[0], source="Murat")
    sleep(wiki)
    (asked,) = list_doubts(wiki)
    answer_question(wiki.ws, asked["id"], "merge")
    sleep(wiki)
    wiki.ingest(DOUBTS[0], source="Murat")
    sleep(wiki)

    assert not list_doubts(wiki)
    assert list_review(wiki.ws)["open"] == 0


@pytest.mark.parametrize(
    ("choice", "opened"), [("prefer-new", True), ("merge", False)]
)
def test_a_confirmed_doubt_is_company_for_those_of_others(
    wiki: Wiki, choice: Any, *, opened: bool
) -> None:
    wiki.ingest(DOUBTS[1], source="Murat")
    sleep(wiki)
    (asked,) = list_doubts(wiki)
    answer_question(wiki.ws, asked["id"], choice)
    wiki.ingest(WEAKER, source="Anna")
    night = sleep(wiki)

    actions = [one["action"] for one in night["branches"]]
    assert actions == (["open"] if opened else [])

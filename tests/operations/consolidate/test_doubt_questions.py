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
DENIALS = (
    "Chains must never be greased thickly.",
    "Cleaned with petrol and greased thickly, a chain does not last.",
    "It is wrong that chains are greased thickly, a drop of oil is enough.",
    "No chain is greased thickly in the club's workshop, and they last.",
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


def find_pages(wiki: Wiki, words: str) -> list[str]:
    """Return the paths of the pages with *words*."""
    return [
        path
        for path, content in wiki.files().items()
        if path.endswith(".md") and words.encode() in content
    ]


def test_a_confirmed_doubt_opens_a_branch_and_stays_on_its_page(
    wiki: Wiki,
) -> None:
    wiki.ingest(DOUBTS[1], source="Murat")
    sleep(wiki)
    (asked,) = list_doubts(wiki)
    (path,) = find_pages(wiki, DOUBTS[1])
    answer_question(wiki.ws, asked["id"], "prefer-new")
    night = sleep(wiki)

    (branch,) = night["branches"]
    (joined,) = wiki.events("joined")
    assert branch["action"] == "open"
    assert joined["reason"].startswith(
        "A person answered in `review` that it contradicts Chain oil."
    )
    assert find_pages(wiki, DOUBTS[1]) == [path]
    assert DOUBTS[1] in wiki.read(joined["path"])
    assert not sleep(wiki)["run"], "it joins once"


@pytest.mark.parametrize("choice", ["merge", "prefer-old"])
def test_a_doubt_that_is_not_confirmed_opens_no_branch(
    wiki: Wiki, choice: Any
) -> None:
    wiki.ingest(DOUBTS[1], source="Murat")
    sleep(wiki)
    (asked,) = list_doubts(wiki)
    answer_question(wiki.ws, asked["id"], choice)

    assert not sleep(wiki)["branches"]


def test_two_confirmed_voices_and_a_third_win(wiki: Wiki) -> None:
    for number, text in enumerate(DOUBTS):
        wiki.ingest(text, source=f"Guest {number}")
    sleep(wiki)
    for asked in list_doubts(wiki):
        answer_question(wiki.ws, asked["id"], "prefer-new")
    sleep(wiki)
    wiki.ingest(WEAKER, source="Anna")
    nights = [sleep(wiki), sleep(wiki)]

    actions = [one["action"] for night in nights for one in night["branches"]]
    (path,) = {one["path"] for one in wiki.events("promoted")}
    stands, _, fell = wiki.read(path).partition("## Earlier")
    assert actions == ["grow", "promote"]
    assert OIL.rpartition("\n")[2] in fell
    # the other note is on the page of its day, and stays there
    assert DOUBTS[0] in stands and WEAKER in stands
    assert find_pages(wiki, DOUBTS[1]) == ["journal/2026/2026-11-02.md"]


@pytest.mark.parametrize("edited", [True, False])
def test_who_edits_the_page_has_settled_the_doubt(
    wiki: Wiki, *, edited: bool
) -> None:
    wiki.ingest(DOUBTS[1], source="Murat")
    sleep(wiki)
    (asked,) = list_doubts(wiki)
    answer_question(wiki.ws, asked["id"], "prefer-new")
    (path,) = find_pages(wiki, "cleaned with petrol")
    if edited:
        words = wiki.read(path).replace("greased thickly", "oiled a little")
        wiki.write(path, words)
        wiki.commit()
    night = sleep(wiki)

    assert bool(night["branches"]) is not edited
    assert not edited or not sleep(wiki)["branches"]


def test_a_doubt_of_what_fell_since_opens_no_branch(wiki: Wiki) -> None:
    for number, text in enumerate(DOUBTS):
        wiki.ingest(text, source=f"Reader {number}")
    sleep(wiki)
    asked = list_doubts(wiki)
    for number, text in enumerate(DENIALS):
        wiki.ingest(text, source=f"Guest {number}")
        sleep(wiki)
    assert wiki.events("promoted")
    for one in asked:
        answer_question(wiki.ws, one["id"], "prefer-new")

    actions = [one["action"] for one in sleep(wiki)["branches"]]
    assert "open" not in actions

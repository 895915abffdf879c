"""A note is found by its words where it has no page of its own name."""

from pathlib import Path

import pytest

from companion.lookup.find import Ambiguous, NothingFound, Target, find_target
from companion.lookup.index import current_index
from companion.operations.decay import run as decay
from companion.reading.why import explain_target
from tests.minority.test_gather import (
    RELYING,
    night,
)
from tests.wiki import Wiki, ingest_dependents


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki whose day page has two notes; a third waits."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Das Fahrrad steht im Keller.", "The fuse box hums at night.")
    wiki.consolidate()
    wiki.ingest("Call the plumber about the boiler.")
    return wiki


def find(wiki: Wiki, words: str) -> Target:
    journal = wiki.journal()
    return find_target(
        wiki.ws, current_index(wiki.ws, journal), journal, words, words=True
    )


def test_a_note_on_a_day_page_is_found_by_its_words(wiki: Wiki) -> None:
    for words in ("Das Fahrrad", "fahrrad steht", "FUSE BOX hums"):
        found = find(wiki, words)
        assert found.kind == "capture", words
        assert words.lower().split()[0] in wiki.show(found.id)["text"].lower()
    story = explain_target(wiki.ws, "Das Fahrrad")
    assert "consumed" in [event["event"] for event in story["events"]]


def test_a_waiting_note_is_found_by_its_words(wiki: Wiki) -> None:
    assert "plumber" in wiki.show(find(wiki, "about the boiler").id)["text"]


def test_words_in_another_order_are_no_name(wiki: Wiki) -> None:
    for words in ("steht Fahrrad", "box fuse", "the", "boiler and fuse"):
        with pytest.raises(NothingFound):
            find(wiki, words)


def test_words_of_several_notes_ask_which(wiki: Wiki) -> None:
    wiki.ingest("The fuse box hums again.")
    with pytest.raises(Ambiguous) as error:
        find(wiki, "the fuse box hums")
    assert len(error.value.choices) == 2
    assert "The fuse box hums again" in str(error.value.hint)


def test_the_note_of_that_title_goes_before_those_that_only_say_it(
    wiki: Wiki,
) -> None:
    (named,) = wiki.ingest("# Heron\n\nBuilt in 1974, 14.2 m long.")
    wiki.ingest("Heron has a diesel engine.")
    assert find(wiki, "heron").id == named["id"]
    wiki.ingest("# Heron\n\nA bird at the lock.")
    with pytest.raises(Ambiguous):
        find(wiki, "heron")


def test_a_private_note_is_found_by_its_owner_alone(wiki: Wiki) -> None:
    wiki.ingest("My code word is heron.", scope="private")
    assert find(wiki, "code word is heron").kind == "capture"
    journal = wiki.journal()
    other = wiki.as_("scribe")
    with pytest.raises(NothingFound):
        find_target(
            other,
            current_index(other, journal),
            journal,
            "code word is heron",
            words=True,
        )


def test_a_name_leads_on_to_the_page_that_replaced_its_first(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "Leo must not eat nuts. He is allergic to hazelnuts.", title="Nuts"
    )
    ingest_dependents(wiki, "Nuts", RELYING)
    wiki.consolidate()
    wiki.tick()
    decay.decay(wiki.ws)
    told = (
        ("Leo is not allergic to hazelnuts. He ate my cake.", "Grandma"),
        (
            "The skin test is clear: Leo is not allergic to hazelnuts. What he"
            " reacts to is sesame.",
            "Dr. Weiss",
        ),
        (
            "Four grams of hazelnut under observation, no reaction. He is not"
            " allergic to hazelnuts; keep sesame away from him.",
            "Clinic",
        ),
    )
    for each in told:
        done = night(wiki, each, title="Nuts")
    winner = done["branches"][-1]["entry"]

    assert find(wiki, "Nuts") == Target("entry", winner)
    loser = find(wiki, "entries/2026/11/Nuts.md")
    assert wiki.show(loser.id)["superseded_by"] == winner

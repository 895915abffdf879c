"""Rows 1 and 2: the user's own word for a page is answered in reads, and changes no page."""

from pathlib import Path

import pytest

from companion.app import reads
from tests.app.test_branches import sql
from tests.app.test_signals import signal
from tests.wiki import Wiki, check_health, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "Message queue of the shop: it carries every order, and it is written in Erlang.", title="Message queue"
    )
    wiki.consolidate()
    return wiki


def spoken(wiki: Wiki, *words: str) -> None:
    """A night for each word that a link shows for the page."""
    for n, word in enumerate(words):
        wiki.tick(days=1)
        wiki.ingest(f"Incident {n} came over [[Message queue|{word}]] in the night.", title=f"Incident {n} of {word}")
        wiki.consolidate()


def markers(wiki: Wiki) -> list[tuple[str, int]]:
    return [(str(term), int(row)) for term, row in sql(wiki, "SELECT term, row FROM divergences ORDER BY term")]


def test_the_third_link_that_shows_a_word_marks_it_and_reads_answer_to_it(wiki: Wiki) -> None:
    before = wiki.show("Message queue")["text"]
    spoken(wiki, "the Artery", "Artery")
    assert markers(wiki) == [] and reads.search(wiki.ws, "artery")["called"] == []
    spoken(wiki, "our artery")
    assert [row for _, row in markers(wiki)] == [1]
    found = reads.search(wiki.ws, "artery")
    assert found["called"][0]["title"] == found["results"][0]["title"] == "Message queue"
    assert reads.show(wiki.ws, "Artery")["title"] == "Message queue"
    (event,) = [each for each in reads.why(wiki.ws, "Message queue")["events"] if each["event"] == "diverges"]
    assert event["reason"].startswith("row 1 (operational): mirror") and "3 links" in event["reason"]
    assert wiki.show("Message queue")["text"] == before and not wiki.show("Message queue")["unresolved"]
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_another_name_that_was_told_outright_is_enough_once(wiki: Wiki) -> None:
    wiki.ingest("The message queue, also known as the Artery, was slow.", title="Monday")
    wiki.consolidate()
    assert markers(wiki) == [("Artery", 1)]


@pytest.mark.parametrize("word", ["here", "the queues", "this page", "messages"])
def test_what_only_points_or_is_a_form_of_the_name_is_no_other_name(wiki: Wiki, word: str) -> None:
    spoken(wiki, word, word, word)
    assert markers(wiki) == []


def test_a_word_for_two_pages_names_neither(wiki: Wiki) -> None:
    wiki.ingest("The warehouse is in Ghent.", title="Warehouse")
    wiki.consolidate()
    wiki.ingest("All stock goes to [[Warehouse|the artery]].", title="Stock")
    spoken(wiki, "artery", "artery", "artery")
    assert markers(wiki) == []


def test_a_page_that_bears_the_name_ends_the_divergence(wiki: Wiki) -> None:
    spoken(wiki, "artery", "artery", "artery")
    wiki.ingest("Arteries carry blood away from the heart.", title="Artery")
    wiki.consolidate()
    wiki.tick(days=1)
    wiki.ingest("Veins carry it back.", title="Vein")
    wiki.consolidate()
    assert markers(wiki) == [] and reads.search(wiki.ws, "artery")["called"] == []
    check_index(wiki)


def test_what_is_flagged_as_harmful_is_not_mirrored(wiki: Wiki) -> None:
    spoken(wiki, "artery", "artery", "artery")
    signal(wiki, {"entry": "Message queue", "by": "the vendor", "why": "it loses events"})
    wiki.consolidate()
    assert reads.search(wiki.ws, "artery")["called"] == []

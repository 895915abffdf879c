"""Rows 1 and 2: the user's own word for a page is answered in reads, and changes no page."""

from pathlib import Path
from typing import Any

import pytest

from companion.lookup.search import search_wiki
from companion.reading import review
from companion.reading.entry.show import show_target
from companion.reading.why import explain_target
from companion.usage.feedback import record_feedback
from tests.reading.branches.test_branches import sql
from tests.routing.test_watch_signals import signal
from tests.wiki import Wiki, check_health, check_index


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(
        "Message queue of the shop: it carries every order, and it is written in Erlang.",
        title="Message queue",
    )
    wiki.consolidate()
    return wiki


def spoken(wiki: Wiki, *words: str) -> None:
    """A night for each word that a link shows for the page."""
    for n, word in enumerate(words):
        wiki.tick(days=1)
        wiki.ingest(
            f"Incident {n} came over [[Message queue|{word}]] in the night.",
            title=f"Incident {n} of {word}",
        )
        wiki.consolidate()


def markers(wiki: Wiki) -> list[tuple[str, int]]:
    return [
        (str(term), int(row))
        for term, row in sql(
            wiki, "SELECT term, row FROM divergences ORDER BY term"
        )
    ]


def test_the_third_link_that_shows_a_word_marks_it_and_reads_answer_to_it(
    wiki: Wiki,
) -> None:
    before = wiki.show("Message queue")["text"]
    spoken(wiki, "the Artery", "Artery")
    assert (
        markers(wiki) == [] and search_wiki(wiki.ws, "artery")["called"] == []
    )
    spoken(wiki, "our artery")
    assert [row for _, row in markers(wiki)] == [1]
    found = search_wiki(wiki.ws, "artery")
    assert (
        found["called"][0]["title"]
        == found["results"][0]["title"]
        == "Message queue"
    )
    assert show_target(wiki.ws, "Artery")["title"] == "Message queue"
    (event,) = [
        each
        for each in explain_target(wiki.ws, "Message queue")["events"]
        if each["event"] == "diverges"
    ]
    assert (
        "row 1, operational: mirror" in event["reason"]
        and "3 links" in event["reason"]
    )
    assert (
        wiki.show("Message queue")["text"] == before
        and not wiki.show("Message queue")["unresolved"]
    )
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_another_name_that_was_told_outright_is_enough_once(wiki: Wiki) -> None:
    wiki.ingest(
        "The message queue, also known as the Artery, was slow.", title="Monday"
    )
    wiki.consolidate()
    assert markers(wiki) == [("Artery", 1)]


def one_night(wiki: Wiki, *words: str) -> None:
    """Notes about a page that the same night begins, each with another word for it."""
    wiki.ingest("The warehouse is in Ghent.", title="Warehouse")
    for n, word in enumerate(words):
        wiki.ingest(
            f"Delivery {n} went to [[Warehouse|{word}]] at noon.",
            title=f"Delivery {n}",
        )


def test_a_page_that_is_begun_the_same_night_is_meant(wiki: Wiki) -> None:
    one_night(wiki, "the shed", "shed", "our shed")
    wiki.consolidate()
    assert [row for _, row in markers(wiki)] == [1]
    called = search_wiki(wiki.ws, "shed")["called"]
    assert [each["title"] for each in called] == ["Warehouse"]
    assert wiki.consolidate()["run"] is None
    check_index(wiki)
    check_health(wiki)


def test_a_name_told_outright_of_a_page_begun_the_same_night(
    wiki: Wiki,
) -> None:
    one_night(wiki)
    wiki.ingest("The warehouse, also known as the Shed, was full.", title="May")
    wiki.consolidate()
    assert markers(wiki) == [("Shed", 1)]


def test_two_links_of_one_night_are_too_few(wiki: Wiki) -> None:
    one_night(wiki, "shed", "the shed")
    wiki.consolidate()
    assert markers(wiki) == []


def test_a_word_that_a_page_begun_the_same_night_bears_is_no_other_name(
    wiki: Wiki,
) -> None:
    one_night(wiki, "shed", "the shed", "shed")
    wiki.ingest("A shed is a hut.", title="Shed")
    wiki.consolidate()
    assert markers(wiki) == []


def test_what_is_begun_in_quarantine_is_not_meant(wiki: Wiki) -> None:
    claim = "the warehouse is in Ghent"
    signal(wiki, {"claim": claim, "by": "the vendor", "why": "untrue"})
    one_night(wiki, "shed", "the shed", "shed")
    wiki.consolidate()
    assert markers(wiki) == []


@pytest.mark.parametrize(
    "word", ["here", "the queues", "this page", "messages"]
)
def test_what_only_points_or_is_a_form_of_the_name_is_no_other_name(
    wiki: Wiki, word: str
) -> None:
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
    assert (
        markers(wiki) == [] and search_wiki(wiki.ws, "artery")["called"] == []
    )
    check_index(wiki)


def test_what_is_flagged_as_harmful_is_not_mirrored(wiki: Wiki) -> None:
    spoken(wiki, "artery", "artery", "artery")
    signal(
        wiki,
        {
            "entry": "Message queue",
            "by": "the vendor",
            "why": "it loses events",
        },
    )
    wiki.consolidate()
    assert search_wiki(wiki.ws, "artery")["called"] == []


def rated(wiki: Wiki, *outcomes: str) -> None:
    """A day of verdicts on the page, taken on record by the night."""
    wiki.tick(days=1)
    for outcome in outcomes:
        record_feedback(wiki.ws, outcome, "Message queue")
        wiki.tick()
    wiki.ingest(
        f"An errand of {wiki.now:%d %B}.", title=f"Errand {wiki.now:%d}"
    )
    wiki.consolidate()


STUCK = "Orders were stuck in [[Message queue|our artery]] until somebody had lunch."
RESTART = (
    "Who restarts [[Message queue|the artery]] tells the people at the counter."
)


def use(wiki: Wiki, text: str) -> dict[str, Any]:
    """What the night makes of a note."""
    wiki.tick(days=1)
    wiki.ingest(text, title=f"Shift of {wiki.now:%d %B}")
    (made,) = wiki.consolidate()["integrated"]
    return dict(made)


def test_outcomes_that_worsen_over_cycles_reclassify_the_word_and_raise_its_friction(
    wiki: Wiki,
) -> None:
    """The bridge of the matrix, from what is said of answers to how a note is scored (row 2)."""
    spoken(wiki, "artery", "artery", "artery")
    assert use(wiki, STUCK)["bucket"] == "high"
    rated(wiki, "good", "good")
    rated(wiki, "good", "bad")
    rated(wiki, "bad", "bad")
    page = wiki.show("Message queue")["text"]
    made = use(wiki, RESTART)
    assert (
        made["bucket"] == "mid"
        and "row 2, operational → epistemic" in made["reason"]
    )
    assert "friction 1.60" in made["reason"]
    assert (
        markers(wiki) == [("artery", 2)]
        and search_wiki(wiki.ws, "artery")["called"] == []
    )
    assert wiki.show("Message queue")["text"] == page
    (event,) = [each for each in wiki.events("diverges") if each["row"] == 2]
    assert "utility 0.67, 0.33, 0.33" in event["reason"], (
        "the last word of a day is the day's"
    )
    (item,) = [
        each
        for each in review.list_review(wiki.ws)["items"]
        if each["entry"]["id"] == made["entry"]
    ]
    assert item["kind"] == "unsure" and "row 2" in item["reason"], (
        "mid is flagged for attention (CON-12)"
    )
    check_index(wiki)
    check_health(wiki)


def test_a_note_without_the_word_meets_no_friction(wiki: Wiki) -> None:
    spoken(wiki, "artery", "artery", "artery")
    for outcomes in (("good", "good"), ("good", "bad"), ("bad", "bad")):
        rated(wiki, *outcomes)
    assert use(wiki, "The [[Message queue]] was restarted.")["bucket"] == "high"
    assert (
        use(
            wiki, "A marathon runs through the [[Old town|artery]] of the city."
        )["bucket"]
        == "high"
    )


@pytest.mark.parametrize(
    "outcomes",
    [
        [("bad", "bad"), ("good", "bad"), ("good", "good")],
        [("good",), ("bad",)],
        [("bad",), ("bad",)],
    ],
    ids=["improving", "two cycles", "two bad cycles"],
)
def test_what_does_not_worsen_over_three_cycles_stays_mirrored(
    wiki: Wiki, outcomes: list[tuple[str, ...]]
) -> None:
    spoken(wiki, "artery", "artery", "artery")
    for each in outcomes:
        rated(wiki, *each)
    assert use(wiki, RESTART)["bucket"] == "high" and markers(wiki) == [
        ("artery", 1)
    ]


def test_a_word_whose_page_was_bad_from_its_first_night_is_not_mirrored_for_ever(
    wiki: Wiki,
) -> None:
    """There is nothing to fall from: the third bad night is enough."""
    spoken(wiki, "artery", "artery", "artery")
    for _ in range(3):
        rated(wiki, "bad")
    assert use(wiki, RESTART)["bucket"] == "mid"
    assert markers(wiki) == [("artery", 2)]
    (event,) = [each for each in wiki.events("diverges") if each["row"] == 2]
    assert "serves its readers badly" in event["reason"]


def test_a_word_that_serves_again_is_mirrored_again(wiki: Wiki) -> None:
    spoken(wiki, "artery", "artery", "artery")
    for outcomes in (("good", "good"), ("good", "bad"), ("bad", "bad")):
        rated(wiki, *outcomes)
    assert use(wiki, STUCK)["bucket"] == "mid"
    rated(wiki, "good", "good", "good")
    assert use(wiki, RESTART)["bucket"] == "high" and markers(wiki) == [
        ("artery", 1)
    ]
    assert search_wiki(wiki.ws, "artery")["called"]

"""Review: questions with both sides; answers are logged at once, weigh in the next night, and touch
no text.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.judges import configured
from companion.judges.configured import Judges
from companion.lookup.index import current_index
from companion.pages.body import without_facts
from companion.reading import review
from companion.reading.review import NoSuchQuestion
from companion.reading.status import describe_wiki
from companion.storage.index.tables.pages.statements import (
    find_statement_of_capture,
)
from tests.scripted_judges import Scripted, opposed
from tests.wiki import Wiki, check_health, check_index


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Wiki]:
    """A wiki in which one note contradicts a page that another page rests on."""
    judge = Scripted(opposed(0.95))
    monkeypatch.setattr(
        configured,
        "open_judges",
        lambda config, allowance=None: Judges(None, judge, None, None),
    )
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door to the cellar is open.", source="Ines")
    wiki.ingest("# House\n\nMind the [[Door]].")
    wiki.consolidate()
    wiki.ingest("# Door\n\nThe door to the cellar is shut.", source="Lena")
    wiki.consolidate()
    yield wiki


def question(wiki: Wiki) -> dict[str, Any]:
    items = review.list_review(wiki.ws)["items"]
    assert len(items) == 1
    return dict(items[0])


def test_a_question_shows_both_sides_their_sources_and_what_rests_on_them(
    wiki: Wiki,
) -> None:
    found = question(wiki)
    assert (found["kind"], found["answer"], found["entry"]["title"]) == (
        "contradiction",
        None,
        "Door",
    )
    doc = review.show_question(wiki.ws, found["id"][:6])

    new, old = doc["sides"]
    assert (new["side"], new["kind"], new["sources"]) == (
        "new",
        "capture",
        ["Lena"],
    )
    assert (old["side"], old["kind"], old["sources"]) == (
        "old",
        "entry",
        ["Ines"],
    )
    assert "shut" in new["text"] and "open" in old["text"]
    assert [each["title"] for each in old["dependents"]] == ["House"]
    assert describe_wiki(wiki.ws)["to_review"] == 1


def test_a_list_quotes_how_both_sides_begin(wiki: Wiki) -> None:
    assert question(wiki)["quotes"] == [
        {"side": "new", "words": "# Door The door to the cellar is shut."},
        {"side": "old", "words": "# Door The door to the cellar is open."},
    ]


def test_two_notes_of_one_night_are_both_quoted(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("Paul works at Globex.", source="chat")
    wiki.ingest("Paul works at Acme.", source="mail")
    wiki.consolidate()

    items = review.list_review(wiki.ws)["items"]
    (doubt,) = [one for one in items if one["kind"] == "contradiction"]
    words = sorted(quote["words"] for quote in doubt["quotes"])
    assert words == ["Paul works at Acme.", "Paul works at Globex."]


@pytest.mark.parametrize(
    ("choice", "quarantined"),
    [
        ("accept", False),
        ("prefer-new", False),
        ("merge", False),
        ("reject", True),
    ],
)
def test_an_answer_is_logged_at_once_and_weighs_in_the_next_night(
    wiki: Wiki, choice: str, quarantined: bool
) -> None:
    found, before = question(wiki), wiki.files()
    said = review.answer_question(wiki.ws, found["id"], choice)
    assert (said["answer"], said["by"]) == (
        choice,
        "person/1/Ada <ada@example.org>",
    )
    assert (
        review.list_review(wiki.ws)
        == {
            "items": [],
            "open": 0,
            "queue": [],
            "locked": [],
            "set_aside": [],
            "set_aside_count": 0,
        }
        and describe_wiki(wiki.ws)["to_review"] == 0
    )
    entry = found["entry"]["id"]
    assert wiki.show(entry)["quarantined"] is True  # only CONSOLIDATE moves it

    done = wiki.consolidate()

    assert done["run"] is not None and wiki.files() == before
    assert [
        (line["flag"], line["choice"]) for line in wiki.events("answered")
    ] == [(found["id"], choice)]
    assert wiki.show(entry)["quarantined"] is quarantined
    assert (wiki.events("requalified") == []) is quarantined
    assert wiki.consolidate()["run"] is None  # once
    check_index(wiki)
    check_health(wiki)


def test_the_last_answer_counts_before_and_after_a_night(wiki: Wiki) -> None:
    found = question(wiki)
    review.answer_question(wiki.ws, found["id"], "accept")
    review.answer_question(wiki.ws, found["id"], "reject", agent="scribe")
    wiki.consolidate()

    item = review.list_review(wiki.ws, all=True)["items"][0]
    assert (item["answer"], item["by"]) == ("reject", "agent/1/scribe")
    assert wiki.show(found["entry"]["id"])["quarantined"] is True
    review.answer_question(wiki.ws, found["id"], "accept")
    wiki.consolidate()
    assert wiki.show(found["entry"]["id"])["quarantined"] is False


def test_an_answer_reaches_a_clone_by_the_ledger(
    wiki: Wiki, tmp_path: Path
) -> None:
    found = question(wiki)
    review.answer_question(wiki.ws, found["id"], "merge")
    wiki.consolidate()

    clone = wiki.clone(tmp_path / "clone").ws
    assert review.list_review(clone, all=True)["items"][0]["answer"] == "merge"


def test_a_clone_shows_the_new_words_as_they_stand_on_their_page(
    wiki: Wiki, tmp_path: Path
) -> None:
    found = question(wiki)
    clone = wiki.clone(tmp_path / "clone").ws

    (listed,) = review.list_review(clone)["items"]
    assert listed["quotes"] == found["quotes"]
    new, old = review.show_question(clone, found["id"])["sides"]
    assert "shut" in new["text"] and "open" not in new["text"]
    assert "open" in old["text"]


def test_an_unknown_question_is_named(wiki: Wiki) -> None:
    for target in ("ffff", "", "no"):
        with pytest.raises(NoSuchQuestion):
            review.answer_question(wiki.ws, target, "accept")


def test_the_old_side_lacks_the_new_note_that_stands_there_already(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Bode\n\nThe port of Bode is 4001.", source="the runbook")
    wiki.tick(days=1)
    wiki.consolidate()
    wiki.ingest("The port of Bode is 6002.", source="Max")
    wiki.tick(days=1)
    wiki.consolidate()
    assert "6002" in next(wiki.root.rglob("Bode.md")).read_text()
    (found,) = review.list_review(wiki.ws)["items"]

    new, old = review.show_question(wiki.ws, found["id"])["sides"]

    told = without_facts(old["text"])
    assert "6002" in new["text"] and "6002" not in told
    assert "4001" in told


def test_the_old_side_is_the_note_also_after_it_moved_to_a_page_of_its_own(
    tmp_path: Path,
) -> None:
    """The page of its day shows every other note of that day, and not the one in question."""
    wiki = Wiki.new(tmp_path / "wiki")
    first = wiki.ingest(
        "The restic backups go to the disk in the cellar.",
        "Anna's phone number is 030 5551234.",
    )
    wiki.tick(days=1)
    wiki.consolidate()
    wiki.ingest("Anna's phone number is 030 777888.")
    wiki.tick(days=1)
    wiki.consolidate()
    wiki.ingest("Anna moved to Leipzig. Her phone number is now 0341 99.")
    wiki.tick(days=1)
    wiki.consolidate()
    db = current_index(wiki.ws, wiki.journal())
    assert db is not None
    moved = find_statement_of_capture(db, first[1]["id"])
    assert moved is not None and moved.title == "Anna"
    asked = [
        item
        for item in review.list_review(wiki.ws)["items"]
        if "2026-" in (item["other"] or {})["title"]
    ]

    new, old = review.show_question(wiki.ws, asked[0]["id"])["sides"]

    assert new["text"] == "Anna's phone number is 030 777888."
    assert old["text"] == "Anna's phone number is 030 5551234."
    assert old["title"].startswith("Anna (")
    assert old["path"] == moved.path

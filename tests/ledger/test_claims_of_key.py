"""Changes told in other words than the state: what `claims` and `ask` say a week later. No stale
answer.
"""

from pathlib import Path
from typing import Any

import pytest

from companion.answers.claims import answer_question, read_claims
from tests.wiki import Wiki

STATES = [
    (
        "Anna lives in Porto.",
        "Anna moved to Lisbon.",
        "Where does Anna live?",
        "Lisbon",
    ),
    (
        "Anna lives in Porto.",
        "Anna has moved from Porto to Lisbon.",
        "Where does Anna live?",
        "Lisbon",
    ),
    (
        "Anna works at Acme.",
        "Anna joined Globex.",
        "Where does Anna work?",
        "Globex",
    ),
    (
        "Anna works at Acme.",
        "Anna started at Globex.",
        "Where does Anna work?",
        "Globex",
    ),
    (
        "Anna wohnt in Köln.",
        "Anna ist nach Bonn gezogen.",
        "Wo wohnt Anna?",
        "Bonn",
    ),
    (
        "Anna arbeitet bei Siemens.",
        "Anna hat bei Bosch angefangen.",
        "Wo arbeitet Anna?",
        "Bosch",
    ),
    (
        "The price is 10 €.",
        "The price is now 12 €.",
        "What is the price?",
        "12 €",
    ),
    (
        "The price of the ticket is 10 €.",
        "The price of the ticket was raised to 12 €.",
        "What is the price of the ticket?",
        "12 €",
    ),
    (
        "The deadline is 30 June.",
        "The deadline moved to 7 July.",
        "When is the deadline?",
        "7 July",
    ),
    (
        "Aurora's deadline is 30 June.",
        "Aurora's deadline was moved to 7 July.",
        "When is Aurora's deadline?",
        "7 July",
    ),
    (
        "The contact for Globex is Mia.",
        "The contact for Globex is now Leo.",
        "Who is the contact for Globex?",
        "Leo",
    ),
    (
        "Aurora is led by Tomek.",
        "Priya took over Aurora from Tomek.",
        "Who leads Aurora?",
        "Priya",
    ),
    (
        "The team uses MySQL.",
        "The team switched from MySQL to Postgres.",
        "What does the team use?",
        "Postgres",
    ),
    (
        "The CEO of Globex is Rosa.",
        "Lee became CEO of Globex.",
        "Who is the CEO of Globex?",
        "Lee",
    ),
    (
        "The CEO of Globex is Rosa.",
        "Rosa was replaced by Lee as CEO of Globex.",
        "Who is the CEO of Globex?",
        "Lee",
    ),
    (
        "The shop opens at 9.",
        "The shop now opens at 10.",
        "When does the shop open?",
        "10",
    ),
    (
        "The office is in Berlin.",
        "The office moved to Hamburg.",
        "Where is the office?",
        "Hamburg",
    ),
    (
        "The meeting is on Tuesday.",
        "The meeting was moved to Wednesday.",
        "When is the meeting?",
        "Wednesday",
    ),
    (
        "Aurora wird von Petra geleitet.",
        "Karl hat Aurora übernommen.",
        "Wer leitet Aurora?",
        "Karl",
    ),
    (
        "Die Frist ist am 30. Juni.",
        "Die Frist wurde auf den 7. Juli verschoben.",
        "Wann ist die Frist?",
        "7. Juli",
    ),
    (
        "Anna lives in Porto.",
        "Anna wohnt jetzt in Faro.",
        "Where does Anna live?",
        "Faro",
    ),
]


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def tell(wiki: Wiki, *texts: str) -> None:
    for text in texts:
        wiki.ingest(text)
        wiki.consolidate()


def answers(wiki: Wiki, question: str) -> list[str]:
    return [
        each["value"]
        for each in answer_question(wiki.ws, question, as_of=None, budget=500)[
            "answers"
        ]
    ]


def read(
    wiki: Wiki, subject: str, predicate: str | None = None
) -> list[dict[str, Any]]:
    return list(
        read_claims(
            wiki.ws,
            subject,
            predicate,
            as_of=None,
            known_at=None,
            history=False,
        )["keys"]
    )


@pytest.mark.parametrize(("before", "after", "question", "now"), STATES)
def test_a_change_replaces_the_state_that_was_told(
    wiki: Wiki, before: str, after: str, question: str, now: str
) -> None:
    tell(wiki, before)
    wiki.tick(days=7)
    tell(wiki, after)

    assert answers(wiki, question) == [now]


def test_a_state_told_after_the_change_is_of_the_same_matter(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna moved to Lisbon.")
    wiki.tick(days=7)
    tell(wiki, "Anna lives in Braga.")

    assert answers(wiki, "Where does Anna live?") == ["Braga"]


def test_claims_find_the_change_under_the_state_and_say_how_it_was_read(
    wiki: Wiki,
) -> None:
    tell(wiki, "Anna lives in Porto.")
    wiki.tick(days=7)
    tell(wiki, "Anna moved to Lisbon.")

    (key,) = read(wiki, "Anna", "lives in")
    assert (key["predicate"], key["values"]) == ("lives in", ["Lisbon"])
    assert [
        (claim["predicate"], claim["read_as"]) for claim in key["claims"]
    ] == [("moved to", "lives in")]


def test_a_team_that_moved_to_a_database_moved_nothing_else(wiki: Wiki) -> None:
    tell(wiki, "The team moved to Postgres.", "The team likes tea.")

    assert [key["predicate"] for key in read(wiki, "team")] == [
        "likes",
        "moved to",
    ]


def test_a_night_names_the_home_that_a_move_replaced(wiki: Wiki) -> None:
    wiki.ingest_pages("Anna lives in Porto.")
    wiki.consolidate()
    wiki.tick(days=7)
    tell(wiki, "Anna moved to Lisbon.")

    doc = read_claims(
        wiki.ws, "Anna", None, as_of=None, known_at=None, history=True
    )
    (row,) = doc["keys"][0]["resolved"]
    assert [each["object"] for each in row["lost"]] == ["Porto"]
    page = next((wiki.root / "entries").rglob("Anna lives*.md")).read_text()
    assert "lives in:: Lisbon" in page
    assert "lives in: Porto" in page

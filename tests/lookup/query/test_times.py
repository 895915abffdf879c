"""What was told in a time that a query names comes first; a query of nothing else lists it."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.lookup.search import search_wiki
from tests.wiki import Wiki

TOLD = {
    "2026-03-20T10:00:00Z": "Camping at the lake was cold. Bo burnt the stew.",
    "2026-06-12T10:00:00Z": "Camping at the river, the tent leaked.",
    "2026-07-08T10:00:00Z": "Camping in the dunes, two nights.",
    "2026-07-09T10:00:00Z": "Der Ofen zieht schlecht, Kaminkehrer anrufen.",
    "2026-07-17T08:00:00Z": "Der Ofen wurde gereinigt.",
    "2026-07-19T09:00:00Z": "Lunch with Ida about the loom.",
}
NOW = datetime(2026, 7, 20, 8, tzinfo=UTC)  # a Monday


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    wiki = Wiki.new(tmp_path_factory.mktemp("times") / "wiki", {})
    wiki.now = NOW
    for time, text in TOLD.items():
        # the last waits for its night
        if text.startswith("Lunch"):
            wiki.consolidate()
        wiki.ingest(text, event_time=time)
    return wiki


def found(wiki: Wiki, query: str) -> list[str]:
    results = search_wiki(wiki.ws, query)["results"]
    return [str(hit["event_time"])[:10] for hit in results]


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("What did I note yesterday?", ["2026-07-19"]),
        ("What happened last week?", ["2026-07-19", "2026-07-17"]),
        ("Was war letzte Woche los?", ["2026-07-19", "2026-07-17"]),
        ("Was habe ich am 9. Juli notiert?", ["2026-07-09"]),
        ("What did I write on 12 June?", ["2026-06-12"]),
        ("what was new in June 2026", ["2026-06-12"]),
        ("Qu'est-ce que j'ai noté hier ?", ["2026-07-19"]),
        ("¿Qué hice ayer?", ["2026-07-19"]),
        ("What happened in May?", []),
        ("notes from June", []),
        ("notes from last month", ["2026-06-12"]),
    ],
)
def test_a_query_of_a_time_alone_lists_what_was_told_then(
    wiki: Wiki, query: str, days: list[str]
) -> None:
    assert found(wiki, query) == days


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("Where did we go camping in June?", "2026-06-12"),
        ("Where did we go camping in March?", "2026-03-20"),
        ("camping 2026-06", "2026-06-12"),
        ("Was war letzte Woche mit dem Ofen?", "2026-07-17"),
        ("Was war am 9. Juli mit dem Ofen?", "2026-07-09"),
    ],
)
def test_what_was_told_in_the_time_that_is_named_comes_first(
    wiki: Wiki, query: str, first: str
) -> None:
    assert found(wiki, query)[0] == first


def test_the_time_is_a_part_of_the_score(wiki: Wiki) -> None:
    results = search_wiki(wiki.ws, "camping in June 2026")["results"]

    assert ["time" in hit["parts"] for hit in results] == [True, True, False]
    assert results[0]["parts"]["time"] > results[1]["parts"]["time"], (
        "of the note that was told soon after it"
    )


@pytest.mark.parametrize(
    "query",
    [
        "camping on Saturdays",
        "plans for camping in the summer",
        "Wer kocht am Freitag beim camping",
        "may we go camping",
        "camping next week",
        "What did June say about camping?",
        "Where did the winter camping gear go?",
    ],
)
def test_a_time_that_is_not_over_moves_nothing(wiki: Wiki, query: str) -> None:
    results = search_wiki(wiki.ws, query)["results"]

    assert results
    assert not any("time" in hit["parts"] for hit in results)


def test_a_word_alone_is_looked_for(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Yesterday.md": "A song in F.\n"})
    wiki.ingest("Oat milk is out.")

    assert [hit["path"] for hit in wiki.search("yesterday")] == ["Yesterday.md"]


def test_a_waiting_note_of_that_time_comes_first(wiki: Wiki) -> None:
    wiki.ingest("Camping gear is in the loft.", event_time="2026-07-20T07:00Z")

    results = search_wiki(wiki.ws, "What was it today about camping?")

    assert results["results"][0]["state"] == "pending"
    assert "time" in results["results"][0]["parts"]


def test_of_a_time_that_goes_on_the_later_statement_comes_first(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {})
    wiki.now = NOW
    for day in range(1, 9):
        other = f"Plum cake number {day} was eaten by the lake."
        wiki.ingest(other, event_time=f"2026-02-0{day}T10:00Z")
    wiki.ingest("Tom works at the harbour.", event_time="2026-03-01T10:00Z")
    wiki.ingest("Tom works at the airport.", event_time="2026-06-01T10:00Z")
    wiki.consolidate()

    def first(query: str) -> str:
        return str(wiki.search(query)[0]["snippet"])

    assert "airport" in first("Where does Tom work this year?")
    assert "airport" in first("Where did Tom work in June?")
    assert "harbour" in first("Where did Tom work in March?")

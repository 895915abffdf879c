"""A search by marks and fields: of pages, and of notes that wait."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.lookup.search import search_wiki
from tests.wiki import Wiki

PAGES = {
    "Gate.md": "---\ntags: [garden/iron]\n---\nThe garden gate needs oil.\n",
    "Shed.md": "A gate of the garden leads to the shed. #wood\n",
    "code/Config.md": "parseConfig reads it; read_all is older. Gardening!\n",
    "Café.md": "Crème brûlée; 明日は東京の天気がいい\n",
}


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    wiki = Wiki.new(tmp_path_factory.mktemp("query") / "wiki", PAGES)
    wiki.ingest("The pending garden gate is green #paint", source="Anna Berg")
    return wiki


def found(wiki: Wiki, query: str) -> list[str]:
    results = search_wiki(wiki.ws, query)["results"]
    return sorted({hit["path"] or "waits" for hit in results})


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ('"garden gate"', ["Gate.md", "waits"]),
        ("gardeni*", ["code/Config.md"]),
        ("gar*", ["Gate.md", "Shed.md", "code/Config.md", "waits"]),
        ("gate -shed", ["Gate.md", "waits"]),
        ('gate -"garden gate"', ["Shed.md"]),
        ("oil OR shed", ["Gate.md", "Shed.md"]),
        ("gate oil OR shed", ["Gate.md", "Shed.md"]),
        ("tag:garden", ["Gate.md"]),
        ("tag:wood OR tag:paint", ["Shed.md", "waits"]),
        ("tag:wood oil", []),
        ("gate -tag:wood -tag:paint", ["Gate.md"]),
        ("state:pending", ["waits"]),
        ("gate -state:pending", ["Gate.md", "Shed.md"]),
        ("source:anna", ["waits"]),
        ("agent:nobody", []),
        ("in:code", ["code/Config.md"]),
        ("in:Shed", ["Shed.md"]),
        ("type:page gate", ["Gate.md", "Shed.md"]),
        ("type:note", ["waits"]),
        ("before:2020 gate", []),
        ("since:2020 oil", ["Gate.md"]),
        ("parse config", ["code/Config.md"]),
        ("config", ["code/Config.md"]),
        ("readAll", ["code/Config.md"]),
        ("CREME brulee", ["Café.md"]),
        ('"東京の天気"', ["Café.md"]),
    ],
)
def test_a_query_finds_what_it_demands(
    wiki: Wiki, query: str, paths: Sequence[str]
) -> None:
    assert found(wiki, query) == paths


def test_a_word_that_nothing_has_is_corrected(wiki: Wiki) -> None:
    document = search_wiki(wiki.ws, "gardn")

    assert document["corrected"] == [{"word": "gardn", "instead": "garden"}]
    assert document["words"] == ["garden"]
    assert {hit["path"] for hit in document["results"]} >= {"Gate.md", None}
    assert search_wiki(wiki.ws, "grene")["corrected"][0]["instead"] == "green"
    for query in ("garden", "xyzzyq", "gardn gate"):
        assert search_wiki(wiki.ws, query)["corrected"] == [], query


def test_a_phrase_that_nothing_has_is_taken_apart(wiki: Wiki) -> None:
    document = search_wiki(wiki.ws, '"shed oil"')

    assert document["loosened"]
    assert found(wiki, '"shed oil"') == ["Gate.md", "Shed.md"]


def test_a_private_note_is_found_by_no_field_for_another(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("a hidden plan #plan", source="Anna", scope="private")
    for query in ("tag:plan", "source:anna", "hid*", '"hidden plan"', "hiddn"):
        assert search_wiki(wiki.as_("bot"), query)["results"] == [], query
        assert len(search_wiki(wiki.ws, query)["results"]) == 1, query


_MARKS = [
    '"', "-", " OR ", " ", "*", "tag:", "in:", "state:", "agent:", "since:2020",
    "gate", "é", "漢", "\0", "'", ")", "NEAR(", ";--", "%", "\ud800", "🐦",
]  # fmt: skip


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(query=st.lists(st.sampled_from(_MARKS), max_size=12).map("".join))
def test_no_query_breaks_the_search(wiki: Wiki, query: str) -> None:
    document = search_wiki(wiki.ws, query)

    shown = [(hit["id"], hit["statement"]) for hit in document["results"]]
    assert len(shown) == len(set(shown))


@pytest.mark.parametrize(
    ("query", "word", "instead", "shown"),
    [
        ("wifi", "wifi", "wi fi", "Guest Wi-Fi: ask Ida."),
        ("Termin", "termin", "zahnarzttermin", "Der Zahnarzttermin ist um 9."),
        ("was habe ich fürn Termin", "termin", "zahnarzttermin", None),
        ("ebike", "ebike", "e bike", "Das E-Bike ist beim Händler."),
        ("Hendler", "hendler", "handler", "Das E-Bike ist beim Händler."),
        ("doodoo", None, None, None),
        ("beimm", None, None, None),
    ],
)
def test_parts_and_compounds_stand_for_a_word(
    tmp_path: Path,
    query: str,
    word: str | None,
    instead: str | None,
    shown: str | None,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {})
    wiki.ingest("Der Zahnarzttermin ist um 9.", "Guest Wi-Fi: ask Ida.")
    wiki.consolidate()
    wiki.ingest("Das E-Bike ist beim Händler.")

    document = search_wiki(wiki.ws, query)

    found = {one["word"]: one["instead"] for one in document["corrected"]}
    assert found.get(word or query.lower()) == instead
    assert "habe" not in found
    if shown is not None:
        assert document["results"][0]["snippet"] == shown

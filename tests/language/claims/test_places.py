"""Where a thing is: a place of two prepositions, what is back, and German clauses behind a comma."""

import pytest

from companion.language.claims.extract import LightExtractor

AT = "2026-09-28T08:00:00.000000Z"
Fact = tuple[str, str, str]


def read(text: str) -> list[Fact]:
    claims = LightExtractor().extract(text, event_time=AT)
    return [(one.key[0], one.predicate, one.object) for one in claims]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "The staging password is in 1Password under stg-db.",
            [("staging password", "is in", "1Password under stg-db")],
        ),
        (
            "The key hangs in the hall behind the door.",
            [("key", "hangs in", "hall behind the door")],
        ),
        (
            "Der Smoker liegt in der Kiste im Schuppen.",
            [("smoker", "liegt in", "Kiste im Schuppen")],
        ),
        # with whom, when, and where somebody lives stay apart
        (
            "The spare key is with Tom in Leeds.",
            [("spare key", "is with", "Tom"), ("spare key", "is in", "Leeds")],
        ),
        (
            "Choir is on Thursdays at St Mary's.",
            [("choir", "is on", "Thursdays"), ("choir", "is at", "St Mary's")],
        ),
        (
            "Choir is on Thursdays at one.",
            [("choir", "is on", "Thursdays at one")],
        ),
        (
            "Lucy lives in Emsworth on Mill Road.",
            [
                ("lucy", "lives in", "Emsworth"),
                ("lucy", "lives on", "Mill Road"),
            ],
        ),
    ],
)
def test_a_place_is_read_whole(text: str, facts: list[Fact]) -> None:
    assert read(text) == facts


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("The van is back at the garage.", ("van", "is at", "garage")),
        (
            "Die Leiter ist zurück beim Verein.",
            ("leiter", "ist beim", "Verein"),
        ),
        ("Rosa is back from Rome.", ("rosa", "is back from", "Rome")),
    ],
)
def test_what_is_back_at_a_place_is_there(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("Zweites Volk von Sabine bekommen, heißt Resi.", []),
        (
            "Leiter vom Verein ausgeliehen, muss zurück.",
            [("leiter", "ausgeliehen vom", "Verein")],
        ),
        (
            "Die Königin ist von 2024, sicher bin ich nicht.",
            [("königin", "ist von", "2024")],
        ),
        (
            "Wir waren zehn Leute, Sabine aus Olching saß neben mir.",
            [("us", "waren", "zehn Leute")],
        ),
    ],
)
def test_a_german_clause_ends_where_the_next_begins(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts

"""Main clauses that a comma alone joins are each read; what depends on another is not."""

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
            "Opa wohnt in Kiel, Oma lebt in Ulm.",
            [("opa", "wohnt in", "Kiel"), ("oma", "lebt in", "Ulm")],
        ),
        (
            "Der Kurs kostet 180 Euro, Leiter ist Herr Obermayr.",
            [
                ("kurs", "kostet", "180 Euro"),
                ("leiter", "ist", "Herr Obermayr"),
            ],
        ),
        (
            "Rosa's vet is Dr. Hanley, surgery hours are 9 to 12.",
            [
                ("rosa", "vet", "Dr. Hanley"),
                ("surgery hours", "are", "9 to 12"),
            ],
        ),
        (
            "The rally starts in Hull, the boats lie in Grimsby.",
            [
                ("rally", "starts in", "Hull"),
                ("boats", "lie in", "Grimsby"),
            ],
        ),
    ],
)
def test_each_main_clause_is_read(text: str, facts: list[Fact]) -> None:
    assert read(text) == facts


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("If it rains, the game is in the hall.", []),
        ("Wenn es regnet, ist das Spiel in der Halle.", []),
        ("Anna says, the shop is in Hull.", []),
        ("Der Hund, der Katzen jagt, heißt Rex.", [("hund", "heißt", "Rex")]),
        (
            "Nora works at the clinic, night shifts until June.",
            [("nora", "works at", "clinic")],
        ),
        ("Tom likes dogs, cats and walks.", [("tom", "likes", "dogs")]),
        ("The other one is with Tom.", []),
    ],
)
def test_what_depends_or_is_listed_is_no_main_clause(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts

"""Whom and what a pronoun means, and what somebody is to whom."""

import pytest

from companion.language.claims.extract import LightExtractor

AT = "2026-09-28T08:00:00.000000Z"
Fact = tuple[str, str, str]


def read(text: str) -> list[Fact]:
    claims = LightExtractor().extract(text, event_time=AT)
    return [(one.key[0], one.predicate, one.object) for one in claims]


@pytest.mark.parametrize(
    ("text", "last"),
    [
        # either of two, or nobody who was named
        (
            "Gerald handed over to Annabel. She's our commodore now.",
            ("gerald", "handed over to", "Annabel"),
        ),
        (
            "Mirko got married to Sanne. She's Dutch.",
            ("mirko", "married to", "Sanne"),
        ),
        (
            "We bought a boat from Mr Pargeter. She is called Marigold.",
            ("us", "bought", "boat from Mr Pargeter"),
        ),
        (
            "Jonas wohnt in Ulm. Es gab Streit.",
            ("jonas", "wohnt in", "Ulm"),
        ),
    ],
)
def test_a_pronoun_that_may_mean_another_states_nothing(
    text: str, last: Fact
) -> None:
    assert read(text)[-1] == last


def test_it_is_the_thing_whose_change_was_told() -> None:
    text = "Gate code changed after the break-in: it is 9082# now."
    assert read(text)[-1] == ("gate code", "is", "9082#")


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "The chairman is Karl Demel, his wife Inge does the books.",
            [
                ("chairman", "is", "Karl Demel"),
                ("karl demel", "wife", "Inge"),
                ("inge", "does", "books"),
            ],
        ),
        (
            "Vorsitzender vom Verein ist Karl Demel, seine Frau Inge macht die Kasse.",
            [
                ("vorsitzender vom verein", "ist", "Karl Demel"),
                ("karl demel", "Frau", "Inge"),
                ("inge", "macht", "Kasse"),
            ],
        ),
        (
            "Frank's daughter Imogen moved to York. Tom is her uncle.",
            [
                ("frank", "daughter", "Imogen"),
                ("imogen", "moved to", "York"),
                ("imogen", "uncle", "Tom"),
                ("tom", "is", "her uncle"),
            ],
        ),
        (
            "Meine Schwester Karin wohnt in Kiel.",
            [("me", "Schwester", "Karin"), ("karin", "wohnt in", "Kiel")],
        ),
    ],
)
def test_who_is_named_beside_a_role_is_meant_next(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts


def test_a_thing_of_somebody_is_not_named_by_what_kind_it_is() -> None:
    facts = read("Frank's old VW Passat moved to the barn.")
    assert ("frank", "old", "VW Passat") not in facts


@pytest.mark.parametrize(
    "text",
    [
        "Ben can't come to the rally.",
        "Ben cannot come to the rally.",
        "Ben won't come to the rally.",
    ],
)
def test_what_somebody_cannot_do_is_denied(text: str) -> None:
    (claim,) = LightExtractor().extract(text, event_time=AT)
    assert claim.negated


def test_what_there_is_nobody_gives() -> None:
    assert read("Gläser gibt es bei Haas.") == []


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Met Theo today. He lives in Ehrenfeld.", "Theo"),
        ("Theo came by. He lives in Ehrenfeld.", "Theo"),
        ("I talked to Ben. He lives in Rome.", "Ben"),
        ("Gave Tom the keys. He lives in Leeds.", "Tom"),
        ("I gave the old bike to Theo. He lives in Ehrenfeld.", "Theo"),
        ("Dr. Osei called. She works at St. Anne's.", "Dr. Osei"),
        ("Visited the lake with Anna, she works at Falke.", "Anna"),
    ],
)
def test_she_is_the_only_person_spoken_of(text: str, subject: str) -> None:
    assert read(text)[-1][0] == subject.lower()


@pytest.mark.parametrize(
    "text",
    [
        "Met Anna and Ben. She works at Falke.",
        "Gerald handed over to Annabel. She works at Falke.",
        "Met Anna's boss. She lives in Kiel.",
        "Moved to Graz. She works there.",
    ],
)
def test_she_is_nobody_where_two_or_none_are_spoken_of(text: str) -> None:
    assert "works at" not in {predicate for _, predicate, _ in read(text)}
    assert "lives in" not in {predicate for _, predicate, _ in read(text)}

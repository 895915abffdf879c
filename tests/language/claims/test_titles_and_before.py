"""Titles that hold marks, seasons in names, what was so before, and verbs that nobody knows."""

import pytest

from companion.language.claims.extract import LightExtractor

AT = "2026-09-28T08:00:00.000000Z"
Fact = tuple[str, str, str]


def read(text: str) -> list[Fact]:
    claims = LightExtractor().extract(text, event_time=AT)
    return [(one.subject, one.predicate, one.object) for one in claims]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (
            "The author of Marlow's Ladder is Ida Krug.",
            ("Marlow's Ladder", "author", "Ida Krug"),
        ),
        (
            "Ida Krug is famous for Harbour: Second Tide.",
            ("Ida Krug", "famous for", "Harbour: Second Tide"),
        ),
        (
            "The author of Harbour: Second Tide is Ida Krug.",
            ("Harbour: Second Tide", "author", "Ida Krug"),
        ),
        (
            "Ida Krug is famous for Winter of Ulm.",
            ("Ida Krug", "famous for", "Winter of Ulm"),
        ),
        (
            "The author of The Official Summer is Ida Krug.",
            ("The Official Summer", "author", "Ida Krug"),
        ),
        (
            "Ida Krug is famous for City of Glass.",
            ("Ida Krug", "famous for", "City of Glass"),
        ),
    ],
)
def test_a_title_is_one_name(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("Anna's Mum is Ruth.", ("Anna", "Mum", "Ruth")),
        ("Tom's Dentist is Dr. Moll.", ("Tom", "Dentist", "Dr. Moll")),
        (
            "Anna's Berlin flat is at Hauptstrasse 3.",
            ("Anna", "Berlin flat at", "Hauptstrasse 3"),
        ),
        ("Call with Anna: Ben moved to Leeds.", ("Ben", "moved to", "Leeds")),
    ],
)
def test_what_somebody_has_is_no_title(text: str, fact: Fact) -> None:
    assert read(text) == [fact]


@pytest.mark.parametrize(
    ("text", "value", "until"),
    [
        (
            "Nadia moved to Leeds in May, before that she lived in York.",
            "York",
            "2026-05-01",
        ),
        (
            "Anna wohnt seit Mai in Ulm, vorher wohnte sie in Bern.",
            "Bern",
            None,
        ),
        (
            "Ich bin im Mai nach Ulm gezogen, davor habe ich in Bern gewohnt.",
            "Bern",
            "2026-05-01",
        ),
    ],
)
def test_before_that_something_else_was_so(
    text: str, value: str, until: str | None
) -> None:
    _, before = LightExtractor().extract(text, event_time=AT)
    assert before.object == value
    if until is not None:
        assert (before.period.end or "").startswith(until)


def test_what_was_so_before_makes_no_coming_month_a_past_one() -> None:
    text = "Die Miete beträgt ab Oktober 980 Euro, bisher waren es 930."
    (rent,) = LightExtractor().extract(text, event_time=AT)
    assert rent.object == "980 Euro"
    assert (rent.period.start or "").startswith("2026-10-01")


@pytest.mark.parametrize(
    "text",
    [
        "Habe bei Jürgen 50 Euro gepumpt und dann verzockt.",
        "Habe mit Anna gefrotzelt.",
        "Ich habe gehört, dass Tom umzieht.",
    ],
)
def test_a_perfect_whose_verb_nobody_knows_states_nothing(text: str) -> None:
    assert read(text) == []


def test_whom_a_house_belongs_to_is_no_hearsay() -> None:
    text = "Das Haus, das vielleicht verkauft wird, gehört Frau Brandl."
    (claim,) = LightExtractor().extract(text, event_time=AT)
    assert (claim.object, claim.mood) == ("Frau Brandl", "confirmed")


def test_half_a_relative_clause_is_no_subject() -> None:
    assert read("Die Frau, die gestern anrief, heißt Uta Kern.") == []

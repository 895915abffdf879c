"""Values in one measure, whatever the notation."""

import pytest

from companion.language.relations.statement import read_statement


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("5 km", "5000 m"),
        ("5km", "5 kilometers"),
        ("three dogs", "3 dogs"),
        ("twenty-five dogs", "25 dogs"),
        ("two hundred dogs", "200 dogs"),
        ("1,200 dogs", "1200 dogs"),
        ("$74,500", "74500 dollars"),
        ("90 minutes", "1.5 hours"),
        ("two years", "24 months"),
        ("2 PM", "14:00"),
        ("June 1st", "1 June"),
        ("2024-06-01", "June 1, 2024"),
        ("the 4th floor", "the fourth floor"),
    ],
)
def test_one_value_in_two_notations(one: str, other: str) -> None:
    assert (
        read_statement(f"It was {one} there", "en").values
        == read_statement(f"It was {other} there", "en").values
        != {}
    )


@pytest.mark.parametrize(
    ("text", "language", "values"),
    [
        ("Das Seil ist 3,5 m lang", "de", {"length": {"3.5"}}),
        ("Die Stadt hat 1.200 Brunnen", "de", {"number brun": {"1200"}}),
        ("Er kommt am 5. März", "de", {"date": {"3-5"}}),
        ("il pèse 70 kilos", "fr", {"mass": {"70"}}),
        (
            "code AB12 or 555-0147",
            "en",
            {"code AA99": {"ab12"}, "code 999-9999": {"555-0147"}},
        ),
        ("write to me@example.org", "en", {"address": {"me@example.org"}}),
        ("no values at all", "en", {}),
        # more digits than a float can hold
        ("9" * 400, "en", {"number ": {"inf"}}),
    ],
)
def test_kinds(text: str, language: str, values: dict[str, set[str]]) -> None:
    assert {
        kind: set(found)
        for kind, found in read_statement(text, language).values.items()
    } == values

"""What nobody is said to own belongs to the one with whom the teller was."""

import pytest

from tests.language.claims.test_everyday import Fact, read


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Lunch with Anna. The new job starts in Graz.",
            [("anna", "new job starts in", "Graz")],
        ),
        (
            "Mittagessen mit Anna. Die neue Stelle beginnt im Juni.",
            [("anna", "neue Stelle beginnt im", "Juni")],
        ),
        (
            "Besuch bei Frau Vogt. Die Wohnung kostet 900 Euro.",
            [("frau vogt", "Wohnung kostet", "900 Euro")],
        ),
        (
            "Tea with Paul Weber. The flat costs 700 euros.",
            [("paul weber", "flat costs", "700 euros")],
        ),
        # it says whose, or of several, or of nobody
        (
            "Lunch with Anna. The brother of Tom lives in Rome.",
            [("tom", "brother lives in", "Rome")],
        ),
        (
            "Lunch with Anna. My job starts in May.",
            [("me", "job starts in", "May")],
        ),
        (
            "Lunch with Anna and Paul. The flat has three rooms.",
            [("flat", "has", "three rooms")],
        ),
        (
            "Meeting with Tom's boss. The flat costs 3 euros.",
            [("flat", "costs", "3 euros")],
        ),
        (
            "The spare key is with Tom.",
            [("spare key", "is with", "Tom")],
        ),
        (
            "Long walk with Jo in the rain, wet shoes, cold hands, hot tea."
            " The flat costs 3 euros.",
            [("flat", "costs", "3 euros")],
        ),
    ],
)
def test_a_thing_without_an_owner_is_of_the_company(
    text: str, facts: list[Fact]
) -> None:
    assert read(text) == facts


def test_company_owns_nothing_once_another_is_spoken_of() -> None:
    told = read(
        "Lunch with Anna. Anna lives in Bern. The flat costs 300 euros."
        " Tom came, too. The car costs 200 euros."
    )
    assert told == [
        ("anna", "lives in", "Bern"),
        ("anna", "flat costs", "300 euros"),
        ("car", "costs", "200 euros"),
    ]

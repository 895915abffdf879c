"""What one person has alone belongs to the one with whom the teller was."""

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
        (
            "Saw Anna. The new job starts in Graz.",
            [("anna", "new job starts in", "Graz")],
        ),
        (
            "Spoke to Anna on the tram. The flat costs 700 euros.",
            [("anna", "flat costs", "700 euros")],
        ),
        (
            "Anna getroffen. Die neue Stelle beginnt im Juni.",
            [("anna", "neue Stelle beginnt im", "Juni")],
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
        " Tom came, too. The new job starts in Graz."
    )
    assert told == [
        ("anna", "lives in", "Bern"),
        ("anna", "flat costs", "300 euros"),
        ("new job", "starts in", "Graz"),
    ]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        # others may share it
        (
            "Meeting with Tom. The deadline is 10 May.",
            ("deadline", "is", "10 May"),
        ),
        (
            "Kaffee mit Eva. Die Probe ist am Donnerstag.",
            ("probe", "ist am", "Donnerstag"),
        ),
        (
            "Lunch with Rita. The office is in Linz.",
            ("office", "is in", "Linz"),
        ),
        (
            "Lunch with Rita. The flat rate is 70 euros.",
            ("flat rate", "is", "70 euros"),
        ),
        # a person moves there
        (
            "Meeting with Tom. The flat moved to Linz.",
            ("flat", "moved to", "Linz"),
        ),
        # the teller's, or brought in
        (
            "Lunch with Anna. I got a job. The job starts in May.",
            ("job", "starts in", "May"),
        ),
        (
            "Lunch with Anna. Will I move? The flat costs 700 euros.",
            ("flat", "costs", "700 euros"),
        ),
        (
            "Lunch with Anna. There is a flat in Linz. The flat costs 9 euros.",
            ("flat", "costs", "9 euros"),
        ),
        (
            "Talked with Anna about my plans. The job starts in May.",
            ("job", "starts in", "May"),
        ),
        # of several, and of another
        (
            "Lunch with Anna and the kids. The flat costs 700 euros.",
            ("flat", "costs", "700 euros"),
        ),
        (
            "Tom had lunch with Anna. The flat costs 700 euros.",
            ("flat", "costs", "700 euros"),
        ),
        ("Sold Anna. The flat costs 5 euros.", ("flat", "costs", "5 euros")),
        (
            "Saw Anna and Paul. The flat costs 5 euros.",
            ("flat", "costs", "5 euros"),
        ),
        (
            "Saw the Anna. The flat costs 5 euros.",
            ("flat", "costs", "5 euros"),
        ),
        (
            "Kuchen getroffen und gegessen. Die Wohnung kostet 900 Euro.",
            ("wohnung", "kostet", "900 Euro"),
        ),
        # the preposition of another language
        ("We met Tom. The flat costs 5 euros.", ("flat", "costs", "5 euros")),
        # a form of address is no name
        (
            "Treffen mit Herrn Huber. Die Wohnung kostet 900 Euro.",
            ("herr huber", "Wohnung kostet", "900 Euro"),
        ),
        # whom one sees for what they do
        (
            "Appointment with Dr. Klein. The knee is better.",
            ("knee", "is", "better"),
        ),
        (
            "Termin bei Frau Dr. Klein. Das Knie ist besser.",
            ("knie", "ist", "besser"),
        ),
    ],
)
def test_company_owns_only_what_is_surely_its_own(
    text: str, fact: Fact
) -> None:
    assert read(text)[-1] == fact

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
        ("Lunch with Anna at the lake. She works at Falke.", "Anna"),
        ("Talked with Ben. He lives in Rome.", "Ben"),
        ("Met Anna. She works at Falke.", "Anna"),
        ("Met Anna in Graz. She works at Falke.", "Anna"),
        ("Met Anna last week. She works at Falke.", "Anna"),
        ("Met Dr. Osei. She lives in Kiel.", "Dr. Osei"),
        ("On Monday I met Anna again. She works at Falke.", "Anna"),
        ("Talked to Jonas for an hour. He lives in Kiel.", "Jonas"),
        ("Theo has called. He lives in Ehrenfeld.", "Theo"),
        # who was found so is meant until another may be
        ("Met Anna. Had soup. She lives in Kiel.", "Anna"),
        ("Met Anna. She's a nurse. She lives in Kiel.", "Anna"),
    ],
)
def test_she_is_the_only_person_spoken_of(text: str, subject: str) -> None:
    who, predicate, _ = read(text)[-1]
    assert who == subject.lower()
    assert predicate in ("lives in", "works at")


@pytest.mark.parametrize(
    "clause",
    [
        # two who have names
        "Met Anna and Ben",
        "Met Anna, then Ben",
        "Met Anna or Ben",
        "Met Anna as well as Ben",
        "Talked to Ben about Anna",
        "Gerald handed over to Annabel",
        # another who has none
        "Met Anna's boss",
        "Met Anna's climber",
        "My sister called Leo",
        "The man spoke to Nina",
        "The dentist saw Leo",
        "The dentist called Leo",
        "A climber called Leo",
        "Someone I met spoke to Nina",
        "Mark met Anna",
        "Met Anna and a climber",
        "Met Anna, a climber",
        "Met Anna with two climbers",
        "Met a climber with Eva",
        "Met the landlord with Eva",
        "Met Anna at hers beside a colleague",
        "Met Anna for baby clothes",
        "Met Anna for her husband",
        "Gave Tom his keys",
        "I told him after lunch with Anna",
        "Talked to Ben about the CEO",
        "Talked to Ben about the pope",
        "Talked to the climber with Anna",
        "The climber at lunch with Anna",
        "Met Anna beside my climber",
        "Met Anna beside the cousin",
        # it did not happen
        "I didn't meet Tom",
        "I never called Tom",
        "I haven't met Tom",
        # what may be no person
        "Moved to Graz",
        "The CEO left Bosch",
        "Left Siemens",
        "Left Volvo the keys",
        "Visited Graz",
        "Bought Lego",
        "Read Dune",
        "Read Dune a second time",
        "Saw Dune",
        "My wife loves Mozart",
        "I love Mozart",
        "Spoke English",
        "Went for lunch with Volvo",
        "Drove to lunch with Anna",
        "Paid with Klarna",
        "Built a bridge with Lego",
        "Went to talk to Volvo",
        "Brought the car to Volvo",
        "Sent the form to Falke",
        "Gave Lego",
        "Called HR",
        "Spoke to DHL",
        "Talked to Italians",
        "Called Volvo dealers",
        "Spoke to Volvo staff",
        "Volvo workshop on Monday",
        "Had a chat at Siemens",
        "I'm called Leo",
        "The boat is called Leo",
    ],
)
def test_she_is_nobody_where_another_may_be(clause: str) -> None:
    told = read(f"{clause}. She works at Falke.")
    assert "works at" not in {predicate for _, predicate, _ in told}


@pytest.mark.parametrize(
    "clause",
    [
        "Ben's sister rang",
        "The dentist called",
        "Bought Lego",
        "She told Eva",
        "She is with her brother",
        "She's a friend of my brother",
    ],
)
def test_who_was_spoken_of_is_not_meant_once_another_may_be(
    clause: str,
) -> None:
    told = read(f"Met Anna. {clause}. She works at Falke.")
    assert "works at" not in {predicate for _, predicate, _ in told}


def test_who_was_told_of_is_not_meant_behind_two_others() -> None:
    told = read(
        "Tom lives in Leeds. Talked to Ben about Al. He works at Falke."
    )
    assert told == [("tom", "lives in", "Leeds")]

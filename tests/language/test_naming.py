"""What notes are about gets the name of a thing, never a sentence, a date or a verb."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.names.naming import (
    NAME_LENGTH,
    name_subject,
)
from companion.language.names.naming_contradictions import name_contradiction
from companion.language.names.naming_conversations import name_conversation


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (
            ("The boiler leaks.", "Bled the boiler.", "boiler is fixed"),
            "Boiler",
        ),
        (
            ("Anna called.", "Dinner with Anna Berg.", "Saw Anna Berg today."),
            "Anna Berg",
        ),
        (
            ("My dentist moved.", "Called my dentist.", "the dentist is ill"),
            "Dentist",
        ),
        (
            (
                "Dr. Wong says rest.",
                "Saw Dr. Wong on Monday.",
                "Dr. Wong is away.",
            ),
            "Dr. Wong",
        ),
        (
            (
                "Die Gasheizung tropft.",
                "Der Druck der Gasheizung ist zu niedrig.",
                "Gasheizung entlüftet.",
            ),
            "Gasheizung",
        ),
        (
            (
                "Der Deckel des Hauptwasserhahns klemmt.",
                "Der Hauptwasserhahn sitzt im Schacht.",
                "Das Rad des Hauptwasserhahns fehlt.",
            ),
            "Hauptwasserhahn",
        ),
        (
            (
                "Annas Umzug war gut.",
                "Anna kommt Freitag.",
                "Mit Anna telefoniert.",
            ),
            "Anna",
        ),
        (
            (
                "Paid the car insurance.",
                "Our car insurance went up.",
                "The car insurance wrote again.",
            ),
            "Car insurance",
        ),
        (
            ("The iPhone broke.", "New battery for my iPhone.", "iPhone sold."),
            "iPhone",
        ),
        (
            (
                "Met folks from Bank of Scotland.",
                "The Bank of Scotland wrote.",
                "Bank of Scotland again.",
            ),
            "Bank of Scotland",
        ),
    ],
)
def test_a_thing_is_called_what_its_notes_call_it(
    texts: tuple[str, ...], name: str
) -> None:
    assert name_subject(texts) == name


@pytest.mark.parametrize(
    "texts",
    [
        ("On Monday it rained.", "Monday was long.", "I hate Monday."),
        ("Called the vet.", "Called mum.", "Called Paul."),
        ("🎉", "🎉🎉", "🎉"),
        ("https://a.example/x", "https://a.example/y"),
        ("22.11.2026", "23.11.2026", "2026-11-24"),
        ("Today was fine.", "Today it rained.", "today again"),
        ("In May we sail.", "May was cold.", "Back in May."),
        ("Good time.", "Had a good time.", "The time flew."),
        ("", ""),
        (),
    ],
)
def test_verbs_dates_and_marks_name_nothing(texts: tuple[str, ...]) -> None:
    assert name_subject(texts) is None


def test_a_source_names_nothing() -> None:
    texts = ("Slack is down.", "Slack says no.", "Asked on Slack.")
    assert name_subject(texts) == "Slack"
    assert name_subject(texts, sources=["slack"]) is None


def test_a_hint_is_taken_as_the_notes_write_it() -> None:
    texts = ("The boiler of Anna leaks.", "Anna bled the boiler.")
    assert name_subject(texts, hints=["nowhere", "boiler"]) == "Boiler"


@pytest.mark.parametrize(
    ("text", "about", "title"),
    [
        ("Anna lives in Bergen.", "Anna", "Anna (lives in Bergen)"),
        (
            "Paul on the phone: Anna lives in Bergen now.",
            "Anna",
            "Anna (lives in Bergen now)",
        ),
        (
            "Der Hauptwasserhahn sitzt nicht im Keller, sondern im Schacht.",
            "Hauptwasserhahn",
            "Hauptwasserhahn (sitzt nicht im Keller, sondern im Schacht)",
        ),
        ("Anna lives in Rome.", "Anna (lives in Oslo)", "Anna (lives in Rome)"),
        (
            "Nobody who was there that day would ever want to say it that way again.",
            "Anna",
            "Anna (differs)",
        ),
        (
            "Die Apothekerin lachte: neun von zehn Kindern vertragen es, unseres auch.",
            "Jonas Allergien",
            "Jonas Allergien (anders)",
        ),
        ("", "Anna", "Anna (differs)"),
        (
            "Honestly, one signature is enough for the keys of the pharmacy, all do it.",
            "Keys of the pharmacy",
            "Keys of the pharmacy (one signature is enough)",
        ),
        ("The rent is for Anna.", "Anna", "Rent is for Anna"),
        (
            "Termin wegen Garten am Freitag",
            "Garten",
            "Garten (am Freitag)",
        ),
        (
            "appointment for the printer on Monday",
            "Printer",
            "Printer (on Monday)",
        ),
        (
            "Nothing is known of the printer today",
            "Printer",
            "Nothing is known of the printer today",
        ),
        (
            "Der Druck der Heizung soll bei 3,5 bar liegen.",
            "Gasheizung",
            "Druck der Heizung soll bei 3,5 bar liegen",
        ),
        (
            "Rolf sagt: Hauptwasserhahn, draußen im Schacht, nicht im Keller!",
            "Hauptwasserhahn",
            "Hauptwasserhahn (draußen im Schacht, nicht im Keller)",
        ),
        (
            "Anna moved to the flat above the old station in Bergen, and she likes it a lot.",
            "Anna",
            "Anna (moved to the flat above the old station in Bergen)",
        ),
        ("Anna lives in Bergen.", "2026-11-22", "Anna (lives in Bergen)"),
        ("It was not so.", "2026-11-22 (notes)", "It was not so"),
        ("finished Piranesi. A joy.", "2026-11-22", "finished Piranesi"),
        (
            "We won't go to Lisbon with Tom",
            "2026-11-22",
            "We won't go to Lisbon with Tom",
        ),
    ],
)
def test_a_contradiction_is_named_by_its_page_and_what_it_says(
    text: str, about: str, title: str
) -> None:
    assert name_contradiction(text, about) == title


@pytest.mark.parametrize(
    ("people", "turns", "title"),
    [
        (["Anna"], [], "Conversation with Anna, 2026-11-22"),
        (
            ["Anna", "Paul", "Anna"],
            [],
            "Conversation with Anna and Paul, 2026-11-22",
        ),
        (
            ["Anna", "Paul", "Ida", "Leo"],
            [],
            "Conversation with Anna, Paul and 2 others, 2026-11-22",
        ),
        (
            [],
            ["The boiler leaks.", "Which boiler?"],
            "Conversation about Boiler, 2026-11-22",
        ),
        ([], ["hm"], "Conversation with Slack, 2026-11-22"),
    ],
)
def test_a_conversation_is_named_by_who_took_part_or_what_it_was_about(
    people: list[str], turns: list[str], title: str
) -> None:
    assert name_conversation(people, "Slack", "2026-11-22", turns) == title


def test_a_conversation_in_a_file_is_named_by_what_half_of_it_names() -> None:
    turns = [
        "Talked to Priya about the plan.",
        "It can wait.",
        "Let us ask Priya first.",
        "Good.",
    ]
    named = name_conversation([], "export_07.json", "2026-11-22", turns)

    assert named == "Conversation about Priya, 2026-11-22"
    kept = name_conversation([], "Slack", "2026-11-22", turns)
    assert kept == "Conversation with Slack, 2026-11-22"


@given(st.lists(st.text(), max_size=4))
def test_any_notes_have_a_short_name_on_one_line_or_none(
    texts: list[str],
) -> None:
    name = name_subject(texts)
    assert name is None or (
        len(name.splitlines()) == 1 and len(name) <= NAME_LENGTH
    )


@given(
    st.lists(st.sampled_from(["Anna called.", "the boiler", "Oslo with Anna"]))
)
def test_the_order_of_notes_does_not_name(texts: list[str]) -> None:
    assert name_subject(texts) == name_subject(texts[::-1])


@given(st.text(), st.text(min_size=1))
def test_any_contradiction_has_a_name_on_one_line(
    text: str, about: str
) -> None:
    assert len(name_contradiction(text, about).splitlines()) == 1


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("So staging is not a copy.", "Staging (is not a copy)"),
        ("But the staging is not a copy.", "Staging (is not a copy)"),
        (
            "In the cellar there is none.",
            "Staging (in the cellar there is none)",
        ),
    ],
)
def test_what_leads_to_the_name_is_left_out(said: str, named: str) -> None:
    assert name_contradiction(said, "Staging") == named

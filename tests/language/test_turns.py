"""Who speaks: sources by their names, and the turns of conversations in notes."""

import pytest

from companion.language.names.turns import (
    OWNER,
    blank_labels,
    find_label,
    find_speaker,
    find_turn_speaker,
    is_in_first_person,
    read_turns,
)

CHAT = "Maria: I live in Lisbon.\nTom: I live in Oslo.\nBye!\nMaria: Bye."


@pytest.mark.parametrize(
    ("source", "speaker"),
    [
        ("Ana", "Ana"),
        ("nightowl7", "nightowl7"),
        ("@ana", "ana"),
        ("Moira (agency)", "Moira"),
        ("Sister Maeve, Ward 9", "Sister Maeve"),
        ("Ana Silva <ana@example.org>", "Ana Silva"),
        ("me", OWNER),
        ("the user", OWNER),
        ("my diary", OWNER),
        ("Tagebuch", OWNER),
        ("notes/2026.md", OWNER),
        ("Reisetagebuch", OWNER),
        ("own observation", OWNER),
        ("Tom's diary", None),
        ("Anna McCall", "Anna McCall"),
        ("Praxisbrief", None),
        ("ward manual", None),
        ("Familienchat", None),
        ("mail", None),
        ("the runbook", None),
        ("a visitor", None),
        ("https://example.org/about", None),
        ("x" * 50, None),
        ("", None),
    ],
)
def test_a_source_speaks_by_its_name_or_is_nobody_known(
    source: str, speaker: str | None
) -> None:
    assert find_speaker(source) == speaker


@pytest.mark.parametrize(
    "text",
    [
        "[10:02] Ana: hello\n[10:03] Ben: yes",
        "01/05/2026, 10:02 - Ana: hello\n01/05/2026, 10:03 - Ben: yes",
        "- **Ana** (10:02): hello\n- **Ben:** yes",
        "# Call\n\nAna: hello\n\nBen: yes",
        "<Ana> hello\n<Ben> yes",
    ],
)
def test_a_conversation_is_read_in_the_forms_people_paste(text: str) -> None:
    turns = read_turns(text)
    assert [turn.speaker for turn in turns] == ["Ana", "Ben"]
    assert [text[turn.start : turn.end].strip() for turn in turns] == [
        "hello",
        "yes",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Goal: I want to run.\nMood: I am tired.",
        "Montag: Ich war müde.\nDienstag: Ich war wach.",
        "Ana: I live in Porto.\nAna: I work at home.",
        "def live(x):\n    if x: return y\n    else: return z",
        "He said: I live in Porto.\nAnd then: nothing.",
        "price: 300\ncolour: red",
        "hello " * 20_000,
    ],
)
def test_what_is_no_conversation_has_no_turns(text: str) -> None:
    assert read_turns(text) == []


def test_what_one_says_goes_on_until_the_next_one_speaks() -> None:
    turns = read_turns(CHAT)
    assert find_turn_speaker(turns, CHAT.index("Bye!")) == "Tom"
    assert find_turn_speaker(turns, CHAT.index("Lisbon")) == "Maria"
    assert find_turn_speaker(turns, 0) is None
    blank = blank_labels(CHAT, turns)
    assert len(blank) == len(CHAT)
    assert (
        blank.split() == CHAT.replace("Maria:", "").replace("Tom:", "").split()
    )


def test_me_in_a_conversation_is_who_keeps_it() -> None:
    turns = read_turns("Me: I live in Graz.\nAna: I do not.")
    assert [turn.speaker for turn in turns] == [OWNER, "Ana"]


@pytest.mark.parametrize(
    ("sentence", "is_own"),
    [
        ("I drink no coffee.", True),
        ("My dog is called Rufus.", True),
        ("Morgens trinke ich Kaffee.", True),
        ("Maria: I live in Lisbon.", True),
        ("We drink no coffee.", False),
        ("Anna told me that the gate is shut.", False),
        ("", False),
    ],
)
def test_one_person_speaks_of_themselves(sentence: str, is_own: bool) -> None:
    assert is_in_first_person(sentence) == is_own


def test_a_label_names_who_says_a_sentence() -> None:
    assert find_label("Maria: I live in Lisbon.") == "Maria"
    assert find_label("Me: I live in Graz.") == OWNER
    assert find_label("Goal: I want to run.") is None
    assert find_label("I live in Graz.") is None

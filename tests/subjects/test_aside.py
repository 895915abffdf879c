"""What a note says aside, and the words beside it that count in full."""

import pytest

from companion.subjects.mentions.aside import find_words_aside, is_quotation


@pytest.mark.parametrize(
    ("text", "owners"),
    [
        ("Freya's flatmate sells a dryer", {"freya's": "flatmate"}),
        ("Wiebkes Mutter hat ein Café", {"wiebkes": "mutter"}),
        ("[[Gwen]]'s daughter needs a room", {"s": "daughter"}),
        ("Ravi Menon's landlord", {"ravi": "landlord", "menon's": "landlord"}),
        ("Yildiz' Sohn war hier", {"yildiz": "sohn"}),
    ],
)
def test_whose_somebody_is_stands_aside(
    text: str, owners: dict[str, str]
) -> None:
    aside = find_words_aside(text)

    assert {word: aside.get(word) for word in owners} == owners


def test_what_one_has_is_not_aside() -> None:
    assert find_words_aside("Freya's wrist is better") == {}
    assert find_words_aside("Freya and her flatmate moved") == {}


def test_when_something_was_stands_aside() -> None:
    told = "While Lena did the rota I found the umbrella"
    german = "Während Mirko Fische füttert, habe ich den Pass gesucht"

    assert {"lena", "rota"} <= find_words_aside(told).keys()
    assert "umbrella" not in find_words_aside(told)
    assert {"mirko", "fische"} <= find_words_aside(german).keys()
    assert "pass" not in find_words_aside(german)


def test_a_time_without_what_its_owner_did_is_not_aside() -> None:
    assert find_words_aside("Before frost: fill the trough") == {}
    assert find_words_aside("I slept while Lena did the rota") == {}


@pytest.mark.parametrize(
    "text",
    [
        '"A horse is dangerous at both ends"',
        "„Wer sucht, der findet auch nichts“, sagt Oma",
        "»Übersetzen heißt, zwei Herren dienen.« Rosenzweig",
        "“Nobody tells you about the water.”",
    ],
)
def test_what_somebody_else_said_is_a_quotation(text: str) -> None:
    assert is_quotation(text)


@pytest.mark.parametrize(
    "text",
    [
        '"The mare" is what he calls her, and she was lame again today',
        '"Too loud", Carys said about the choir in the church hall again',
        'Carys said "never again" and left the yard',
        "",
    ],
)
def test_a_note_with_a_quotation_in_it_is_none(text: str) -> None:
    assert not is_quotation(text)

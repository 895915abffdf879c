"""A question for the hour is answered with an hour, in whichever fact it stands."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answers.ask import ask
from companion.answers.asked import question_words
from companion.answers.chains.context_rules import tells_hour
from tests.answers.test_later_notes import tell
from tests.wiki import Wiki

NOTES = (
    "Choir is on Thursdays.",
    "Choir starts 7.45pm.",
    "Der Chor beginnt um 19:30.",
    "Rehearsal is on Tuesdays.",
    "Rehearsal at 8.15",
    "The dentist is on 9 May.",
)


@pytest.fixture(scope="module")
def wiki(tmp_path_factory: pytest.TempPathFactory) -> Wiki:
    wiki = Wiki.new(Path(tmp_path_factory.mktemp("hours")) / "wiki")
    tell(wiki, NOTES)
    return wiki


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What time is choir?", ["7.45pm"]),
        ("When is choir?", ["Thursdays"]),
        ("Um wie viel Uhr ist der Chor?", ["19:30"]),
        ("What time is rehearsal?", ["8.15"]),
        ("When is rehearsal?", ["Tuesdays"]),
        ("What time is the dentist?", []),
    ],
)
def test_an_hour_answers_what_time(
    wiki: Wiki, question: str, values: Sequence[str]
) -> None:
    answer = ask(wiki.ws, question, as_of=None, budget=500)
    assert [one["value"] for one in answer["answers"]] == values
    assert answer["question"] == question


@pytest.mark.parametrize(
    "value",
    [
        "7:30",
        "7 45pm",
        "8 pm",
        "17 Uhr",
        "nine",
        "Wednesdays at 8",
        "between 8 and 10",
    ],
)
def test_a_value_is_an_hour(value: str) -> None:
    assert tells_hour(value, question_words("When is choir?"))


@pytest.mark.parametrize(
    "value", ["9 May", "Wednesdays", "24.4", "12.04.", "30", "2026-05-04"]
)
def test_a_day_or_an_amount_is_no_hour(value: str) -> None:
    assert not tells_hour(value, question_words("When is choir?"))

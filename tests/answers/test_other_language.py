"""A change told in another language withholds an answer that it may have changed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.answers.test_later_notes import shown_instead, tell_daily

SALE = "The plant sale is on 3 May."
FEE = "The fee is 40 euro a year."


def answers(root: Path, told: Sequence[str], question: str) -> list[str]:
    wiki = tell_daily(root, told)
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    return [one["value"] for one in doc["answers"]]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            (SALE, "Der Pflanzenmarkt ist jetzt am 10. Mai."),
            "When is the plant sale?",
        ),
        (
            (FEE, "Der Beitrag kostet ab Mai 45 Euro."),
            "How much is the fee?",
        ),
        (
            ("Die Probe ist am 3. Mai.", "The rehearsal is on 10 May now."),
            "Wann ist die Probe?",
        ),
    ],
)
def test_a_change_of_a_value_in_another_language_is_shown(
    tmp_path: Path, told: Sequence[str], question: str
) -> None:
    assert shown_instead(tell_daily(tmp_path, told), question)[0] == told[-1]


@pytest.mark.parametrize(
    ("told", "question", "expected"),
    [
        (  # no change
            (SALE, "Der Pflanzenmarkt ist am 10. Mai."),
            "When is the plant sale?",
            "3 May",
        ),
        (  # the same date
            (SALE, "Der Pflanzenmarkt ist jetzt am 3. Mai."),
            "When is the plant sale?",
            "3 May",
        ),
        (  # told before in its own language: it is a change of that
            (
                SALE,
                "Die Lesung ist am 8. Mai.",
                "Die Lesung ist jetzt am 10. Mai.",
            ),
            "When is the plant sale?",
            "3 May",
        ),
        (  # any two things of a week share that they have a day of it
            ("Choir is on Monday.", "Die Müllabfuhr ist jetzt am Freitag."),
            "When is choir?",
            "Monday",
        ),
        (  # and an hour
            ("Choir is at 19:00.", "Die Müllabfuhr ist jetzt um 7:30."),
            "When is choir?",
            "19:00",
        ),
        (  # no new amount of the same thing
            (FEE, "Die Miete kostet ab Mai 900 Euro."),
            "How much is the fee?",
            "40 euro a year",
        ),
        (  # somebody whom the answer does not name
            (
                "Die Probe ist am 3. Mai.",
                "The lesson of Anya is on 10 May now.",
            ),
            "Wann ist die Probe?",
            "3. Mai",
        ),
    ],
)
def test_what_may_not_be_of_the_same_keeps_the_answer(
    tmp_path: Path, told: Sequence[str], question: str, expected: str
) -> None:
    assert answers(tmp_path, told, question) == [expected]

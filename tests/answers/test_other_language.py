"""A change told in another language withholds an answer that it may have changed."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.answers.test_later_notes import shown_instead, tell_daily

SHOP = "The library opens on Tuesdays."
FEE = "The fee is 40 euro a year."


def answers(root: Path, told: Sequence[str], question: str) -> list[str]:
    wiki = tell_daily(root, told)
    doc = ask(wiki.ws, question, as_of=None, budget=500)
    return [one["value"] for one in doc["answers"]]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            (SHOP, "Die Bücherei ist jetzt donnerstags geöffnet."),
            "When does the library open?",
        ),
        (
            (FEE, "Der Beitrag kostet ab Mai 45 Euro."),
            "How much is the fee?",
        ),
        (
            ("Die Probe ist montags.", "The rehearsal is on Fridays now."),
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
            (SHOP, "Die Bücherei ist donnerstags geöffnet."),
            "When does the library open?",
            "Tuesdays",
        ),
        (  # the same day
            (SHOP, "Die Bücherei ist jetzt dienstags geöffnet."),
            "When does the library open?",
            "Tuesdays",
        ),
        (  # told before in its own language: it is a change of that
            (
                SHOP,
                "Die Sauna ist freitags.",
                "Die Sauna ist jetzt donnerstags.",
            ),
            "When does the library open?",
            "Tuesdays",
        ),
        (  # no new amount of the same thing
            (FEE, "Die Miete kostet ab Mai 900 Euro."),
            "How much is the fee?",
            "40 euro a year",
        ),
        (  # somebody whom the answer does not name
            ("Die Probe ist montags.", "The lesson of Anya is on Fridays now."),
            "Wann ist die Probe?",
            "montags",
        ),
    ],
)
def test_what_may_not_be_of_the_same_keeps_the_answer(
    tmp_path: Path, told: Sequence[str], question: str, expected: str
) -> None:
    assert answers(tmp_path, told, question) == [expected]

"""A question for yes or no names a day, which other words may name, too."""

from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.wiki import Wiki

TOLD = "2026-09-10T08:00:00Z"  # the clock of the tests stands on 2026-11-01, a Sunday


@pytest.mark.parametrize(
    ("note", "question", "answer"),
    [
        ("Anna comes on 2 November.", "Does Anna come tomorrow?", "yes"),
        ("Lea kommt am 2. November.", "Kommt Lea morgen?", "ja"),
        ("The gala is tomorrow.", "Is the gala on 11 September?", "yes"),
        ("The gala is tomorrow.", "Is the gala on 12 September?", "no"),
        # on other days, too
        (
            "The bins are collected on Mondays.",
            "Are the bins collected tomorrow?",
            "",
        ),
        ("The library is closed today.", "Is the library closed today?", ""),
    ],
)
def test_a_day_is_the_same_in_other_words(
    tmp_path: Path, note: str, question: str, answer: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(note, event_time=TOLD)
    wiki.consolidate()

    answers = ask(wiki.ws, question, as_of=None, budget=500)["answers"]

    assert [one["value"] for one in answers] == ([answer] if answer else [])

"""A day or a month is answered as it was told, and not as it is stored."""

from pathlib import Path

import pytest

from companion.answers.ask import ask
from tests.wiki import Wiki

# the clock of the tests stands in 2026
TOLD = {
    "We are going to Denmark in August.": (
        "When are we going to Denmark?",
        "in August 2027",
    ),
    "Rosa moved to Leeds on August 3.": (
        "When did Rosa move to Leeds?",
        "August 3",
    ),
    "Jonas ist am 3. Mai nach Kiel gezogen.": (
        "Wann ist Jonas nach Kiel gezogen?",
        "3. Mai",
    ),
    "Mila starts school on 2027-09-01.": (
        "When does Mila start school?",
        "2027-09-01",
    ),
    "Tom moved to York yesterday.": (
        "When did Tom move to York?",
        "2026-09-27",
    ),
}


@pytest.mark.parametrize("note", TOLD)
def test_a_month_is_said_in_the_words_of_the_note(
    tmp_path: Path, note: str
) -> None:
    question, value = TOLD[note]
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(note, event_time="2026-09-28T08:00:00Z")
    wiki.consolidate()

    answer = ask(wiki.ws, question, as_of=None, budget=500)

    assert [one["value"] for one in answer["answers"]] == [value]


@pytest.mark.parametrize(
    ("note", "question", "value"),
    [
        ("The exam was yesterday.", "When was the exam?", "2026-09-27"),
        ("Heute kam Anna.", "Wann kam Anna?", "2026-09-28"),
        (
            "Die Heizung wurde heute gewartet.",
            "Wann wurde die Heizung gewartet?",
            "2026-09-28",
        ),
        ("The lease ends next month.", "When does the lease end?", "October"),
    ],
)
def test_a_day_that_moves_is_answered_as_it_was_meant(
    tmp_path: Path, note: str, question: str, value: str
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(note, event_time="2026-09-28T08:00:00Z")
    wiki.consolidate()

    answer = ask(wiki.ws, question, as_of=None, budget=500)

    assert [one["value"].split()[0] for one in answer["answers"]] == [value]


@pytest.mark.parametrize(
    ("note", "question", "is_known"),
    [
        (
            "The boiler was serviced yesterday by Mr. Petrov.",
            "When is the next boiler service?",
            False,
        ),
        (
            "The car inspection was in May 2025.",
            "When is the next car inspection?",
            False,
        ),
        (
            "The car inspection was in May 2025.",
            "When was the last car inspection?",
            True,
        ),
        (
            "The choir trip is in June 2029.",
            "When is the next choir trip?",
            True,
        ),
        ("Choir is on Mondays at 8.", "When is the next choir?", True),
        ("The roof check was on 3 May.", "When is the next roof check?", False),
        (
            "The roof check was last year.",
            "When is the next roof check?",
            False,
        ),
        (
            "Nora moved next door in June 2026.",
            "When did Nora move next door?",
            True,
        ),
        (
            "The choir trip is in June 2029.",
            "When was the last choir trip?",
            False,
        ),
        (
            "The licence is due in November 2026.",
            "When is the licence due next?",
            True,
        ),
    ],
)
def test_what_is_over_is_not_the_next_one(
    tmp_path: Path, note: str, question: str, *, is_known: bool
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest(note, event_time="2026-09-28T08:00:00Z")
    wiki.consolidate()

    answer = ask(wiki.ws, question, as_of=None, budget=500)

    assert answer["known"] is is_known

"""What runs did, in plain words."""

import pytest

from companion.reading.morning.sentences import (
    NOTHING,
    describe_work,
    name_pages,
)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([], NOTHING),
        ([{"used": 3, "verdict": 2}], NOTHING),
        ([{"consumed": 1}], "Took in 1 note."),
        (
            [{"consumed": 12, "created": 3, "grown": 4}, {"compressed": 1}],
            "Took in 12 notes, made 3 pages, added to 4 pages and"
            " compressed 1 page.",
        ),
        ([{"branched": 1}], "Opened 1 branch."),
        (
            [{"branched": 2}, {"promoted": 1}],
            "Changed 1 belief and opened 2 branches.",
        ),
        ([{"consumed": 2}, {"consumed": 3}], "Took in 5 notes."),
    ],
)
def test_the_work_of_a_night_is_one_sentence(
    counts: list[dict[str, int]], words: str
) -> None:
    assert describe_work(counts) == words


@pytest.mark.parametrize(
    ("titles", "words"),
    [
        ([], ""),
        (["Door"], "It wrote on Door."),
        (["2026-03-02", "Door", "Door"], "It wrote on Door and 2026-03-02."),
        (
            ["2026-03-02", "Anna", "Door", "Kiel", "Roof"],
            "It wrote on Anna, Door, Kiel and 2 more.",
        ),
    ],
)
def test_pages_are_named_and_days_come_last(
    titles: list[str], words: str
) -> None:
    assert name_pages(titles) == words

"""What the morning says to try next."""

from typing import Any

import pytest

from companion.reading.morning.advise import advise

CALM: dict[str, Any] = {
    "to_review": 0,
    "audits": {"to_settle": 0},
    "runs": 9,
    "pending": 0,
    "waiting": 0,
    "sources": {"pending": 0, "unread": 0, "locked": 0},
    "nights": {"recorded": 9},
    "only_here": {"commits_on_no_remote": 0},
}


@pytest.mark.parametrize(
    ("change", "first"),
    [
        ({}, "companion report --open"),
        ({"to_review": 2}, "companion review"),
        ({"audits": {"to_settle": 1}}, "companion settle"),
        ({"sources": {"locked": 1, "pending": 0}}, "companion review --list"),
        ({"runs": 1}, 'companion ingest "a thought"'),
        ({"nights": {"recorded": 0}}, "companion schedule install"),
        (
            {"nights": {"recorded": 0}, "pending": 3},
            "companion sleep",
        ),
        (
            {"only_here": {"commits_on_no_remote": None}},
            "companion remote add NAME URL",
        ),
    ],
)
def test_the_most_useful_step_comes_first(
    change: dict[str, Any], first: str
) -> None:
    steps = advise({**CALM, **change})  # type: ignore[typeddict-item]

    assert steps[0]["command"] == first
    assert 0 < len(steps) <= 2


def test_notes_that_are_held_back_need_no_night() -> None:
    status = {**CALM, "nights": {"recorded": 0}, "pending": 2, "waiting": 2}
    commands = [step["command"] for step in advise(status)]  # type: ignore[arg-type]

    assert "companion sleep" not in commands

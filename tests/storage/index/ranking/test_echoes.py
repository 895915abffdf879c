"""What an assistant says again loses more than what only it said."""

from pathlib import Path
from typing import Any

from tests.wiki import Wiki

QUESTION = "which sourdough bakery near the harbour opens early"
MINE = "The sourdough bakery near the harbour opens early, at six."
REPEATED = "Noted: the sourdough bakery near the harbour opens early, at six."
OWN = (
    "For a picnic by the river you could buy cheese, olives, grapes and a loaf;"
    " a sourdough bakery opens early."
)


def ask(path: Path) -> dict[str, Any]:
    wiki = Wiki.new(path, {})
    talk = [
        ("Ann", MINE),
        ("assistant", REPEATED),
        ("Ann", "What should I take along to the river on a hot Sunday?"),
        ("assistant", OWN),
    ]
    for minute, (who, text) in enumerate(talk):
        wiki.ingest(
            text, source=who, event_time=f"2026-01-02T10:{minute:02}:00Z"
        )
    wiki.consolidate()
    hits = wiki.search(QUESTION)
    return {hit["event_time"][11:16]: hit for hit in hits}


def loss(hit: dict[str, Any]) -> float:
    """Return which share of its worth it lost."""
    parts = dict(hit["parts"])
    lost = -float(parts.pop("echo"))
    return lost / float(sum(parts.values()))


def test_an_assistant_loses_by_what_it_repeats(tmp_path: Path) -> None:
    found = ask(tmp_path / "wiki")

    assert loss(found["10:01"]) > 0.8
    assert 0.39 < loss(found["10:03"]) < 0.6
    assert "echo" not in found["10:00"]["parts"]

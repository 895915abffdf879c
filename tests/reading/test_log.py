"""`log`: the pages that a run wrote on, and the story of one page."""

from datetime import timedelta
from pathlib import Path

import pytest

from companion.adoption import undo
from companion.cli.commands import log as log_command
from companion.lookup.find import NothingFound
from companion.reading.log import list_runs, tell_story
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki in which three notes on two days made a page of Anna Weber, and a fourth joined."""
    wiki = Wiki.new(tmp_path / "wiki")
    days = (
        ("Anna Weber lives in Oslo.", "Bought bread and milk."),
        (
            "Anna Weber works for a bakery.",
            "Anna Weber met Paul Kern at the station.",
        ),
        ("Anna Weber bought a red bicycle.",),
    )
    for day in days:
        for words in day:
            wiki.ingest(words)
        wiki.consolidate()
        wiki.now += timedelta(days=1)
    return wiki


def story_of(wiki: Wiki, page: str) -> list[tuple[str, str | None]]:
    events = tell_story(wiki.ws, page)["events"]
    return [(event["event"], event["words"]) for event in events]


def test_the_story_of_a_page_tells_which_notes_came(wiki: Wiki) -> None:
    begun, *notes, last = story_of(wiki, "Anna Weber")
    assert begun == ("begun", None)
    assert sorted(notes) == [
        ("came", "Anna Weber lives in Oslo"),
        ("joined", "Anna Weber met Paul Kern at the station"),
        ("joined", "Anna Weber works for a bakery"),
    ]
    assert last == ("joined", "Anna Weber bought a red bicycle")


def test_the_page_of_a_day_tells_which_note_left_and_where_to(
    wiki: Wiki,
) -> None:
    story = tell_story(wiki.ws, "2026-11-01")
    (left,) = (event for event in story["events"] if event["event"] == "left")
    assert left["words"] == "Anna Weber lives in Oslo"
    assert left["page"]["title"] == "Anna Weber"
    lines = list(log_command.text(story))
    assert any(
        line.startswith("  2026-11-02  left        “Anna Weber lives in Oslo”")
        for line in lines
    )


def test_a_run_that_was_taken_back_stands_in_the_story(wiki: Wiki) -> None:
    newest = list_runs(wiki.ws)["runs"][0]["run"]
    wiki.tick()
    undo.undo(wiki.ws, newest)
    assert ("undone", None) in story_of(wiki, "Anna Weber")


def test_a_run_names_its_pages_and_how_many_notes_came_to_each(
    wiki: Wiki,
) -> None:
    log = list_runs(wiki.ws)
    second = log["runs"][1]
    pages = {page["title"]: page["notes"] for page in second["pages"]}
    assert pages == {"Anna Weber": 3, "2026-11-01": 0}
    line = list(log_command.text(log))[1]
    assert line.endswith(": Anna Weber (3 notes), 2026-11-01")


def test_a_note_has_no_story_of_its_own(wiki: Wiki) -> None:
    waiting = wiki.ingest("A heron by the lake.")[0]["id"]
    with pytest.raises(NothingFound):
        tell_story(wiki.ws, waiting)

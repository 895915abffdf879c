"""The morning of a real wiki: what waits, what the last night did, what to try next."""

from pathlib import Path

import pytest

from companion.operations.consolidate.run import consolidate
from companion.operations.contextualize import run as contextualizing
from companion.reading.morning.collect import collect_morning
from companion.reading.status import describe_wiki
from companion.sleep.nights import NightRecord, StepRecord, write_record
from tests.operations.contextualize.sources import drop, read_sources
from tests.wiki import Wiki


def record(
    wiki: Wiki,
    run: str | None,
    outcome: str = "slept",
    *,
    why: str = "",
    kind: str = "due",
) -> None:
    at = wiki.now.isoformat(timespec="seconds")
    step = StepRecord("consolidate", "done", 2.0, run, "Took in a note.")
    night = NightRecord(at, at, outcome, "night", why, kind, None, (step,))
    write_record(wiki.ws.place, night)


def test_a_new_wiki_says_how_to_begin(tmp_path: Path) -> None:
    morning = collect_morning(Wiki.new(tmp_path / "wiki").ws)

    assert morning["last_night"] is None
    assert morning["waiting"]["captures"] == 0
    assert "ingest" in morning["next"][0]["command"]


def test_notes_wait_for_the_night_and_are_told_in_the_morning(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door is open.", "# Roof\n\nThe roof is red.")
    assert collect_morning(wiki.ws)["waiting"]["captures"] == 2

    wiki.tick()
    done = consolidate(wiki.ws)
    record(wiki, done["run"])
    wiki.tick(hours=3)
    morning = collect_morning(wiki.ws)

    assert morning["waiting"]["captures"] == 0
    assert morning["last_night"] is not None
    assert morning["last_night"]["runs"] == [done["run"]]
    assert morning["last_night"]["did"] == (
        "Took in 2 notes and made 2 pages. It wrote on Door and Roof."
    )
    assert morning["last_night"]["ended"].endswith("Z")
    assert morning["missed"] == []


def test_a_step_that_worked_in_slices_is_told_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contextualizing, "SLICE", 2)
    wiki = Wiki.new(tmp_path / "wiki")
    for name in ("a.md", "b.md", "c.md"):
        drop(wiki, name, f"# {name}\n\nThe lamp of {name} is lit.")
    start = wiki.tick().isoformat(timespec="seconds")
    done = read_sources(wiki)
    step = StepRecord("contextualize", "done", 2.0, done["run"], "Read them.")
    end = wiki.now.isoformat(timespec="seconds")
    night = (start, end, "slept", "night", "", "due", None, (step,))
    write_record(wiki.ws.place, NightRecord(*night))
    morning = collect_morning(wiki.ws)

    assert morning["last_night"] is not None
    assert morning["last_night"]["did"] == "Read 3 sources."
    assert morning["last_night"]["runs"] == done["runs"]
    assert len(done["runs"]) == 2


def test_runs_by_hand_are_told_where_no_schedule_wakes_it(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door is open.")
    wiki.tick()
    consolidate(wiki.ws)
    morning = collect_morning(wiki.ws)

    assert morning["last_night"] is not None
    assert morning["last_night"]["outcome"] == "by hand"
    assert "companion schedule install" in [
        step["command"] for step in morning["next"]
    ]


def test_a_night_that_failed_says_why(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    record(wiki, None, "failed", why="The disk is full.")
    morning = collect_morning(wiki.ws)

    assert morning["last_night"] is not None
    assert morning["last_night"]["why"] == "The disk is full."
    assert morning["missed"][0]["why"] == "The disk is full."


def test_a_question_that_a_night_raised_is_left_for_its_owner(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    wiki.tick()
    consolidate(wiki.ws)
    wiki.ingest("# Door\n\nThe door to the cellar is not open.")
    wiki.tick()
    consolidate(wiki.ws)
    morning = collect_morning(wiki.ws)

    assert morning["left_for_you"]["questions"] == 1
    assert morning["next"][0]["command"] == "companion review"


def test_a_night_that_was_asked_for_tells_of_no_schedule(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door is open.")
    wiki.tick()
    done = consolidate(wiki.ws)
    record(wiki, done["run"], kind="asked")
    wiki.tick(days=4)
    morning = collect_morning(wiki.ws)

    assert morning["missed"] == []
    assert "companion schedule install" in [
        step["command"] for step in morning["next"]
    ]


def test_notes_that_wait_for_a_week_without_a_timer_say_so(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door is open.")
    wiki.tick(hours=24 * 6)
    assert describe_wiki(wiki.ws)["nights"]["waits"] == ""

    wiki.tick(hours=24 * 2)
    waits = describe_wiki(wiki.ws)["nights"]["waits"]
    assert waits.startswith("No timer wakes it, and the first note has waited")
    assert "for 8 days: `companion schedule install`" in waits

    consolidate(wiki.ws)
    wiki.tick(hours=24 * 9)
    assert describe_wiki(wiki.ws)["nights"]["waits"] == ""

"""`undo` without a run: which one it takes, and when it asks first."""

import sys
from pathlib import Path

import pytest

from companion.adoption.undo import undo
from companion.reading.overview.last_run import NoRunToUndo, find_last_run
from companion.sleep.nights import NightRecord, StepRecord, write_record
from tests.cli.typist import Typist
from tests.wiki import Wiki, git, person

PROGRAM = [sys.executable, "-m", "companion"]


def night_of(wiki: Wiki, run: str, kind: str = "night") -> None:
    """Record that a night made *run*."""
    step = StepRecord("consolidate", "done", 1.0, run, "")
    now = wiki.ws.now()
    record = NightRecord(now, now, "slept", "night", "", kind, None, (step,))
    write_record(wiki.ws.place, record)


def consolidate(wiki: Wiki, note: str) -> str:
    wiki.ingest(note)
    run = wiki.consolidate()["run"]
    assert isinstance(run, str)
    wiki.tick()
    return run


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def test_each_undo_steps_one_run_further_back(wiki: Wiki) -> None:
    first = consolidate(wiki, "# Crane\n\nIt was painted green.")
    second = consolidate(wiki, "# Boat\n\nIt leaves at seven.")

    assert find_last_run(wiki.ws)[0] == second
    done = undo(wiki.ws, second)
    assert find_last_run(wiki.ws)[0] == first
    wiki.tick()
    # the undo was undone by its name: the run counts again
    undo(wiki.ws, str(done["run"]))
    assert find_last_run(wiki.ws)[0] == second
    wiki.tick()
    undo(wiki.ws, second)
    wiki.tick()
    undo(wiki.ws, first)
    with pytest.raises(NoRunToUndo):
        find_last_run(wiki.ws)


def test_a_run_of_a_night_is_told_from_one_by_hand(wiki: Wiki) -> None:
    run = consolidate(wiki, "# Crane\n\nIt was painted green.")
    assert find_last_run(wiki.ws).by == "you"
    night_of(wiki, run, kind="asked")
    assert find_last_run(wiki.ws).by == "you"
    night_of(wiki, run)
    assert find_last_run(wiki.ws).by == "night"


def test_a_run_that_a_pull_brought_is_anothers(
    wiki: Wiki, tmp_path: Path
) -> None:
    consolidate(wiki, "# Crane\n\nIt was painted green.")
    git(tmp_path, "clone", "-q", str(wiki.root), "second")
    second = Wiki(tmp_path / "second", wiki.now)
    person(second.root)
    second.init()
    assert find_last_run(second.ws).by == "elsewhere"

    own = consolidate(second, "# Boat\n\nIt leaves at seven.")
    assert find_last_run(second.ws)[0] == own
    assert find_last_run(second.ws).by == "you"
    git(wiki.root, "pull", "-q", "--ff-only", str(second.root), "main")
    assert find_last_run(wiki.ws)[0] == own
    assert find_last_run(wiki.ws).by == "elsewhere"


def test_without_gits_log_nobody_is_taken_for_its_owner(wiki: Wiki) -> None:
    consolidate(wiki, "# Crane\n\nIt was painted green.")
    (wiki.root / ".git" / "logs" / "HEAD").unlink()
    assert find_last_run(wiki.ws).by == "elsewhere"


def sit_down(wiki: Wiki) -> Typist:
    command = [*PROGRAM, "-C", str(wiki.root), "undo"]
    return Typist(command, COMPANION_NOW=wiki.ws.now())


@pytest.mark.parametrize(("key", "is_there"), [("n", True), ("y", False)])
def test_on_a_terminal_a_nights_run_is_shown_and_asked_for(
    wiki: Wiki, key: str, is_there: bool
) -> None:
    run = consolidate(wiki, "# Crane\n\nIt was painted green.")
    night_of(wiki, run)
    typist = sit_down(wiki)
    seen = typist.wait_for("[y/N]")
    assert "by a night" in seen and "Crane" in seen
    typist.press(key)

    assert typist.leave() == 0
    assert bool(wiki.search("painted", state="active")) is is_there


def test_on_a_terminal_ones_own_run_is_named_and_taken_back(
    wiki: Wiki,
) -> None:
    consolidate(wiki, "# Crane\n\nIt was painted green.")
    typist = sit_down(wiki)
    assert typist.leave() == 0
    assert "The last run: consolidate of" in typist.seen
    assert "by you" in typist.seen
    assert not wiki.search("painted", state="active")

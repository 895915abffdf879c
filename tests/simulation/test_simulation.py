"""A sample of `python -m tests.simulation`; the sweep is a command of its own."""

import random
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from companion.maintenance.remotes import merge_driver
from companion.maintenance.remotes import remote as remotes
from companion.values.captures import Draft
from tests.maintenance.machines import another
from tests.simulation import clocks, events, laws, warm
from tests.simulation.ground import Ground, Violation, begin
from tests.simulation.hands import (
    EVERY,
    INSTALLED,
    THEIRS,
    WARM,
    Failed,
    Hands,
    takes_program,
)
from tests.simulation.mutants import MUTANTS
from tests.simulation.page import (
    PAGE,
    RESULTS,
    Sweep,
    read_sweeps,
    write_page,
    write_sweeps,
)
from tests.simulation.run import live
from tests.wiki import START, Wiki, git

STEPS = 12
#: two people write into one page between pulls
PLAN = "Plan.md"


@pytest.mark.parametrize("seed", [1, 2, clocks.FIRST_SEED])
def test_a_world_keeps_every_law(seed: int) -> None:
    outcome = live(seed, STEPS)

    assert outcome.why == "", "\n".join([*outcome.happened, outcome.why])
    assert outcome.machines >= 3


def test_a_world_in_which_nobody_tells_anything_keeps_every_law() -> None:
    assert live(1, 0).why == ""


def test_what_breaks_down_is_a_fault_of_the_world() -> None:
    def broken() -> None:
        raise OSError("the disk is gone")

    assert "the disk is gone" in live(1, 1, broken).why


def test_a_random_world_shows_a_broken_rule() -> None:
    patch = MUTANTS["what came is not recorded"]

    assert any(live(seed, STEPS, patch).why for seed in range(1, 6))


def test_the_page_says_what_is_recorded() -> None:
    text = RESULTS.read_text("utf-8")
    sweeps = read_sweeps(text)
    assert write_sweeps(sweeps) == text
    assert PAGE.read_text("utf-8") == write_page(sweeps)


def test_a_sweep_names_the_seeds_that_failed() -> None:
    sweep = Sweep(7, 24, 10, (8, 9), 99, 12.5, 3, 40, "0" * 8, "2026-01-01")
    page = write_page([sweep, sweep])
    assert "20 worlds of 25 simulated years and 198 notes" in page
    assert "| 7 to 16 | 24 | 10 | 8, 9 | 99 |" in page
    assert read_sweeps(write_sweeps([sweep])) == [sweep]


@pytest.fixture
def merges(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    # `serve_merges` puts another command in its place
    monkeypatch.setattr(
        merge_driver, "_make_command", merge_driver._make_command
    )
    return monkeypatch


def _live(folder: Path, hands: Hands) -> list[str]:
    """Live some days of two machines that write into one page; return what happened."""
    folder.mkdir()
    ground = begin(folder, random.Random(3), hands)
    one, other = ground.machines[:2]
    for machine, line in ((one, "- eggs"), (other, "- flour")):
        wiki = ground.at(machine)
        wiki.write(PLAN, f"# Plan\n\n{line}\n")
        wiki.commit()
        for event in (events.tell, events.sync, events.sleep, events.share):
            events.do(ground, machine, event)
    for machine in (one, other, one):
        events.do(ground, machine, events.share)
    trees = [machine.wiki.tree for machine in (one, other)]
    assert one.wiki.read(PLAN).count("- ") == 2
    git(ground.hub, "fsck", "--strict", "--no-dangling")
    git(one.wiki.root, "fsck", "--strict", "--no-dangling")
    return [*ground.happened, *trees]


def test_a_cheap_world_is_the_same_world(
    tmp_path: Path, merges: pytest.MonkeyPatch
) -> None:
    by_git = WARM._replace(fetch=INSTALLED.fetch, push=INSTALLED.push)
    dear = _live(tmp_path / "dear", by_git)
    served = warm.serve_merges(tmp_path)
    cheap = _live(tmp_path / "cheap", WARM)
    served.close()

    assert cheap == dear
    assert any("night 2" in line for line in cheap)


def test_a_merge_is_asked_of_the_warm_process(
    tmp_path: Path, merges: pytest.MonkeyPatch
) -> None:
    merges.setattr(merge_driver, "merge_sides", lambda *texts: 1 / 0)
    served = warm.serve_merges(tmp_path)
    merges.undo()
    for name, line in (("base", "a"), ("ours", "b"), ("theirs", "c")):
        (tmp_path / name).write_text(f"# Plan\n\n{line}\n")
    words = ["sh", "merge.sh", "base", "ours", "theirs", PLAN]
    broken = subprocess.run(words, cwd=tmp_path).returncode
    served.close()

    assert broken == 1, "the process that broke was asked, and git goes on"
    assert (tmp_path / "ours").read_text() == "# Plan\n\nb\n"


def test_pages_that_git_would_not_push_are_not_pushed(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "hub.git")
    hub = tmp_path / "hub.git"
    first = Wiki.new(tmp_path / "m0")
    first.git("remote", "add", "hub", str(hub))
    INSTALLED.push(first, hub)
    second = another(tmp_path / "m1", hub, first)
    for wiki in (first, second):
        wiki.write(PLAN, f"# Plan of {wiki.root.name}\n")
        wiki.commit()
    WARM.push(first, hub)

    with pytest.raises(AssertionError, match="rejected"):
        WARM.push(second, hub)
    WARM.fetch(second, hub)
    assert second.git("rev-parse", THEIRS).strip() == first.head


def test_the_installed_program_does_each_verb(tmp_path: Path) -> None:
    assert [takes_program(seed) for seed in (EVERY, EVERY + 1)] == [True, False]
    git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", "hub.git")
    hub = tmp_path / "hub.git"
    wiki = Wiki.new(tmp_path / "m0")
    remotes.add(wiki.ws, "hub", str(hub))
    drafts = [Draft("Ada lives in Bern.\n", source="m0.md")]

    told = INSTALLED.tell(wiki, drafts)
    assert [one["id"] for one in told["captures"]] == [
        one["id"] for one in WARM.tell(wiki, drafts)["captures"]
    ]
    assert not told["refused"]
    assert INSTALLED.sleep(wiki)["run"].startswith("2026-11-01")
    assert INSTALLED.sync(wiki)["sent"]["captures"] == 1
    with pytest.raises(Failed):
        INSTALLED.sync(Wiki(tmp_path))


@pytest.fixture
def ahead(tmp_path: Path) -> Ground:
    """Three machines; the first was told something while its clock was ahead, and sent it."""
    ground = begin(tmp_path, random.Random(3), runs_ahead=True)
    first = ground.machines[0]
    first.skew = clocks.SIZES[0]
    for event in (events.tell, events.sync):
        events.do(ground, first, event)
    assert ground.there
    return ground


def test_what_a_clock_ahead_told_is_everywhere_when_its_day_has_come(
    ahead: Ground,
) -> None:
    first, other = ahead.machines[:2]
    first.skew = timedelta()
    events.do(ahead, other, events.sync)
    assert other.known == {}
    clocks.wait_for_days(ahead)
    events.do(ahead, other, events.sync)
    assert other.known == first.known
    assert ahead.now < START + clocks.SIZES[0] + timedelta(days=3)


@pytest.mark.parametrize(
    ("part", "answer"), [("describe_wiki", {"notes": []}), ("examine", [])]
)
def test_who_is_silent_of_a_clock_that_was_ahead_breaks_a_law(
    ahead: Ground, monkeypatch: pytest.MonkeyPatch, part: str, answer: object
) -> None:
    first = ahead.machines[0]
    first.skew = timedelta()
    clocks.check_named(ahead, first)
    monkeypatch.setattr(clocks, part, lambda ws: answer)
    with pytest.raises(Violation, match="is silent"):
        clocks.check_named(ahead, first)


def test_an_edit_in_the_name_of_somebody_who_did_not_write_breaks_a_law(
    tmp_path: Path,
) -> None:
    ground = begin(tmp_path, random.Random(3), WARM)
    machine = ground.machines[0]
    wiki = ground.at(machine)
    wiki.write(PLAN, "# Plan\n")
    wiki.commit()
    wiki.adopt()

    with pytest.raises(Violation, match=r"took for a person's: .* Plan\.md"):
        laws.check_pages(ground, machine)
    ground.touched.add(PLAN)
    laws.check_pages(ground, machine)

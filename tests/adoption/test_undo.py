"""Undo is a run like any other: it takes back what a run did, and can be taken back itself."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.adoption import run as adopting
from companion.adoption import undo
from companion.adoption.run_changes import NoSuchRun
from companion.adoption.undo import NothingToUndo
from companion.maintenance import init as care
from companion.maintenance.doctor import run as health
from companion.operations.consolidate import run as night
from companion.operations.triage.capture import ingest
from companion.reading.entry.show import show_target
from companion.reading.log import list_runs
from companion.reading.status import describe_wiki
from companion.storage.git import layout
from companion.values.captures import Draft
from companion.workspace import Workspace

PAGE = "entries/2026/11/Kettle.md"


class Wiki:
    """A wiki in a folder, on a clock of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        care.init(str(folder))
        self.ws = Workspace(
            layout.find_place(str(folder)), "2026-11-21T08:00:00.000000Z"
        )

    def night(self, *texts: str) -> str:
        ingest(self.ws, [Draft(text) for text in texts])
        return str(night.consolidate(self.ws)["run"])

    def undo(self, run: str, **options: Any) -> dict[str, Any]:
        return undo.undo(self.ws, run, **options)

    def read(self, path: str = PAGE) -> str | None:
        file = self.folder / path
        return file.read_text() if file.exists() else None

    def sound(self) -> bool:
        return health.examine(self.ws) == [] and not self.git(
            "status", "--porcelain"
        )

    def git(self, *args: str) -> str:
        return subprocess.run(
            ["git", *args],
            cwd=self.folder,
            check=True,
            capture_output=True,
            text=True,
        ).stdout


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki(tmp_path / "wiki")


def test_a_page_that_grew_shrinks_again_and_grows_back(wiki: Wiki) -> None:
    wiki.night("# Kettle\nIt whistles")
    before = wiki.read()
    run = wiki.night("# Kettle\nIt is red")
    after = wiki.read()

    undone = wiki.undo(run)
    assert (wiki.read(), undone["restored"], undone["removed"]) == (
        before,
        [PAGE],
        [],
    )
    wiki.undo(undone["run"])
    assert wiki.read() == after != before
    assert wiki.sound()


def test_a_page_that_was_made_goes_and_its_captures_do_not_come_back(
    wiki: Wiki,
) -> None:
    run = wiki.night("# Kettle\nIt whistles")
    undone = wiki.undo(run)

    assert (wiki.read(), undone["removed"]) == (None, [PAGE])
    # the capture stays consolidated, with another outcome
    assert night.consolidate(wiki.ws)["run"] is None
    assert show_target(wiki.ws, "Kettle")["state"] == "archived"
    capture = show_target(
        wiki.ws, show_target(wiki.ws, "Kettle")["captures"][0]
    )
    assert capture["state"] == "undone"
    wiki.undo(undone["run"])
    assert show_target(wiki.ws, "Kettle")["state"] == "active"
    assert show_target(wiki.ws, capture["id"])["state"] == "consolidated"
    assert wiki.sound()


def test_lines_the_person_added_since_stay(wiki: Wiki) -> None:
    wiki.night("# Kettle\nIt whistles")
    run = wiki.night("# Kettle\nIt is red")
    (wiki.folder / PAGE).write_text(
        (wiki.read() or "").replace("It whistles", "It whistles\nMine, by hand")
    )
    adopting.adopt(wiki.ws)

    wiki.undo(run)

    text = wiki.read() or ""
    assert (
        "Mine, by hand" in text
        and "It whistles" in text
        and "It is red" not in text
    )
    assert wiki.sound()


def test_an_edit_that_is_not_adopted_blocks_its_page_and_only_that(
    wiki: Wiki,
) -> None:
    run = wiki.night("# Kettle\nIt whistles", "# Cup\nIt is blue")
    (wiki.folder / PAGE).write_text("all mine\n")

    undone = wiki.undo(run)

    assert wiki.read() == "all mine\n"
    assert undone["removed"] == ["entries/2026/11/Cup.md"]
    assert [item["path"] for item in undone["left_out"]] == [PAGE]


def test_captures_of_a_page_that_was_left_out_are_not_called_undone(
    wiki: Wiki,
) -> None:
    # `show` would else say that words are gone which stand on the page.
    run = wiki.night("# Kettle\nIt whistles", "# Cup\nIt is blue")
    page = wiki.read()
    (wiki.folder / PAGE).write_text("all mine\n")
    undone = wiki.undo(run)["run"]

    assert outcomes(wiki) == {"Kettle": "consolidated", "Cup": "undone"}
    (wiki.folder / PAGE).write_text(page or "")
    wiki.undo(undone)
    assert outcomes(wiki) == {"Kettle": "consolidated", "Cup": "consolidated"}
    assert wiki.sound()


def outcomes(wiki: Wiki) -> dict[str, str]:
    """Return how the one capture of each of the two pages stands."""
    entries = {
        title: show_target(wiki.ws, title) for title in ("Kettle", "Cup")
    }
    return {
        title: show_target(wiki.ws, entry["captures"][0])["state"]
        for title, entry in entries.items()
    }


def test_an_adoption_can_be_undone(wiki: Wiki) -> None:
    wiki.night("# Kettle\nIt whistles")
    before = wiki.read()
    (wiki.folder / PAGE).write_text("rewritten\n")
    (wiki.folder / "mine.md").write_text("a page of mine\n")
    run = adopting.adopt(wiki.ws)["run"]

    wiki.undo(run)

    assert (wiki.read(), wiki.read("mine.md")) == (before, None)
    assert "a page of mine" in wiki.git("show", "HEAD~1:mine.md")
    assert wiki.sound()


def test_a_dry_run_changes_nothing(wiki: Wiki) -> None:
    run = wiki.night("# Kettle\nIt whistles")
    head = wiki.git("rev-parse", "HEAD")

    assert wiki.undo(run, dry_run=True)["removed"] == [PAGE]
    assert wiki.git("rev-parse", "HEAD") == head and wiki.read()


def test_a_commit_names_its_run_and_nonsense_names_none(wiki: Wiki) -> None:
    wiki.night("# Kettle\nIt whistles")

    assert wiki.undo(
        wiki.git("rev-parse", "--short", "HEAD").strip(), dry_run=True
    )["removed"] == [PAGE]
    with pytest.raises(NoSuchRun):
        wiki.undo("1999-01-01-consolidate-000000000000")
    with pytest.raises(NothingToUndo):
        wiki.undo(list_runs(wiki.ws)["runs"][-1]["run"])


def test_the_verb_says_how_to_take_it_back(wiki: Wiki) -> None:
    run = wiki.night("# Kettle\nIt whistles")
    command = [
        sys.executable,
        "-m",
        "companion",
        "undo",
        run,
        "-C",
        str(wiki.folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert (
        done.stdout.startswith(f"undo of {run}\nremoved 1\n")
        and "takes this back" in done.stderr
    )


def test_what_a_reset_takes_off_the_branch_is_kept(wiki: Wiki) -> None:
    run = wiki.night("# Kettle\nIt whistles")
    lost = wiki.git("rev-parse", "HEAD").strip()
    wiki.git("reset", "-q", "--hard", "HEAD~1")

    assert describe_wiki(wiki.ws)["pending"] == 1
    wiki.git("gc", "--quiet", "--prune=now")
    assert lost in wiki.git("for-each-ref", "refs/companion/lost")
    wiki.git("reset", "-q", "--hard", lost)
    assert list_runs(wiki.ws)["runs"][0]["run"] == run
    assert describe_wiki(wiki.ws)["pending"] == 0

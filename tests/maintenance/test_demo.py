"""The demo tells a true story: the same every time, with nothing but git and this program."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import main
from companion.cli.json_schema import SHAPES
from companion.maintenance import demo
from tests.cli.shapes import mismatch


def told(keep: Path | None = None) -> tuple[dict[str, Any], str]:
    said: list[str] = []
    return demo.demo(
        None if keep is None else str(keep), said.append
    ), "\n".join(said)


@pytest.fixture(scope="module")
def kept(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, dict[str, Any], str]:
    """One telling of the story, its wiki kept."""
    folder = tmp_path_factory.mktemp("demo") / "notes"
    doc, text = told(folder)
    return folder, doc, text.replace(str(folder), "~/notes")


def output(doc: dict[str, Any], command: str, nth: int = 0) -> str:
    return [
        str(step["output"])
        for step in doc["steps"]
        if step["command"].startswith(command)
    ][nth]


def test_the_story_shows_what_each_step_is_for(
    kept: tuple[Path, dict[str, Any], str],
) -> None:
    _, doc, text = kept
    first = output(doc, "companion consolidate")

    assert "(pending)" in output(doc, "companion search accounting")
    assert output(doc, "companion ingest --source runbook").startswith("seen ")
    assert "GitHub token at 1:14" in output(
        doc, 'companion ingest "deploy token'
    )
    assert first.startswith("integrated 3 captures") and "commit " in first
    assert "New page." in output(doc, "companion why 'Nightly")
    assert {"edited 1", "deleted 1"} <= set(
        output(doc, "companion adopt").splitlines()
    )
    assert "Added to the page of its title" in output(
        doc, "companion consolidate", 1
    )
    assert "by Ines Roth: adopt" in output(doc, "git log")
    assert text.count("\n") < 180 and text.splitlines()[-4] == "Try next:"


def test_the_wrong_belief_falls_in_week_seven_and_git_shows_how(
    kept: tuple[Path, dict[str, Any], str],
) -> None:
    folder, doc, _ = kept
    before, after = (
        output(doc, "companion branches"),
        output(doc, "companion branches", 1),
    )
    promotion, both = (
        output(doc, "git log -1"),
        output(doc, "companion search -n 1", 1),
    )

    assert (
        "(open)" in before
        and "[##################..]" in before
        and "promoted" not in before
    )
    assert (
        "(promoted → “Messages that come twice” · entries/2026/03/Messages that come twice.md)"
        in after
    )
    assert "2026-04-19 23:00  1 joined, promoted  2.79 of 2.02" in after
    assert re.search(
        r"Companion-Promotes: exactly-once-delivery-[0-9a-f]{8}\n", promotion
    )
    assert "entries/2026/03/Messages that come twice.md" in promotion
    assert (
        "Exactly-once delivery  (decaying): " in both
        and "Messages that come twice: " in both
    )
    assert len(output(doc, "companion why 'Exactly").splitlines()) < 24
    assert "was replaced by" in output(doc, "companion review")
    page = (folder / "entries/2026/03/Exactly-once delivery.md").read_text()
    assert (
        "RabbitMQ delivers every message exactly once" in page
        and "superseded" not in page
    )


def test_one_voice_is_one_however_often_it_speaks(
    kept: tuple[Path, dict[str, Any], str],
) -> None:
    weighed = re.findall(
        r"(\d\.\d\d) of \d\.\d\d$",
        output(kept[1], "companion branches", 1),
        re.MULTILINE,
    )
    once, thrice, *_ = (float(number) for number in weighed)

    assert abs(thrice - once) < 0.02


def test_the_persons_line_is_neither_changed_nor_moved_by_the_night(
    kept: tuple[Path, dict[str, Any], str],
) -> None:
    folder, doc, _ = kept
    diff = output(doc, "git show").splitlines()

    assert " My rule: never on the last day of a month." in diff
    assert not [line for line in diff if line.startswith("-")]
    page = (folder / "entries/2026/02/Nightly export.md").read_text()
    assert page.index("My rule") < page.index("It moved to 04:00")


def test_the_kept_wiki_is_whole_and_the_deleted_page_stays_deleted(
    kept: tuple[Path, dict[str, Any], str],
) -> None:
    folder, doc, _ = kept

    def git(*args: str) -> str:
        return subprocess.run(
            ["git", *args],
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    git("fsck", "--full", "--strict")
    assert git("status", "--porcelain") == ""
    assert doc["wiki"] == str(folder) and doc["notes"] >= 120
    assert not (folder / "entries/2026/02/Staging logs.md").exists()
    assert (
        len(git("log", "--format=%h", "--grep=^Companion-Run").splitlines())
        == 14
    )
    assert "Exactly-once delivery" in git("ls-files")


@pytest.mark.slow
def test_the_same_story_every_time(
    kept: tuple[Path, dict[str, Any], str],
) -> None:
    text = kept[2]
    again, words = told()

    assert words == text
    assert re.search(r"commit [0-9a-f]{8} ", words)  # hashes and all
    assert again["wiki"] is None and again["notes"] == kept[1]["notes"]


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("mine")

    with pytest.raises(demo.FolderInUse, match="not empty"):
        told(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.md"]
    with pytest.raises(demo.FolderInUse, match="not a folder"):
        told(tmp_path / "mine.md")


def test_a_step_that_goes_wrong_is_no_story(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        demo,
        "STORY",
        (
            *demo.STORY[:1],
            demo.Step("2026-02-25T09:10", "", "companion show nothing"),
        ),
    )

    with pytest.raises(demo.StoryBroke, match="exit code 1 instead of 0"):
        told()


def test_json_is_one_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(demo, "STORY", demo.STORY[:2])
    monkeypatch.setattr(demo, "WEEKS", ())

    assert main(["demo", "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and mismatch(SHAPES["demo"], json.loads(out)) is None


def test_the_stream_has_ten_weeks_of_notes() -> None:
    weeks = list(demo.weeks(demo.STREAM))
    records = [json.loads(line) for _, lines in weeks for line in lines]

    assert len(weeks) == 10 and len(records) >= 120
    # captures, not only tellings
    assert len({record["text"] for record in records}) >= 120
    assert [sunday for sunday, _ in weeks] == sorted(
        sunday for sunday, _ in weeks
    )

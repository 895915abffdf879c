"""Where several people or devices share a wiki, each run says who made it, and on what."""

from pathlib import Path

import pytest

from companion.cli.commands import log, why
from companion.maintenance.remotes.device import (
    BadName,
    name_device,
    read_device,
)
from companion.reading.log import list_runs
from companion.reading.why import explain_target
from companion.runs.commits import find_makers
from tests.wiki import Wiki, git


def test_runs_name_their_person_and_device_after_a_merge(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{role}_NAME")
    first = Wiki.new(tmp_path / "first", {"Team.md": "# Team\n\nAll.\n"})
    second = first.clone(tmp_path / "second")
    git(second.root, "config", "user.name", "Marta")
    name_device(second.ws, "kitchen laptop")
    second.write("Team.md", "# Team\n\nAll of us.\n")
    second.adopt()
    first.ingest("# Kiln\n\nIt is hot.")
    first.consolidate()
    first.git(
        "pull", "-q", "--no-rebase", "--no-edit", str(second.root), "main"
    )
    first.tick()

    person = first.git("config", "user.name").strip()
    runs = {
        run["operation"]: run.get("by") for run in list_runs(first.ws)["runs"]
    }
    assert runs["consolidate"] == person
    assert runs["adopt"] == "Marta on kitchen laptop"
    lines = "\n".join(map(str, log.text(list_runs(first.ws))))
    assert "by Marta on kitchen laptop" in lines

    told = explain_target(first.ws, "Team")
    lines = "\n".join(map(str, why.text(told)))
    assert "-adopt-" in lines
    assert "by Marta on kitchen laptop" in lines


def test_a_wiki_of_one_says_nothing_of_who(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Kiln.md": "Hot.\n"})
    wiki.git("remote", "add", "backup", str(tmp_path / "backup.git"))
    assert find_makers(wiki.ws.place) == {}
    assert all("by" not in run for run in list_runs(wiki.ws)["runs"])
    assert "by" not in explain_target(wiki.ws, "Kiln")


def test_a_device_has_one_name(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    assert read_device(wiki.ws) == {"device": None}
    name_device(wiki.ws, "laptop")
    assert name_device(wiki.ws, " desk ") == {"device": "desk"}
    assert read_device(wiki.ws) == {"device": "desk"}
    names = wiki.git("config", "--get-all", "companion.device")
    assert names.split() == ["desk"]
    wiki.ingest("A note.")
    wiki.consolidate()
    assert "\nCompanion-Device: desk\n" in wiki.git("log", "-1", "--format=%B")
    for bad in ("", "a\nb", "x" * 61):
        with pytest.raises(BadName):
            name_device(wiki.ws, bad)

"""Where several people or devices share a wiki, each run says who made it, and on what."""

from contextlib import closing
from pathlib import Path

import pytest

from companion.cli.commands import log, show, why
from companion.maintenance.remotes import remote
from companion.maintenance.remotes.device import (
    BadName,
    name_device,
    read_device,
)
from companion.reading.log import list_runs
from companion.reading.why import explain_target
from companion.runs.commits import find_makers
from companion.storage.journal.queries import Pending
from companion.values.progress import SILENT
from tests.wiki import Wiki, check_index, git


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


def test_a_telling_names_its_device_wherever_a_night_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note of one person that another's night took in was told under the other's run only."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.delenv(f"GIT_{role}_NAME")
    hub = tmp_path / "hub"
    git(tmp_path, "init", "-q", "--bare", "-b", "main", "hub")
    first = Wiki.new(tmp_path / "first")
    remote.add(first.ws, "hub", str(hub), with_pages=True)
    second = first.clone(tmp_path / "second")
    second.git("remote", "remove", "origin")
    remote.add(second.ws, "hub", str(hub), with_pages=True)
    git(second.root, "config", "user.name", "Marta")
    name_device(second.ws, 'the "blue" laptop \\ kitchen #2')
    second.ingest("The kiln is hot.")
    second.consolidate()
    second.ingest("The boiler makes a sound.")
    with closing(second.ws.journal()) as journal:
        (note,) = journal.open_ids()
    for wiki in (first, second, first):
        wiki.tick(minutes=5)
        remote.sync(wiki.ws, "hub", progress=SILENT)
    first.consolidate()
    events = explain_target(first.ws, note)["events"]
    (told,) = (one for one in events if one["event"] == "ingested")
    device = 'the "blue" laptop \\ kitchen #2'
    assert told["reason"].endswith(f"told once on {device} (Marta).")
    lines = "\n".join(map(str, show.text(first.show(note))))
    assert f"Told on {device}." in lines
    check_index(first)
    lost = Path(first.ws.place.journal_db)
    for path in lost.parent.glob("journal.db*"):
        path.unlink()
    assert first.show(note)["sightings"][0]["device"] == device
    assert explain_target(first.ws, note)["events"] == events


def test_a_copy_of_a_telling_brings_the_device_that_another_lacks(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("The kiln is hot.")
    with closing(wiki.ws.journal()) as journal:
        (note,) = journal.open_ids()
        (known,) = journal.all_sightings(note)
        capture = journal.capture(note)[0]
        copy = Pending(capture, (known._replace(device="desk"),))
        assert known.device is None and known.is_same(copy.sightings[0])
        journal.take_in([copy], [], {})
        (whole,) = journal.all_sightings(note)
    assert whole == copy.sightings[0]


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

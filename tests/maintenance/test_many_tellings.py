"""A hundred thousand tellings in many files of a remote cost a sync what reading them costs."""

import json
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pygit2
import pytest

from companion.maintenance.remotes import remote as remotes
from companion.storage.git import capture_buffer
from tests.maintenance.machines import DAY, header, name_of, sync, told
from tests.wiki import Wiki

#: path in the buffer -> content
Files = dict[str, str]
EACH = 10  # tellings in one file
MORNING = datetime.fromisoformat(DAY)


def tellings(first: int, count: int) -> list[dict[str, str]]:
    """Return *count* tellings of one day, a tenth of a second apart."""
    listed = []
    for number in range(first, first + count):
        since = timedelta(seconds=number / 10)
        seen_at = (MORNING + since).isoformat(timespec="microseconds")
        listed.append({"seen_at": f"{seen_at}Z", "channel": "cli"})
    return listed


def many_notes(count: int) -> Files:
    """Return *count* tellings of notes that are told in two files each."""
    files: Files = {}
    for number in range(0, count, 2 * EACH):
        text = f"Person {number} lives in town {number % 7}."
        id = name_of(text)
        files[f"{id[:2]}/{id}"] = text
        given = header(text, sightings=tellings(0, EACH))
        files[f"{id[:2]}/{id}.json"] = given
        files |= later(id, tellings(EACH, EACH))
    return files


def one_note(count: int) -> Files:
    """Return *count* tellings of one note, in files of ten."""
    text = "The harbour is closed."
    id = name_of(text)
    files = {f"{id[:2]}/{id}": text, f"{id[:2]}/{id}.json": header(text)}
    for first in range(1, count, EACH):
        files |= later(id, tellings(first, min(EACH, count - first)))
    return files


def later(id: str, listed: list[dict[str, str]]) -> Files:
    """Return a file of later tellings of a note."""
    digits = listed[0]["seen_at"].replace(":", "").replace(".", "")
    told_again = json.dumps({"v": 1, "id": id, "sightings": listed})
    return {f"{id[:2]}/{id}.{digits}.json": told_again}


def plant(hub: Path, files: Files) -> None:
    """Let the remote have *files* for its buffer, without a process for each."""
    repo = pygit2.Repository(str(hub))
    folders: dict[str, pygit2.TreeBuilder] = {}
    for path, content in files.items():
        folder, _, name = path.partition("/")
        builder = folders.get(folder) or repo.TreeBuilder()
        folders[folder] = builder
        blob = repo.create_blob(content.encode())
        builder.insert(name, blob, pygit2.enums.FileMode.BLOB)
    day = repo.TreeBuilder()
    for folder, builder in folders.items():
        day.insert(folder, builder.write(), pygit2.enums.FileMode.TREE)
    root = repo.TreeBuilder()
    root.insert(DAY, day.write(), pygit2.enums.FileMode.TREE)
    repo.references.create(capture_buffer.BUFFER, root.write(), force=True)


def measure(wiki: Wiki, hub: Path, files: Files, count: int) -> float:
    """Return the CPU seconds of a sync that takes in *count* tellings, children included."""
    plant(hub, files)
    before = os.times()
    done = sync(wiki)
    after = os.times()
    assert done["set_aside_count"] == 0
    assert sum(map(len, told(wiki).values())) == count
    return sum(after[:4]) - sum(before[:4])


def hold(
    make: Callable[[int], Files], tmp_path: Path, few: int, times: int
) -> None:
    """Take in *few* tellings and *times* as many on two machines; costs must grow no faster."""
    costs = []
    for number, count in enumerate((few, few * times)):
        folder = tmp_path / str(number)
        folder.mkdir()
        hub = folder / "hub.git"
        pygit2.init_repository(str(hub), bare=True, initial_head="main")
        wiki = Wiki.new(folder / "desk")
        wiki.git("push", "-q", str(hub), "main")
        wiki.git("config", "user.useConfigOnly", "true")
        remotes.add(wiki.ws, "hub", str(hub))
        costs.append(measure(wiki, hub, make(count), count))
    assert costs[1] < 2 * times * costs[0], costs


@pytest.mark.parametrize("make", [many_notes, one_note])
def test_a_sync_of_many_tellings_costs_what_came(
    make: Callable[[int], Files], tmp_path: Path
) -> None:
    hold(make, tmp_path, 1_000, 4)


@pytest.mark.slow
@pytest.mark.parametrize("make", [many_notes, one_note])
def test_a_sync_of_100_000_tellings_costs_what_came(
    make: Callable[[int], Files], tmp_path: Path
) -> None:
    hold(make, tmp_path, 10_000, 10)

"""Storing originals: within little memory, whole after any kill, beside other processes."""

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.storage.cold import originals, store_originals
from companion.storage.cold.originals import Item, Original
from companion.storage.files import durable
from companion.storage.files.arm_faults import arm
from companion.storage.git.command import GitFailed
from companion.storage.git.repo import Repo
from tests.wiki import Wiki

AT = "2026-11-23T05:00:00.000000Z"
STEPS = ("pack.close", "pack.index", "buffer.refs", "write.new")


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def make(content: bytes | str, name: str) -> Original:
    """Return the original of *content*."""
    return originals.make_original(
        content,
        media_type="text/html",
        name=name,
        source=f"inbox/{name}",
        received_at=AT,
    )


def items(count: int, size: int = 2000) -> Iterator[Item]:
    """Yield *count* originals that do not become smaller by packing, and parts between them."""
    chance = random.Random(15)
    for number in range(count):
        content = chance.randbytes(size)
        yield make(content, f"{number}.html"), content
        yield None, b"between %d" % number


def in_child(work: str, *args: str) -> subprocess.CompletedProcess[str]:
    """Run *work* in a child that says how much memory it took."""
    code = f"""
import os, resource, sys
from companion.storage.cold import (containers, originals, store_originals)
from companion.storage.git import (layout)
from companion.storage.git.repo import Repo
from tests.storage.cold.test_originals_put import items, make
repo = Repo(layout.make_place(sys.argv[1]))
{work}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
if os.path.exists("/proc/self/status"):
    # the figure above is that of the parent before, too
    status = open("/proc/self/status").read()
    peak = int(status.partition("VmHWM:")[2].split()[0])
print(peak)
"""
    return subprocess.run(
        [sys.executable, "-c", code, *args],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def kilobytes(done: subprocess.CompletedProcess[str]) -> int:
    """Return what a child says of its memory, in kB."""
    scale = 1024 if sys.platform == "darwin" else 1
    return int(done.stdout.split()[-1]) // scale


@pytest.mark.slow
def test_300_mb_are_stored_and_read_in_little_memory(wiki: Wiki) -> None:
    work = """
store_originals.put(repo, items(300, 1_000_000))
total = sum(len(originals.read_bytes(repo, each)) for each in originals.read(repo))
assert total == 300_000_000
"""
    assert kilobytes(in_child(work, str(wiki.root))) < 100_000


def test_a_large_file_is_stored_and_given_back_in_little_memory(
    wiki: Wiki, tmp_path: Path
) -> None:
    large = tmp_path / "film.mp4"
    with large.open("wb") as file:
        for _ in range(200):
            file.write(os.urandom(1 << 20))
    work = """
item = make(sys.argv[2], "film.mp4")
store_originals.put(repo, [(item, sys.argv[2])])
total = sum(map(len, originals.stream_bytes(repo, item)))
assert total == 200 << 20
"""
    assert kilobytes(in_child(work, str(wiki.root), str(large))) < 100_000


def test_a_file_that_changes_while_it_is_read_is_named(
    wiki: Wiki, tmp_path: Path
) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"before")
    item = make(str(path), "log.txt")
    path.write_bytes(b"after!")
    with pytest.raises(originals.ChangedMeanwhile, match=r"log\.txt"):
        store_originals.put(wiki.repo(), [(item, str(path))])
    assert originals.list_ids(wiki.repo()) == set()


def check_whole(repo: Repo) -> set[str]:
    """Return the ids of the originals; every one has its header and its bytes."""
    ids = originals.list_ids(repo)
    for id in ids:
        item = originals.get(repo, id)
        assert originals.read_bytes(repo, item)
    return ids


@pytest.mark.parametrize("passage", [1, 2])
@pytest.mark.parametrize(
    ("point", "stage"),
    [(point, stage) for point in STEPS for stage in durable.POINTS[point]],
)
def test_a_kill_loses_nothing_that_was_stored(
    wiki: Wiki,
    point: str,
    stage: str,
    passage: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(store_originals, "BATCH", 20_000)
    before = make(b"before", "before.html")
    store_originals.put(wiki.repo(), [(before, b"before")])
    child = os.fork()
    if child == 0:
        arm(f"{point}@{passage}:{stage}:kill")
        store_originals.put(wiki.repo(), items(30))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL

    assert killed or passage == 2
    assert before.id in check_whole(wiki.repo())
    store_originals.put(wiki.repo(), items(30))
    assert len(check_whole(wiki.repo())) == 31
    tree = originals.find_tree(wiki.repo())
    store_originals.put(wiki.repo(), items(30))
    assert originals.find_tree(wiki.repo()) == tree
    wiki.git("gc", "-q", "--prune=now")
    assert len(check_whole(wiki.repo())) == 31
    assert wiki.git("fsck", "--full", "--no-dangling") == ""


def test_a_run_that_was_killed_goes_on_where_it_was(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_originals, "BATCH", 20_000)
    child = os.fork()
    if child == 0:
        arm("buffer.refs@3:before:kill")
        store_originals.put(wiki.repo(), items(60))
        os._exit(0)
    os.waitpid(child, 0)
    # what two steps have stored
    assert 20 <= len(check_whole(wiki.repo())) < 30


def test_two_processes_store_at_once(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make(b"the other's", "other.html")
    races = []

    def race(point: str, stage: str) -> None:
        if (point, stage) == ("buffer.refs", "before") and len(races) < 3:
            races.append(point)
            late = make(b"late %d" % len(races), "late.html")
            content = b"late %d" % len(races)
            both = [(other, b"the other's"), (late, content)]
            store_originals.put(wiki.repo(), both)

    monkeypatch.setattr(durable, "hooks", [race])
    mine = make(b"the other's", "mine.html")
    store_originals.put(wiki.repo(), [(mine, b"the other's"), *items(3)])
    assert len(check_whole(wiki.repo())) == 7
    told = originals.read_tellings(wiki.repo(), other.id)
    assert {each.name for each in told} == {"mine.html", "other.html"}


def test_a_ref_that_cannot_move_is_an_error(wiki: Wiki) -> None:
    refs = wiki.root / ".git/refs/companion"
    refs.mkdir(parents=True, exist_ok=True)
    (refs / "originals.lock").touch()
    with pytest.raises(GitFailed):
        store_originals.put(wiki.repo(), items(1))


def test_damaged_bytes_are_not_given_out(wiki: Wiki) -> None:
    item = make(b"as it came", "a.html")
    wrong = item._replace(blob=make(b"something else", "a.html").blob)
    store_originals.put(wiki.repo(), [(wrong, b"something else")])
    with pytest.raises(originals.DamagedOriginal):
        originals.read_bytes(wiki.repo(), wrong)
    with pytest.raises(originals.DamagedOriginal):
        list(originals.stream_bytes(wiki.repo(), wrong))


def test_many_are_asked_for_at_once(wiki: Wiki) -> None:
    store_originals.put(wiki.repo(), items(300, 10))
    ids = originals.list_ids(wiki.repo())
    assert originals.find_known(wiki.repo(), [*ids, "0" * 64]) == ids

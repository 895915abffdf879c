"""What a person's `git gc` takes away between two of our steps stops none of them."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.maintenance.erase.run import erase
from companion.storage.erasure import rewrite_history, scrub
from companion.storage.files import durable
from companion.storage.git import capture_buffer, git_locks, layout, setup
from companion.storage.git.objects import Pack, hash_blob, write_loose
from companion.storage.git.repo import Repo, TryLater
from tests.wiki import Wiki, check_health, git

WORDS = b"The boat is at pier 7.\n"
STAGES = ("before", "torn", "staged", "placed")


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


@contextmanager
def meanwhile(
    point: str, stage: str, act: Callable[[], object], *, times: int = 1
) -> Iterator[list[str]]:
    """Do *act* the first *times* that the durable step *point* is at *stage*."""
    done: list[str] = []

    def hook(name: str, at: str) -> None:
        if (name, at) == (point, stage) and len(done) < times:
            done.append(name)
            act()

    durable.hooks.append(hook)
    try:
        yield done
    finally:
        durable.hooks.remove(hook)


def fan_out(wiki: Wiki) -> Path:
    return objects(wiki) / hash_blob(WORDS)[:2]


def objects(wiki: Wiki) -> Path:
    return Path(wiki.ws.place.common_dir, "objects")


# -- loose objects ---------------------------------------------------------------------------------


@pytest.mark.parametrize("sync", [False, True])
@pytest.mark.parametrize("stage", STAGES)
def test_a_folder_that_goes_while_an_object_is_written_is_made_again(
    wiki: Wiki, stage: str, sync: bool
) -> None:
    def sweep() -> None:
        shutil.rmtree(fan_out(wiki))

    with meanwhile("object.loose", stage, sweep, times=3) as done:
        oid = write_loose(str(objects(wiki)), "blob", WORDS, sync=sync)

    assert len(done) == 3
    assert git(wiki.root, "cat-file", "blob", oid) == WORDS.decode()
    assert os.listdir(fan_out(wiki)) == [oid[2:]]


def test_an_object_that_is_packed_while_it_is_synced_is_kept(
    wiki: Wiki,
) -> None:
    """Git's pack is durable only by its own promise: a copy of ours stays until the next sweep."""
    oid = write_loose(str(objects(wiki)), "blob", WORDS)
    wiki.git("update-index", "--add", "--cacheinfo", f"100644,{oid},a.md")

    with meanwhile(
        "sync.tree", "before", lambda: wiki.git("repack", "-q", "-a", "-d")
    ) as done:
        assert write_loose(str(objects(wiki)), "blob", WORDS, sync=True) == oid

    assert done and os.listdir(fan_out(wiki)) == [oid[2:]]


def test_a_folder_that_never_stays_is_an_error_in_the_end(wiki: Wiki) -> None:
    with (
        meanwhile(
            "object.loose",
            "before",
            lambda: shutil.rmtree(fan_out(wiki)),
            times=1000,
        ) as done,
        pytest.raises(durable.StorageError, match="No such file"),
    ):
        write_loose(str(objects(wiki)), "blob", WORDS)
    assert len(done) < 100


def test_a_note_is_taken_while_git_packs(wiki: Wiki) -> None:
    with meanwhile(
        "object.loose", "before", lambda: wiki.git("gc", "-q", "--prune=now")
    ) as done:
        (capture,) = wiki.ingest("The boat is at pier 7.")

    assert done
    assert capture["status"] == "captured"
    assert wiki.repo().has(capture["blob"])


# -- packs -----------------------------------------------------------------------------------------


def test_a_pack_outlives_a_sweep_of_leftovers(wiki: Wiki) -> None:
    before = set(os.listdir(objects(wiki) / "pack"))

    def sweep() -> None:
        wiki.git("prune", "--expire=now")

    with (
        meanwhile("pack.close", "staged", sweep) as done,
        Pack(wiki.ws.place.common_dir) as pack,
    ):
        ids = [pack.add("blob", b"text %d" % n) for n in range(3)]

    assert done
    assert [wiki.repo().blob(id) for id in ids] == [
        b"text 0",
        b"text 1",
        b"text 2",
    ]
    new = set(os.listdir(objects(wiki) / "pack")) - before
    assert sorted(Path(name).suffix for name in new) == [
        ".idx",
        ".keep",
        ".pack",
    ]
    (index,) = (name for name in new if name.endswith(".idx"))
    wiki.git("verify-pack", str(objects(wiki) / "pack" / index))


def test_all_names_are_synced_though_a_folder_goes(wiki: Wiki) -> None:
    empty = objects(wiki) / "00"
    empty.mkdir(exist_ok=True)

    with meanwhile("sync.tree", "before", lambda: shutil.rmtree(empty)) as done:
        setup.sync_objects(wiki.ws.place)

    assert done


# -- refs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("point", "stage"), [("buffer.refs", "placed"), ("sync.tree", "before")]
)
def test_a_ref_that_is_packed_while_it_moves_is_durable(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, point: str, stage: str
) -> None:
    """The folder of private refs is empty then, and git removes it."""
    wiki.ingest("hush", scope="private", agent="bot")
    synced = []
    fsync = os.fsync

    def record(fd: int) -> None:
        synced.append(os.path.basename(os.readlink(f"/proc/self/fd/{fd}")))
        fsync(fd)

    monkeypatch.setattr(os, "fsync", record)
    repo = wiki.repo()
    with meanwhile(
        point, stage, lambda: wiki.git("pack-refs", "--all")
    ) as done:
        capture_buffer.anchor(wiki.journal(), repo)

    assert done
    (ref,) = layout.read_refs(wiki.ws.place, "refs/companion/private")
    assert not Path(wiki.ws.place.common_dir, ref).parent.exists()
    at = synced.index("packed-refs")
    assert ".git" in synced[at:]


def test_a_branch_in_a_folder_is_locked_though_the_folder_goes(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link
    tries = []

    def racing(source: str, target: str, **more: object) -> None:
        if target.endswith("/team/notes.lock") and not tries:
            tries.append(target)
            os.rmdir(os.path.dirname(target))
        link(source, target)

    monkeypatch.setattr(os, "link", racing)
    git_locks.take_branch(wiki.repo(), "refs/heads/team/notes", None, wiki.head)

    assert tries
    assert Path(tries[0]).read_text().strip() == wiki.head


# -- erasing ---------------------------------------------------------------------------------------


def test_erased_words_are_in_no_pack_that_git_makes_meanwhile(
    wiki: Wiki,
) -> None:
    oid = write_loose(str(objects(wiki)), "blob", WORDS)

    with meanwhile(
        "erase.purge",
        "packed",
        lambda: wiki.git("repack", "-q", "-a", "-d", "-k"),
    ) as done:
        scrub.drop_objects(wiki.ws.place, {oid})

    assert done
    assert not wiki.repo().has(oid)
    check_health(wiki)


def test_erasing_goes_on_where_git_takes_a_pack_away(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Pack(wiki.ws.place.common_dir) as pack:
        oid = pack.add("blob", WORDS)
    for keep in (objects(wiki) / "pack").glob("*.keep"):
        keep.unlink()
    listed = []
    list_packed = scrub._list_packed

    def racing(place: layout.Place, index: str) -> set[str]:
        if not listed:
            wiki.git("repack", "-q", "-a", "-d", "-k")
        listed.append(index)
        return list_packed(place, index)

    monkeypatch.setattr(scrub, "_list_packed", racing)
    scrub.drop_objects(wiki.ws.place, {oid})

    assert len(listed) > 1
    assert not wiki.repo().has(oid)
    check_health(wiki)


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_erased_words_are_no_object_that_git_loosens_meanwhile(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, rounds: int
) -> None:
    """As `git repack -A` does with a pack that it opened before."""
    with Pack(wiki.ws.place.common_dir) as pack:
        oid = pack.add("blob", WORDS)
    done = loosen(wiki, monkeypatch, rounds)

    scrub.drop_objects(wiki.ws.place, {oid})

    assert len(done) == rounds
    assert not wiki.repo().has(oid)
    check_health(wiki)


def test_an_erasure_that_git_never_lets_end_says_so(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    oid = hash_blob(WORDS)
    loosen(wiki, monkeypatch, 1000)

    with pytest.raises(scrub.StillThere, match="as often as") as raised:
        scrub.drop_objects(wiki.ws.place, {oid})

    assert raised.value.exit_code == 75
    assert "again" in raised.value.hint


def loosen(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch, times: int
) -> list[str]:
    """Let git write `WORDS` loose after each of so many looks for loose objects."""
    drop_loose = scrub._drop_loose
    done: list[str] = []

    def racing(folder: str, unwanted: set[str]) -> set[str]:
        found = drop_loose(folder, unwanted)
        if len(done) < times:
            done.append(write_loose(str(objects(wiki)), "blob", WORDS))
        return found

    monkeypatch.setattr(scrub, "_drop_loose", racing)
    return done


def test_an_erasure_beside_a_prune_can_be_run_again(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    wiki.ingest("The code is Zebra-77/horse+staple.")
    write_loose(str(objects(wiki)), "blob", WORDS)
    list_objects = rewrite_history.list_objects

    def racing(repo: Repo) -> Iterator[tuple[str, str]]:
        listed = list(list_objects(repo))
        wiki.git("prune", "--expire=now")
        yield from listed

    with monkeypatch.context() as patch:
        patch.setattr(rewrite_history, "list_objects", racing)
        with pytest.raises(TryLater, match="git removed the object") as raised:
            erase(wiki.ws, ["Zebra-77/horse+staple"])
    assert "Nothing was erased" in raised.value.hint

    word = erase(wiki.ws, ["Zebra-77/horse+staple"])["confirm"]
    erase(wiki.ws, ["Zebra-77/horse+staple"], confirm=word)
    assert not wiki.search("Zebra-77")


# -- readers ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("start", ["loose", "packed", "listed together"])
@pytest.mark.parametrize(
    "sweep",
    ["gc -q --prune=now", "repack -qadf", "repack -qd --geometric=2 -m"],
)
def test_an_open_repository_reads_on_while_git_packs(
    wiki: Wiki, start: str, sweep: str
) -> None:
    ids = []
    for n in range(4):
        wiki.write(f"{n}.md", f"Page {n}, {hash_blob(b'%d' % n)}.\n")
        wiki.git("add", f"{n}.md")
        ids.append(wiki.git("rev-parse", f":{n}.md").strip())
        if start != "loose":
            wiki.git("repack", "-q", "-d")
    if start == "listed together":
        wiki.git("multi-pack-index", "write")
    repo = wiki.repo()
    assert repo.has(ids[0]) and repo.size(ids[1]) > 0

    wiki.git(*sweep.split())

    for n, id in enumerate(ids):
        assert repo.has(id) and repo.knows(id) and repo.is_blob(id)
        assert repo.text(id).startswith(f"Page {n},")

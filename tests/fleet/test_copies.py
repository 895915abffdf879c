"""A worker's copy beside the shard's own folder: nothing is packed or built anew, and nothing differs."""

import os
from contextlib import closing
from pathlib import Path

import pytest

from companion.fleet import copies
from companion.fleet.night import sleep_shards
from companion.fleet.protocol import Answer, Job
from companion.fleet.shards import pin
from companion.fleet.work import work
from companion.storage import files_in_git, publish
from companion.storage.git.layout import Place
from companion.storage.git.repo import Repo
from companion.storage.index import schema
from companion.storage.vectors import find_vectors
from companion.values.time import format_instant
from tests.fleet.shards import check_same, serial, shard
from tests.wiki import Wiki


def sleep_near(wiki: Wiki, at: str) -> list[Job]:
    """Do a night by a worker that reads the shard's folder; return its jobs."""
    jobs = []

    def look(job: Job) -> Answer:
        jobs.append(job)
        return work(job)

    doc = sleep_shards([str(wiki.root)], at, engine=look, near=True)
    assert doc["exit_code"] == 0, doc
    return jobs


def copy(wiki: Wiki, folder: Path, *, near: bool) -> Place:
    wiki.tick()
    job = pin(wiki.ws, format_instant(wiki.now), near=near)
    folder.mkdir(parents=True)
    return copies.copy_shard(job, str(folder))


def read_in_copy(place: Place, path: str) -> str:
    """Return the text of a page there, which a run would find."""
    repo = Repo(place)
    files_in_git.bring_out(repo, [path])
    return Path(place.root, path).read_text()


def test_the_copy_begins_with_the_shards_index_and_vectors(
    tmp_path: Path,
) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    near = copy(wiki, tmp_path / "near/wiki", near=True)
    far = copy(wiki, tmp_path / "far/wiki", near=False)
    assert not os.path.exists(far.index_db)
    assert os.path.exists(find_vectors(near.state))
    with closing(schema.open_for_writing(near.index_db)) as db:
        assert schema.read_meta(db, "commit") == wiki.head
    own = list((tmp_path / "near/wiki/.git/objects/pack").iterdir())
    assert own == []
    for name in ("Alice", "Restic"):
        paths = [path for path in wiki.files() if name in path]
        assert paths
        for path in paths:
            assert not Path(near.root, path).exists()
            assert read_in_copy(near, path) == wiki.read(path)


def test_files_are_in_the_copy_once_a_run_asks_for_them(tmp_path: Path) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    wiki.write("Notes/run.sh", "echo\n")
    (wiki.root / "Notes/run.sh").chmod(0o755)
    (wiki.root / "Notes/link.md").symlink_to("run.sh")
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "own files")
    place = copy(wiki, tmp_path / "near/wiki", near=True)
    repo = Repo(place)
    root = Path(place.root)
    committed = wiki.git("rev-parse", "HEAD:Notes/run.sh").strip()
    assert files_in_git.list_names(repo, "Notes") == {"run.sh", "link.md"}
    assert files_in_git.is_there(repo, "Notes/link.md")
    assert not files_in_git.is_there(repo, "Notes/none.md")
    assert publish.hash_on_disk(repo, "Notes/link.md") == ""
    assert publish.hash_on_disk(repo, "Notes/none.md") is None
    assert publish.hash_on_disk(repo, "Notes/run.sh") == committed
    assert os.access(root / "Notes/run.sh", os.X_OK)
    assert (root / "Notes/link.md").is_symlink()
    assert sorted(os.listdir(root / "Notes")) == ["link.md", "run.sh"]
    assert Wiki(root).status() == ""
    # what is out and changed is seen, as anywhere
    (root / "Notes/run.sh").write_text("other\n")
    assert publish.hash_as_git_would(repo, "Notes/run.sh") != committed


def test_a_new_page_avoids_the_name_of_a_file_that_is_in_git_only(
    tmp_path: Path,
) -> None:
    wiki = shard(tmp_path)
    folder = wiki.root / f"entries/{wiki.now:%Y/%m}"
    folder.mkdir(parents=True)
    target = wiki.root / "elsewhere.txt"
    target.write_text("mine\n")
    (folder / "Alice moved to Rome.md").symlink_to(target)
    wiki.git("add", "--all")
    wiki.git("commit", "--quiet", "--message", "own files")
    twin = serial(wiki, tmp_path / "twin")
    sleep_near(wiki, format_instant(twin.now))
    check_same(wiki, twin)


def test_a_job_of_this_machine_carries_no_bundle(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    twin = serial(wiki, tmp_path / "twin")
    (job,) = sleep_near(wiki, format_instant(twin.now))
    assert (job.bundle, job.folder) == (b"", str(wiki.root))
    check_same(wiki, twin)


@pytest.mark.parametrize("name", ["index.db", "vectors.db"])
def test_what_is_derived_and_damaged_is_made_anew(
    tmp_path: Path, name: str
) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    wiki.ingest("Alice moved to Bern, not to Rome.")
    twin = serial(wiki, tmp_path / "twin")
    path = Path(wiki.ws.place.state, name)
    assert path.exists()

    def damage(job: Job) -> Answer:
        whole = path.read_bytes()
        path.write_bytes(b"no database" * 1000)
        answer = work(job)
        path.write_bytes(whole)
        return answer

    at = format_instant(twin.now)
    doc = sleep_shards([str(wiki.root)], at, engine=damage, near=True)
    assert doc["exit_code"] == 0, doc
    check_same(wiki, twin)


def test_a_shard_in_a_folder_of_any_name(tmp_path: Path) -> None:
    odd = tmp_path / 'line\nbreak #1 "quoted"'
    odd.mkdir()
    wiki = shard(odd)
    twin = serial(wiki, tmp_path / "twin")
    sleep_near(wiki, format_instant(twin.now))
    check_same(wiki, twin)


def test_what_the_person_changed_and_did_not_adopt_is_not_in_the_copy(
    tmp_path: Path,
) -> None:
    wiki = serial(shard(tmp_path), tmp_path / "slept")
    path = next(name for name in wiki.files() if "Alice" in name)
    before = wiki.read(path)
    wiki.write(path, "mine\n")
    place = copy(wiki, tmp_path / "near/wiki", near=True)
    assert read_in_copy(place, path) == before
    assert wiki.read(path) == "mine\n"


def test_private_notes_have_no_name_in_the_copy(tmp_path: Path) -> None:
    wiki = shard(tmp_path)
    wiki.ingest("The code of the safe is in the blue book.", scope="private")
    twin = serial(wiki, tmp_path / "twin")
    at = format_instant(twin.now)
    place = copy(twin, tmp_path / "near/wiki", near=True)
    refs = Wiki(Path(place.root)).git("for-each-ref")
    assert "refs/companion/buffer" in refs
    assert "private" not in refs
    assert not os.path.exists(place.journal_db)
    assert b"blue book" not in Path(place.index_db).read_bytes()
    sleep_near(wiki, at)
    assert wiki.tree == twin.tree

"""The state of a wiki on a network drive or in a synchronised folder is kept elsewhere, and all
goes on as ever.
"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.maintenance.doctor import run as health
from companion.reading.status import describe_wiki
from companion.storage.files import shared_drives
from companion.storage.git import layout
from companion.storage.git.git_locks import release
from companion.storage.git.layout import UnsuitableRepo
from companion.storage.git.setup import CannotInit
from companion.workspace import open_workspace
from tests.wiki import (
    Wiki,
    check_captures,
    check_health,
    check_index,
    git,
    person,
)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for state on another file system than the wiki's, where this machine has one."""
    there = "/dev/shm" if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=there) as folder:
        monkeypatch.setenv("XDG_STATE_HOME", folder)
        yield Path(folder)


@pytest.fixture
def wiki(tmp_path: Path, home: Path) -> Wiki:
    return Wiki.new(tmp_path / "Dropbox" / "notes", {"a.md": "# A\n\noat\n"})


def test_nothing_that_sqlite_or_flock_needs_lies_in_the_synchronised_folder(
    wiki: Wiki, home: Path
) -> None:
    (done,) = wiki.ingest("# Oat milk")
    wiki.consolidate()
    wiki.write("a.md", "# A\n\nby hand\n")
    wiki.adopt()
    state = Path(wiki.ws.place.state)
    assert state.parent == home / "companion"
    assert state.name.startswith("notes-")
    assert {path.name for path in state.iterdir()} >= {
        "journal.db",
        "index.db",
        "sleep.lock",
        "home",
    }
    assert [
        path.name for path in (wiki.root / ".git" / "companion").iterdir()
    ] == ["kept"]
    assert wiki.git("config", "--local", "companion.state").strip() == str(
        state
    )
    assert open_workspace(str(wiki.root)).place == wiki.ws.place
    check_index(wiki)
    check_captures(wiki, {done["id"]: b"# Oat milk"})
    check_health(wiki)


def test_status_says_where_it_lies_and_why(wiki: Wiki, tmp_path: Path) -> None:
    assert describe_wiki(wiki.ws)["state"] == {
        "folder": wiki.ws.place.state,
        "why": "the wiki lies in a folder that Dropbox synchronises",
    }
    plain = Wiki.new(tmp_path / "plain")
    assert describe_wiki(plain.ws)["state"] == {
        "folder": f"{plain.root}/.git/companion",
        "why": "inside git's own",
    }


def test_a_network_drive_counts_too(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mounts").write_text(
        f"/dev/x / ext4 rw 0 0\nserver:/x {tmp_path}/net nfs4 rw 0 0\n"
    )
    monkeypatch.setattr(shared_drives, "MOUNTS", str(tmp_path / "mounts"))
    wiki = Wiki.new(tmp_path / "net" / "wiki")
    assert wiki.ws.place.moved
    assert (
        describe_wiki(wiki.ws)["state"]["why"]
        == "the wiki lies on a network drive (nfs4)"
    )


def test_where_home_is_on_the_network_as_well_nothing_is_gained_and_status_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "Nextcloud" / "state"))
    wiki = Wiki.new(tmp_path / "Nextcloud" / "wiki")
    assert not wiki.ws.place.moved
    (note,) = describe_wiki(wiki.ws)["notes"]
    assert (
        "although the wiki lies in a folder that Nextcloud synchronises" in note
    )


def test_a_state_that_is_in_use_stays_where_it_is(
    tmp_path: Path, home: Path
) -> None:
    wiki = Wiki.new(tmp_path / "notes")
    (done,) = wiki.ingest("oat")
    (tmp_path / ".stfolder").mkdir()
    wiki.init()
    assert not wiki.ws.place.moved
    check_captures(wiki, {done["id"]: b"oat"})


def test_a_state_that_is_gone_is_damage_and_what_git_has_comes_back(
    wiki: Wiki,
) -> None:
    (done,) = wiki.ingest("# Oat milk")
    wiki.consolidate()
    shutil.rmtree(wiki.ws.place.state)
    found = health.doctor(wiki.ws)
    assert not found["ok"]
    assert found["findings"][0]["kind"] == "state-gone"
    assert wiki.ws.place.state in found["findings"][0]["what"]
    assert {hit["title"] for hit in wiki.search("oat")} == {"A", "Oat milk"}
    check_captures(wiki, {done["id"]: b"# Oat milk"})
    wiki.consolidate()
    check_health(wiki)


def test_a_moved_repository_keeps_its_state_and_a_copy_never_shares_it(
    wiki: Wiki, tmp_path: Path
) -> None:
    (done,) = wiki.ingest("oat")
    state, moved = wiki.ws.place.state, tmp_path / "Dropbox" / "moved"
    wiki.root.rename(moved)
    wiki = Wiki(moved, wiki.now)
    assert open_workspace(str(moved)).place.state == state
    wiki.init()
    assert wiki.ws.place.state == state, (
        "init abandoned the captures of a repository that was moved"
    )
    wiki.consolidate()
    copy = wiki.copy(tmp_path / "Dropbox" / "copy")
    with pytest.raises(UnsuitableRepo, match="copy of") as caught:
        open_workspace(str(copy.root))
    assert "companion init" in caught.value.hint
    copy.init()
    assert open_workspace(str(copy.root)).place.state != state
    for each in (wiki, copy):
        each.ingest(f"only in {each.root.name}")
        each.consolidate()
        check_index(each)
        check_captures(each, {done["id"]: b"oat"})
        check_health(each)


def test_a_state_recorded_by_another_machine_is_named_and_init_records_one_here(
    wiki: Wiki, home: Path
) -> None:
    """The folder was synchronised with its .git/config; the path in it is the other machine's."""
    (home / "a file").write_text("")
    wiki.git("config", "companion.state", f"{home}/a file/companion/notes")
    with pytest.raises(UnsuitableRepo, match="cannot be made here") as caught:
        open_workspace(str(wiki.root))
    assert "companion init" in caught.value.hint
    wiki.init()
    assert wiki.ws.place.state.startswith(str(home))
    check_health(wiki)


@pytest.mark.parametrize(
    "name", ["a b#c;d", 'quo"te', "back\\slash", '"both\\"']
)
def test_a_home_that_git_must_quote(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / name))
    wiki = Wiki(tmp_path / "Dropbox")
    wiki.init()
    state = wiki.ws.place.state
    assert state.startswith(str(tmp_path / name))
    assert wiki.git("config", "--get", "companion.state").strip() == state


def test_a_home_that_git_writes_by_other_signs_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "a\ttab"))
    wiki = Wiki(tmp_path / "Dropbox")
    with pytest.raises(CannotInit):
        wiki.init()
    assert not wiki.git("config", "--get", "companion.state", check=False)


def test_a_relative_state_is_refused(wiki: Wiki) -> None:
    wiki.git("config", "companion.state", "somewhere")
    with pytest.raises(UnsuitableRepo, match="no absolute path"):
        open_workspace(str(wiki.root))


def test_a_state_named_for_the_whole_machine_is_nobodys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    (tmp_path / "gitconfig").write_text(
        f"[companion]\n\tstate = {tmp_path}/all\n"
    )
    assert not Wiki.new(tmp_path / "wiki").ws.place.moved


def test_the_locks_of_another_machine_are_left_to_it(wiki: Wiki) -> None:
    """Two machines, one network drive: what the other holds while it publishes is no leftover of
    ours.
    """
    theirs = Path(wiki.ws.place.beside) / "run-0123456789abcdef-7-1.index"
    theirs.write_bytes(b"their index")
    lock = wiki.root / ".git" / "index.lock"
    lock.hardlink_to(theirs)
    release(wiki.repo(), wiki.repo().branch)
    assert lock.exists()
    assert theirs.exists()


def test_a_vault_in_a_folder_of_a_synchronised_repository(
    tmp_path: Path, home: Path
) -> None:
    root = tmp_path / "OneDrive" / "work"
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "master")
    person(root)
    wiki = Wiki.new(root / "vault", {"a.md": "oat\n"})
    (root / "vault" / ".companion").rename(root / "hidden")
    assert layout.find_place(str(root)).root == str(root / "vault")
    (root / "hidden").rename(root / "vault" / ".companion")
    check_index(wiki)

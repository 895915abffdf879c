"""A repository's own files are made and changed durably."""

import os
import subprocess
from pathlib import Path

import pytest

from companion.storage.files import arm_faults, durable
from companion.storage.git import layout
from companion.storage.git import setup as gitdir
from companion.storage.git.command import GitFailed
from companion.storage.git.git_locks import GitBusy
from companion.storage.git.setup import CannotInit


def settings(root: Path, key: str) -> list[str]:
    done = subprocess.run(
        ["git", "config", "--get-all", key],
        cwd=root,
        capture_output=True,
        text=True,
    )
    return done.stdout.splitlines()


def at(root: Path) -> layout.Place:
    found = layout.make_place(str(root))
    assert found is not None
    return found


def test_a_repository_is_synced_before_it_gets_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a power cut HEAD and config were empty, and git saw no repository any more."""
    done: list[str] = []
    fsync, rename = os.fsync, os.rename
    monkeypatch.setattr(
        os,
        "fsync",
        lambda fd: (done.append(os.readlink(f"/proc/self/fd/{fd}")), fsync(fd)),
    )
    monkeypatch.setattr(
        os, "rename", lambda a, b: (done.append("rename"), rename(a, b))
    )

    gitdir.create(str(tmp_path / "wiki"))

    synced = {os.path.basename(path) for path in done[: done.index("rename")]}
    assert {"HEAD", "config", "refs", "objects"} <= synced
    assert os.listdir(tmp_path / "wiki") == [".git"]
    assert (
        subprocess.run(
            ["git", "status"], cwd=tmp_path / "wiki", capture_output=True
        ).returncode
        == 0
    )


def test_what_a_killed_init_left_does_not_stop_the_next(tmp_path: Path) -> None:
    (tmp_path / gitdir.NEW / ".git").mkdir(parents=True)
    (tmp_path / gitdir.NEW / ".git" / "HEAD").write_bytes(b"\0" * 20)

    gitdir.create(str(tmp_path))

    assert (tmp_path / ".git" / "HEAD").read_text() == "ref: refs/heads/main\n"
    assert os.listdir(tmp_path) == [".git"]


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotInit):
        gitdir.create(str(tmp_path / "file" / "wiki"))


def test_a_folder_of_theirs_by_that_name_is_not_removed(tmp_path: Path) -> None:
    (tmp_path / gitdir.NEW).mkdir()
    (tmp_path / gitdir.NEW / "mine.md").write_text("mine")
    with pytest.raises(CannotInit, match="in the way"):
        gitdir.create(str(tmp_path))
    assert (tmp_path / gitdir.NEW / "mine.md").read_text() == "mine"


def test_settings_are_added_all_or_none(tmp_path: Path) -> None:
    gitdir.create(str(tmp_path))
    before = (tmp_path / ".git" / "config").read_bytes()

    with pytest.raises(GitFailed):
        gitdir.configure(
            at(tmp_path), [("companion.branch", "main"), ("no section", "x")]
        )
    assert (tmp_path / ".git" / "config").read_bytes() == before
    with pytest.raises(durable.StorageError):
        disarm = arm_faults.arm("write.replace:staged:eio")
        try:
            gitdir.configure(at(tmp_path), [("companion.branch", "main")])
        finally:
            disarm()
    assert (tmp_path / ".git" / "config").read_bytes() == before

    gitdir.configure(at(tmp_path), [("a.b", "1"), ("a.b", "2")])
    assert settings(tmp_path, "a.b") == ["1", "2"]
    assert (tmp_path / ".git" / "config").read_bytes().startswith(before)


def test_a_git_that_is_changing_settings_is_left_alone(tmp_path: Path) -> None:
    gitdir.create(str(tmp_path))
    (tmp_path / ".git" / "config.lock").write_text("")
    with pytest.raises(GitBusy):
        gitdir.configure(at(tmp_path), [("a.b", "1")])
    assert settings(tmp_path, "a.b") == []

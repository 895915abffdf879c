"""Reading git: the same answers as git's own, and knowing when to keep away."""

import os
from pathlib import Path

import pytest

from companion.storage.git import repo as repo_module
from companion.storage.git.command import GitFailed, run_git
from companion.storage.git.layout import UnsuitableRepo
from companion.storage.git.repo import (
    NEAR,
    Change,
    MissingObject,
    Repo,
    TryLater,
)
from companion.storage.git.trees import EMPTY_TREE
from tests.wiki import Wiki


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(
        tmp_path / "wiki", {"a.md": "a", "sub/b.md": "b", "sub/deep/ü.md": "c"}
    )


def test_objects_are_read_and_their_absence_is_an_error(wiki: Wiki) -> None:
    repo = wiki.repo()
    blob = repo.subtree(repo.tree_of(repo.tip()), "sub/deep/ü.md")
    assert blob is not None
    assert (repo.blob(blob), repo.has(blob)) == (b"c", True)
    assert repo.subtree(repo.tree_of(repo.tip()), "sub/none/x") is None
    assert repo.subtree(None, "a.md") is None
    assert not repo.has("0" * 40)
    with pytest.raises(MissingObject) as caught:
        repo.blob("0" * 40)
    assert caught.value.exit_code == 65


def test_what_was_just_written_is_kept_until_it_is_read(
    wiki: Wiki, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repo_module, "_KEPT", 10)
    repo = wiki.repo()
    first, second = "1" * 40, "2" * 40
    repo.keep_until_read(first, b"123456")
    repo.keep_until_read(second, b"7890123")  # no room for it
    assert repo.blob(first) == b"123456"
    for gone in (first, second):
        with pytest.raises(MissingObject):
            repo.blob(gone)
    repo.keep_until_read(second, b"7890123")  # there is again
    assert repo.text(second) == "7890123"


def test_a_walk_names_every_file_and_enters_no_link(wiki: Wiki) -> None:
    (wiki.root / "link").symlink_to("sub")
    wiki.commit()
    repo = wiki.repo()
    found = [
        (path, f"{mode:06o}", id)
        for path, mode, id in repo.walk(repo.tree_of(repo.tip()))
    ]
    listing = wiki.git("ls-tree", "-r", "-z", "HEAD").split("\0")[:-1]
    assert sorted(found) == sorted(
        (line.split("\t")[1], line.split()[0], line.split()[2])
        for line in listing
    )
    assert list(repo.walk(None)) == list(repo.walk(EMPTY_TREE)) == []


def diff(wiki: Wiki, old: str, new: str) -> list[Change]:
    """What `git diff-tree` says of regular files."""
    changes = []
    lines = wiki.git("diff-tree", "-r", "-z", "--no-renames", old, new).split(
        "\0"
    )[:-1]
    for info, path in zip(lines[0::2], lines[1::2], strict=True):
        before, after, was, now, _ = info[1:].split()
        changes.append(
            Change(
                path,
                was if before.startswith("100") else None,
                now if after.startswith("100") else None,
            )
        )
    return sorted(change for change in changes if change.old != change.new)


def test_changes_are_those_of_git(wiki: Wiki) -> None:
    repo = wiki.repo()
    commits = [wiki.head]

    def step() -> None:
        wiki.commit()
        commits.append(wiki.head)

    wiki.write("a.md", "changed")
    (wiki.root / "sub/b.md").unlink()
    wiki.write("new/x.md", "x")
    step()
    (wiki.root / "a.md").unlink()
    wiki.write("a.md/now a folder.md", "x")
    step()
    (wiki.root / "new/x.md").chmod(0o755)
    (wiki.root / "sub/deep/ü.md").unlink()
    (wiki.root / "sub/deep/ü.md").symlink_to("b.md")
    step()
    (wiki.root / "a.md/now a folder.md").unlink()
    (wiki.root / "a.md").rmdir()
    wiki.write("a.md", "a file again")
    step()
    for old in commits:
        for new in commits:
            ours = sorted(repo.changes(repo.tree_of(old), repo.tree_of(new)))
            assert ours == diff(wiki, old, new)
    everything = [
        change.path for change in repo.changes(None, repo.tree_of(commits[0]))
    ]
    assert sorted(everything) == sorted(
        [
            *wiki.git("ls-tree", "-r", "--name-only", "-z", commits[0]).split(
                "\0"
            )
        ][:-1]
    )


def test_names_that_are_no_utf8_keep_their_bytes(wiki: Wiki) -> None:
    with open(os.fsencode(wiki.root) + b"/\xff.md", "wb") as file:
        file.write(b"x")
    wiki.commit()
    repo = wiki.repo()
    names = [path for path, _, _ in repo.walk(repo.tree_of(repo.tip()))]
    assert "\udcff.md" in names


def test_the_wikis_branch_is_the_recorded_one(wiki: Wiki) -> None:
    tip = wiki.head
    wiki.git("checkout", "-q", "-b", "other")
    wiki.commit("elsewhere")
    repo = wiki.repo()
    assert (repo.branch, repo.tip()) == ("refs/heads/main", tip)
    assert repo.is_ancestor(tip, wiki.head)
    assert not repo.is_ancestor(wiki.head, tip)
    assert not repo.is_ancestor("0" * 40, tip)


def test_an_ancestor_is_found_however_far_back(wiki: Wiki) -> None:
    tips = [wiki.head]
    for n in range(NEAR + 3):
        wiki.commit(f"commit {n}")
        tips.append(wiki.head)
    repo = wiki.repo()
    assert all(repo.is_ancestor(tip, tips[-1]) for tip in tips)
    assert not any(repo.is_ancestor(tips[-1], tip) for tip in tips[:-1])


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("MERGE_HEAD", False),
        ("CHERRY_PICK_HEAD", False),
        ("REVERT_HEAD", False),
        ("BISECT_LOG", False),
        ("rebase-merge", True),
        ("rebase-apply", True),
    ],
)
def test_git_in_the_middle_of_something_is_left_alone(
    wiki: Wiki, name: str, folder: bool
) -> None:
    path = wiki.root / ".git" / name
    path.mkdir() if folder else path.write_text(wiki.head)
    with pytest.raises(TryLater) as caught:
        wiki.repo().require_quiet()
    assert caught.value.exit_code == 75
    path.rmdir() if folder else path.unlink()
    wiki.repo().require_quiet()


def test_no_variable_of_the_callers_leads_git_astray(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Wiki.new(tmp_path / "other")
    for name, value in {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(other.root / ".git/objects"),
        "GIT_NAMESPACE": "x",
    }.items():
        monkeypatch.setenv(name, value)
    assert run_git(
        wiki.ws.place, "rev-parse", "--show-toplevel"
    ).decode().strip() == str(wiki.root)
    assert run_git(wiki.ws.place, "ls-files", "a.md") == b"a.md\n"


def test_gits_own_words_are_in_the_error(wiki: Wiki) -> None:
    with pytest.raises(GitFailed, match="git show: fatal"):
        run_git(wiki.ws.place, "show", "nothing-of-that-name")


def test_a_broken_repository_is_unsuitable(wiki: Wiki) -> None:
    (wiki.root / ".git" / "HEAD").unlink()
    with pytest.raises(UnsuitableRepo):
        Repo(wiki.ws.place)


def test_the_person_is_who_git_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo = Wiki.new(tmp_path / "w").repo()
    for role in ("NAME", "EMAIL"):
        monkeypatch.delenv(f"GIT_AUTHOR_{role}", raising=False)
    assert repo.author() == ("Ada", "ada@example.org")

    monkeypatch.setenv("GIT_AUTHOR_NAME", "Zoë")
    assert repo.author() == ("Zoë", "ada@example.org")

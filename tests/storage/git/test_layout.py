"""Where things live: found with a few file reads, as git would find them."""

from pathlib import Path

import pytest

from companion.storage.git import layout
from companion.storage.git.layout import NotAWiki
from tests.wiki import Wiki, git, person


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    return Wiki.new(tmp_path / "wiki")


def test_a_wiki_is_found_from_any_folder_inside(wiki: Wiki) -> None:
    deep = wiki.root / "a" / "b"
    deep.mkdir(parents=True)
    found = layout.find_place(str(deep))
    assert found == layout.find_place(str(wiki.root)) == wiki.ws.place
    assert (found.root, found.worktree, found.prefix) == (
        str(wiki.root),
        str(wiki.root),
        "",
    )
    assert found.state == str(wiki.root / ".git" / "companion")
    assert (found.journal_db, found.index_db) == (
        f"{found.state}/journal.db",
        f"{found.state}/index.db",
    )


def test_no_wiki_is_an_error_with_a_way_out(tmp_path: Path) -> None:
    for start in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NotAWiki, match=str(start)) as caught:
            layout.find_place(str(start))
        assert (caught.value.exit_code, "init" in caught.value.hint) == (
            10,
            True,
        )


def test_a_plain_repository_is_no_wiki(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / ".companion").mkdir()
    assert layout.find_place(str(tmp_path)).root == str(tmp_path), (
        "the folder is the mark"
    )
    (tmp_path / ".companion").rmdir()
    with pytest.raises(NotAWiki):
        layout.find_place(str(tmp_path))


def test_a_folder_named_companion_without_git_is_no_wiki(
    tmp_path: Path,
) -> None:
    (tmp_path / ".companion").mkdir()
    with pytest.raises(NotAWiki):
        layout.find_place(str(tmp_path))
    assert layout.make_place(str(tmp_path)) is None


def test_while_another_branch_is_checked_out_a_capture_still_finds_home(
    wiki: Wiki,
) -> None:
    wiki.git("checkout", "-q", "--orphan", "other")
    wiki.git("rm", "-rfq", ".")
    assert not (wiki.root / ".companion").exists()
    assert layout.find_place(str(wiki.root)) == wiki.ws.place


def test_a_vault_in_a_folder_of_a_repository_is_remembered(
    tmp_path: Path,
) -> None:
    git(tmp_path, "init", "-q")
    person(tmp_path)
    (tmp_path / "vault").mkdir()
    wiki = Wiki(tmp_path / "vault")
    wiki.init()
    assert wiki.ws.place.prefix == "vault/"
    (tmp_path / "vault" / ".companion").rename(tmp_path / "hidden")
    assert layout.find_place(str(tmp_path)).root == str(tmp_path / "vault")


def test_a_linked_work_tree_shares_objects_and_state(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "linked"))
    found = layout.find_place(str(tmp_path / "linked"))
    assert (found.common_dir, found.state) == (
        wiki.ws.place.common_dir,
        wiki.ws.place.state,
    )
    assert found.git_dir != found.common_dir
    assert layout.read_head_branch(found) == "refs/heads/other"
    assert layout.read_ref(found, "HEAD") == wiki.head


def test_refs_are_read_loose_packed_and_symbolic(wiki: Wiki) -> None:
    found = wiki.ws.place
    for pack in (False, True):
        if pack:
            wiki.git("pack-refs", "--all")
            assert not (wiki.root / ".git/refs/heads/main").exists()
        assert (
            layout.read_ref(found, "HEAD")
            == layout.read_ref(found, "refs/heads/main")
            == wiki.head
        )
        assert layout.read_ref(found, "refs/heads/none") is None
        assert layout.read_ref(found, "refs/heads") is None
        assert layout.read_ref(found, "heads/main") is None
    wiki.git("tag", "-a", "-m", "x", "v1")
    wiki.git("pack-refs", "--all")
    assert (
        layout.read_ref(found, "refs/tags/v1")
        == wiki.git("rev-parse", "v1").strip()
    )


def test_a_detached_head_has_no_branch(wiki: Wiki) -> None:
    assert layout.read_head_branch(wiki.ws.place) == "refs/heads/main"
    wiki.git("checkout", "-q", "--detach")
    assert layout.read_head_branch(wiki.ws.place) is None
    assert layout.read_ref(wiki.ws.place, "HEAD") == wiki.head


def test_a_dot_git_that_points_nowhere_is_no_git(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("nonsense\n")
    assert layout.find_git_dir(str(tmp_path)) is None
    (tmp_path / ".git").write_text("gitdir: ../elsewhere/.git\n")
    assert layout.find_git_dir(str(tmp_path)) == str(
        tmp_path.parent / "elsewhere" / ".git"
    )
